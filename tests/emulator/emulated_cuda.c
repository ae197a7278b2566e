// A CUDA driver whose kernels run, on the CPU: tests of kernels and of all that uses them, without
// a GPU. With emulated_nvrtc.c it is one shared library: $LIGHTCONE_CUDA and $LIGHTCONE_NVRTC point
// to it. See stand_in.h for what it can be asked to do, and besides:
//
//     FAKE_MULTIPROCESSORS=4            how many (2)
//     FAKE_BLOCKS=3                     the most blocks that a multiprocessor holds at a time (2)
//
// What it finds wrong with a kernel - accesses outside the memory of the GPU, threads that do not
// meet where they should, undefined behaviour - fails the launch with the code that a GPU would
// give, and the driver's text for the code says what it was.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator/emulated_grid.h"
#include "emulator/emulated_image.h"
#include "emulator/stand_in.h"

enum {
    THREADS_PER_MULTIPROCESSOR = 2048,
    MOST_SHARED_BYTES = 227 << 10,
    USUAL_SHARED_BYTES = 48 << 10, // more must be asked for
    MOST_GRID_YZ = 65535,
};

struct CUmod_st {
    void *library;
    const emulated_module *inside;
    struct CUfunc_st *functions;
};

struct CUfunc_st {
    const emulated_module *module;
    const emulated_kernel *kernel;
    unsigned int shared_bytes_allowed;
};

int stand_in_attribute(CUdevice_attribute attribute, CUdevice device, int usual)
{
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        return stand_in_number_of(device, "FAKE_MULTIPROCESSORS", 2);
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
        return 1000000;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
        return 1000000;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
        return 1024;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        return 1 << 20;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        return THREADS_PER_MULTIPROCESSOR;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
        return 65536;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        return stand_in_number("FAKE_SHARED", MOST_SHARED_BYTES);
    default:
        return usual;
    }
}

// Not this machine's time, which a test must not depend on: an event comes 20 to 35 ms after the
// one before, long enough for anybody who measures.
double stand_in_milliseconds(void)
{
    static unsigned int events;
    static double now;
    events++;
    now += 20 + events * 7919 % 16;
    return now;
}

// Modules ---------------------------------------------------------------------------------------

static CUresult refuse(const char *why, char *log, size_t log_bytes)
{
    if (log != NULL)
        snprintf(log, log_bytes, "%s", why);
    return CUDA_ERROR_INVALID_IMAGE;
}

// The image's library, from a file that is there no longer than it takes. Of a name of its own each
// time: each module has its own variables, even if another one was made of the same image.
static void *open_library(const emulated_image *image)
{
    char path[256];
    const char *folder = getenv("TMPDIR");
    void *library = NULL;
    snprintf(path, sizeof path, "%s/lightcone-kernel-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0)
        return NULL;
    if (write(file, image + 1, image->size_bytes) == (ssize_t)image->size_bytes)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    close(file);
    unlink(path);
    return library;
}

CUresult stand_in_load(CUmodule *module, const void *image, char *log, size_t log_bytes)
{
    emulated_image head;
    memcpy(&head, image, sizeof head.magic);
    if (memcmp(head.magic, EMULATED_MAGIC, sizeof head.magic) != 0)
        return refuse("this is no image of the emulator", log, log_bytes);
    memcpy(&head, image, sizeof head);
    if (strcmp(head.stamp, EMULATED_STAMP) != 0)
        return refuse("another version of the emulator has made this image", log, log_bytes);
    void *library = open_library(image);
    if (library == NULL)
        return refuse("the image is no library that can be loaded", log, log_bytes);
    const emulated_module *inside = dlsym(library, "emulated_module_of_kernels");
    if (inside == NULL) {
        dlclose(library);
        return refuse("the image has no list of kernels", log, log_bytes);
    }
    struct CUmod_st *made = calloc(1, sizeof *made);
    *made = (struct CUmod_st){
        .library = library,
        .inside = inside,
        .functions = calloc(inside->kernel_count + 1, sizeof *made->functions),
    };
    for (unsigned int i = 0; i < inside->kernel_count; i++)
        made->functions[i] = (struct CUfunc_st){.module = inside,
                                                .kernel = &inside->kernels[i],
                                                .shared_bytes_allowed = USUAL_SHARED_BYTES};
    *module = made;
    return CUDA_SUCCESS;
}

void stand_in_unload(CUmodule module)
{
    dlclose(module->library);
    free(module->functions);
    free(module);
}

CUresult stand_in_find(CUfunction *function, CUmodule module, const char *name)
{
    for (unsigned int i = 0; i < module->inside->kernel_count; i++) {
        if (strcmp(module->inside->kernels[i].name, name) == 0) {
            *function = &module->functions[i];
            return CUDA_SUCCESS;
        }
    }
    return ERROR_NOT_FOUND;
}

// Kernels ---------------------------------------------------------------------------------------

static unsigned int shared_bytes_of(CUfunction function)
{
    return (unsigned int)(function->module->shared_end - function->module->shared_start);
}

CUresult stand_in_function_attribute(int *value, CUfunction_attribute attribute,
                                     CUfunction function)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = function->kernel->threads_max;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)shared_bytes_of(function);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = 64;
        return CUDA_SUCCESS;
    default:
        return ERROR_INVALID_VALUE;
    }
}

