// A CUDA driver and an NVRTC for tests of the device layer, in one shared library: $LIGHTCONE_CUDA
// and $LIGHTCONE_NVRTC point to it. The only kernel is `scale`. An "image" is the text FAKE, the
// target, the options and the kernel's text; anything compiles that has no #error.
//
// Compiled with FAKE_IS_OLD it lacks a function of each library. See stand_in.h for what it can be
// asked to do.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/stand_in.h"
#include "emulator/stand_in_nvrtc.h"

enum { MOST_SHARED_BYTES = 1 << 16 };

// ---- the driver ---------------------------------------------------------------------------------

int stand_in_attribute(CUdevice_attribute attribute, CUdevice device, int usual)
{
    (void)attribute;
    (void)device;
    return usual;
}

// A module is a copy of its image; a function is its module, from which it takes the constants.
CUresult stand_in_load(CUmodule *module, const void *image, char *log, size_t log_bytes)
{
    if (strncmp(image, "FAKE ", 5) != 0) {
        snprintf(log, log_bytes, "no FAKE here\nnor there");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *module = (CUmodule)(void *)strdup(image);
    return CUDA_SUCCESS;
}

void stand_in_unload(CUmodule module)
{
    free(module);
}

// Nothing takes any time; each event is half a millisecond after the one before.
double stand_in_milliseconds(void)
{
    static int events;
    return 0.5 * ++events;
}

CUresult stand_in_find(CUfunction *function, CUmodule module, const char *name)
{
    char declaration[64];
    snprintf(declaration, sizeof declaration, " %s(", name);
    if (strstr((const char *)(void *)module, declaration) == NULL)
        return ERROR_NOT_FOUND;
    *function = (CUfunction)(void *)module;
    return CUDA_SUCCESS;
}

CUresult stand_in_function_attribute(int *value, CUfunction_attribute attribute,
                                     CUfunction function)
{
    *value = function != NULL ? 100 + (int)attribute : 0;
    return CUDA_SUCCESS;
}

CUresult stand_in_allow_shared(CUfunction function, int size_bytes)
{
    return function != NULL && size_bytes <= MOST_SHARED_BYTES ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult stand_in_occupancy(int *blocks, CUfunction function, int threads, size_t shared_bytes)
{
    *blocks = function != NULL && shared_bytes == 0 ? 2048 / threads : 1;
    return CUDA_SUCCESS;
}

unsigned int stand_in_arguments(CUfunction function, const unsigned int **size_bytes)
{
    static const unsigned int sizes[] = {sizeof(CUdeviceptr), sizeof(unsigned int)};
    (void)function;
    *size_bytes = sizes;
    return 2;
}

CUresult stand_in_check(const stand_in_launch *launch)
{
    return launch->shared_bytes <= MOST_SHARED_BYTES ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult stand_in_run(const stand_in_launch *launch)
{
    const char *factor = strstr((const char *)(void *)launch->function, "-DFACTOR=");
    unsigned int threads = 1;
    unsigned int *values;
    unsigned int count;
    memcpy(&values, launch->arguments[0], sizeof values);
    memcpy(&count, launch->arguments[1], sizeof count);
    for (int i = 0; i < 3; i++)
        threads *= launch->grid[i] * launch->block[i];
    for (unsigned int i = 0; i < count && i < threads; i++)
        values[i] = values[i] * (unsigned int)atoi(factor + 9) + 7;
    return CUDA_SUCCESS;
}

// ---- the compiler -------------------------------------------------------------------------------

static void replace(char **text, const char *with)
{
    free(*text);
    *text = strdup(with);
}

nvrtcResult stand_in_compile(stand_in_program *program, size_t option_count,
                             const char *const *options)
{
    size_t written_bytes;
    FILE *image = open_memstream(&program->image, &written_bytes);
    fprintf(image, "FAKE %s", program->target);
    for (size_t i = 0; i < option_count; i++)
        fprintf(image, " %s", options[i]);
    fprintf(image, "\n%s:", program->name);
    for (size_t i = 0; i < program->header_count; i++) // an #include finds its header
        fprintf(image, "[%s]%s", program->header_names[i], program->headers[i]);
    fprintf(image, "%s", program->text);
    fclose(image);
    program->image_bytes = written_bytes + 1;
    if (strstr(program->image, "#error") != NULL) {
        replace(&program->log, "bad.cu(1): warning: strange\nbad.cu(2): error: stop here\n"
                               "bad.cu(3): error: and here\n");
        return NVRTC_ERROR_COMPILATION;
    }
    char log[64];
    snprintf(log, sizeof log, "compiled for %s\n", program->target);
    replace(&program->log, log);
    return NVRTC_SUCCESS;
}
