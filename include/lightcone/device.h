// The GPUs of this machine.
//
// NVIDIA's libraries are looked for once in a process, when a GPU is first asked for: the driver,
// libcuda.so.1, and NVRTC, the compiler of kernels, in the loader's path and the usual folders, or
// where the context that asks says (lc_context_options). Neither is needed to build, or to run
// without a GPU. A context NULL stands for the defaults.
#ifndef LIGHTCONE_DEVICE_H
#define LIGHTCONE_DEVICE_H

#include <stdbool.h>

#include "lightcone/context.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_GPU_NAME_BYTES 128 // with the terminator; longer names are cut

typedef struct lc_gpu_info {
    char name[LC_GPU_NAME_BYTES];
    uint64_t memory_bytes;
    int multiprocessors;
    int architecture; // compute capability: 90 is 9.0
    int clock_khz;    // the highest it is specified for
    uint64_t l2_bytes;
    int driver_version; // the newest CUDA that the driver supports: 13000 is 13.0
    int nvrtc_version;  // 13000 is 13.0; 0 if there is none
    bool available;
    char reason[LC_MESSAGE_TEXT_BYTES]; // why it is not available; "" if it is
} lc_gpu_info;

// How many GPUs there are. LC_OK if there is at least one. Otherwise *count is 0, and the message
// names the missing library or symbol, or says what the driver answered: LC_ERROR_UNSUPPORTED,
// LC_ERROR_DEVICE. The first call takes as long as the driver needs to start. Any thread.
LC_API lc_status lc_gpu_count(lc_context *context, size_t *count, lc_message *message);

// The i-th of them; false past the last. Any thread.
LC_API bool lc_gpu_at(lc_context *context, size_t index, lc_gpu_info *info);

// Measures how fast the GPU that the cuda engine uses unless it is told another computes
// three-input gates, in operations on 32-bit words a second, keeping it busy for about
// `milliseconds` (1 or more). LC_ERROR_UNSUPPORTED (there is no usable GPU), LC_ERROR_ARGUMENT,
// LC_ERROR_MEMORY, LC_ERROR_DEVICE. Any thread.
LC_API lc_status lc_gpu_gate_rate(lc_context *context, int milliseconds,
                                  double *operations_per_second, lc_message *message);

// Measures how fast that GPU copies within its memory, in bytes a second, counting both those read
// and those written, for about `milliseconds` (1 or more): from one buffer to another, each larger
// than its caches. Returns the same statuses as lc_gpu_gate_rate.
LC_API lc_status lc_gpu_copy_rate(lc_context *context, int milliseconds, double *bytes_per_second,
                                  lc_message *message);

// Tuning: a board can be cut up for a GPU in many ways, and which is fastest depends on both. The
// cuda engine estimates one from a model; tuning measures several and keeps the best.

// A plan that was tried. Strings are valid during the call.
typedef struct lc_gpu_trial {
    const char *plan;        // as the cuda engine takes it as settings: "cuda:PLAN"
    double cells_per_second; // 0: the plan cannot be used,
    const char *problem;     // and why; "" if it can
    bool best;               // of those tried so far
    // NULL except in the last call, which reports the best plan again: then the folder where it is
    // kept, or "" if it could not be kept.
    const char *kept_in;
    int slab, slab_count; // which one it was tried for, from 0 on, and of how many
    int64_t rows;         // that it has
} lc_gpu_trial;

// Receives one trial. Returning true ends the tuning, and nothing is kept.
typedef bool (*lc_gpu_tuned)(void *context, const lc_gpu_trial *trial);

// Tries plans for a board of that topology, bounded in both directions, and that rule, on the GPU
// that the cuda engine uses: each is checked against the scalar engine on a small board, then timed
// on a board of that size full of random cells. Takes some seconds, up to a minute if kernels have
// to be compiled. The fastest is kept in the context's cache_folder, for the size and kind of the
// topology and all rules with the same number of gates; universes whose context has the same folder
// use it unless their engine's settings say something else of a plan. If it cannot be kept, that is
// not an error. `callback` may be NULL.
// LC_ERROR_UNSUPPORTED (there is no usable GPU), LC_ERROR_ARGUMENT (the topology),
// LC_ERROR_STOPPED, LC_ERROR_MEMORY, LC_ERROR_LIMIT (a board of that size), LC_ERROR_MISMATCH
// (every plan fails its check), LC_ERROR_DEVICE. Any thread.
LC_API lc_status lc_gpu_tune(lc_context *context, const lc_rule *rule, const lc_topology *topology,
                             lc_gpu_tuned callback, void *callback_context, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