CUresult stand_in_allow_shared(CUfunction function, int size_bytes)
{
    if (size_bytes < 0 || (unsigned int)size_bytes + shared_bytes_of(function) > MOST_SHARED_BYTES)
        return ERROR_INVALID_VALUE;
    function->shared_bytes_allowed = (unsigned int)size_bytes;
    return CUDA_SUCCESS;
}

static int blocks_at_once(CUfunction function, unsigned int threads, size_t shared_bytes)
{
    if (threads == 0 || threads > (unsigned int)function->kernel->threads_max ||
        shared_bytes > function->shared_bytes_allowed)
        return 0;
    int blocks = stand_in_number("FAKE_BLOCKS", 2);
    int by_threads = (int)(THREADS_PER_MULTIPROCESSOR / threads);
    return by_threads < blocks ? by_threads : blocks;
}

CUresult stand_in_occupancy(int *blocks, CUfunction function, int threads, size_t shared_bytes)
{
    if (threads < 1)
        return ERROR_INVALID_VALUE;
    *blocks = blocks_at_once(function, (unsigned int)threads, shared_bytes);
    return CUDA_SUCCESS;
}

unsigned int stand_in_arguments(CUfunction function, const unsigned int **size_bytes)
{
    *size_bytes = function->kernel->argument_bytes;
    return function->kernel->argument_count;
}

CUresult stand_in_check(const stand_in_launch *launch)
{
    const CUfunction function = launch->function;
    unsigned long long blocks = 1;
    unsigned long long threads = 1;
    for (int i = 0; i < 3; i++) {
        blocks *= launch->grid[i];
        threads *= launch->block[i];
    }
    if (blocks == 0 || threads == 0 || threads > EMULATED_MOST_THREADS ||
        launch->grid[1] > MOST_GRID_YZ || launch->grid[2] > MOST_GRID_YZ || blocks > INT_MAX ||
        launch->shared_bytes > function->shared_bytes_allowed)
        return ERROR_INVALID_VALUE;
    if (threads > (unsigned long long)function->kernel->threads_max)
        return ERROR_LAUNCH_OUT_OF_RESOURCES;
    int at_once = stand_in_number("FAKE_MULTIPROCESSORS", 2) *
                  blocks_at_once(function, (unsigned int)threads, launch->shared_bytes);
    if (launch->cooperative && blocks > (unsigned long long)at_once)
        return ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return CUDA_SUCCESS;
}

CUresult stand_in_run(const stand_in_launch *launch)
{
    static const CUresult codes[] = {
        [EMULATED_DONE] = CUDA_SUCCESS,
        [EMULATED_FAILED] = CUDA_ERROR_LAUNCH_FAILED,
        [EMULATED_HANGING] = CUDA_ERROR_LAUNCH_TIMEOUT,
        [EMULATED_ILLEGAL_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
    };
    void *arguments[MOST_ARGUMENTS];
    char what[400] = "";
    char text[480];
    memcpy(arguments, launch->arguments, sizeof arguments);
    const emulated_grid grid = {
        .module = launch->function->module,
        .kernel = launch->function->kernel,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .shared_bytes = launch->shared_bytes,
        .cooperative = launch->cooperative,
        .arguments = arguments,
    };
    emulated_result result = emulated_grid_run(&grid, what, sizeof what);
    if (result == EMULATED_DONE && !stand_in_memory_is_whole(what, sizeof what))
        result = EMULATED_ILLEGAL_ADDRESS;
    if (result != EMULATED_DONE) {
        snprintf(text, sizeof text, "%s: %s", launch->function->kernel->name, what);
        stand_in_explain(text);
    }
    return codes[result];
}
