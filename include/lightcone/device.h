// GPUs of this machine: finds them, measures them, and tunes how boards are stepped on them.
//
// Example:
//
//     size_t count;
//     lc_gpu_info gpu;
//     if (lc_gpu_count(context, &count, &message) != LC_OK)
//         puts(message.text); // names the missing library, for example
//     for (size_t i = 0; lc_gpu_at(context, i, &gpu); i++)
//         printf("%s: %s\n", gpu.name, gpu.reason); // the reason is "" if the GPU is available.
//
// The first function that needs a GPU looks for two libraries of NVIDIA, once per process: the
// driver libcuda.so.1, and NVRTC, which compiles kernels. The search covers the loader's path and
// the usual folders, unless lc_context_options gives the paths of the libraries. The libraries of
// NVIDIA are not needed to build lightcone, or to run lightcone without a GPU. If `context` is
// NULL, the functions use default options.
//
// Threads: any thread may call these functions.
#ifndef LIGHTCONE_DEVICE_H
#define LIGHTCONE_DEVICE_H

#include <stdbool.h>

#include "lightcone/context.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_GPU_NAME_BYTES 128 // for a GPU's name and its terminator; longer names are cut

typedef struct lc_gpu_info {
    char name[LC_GPU_NAME_BYTES];
    uint64_t memory_bytes;
    int multiprocessors;
    int architecture; // compute capability: 90 means 9.0
    int clock_khz;    // highest specified clock
    uint64_t l2_bytes;
    int driver_version; // newest CUDA version that the driver supports: 13000 means 13.0
    int nvrtc_version;  // version of NVRTC: 13000 means 13.0; 0 without NVRTC
    bool available;
    char reason[LC_MESSAGE_TEXT_BYTES]; // why the GPU is not available; "" if it is available
} lc_gpu_info;

// Counts the GPUs. The first call starts the driver, which takes time.
// Returns LC_OK if there is at least one GPU; LC_ERROR_UNSUPPORTED or LC_ERROR_DEVICE (*count is 0,
// and the message names the missing library or symbol, or gives the driver's error).
LC_API lc_status lc_gpu_count(lc_context *context, size_t *count, lc_message *message);

// Describes the i-th GPU, counted from 0. Returns false past the last GPU.
LC_API bool lc_gpu_at(lc_context *context, size_t index, lc_gpu_info *info);

// Measures how many three-input logic operations the default GPU of the engine "cuda" executes per
// second. A logic operation computes one 32-bit word. Keeps the GPU busy for about `milliseconds`,
// 1 or more.
// Returns LC_OK; LC_ERROR_UNSUPPORTED (no usable GPU); LC_ERROR_ARGUMENT; LC_ERROR_MEMORY;
// LC_ERROR_DEVICE.
LC_API lc_status lc_gpu_gate_rate(lc_context *context, int milliseconds,
                                  double *operations_per_second, lc_message *message);

// Measures how many bytes per second the default GPU of the engine "cuda" copies within its memory.
// The rate counts both the bytes read and the bytes written. Copies for about `milliseconds`, 1 or
// more, between two buffers that are larger than the caches. Returns the same statuses as
// lc_gpu_gate_rate.
LC_API lc_status lc_gpu_copy_rate(lc_context *context, int milliseconds, double *bytes_per_second,
                                  lc_message *message);

// Tuning -------------------------------------------------------------------------------------

// A plan says how a board is divided for a GPU. The fastest plan depends on the board and the GPU.
// Without tuning, the engine "cuda" uses a model to predict the fastest plan. Tuning measures
// several plans and saves the fastest plan.

// One measured plan. The strings are valid only during the call of the callback.
typedef struct lc_gpu_trial {
    const char *plan;        // settings of the engine: "cuda:PLAN"
    double cells_per_second; // 0: the plan cannot be used
    const char *problem;     // why the plan cannot be used; "" if it can be used
    bool best;               // this plan is the fastest so far
    // The folder in which the best plan is saved, or "" if the plan could not be saved. The library
    // sets kept_in only in the last call of the callback, which reports the best plan again. In all
    // earlier calls of the callback, kept_in is NULL.
    const char *kept_in;
    int slab, slab_count; // the slab of the trial, counted from 0, and the number of slabs
    int64_t rows;         // height of that slab
} lc_gpu_trial;

// Receives one trial. Return true to stop tuning without saving a plan.
typedef bool (*lc_gpu_tuned)(void *context, const lc_gpu_trial *trial);

// Measures how fast different plans step a board with this rule and topology. The measurement runs
// on the default GPU of the engine "cuda". The topology must be bounded in both directions. Each
// plan is first checked against the scalar engine on a small board, then timed on a full-size board
// of random cells. Tuning takes seconds, or up to a minute if kernels have to be compiled.
// `callback` may be NULL.
// The fastest plan is saved in the context's cache_folder. The saved plan is used for boards of
// this size and kind of topology, under all rules with the same number of gates. Universes with the
// same cache_folder use the saved plan, unless their engine's settings contain parts of a plan. It
// is not an error if the plan cannot be saved.
// Returns LC_OK; LC_ERROR_UNSUPPORTED (no usable GPU); LC_ERROR_ARGUMENT (the topology is not
// allowed); LC_ERROR_STOPPED (by `callback`); LC_ERROR_MEMORY; LC_ERROR_LIMIT (the board is too
// large); LC_ERROR_MISMATCH (every plan failed its check); LC_ERROR_DEVICE.
LC_API lc_status lc_gpu_tune(lc_context *context, const lc_rule *rule, const lc_topology *topology,
                             lc_gpu_tuned callback, void *callback_context, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
