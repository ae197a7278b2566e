// The GPUs of this machine.
//
// NVIDIA's libraries are looked for when one of these functions is first called, and once in a
// process: the driver, libcuda.so.1 ($LIGHTCONE_CUDA names another file), and NVRTC, the compiler
// of kernels, in the loader's path and the usual folders ($LIGHTCONE_NVRTC). Nothing of them is
// needed to build, or to run without a GPU.
#ifndef LIGHTCONE_DEVICE_H
#define LIGHTCONE_DEVICE_H

#include <stdbool.h>

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

#ifdef __cplusplus
}
#endif
#endif
