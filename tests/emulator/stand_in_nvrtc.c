// NVRTC's interface, around a compiler that fake_cuda.c or emulated_nvrtc.c is.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/stand_in.h"
#include "emulator/stand_in_nvrtc.h"

#define DECLARE(name, parameters) EXPORT nvrtcResult name parameters;
LC_NVRTC_SYMBOLS(DECLARE)
#undef DECLARE
EXPORT const char *nvrtcGetErrorString(nvrtcResult result);

enum { ERROR_INVALID_PROGRAM = 4 };

struct _nvrtcProgram {
    stand_in_program inside;
};

static atomic_int compilations; // which threads make

EXPORT long fake_compilations(void)
{
    return compilations;
}

const char *nvrtcGetErrorString(nvrtcResult result)
{
    return result == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_FAKE";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    PLANNED;
    *major = stand_in_number("FAKE_NVRTC", 12080) / 1000;
    *minor = stand_in_number("FAKE_NVRTC", 12080) % 1000 / 10;
    return NVRTC_SUCCESS;
}

static const int known[] = {75, 80, 86, 89, 90};

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    PLANNED;
    *count = (int)(sizeof known / sizeof *known);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *architectures)
{
    PLANNED;
    memcpy(architectures, known, sizeof known);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *names)
{
    PLANNED;
    stand_in_program *made = calloc(1, sizeof **program);
    made->name = strdup(name);
    made->text = strdup(text);
    made->header_count = (size_t)header_count;
    made->headers = calloc(made->header_count + 1, sizeof *made->headers);
    made->header_names = calloc(made->header_count + 1, sizeof *made->header_names);
    for (size_t i = 0; i < made->header_count; i++) {
        made->headers[i] = strdup(headers[i]);
        made->header_names[i] = strdup(names[i]);
    }
    made->log = strdup("");
    *program = (nvrtcProgram)made;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    stand_in_program *old = &(*program)->inside;
    for (size_t i = 0; i < old->header_count; i++) {
        free(old->headers[i]);
        free(old->header_names[i]);
    }
    free(old->headers);
    free(old->header_names);
    free(old->name);
    free(old->text);
    free(old->image);
    free(old->log);
    free(old);
    *program = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options)
{
    PLANNED;
    compilations++;
    const char *target = strchr(options[0], '=') + 1;
    program->inside.ptx = strncmp(target, "compute_", 8) == 0;
    program->inside.target = target;
    return stand_in_compile(&program->inside, (size_t)option_count - 1, options + 1);
}

static nvrtcResult copy_image(nvrtcProgram program, bool ptx, char *image)
{
    if (program->inside.ptx != ptx)
        return ERROR_INVALID_PROGRAM;
    memcpy(image, program->inside.image, program->inside.image_bytes);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size_bytes)
{
    *size_bytes = program->inside.image_bytes;
    return program->inside.ptx ? NVRTC_SUCCESS : ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    return copy_image(program, true, ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size_bytes)
{
    PLANNED;
    *size_bytes = program->inside.image_bytes;
    return program->inside.ptx ? ERROR_INVALID_PROGRAM : NVRTC_SUCCESS;
}

#ifndef FAKE_IS_OLD
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    PLANNED;
    return copy_image(program, false, cubin);
}
#endif

// FAKE_NO_LOG=1: it fails, and leaves a size that no memory has. That is no call of FAKE_FAIL's,
// since whoever calls goes on without a log.
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size_bytes)
{
    if (stand_in_number("FAKE_NO_LOG", 0) == 1) {
        *size_bytes = SIZE_MAX / 2;
        return ERROR_INVALID_PROGRAM;
    }
    *size_bytes = strlen(program->inside.log) + 1;
    return NVRTC_SUCCESS;
}

// FAKE_NO_LOG=2: it fails, and leaves half a log.
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    if (stand_in_number("FAKE_NO_LOG", 0) == 2) {
        log[0] = '?';
        return ERROR_INVALID_PROGRAM;
    }
    memcpy(log, program->inside.log, strlen(program->inside.log) + 1);
    return NVRTC_SUCCESS;
}
