// The GPUs of this machine.
//
// NVIDIA's libraries are looked for when one of these functions is first called, and once in a
// process: the driver, libcuda.so.1 ($LIGHTCONE_CUDA names another file), and NVRTC, the compiler
// of kernels, in the loader's path and the usual folders ($LIGHTCONE_NVRTC). Nothing of them is
// needed to build, or to run without a GPU.
#ifndef LIGHTCONE_DEVICE_H
#define LIGHTCONE_DEVICE_H

#include <stdbool.h>

#include "lightcone/rule.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_gpu_info {
    char name[128];
    uint64_t memory_bytes;
    int multiprocessors;
    int architecture; // compute capability: 90 is 9.0
    int clock_khz;    // the most that it is specified for
    uint64_t l2_bytes;
    int driver_version; // the newest CUDA that the driver supports: 13000 is 13.0
    int nvrtc_version;  // 13000 is 13.0; 0 if there is none
    bool available;
    char reason[320]; // why it is not available; "" if it is
} lc_gpu_info;

// How many GPUs there are. LC_OK with at least one; else *count is 0, and the message names the
// library or the symbol that is missing, or says what the driver answered: LC_ERROR_UNSUPPORTED,
// LC_ERROR_DEVICE. The first call takes as long as the driver needs to start. Any thread.
LC_API lc_status lc_gpu_count(size_t *count, lc_message *message);

// The i-th of them; false past the last. Any thread.
LC_API bool lc_gpu_at(size_t index, lc_gpu_info *info);

// Measures the rate of three-input gates of the GPU that the cuda engine takes, in operations on
// words of 32 bits a second, busy for about `milliseconds` (1 or more). LC_ERROR_UNSUPPORTED (there
// is no usable GPU), LC_ERROR_ARGUMENT, LC_ERROR_MEMORY, LC_ERROR_DEVICE. Any thread.
LC_API lc_status lc_gpu_gate_rate(int milliseconds, double *operations_per_second,
                                  lc_message *message);

// Measures how fast that GPU copies within its memory, in bytes a second, those read and those
// written both counted, for about `milliseconds` (1 or more): from one buffer to another, each
// larger than its caches. Returns as lc_gpu_gate_rate.
LC_API lc_status lc_gpu_copy_rate(int milliseconds, double *bytes_per_second, lc_message *message);

// Tuning: a board can be cut up for a GPU in many ways, and which is fastest depends on both. The
// cuda engine guesses one by a model; tuning measures some and keeps the best.

// A plan that was tried. Strings are valid during the call.
typedef struct lc_gpu_trial {
    const char *plan;        // as the environment variable LIGHTCONE_GPU_PLAN takes it
    double cells_per_second; // 0: the plan cannot be used,
    const char *problem;     // and why; "" if it can
    bool best;               // of those tried so far
    // NULL, but in the last call, which is about the best plan once more: the folder where it is
    // kept now; "" if it could not be kept.
    const char *kept_in;
} lc_gpu_trial;

// Takes one. True ends the tuning, and nothing is kept.
typedef bool (*lc_gpu_tuned)(void *context, const lc_gpu_trial *trial);

// Tries plans for a board of that topology, bounded in both directions, and that rule, on the GPU
// that the cuda engine takes: each is checked against the scalar engine on a small board, then
// timed on a board of that size full of random cells. Takes some seconds, up to a minute where
// kernels have to be compiled. The fastest is kept among the compiled kernels (LIGHTCONE_CACHE),
// for the size and kind of the topology and all rules of as many gates; universes take it unless
// LIGHTCONE_GPU_PLAN is set. That it cannot be kept is no error. `callback` may be NULL.
// LC_ERROR_UNSUPPORTED (there is no usable GPU), LC_ERROR_ARGUMENT (the topology),
// LC_ERROR_STOPPED, LC_ERROR_MEMORY, LC_ERROR_LIMIT (a board of that size), LC_ERROR_MISMATCH
// (every plan fails its check), LC_ERROR_SYSTEM (no threads), LC_ERROR_DEVICE. Any thread.
LC_API lc_status lc_gpu_tune(const lc_rule *rule, const lc_topology *topology,
                             lc_gpu_tuned callback, void *context, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
