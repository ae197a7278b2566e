// A stand-in for CUDA's driver. What is the same for all of them is in stand_in_driver.c (contexts,
// modules), stand_in_copies.c (memory), stand_in_work.c (streams, events, graphs), stand_in_gpus.c
// (GPUs) and stand_in_texture.c, and what the environment wants of them in stand_in_plan.c; modules
// and kernels are what fake_cuda.c (no kernels) and emulated_cuda.c (kernels run on the CPU) make
// of them through the functions declared here.
//
// Work that is queued on a stream is not done before somebody waits for it, so that a program which
// touches its buffers too early gets what was there before. "Device memory" lies between pages that
// cannot be touched and begins as rubbish.
//
//     FAKE_FAIL=cuLaunchKernel=719      this call fails with this code; with "@2" only the
//                                       second time; "any=719@17" is the 17th call, whichever it is
//     FAKE_ARCHITECTURE=61              compute capability (90)
//     FAKE_GPUS=0                       how many there are (1)
//     FAKE_PEERS=0                      whether they reach each other's memory (1)
//     FAKE_NVRTC=12080                  version of NVRTC (12080)
//     FAKE_MEMORY=64                    MiB of memory (64); "64,16": of each GPU
//     FAKE_MULTIPROCESSORS=2            of the emulated GPU; "4,2": of each
//     FAKE_SHARED=65536                 bytes of shared memory that a block may ask for
//     FAKE_COMPUTE_MODE=2               the compute mode (0)
//     FAKE_MISCOMPILE=this=>that        the first "this" of each kernel's or header's text is
//                                       compiled as "that"
#ifndef LC_TESTS_STAND_IN_H
#define LC_TESTS_STAND_IN_H

#include <stdbool.h>

#include "device/cuda_driver.h"
#include "device/nvrtc.h"
#include "emulator/fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))

#define DECLARE(name, version, parameters) EXPORT CUresult name##version parameters;
LC_CUDA_SYMBOLS(DECLARE)
#undef DECLARE

enum {
    ERROR_INVALID_VALUE = 1,
    ERROR_INVALID_CONTEXT = 201,
    ERROR_NOT_FOUND = 500,
    ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    ERROR_CAPTURE_UNSUPPORTED = 900,
    MOST_ARGUMENTS = 32,
    MOST_ARGUMENT_BYTES = 512,
    STAND_IN_FIRST_GPU = 40, // the driver's handle of GPU 0
};

// The environment's number, or this one.
int stand_in_number(const char *variable, int otherwise);

// A GPU's own, from a list like "4,2", of which the last is for all behind it.
int stand_in_number_of(CUdevice device, const char *variable, int otherwise);

// What the environment wants of a call: 0, or the code to fail with.
unsigned int stand_in_planned(const char *call);

#define PLANNED                                                                                    \
    do {                                                                                           \
        unsigned int plan = stand_in_planned(__func__);                                            \
        if (plan)                                                                                  \
            return plan;                                                                           \
    } while (0)

// Says where an address lies: "byte 4098 of 4096 of GPU memory". For messages.
void stand_in_describe(const void *address, char *text, size_t text_bytes);

// Whether nobody has written outside the blocks of memory.
bool stand_in_memory_is_whole(char *text, size_t text_bytes);

// What a kernel did wrong, for the driver's text about its error.
void stand_in_explain(const char *text);

// Memory between pages that cannot be touched, filled with rubbish. NULL if there is none.
typedef enum stand_in_kind {
    STAND_IN_GPU,    // one ends at such a page, the next begins at one
    STAND_IN_PINNED, // of the host
    STAND_IN_POOL,   // a block's shared memory: ends at such a page
} stand_in_kind;
void *stand_in_memory(stand_in_kind kind, size_t size_bytes);
void stand_in_memory_free(void *memory);

// Whether all these bytes lie in one block of this kind.
bool stand_in_memory_has(stand_in_kind kind, const void *address, size_t size_bytes);

// How much memory a GPU has; how much there is for all, as much as the first one says it has, and
// how much of it is taken.
size_t stand_in_bytes_of(CUdevice device);
size_t stand_in_gpu_bytes(void);
size_t stand_in_memory_used(void);

typedef struct stand_in_launch {
    CUfunction function;
    unsigned int grid[3];
    unsigned int block[3];
    unsigned int shared_bytes;
    bool cooperative;
    void *arguments[MOST_ARGUMENTS];
} stand_in_launch;

// What the two make of it ----------------------------------------------------------------------

// What a GPU of this kind answers; `usual` if it has no opinion.
int stand_in_attribute(CUdevice_attribute attribute, CUdevice device, int usual);

// The clock that events are recorded by.
double stand_in_milliseconds(void);

CUresult stand_in_load(CUmodule *module, const void *image, char *log, size_t log_bytes);
void stand_in_unload(CUmodule module);
CUresult stand_in_find(CUfunction *function, CUmodule module, const char *name);
CUresult stand_in_function_attribute(int *value, CUfunction_attribute attribute,
                                     CUfunction function);
CUresult stand_in_allow_shared(CUfunction function, int size_bytes);
CUresult stand_in_occupancy(int *blocks, CUfunction function, int threads, size_t shared_bytes);

// How long each of a kernel's arguments is; the count.
unsigned int stand_in_arguments(CUfunction function, const unsigned int **size_bytes);

// Whether a launch is one that the driver takes at all, and the work itself, when its turn comes.
CUresult stand_in_check(const stand_in_launch *launch);
CUresult stand_in_run(const stand_in_launch *launch);

#endif
