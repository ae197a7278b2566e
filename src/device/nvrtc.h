// NVRTC, NVIDIA's library that compiles CUDA C, loaded on first use.
#ifndef LC_DEVICE_NVRTC_H
#define LC_DEVICE_NVRTC_H

#include <stdbool.h>

#include "base/context_resources.h"
#include "device/cuda_abi.h"
#include "device/kernel_text.h"
#include "lightcone/status.h"

// Name and parameters of each function. All return an nvrtcResult. NVRTC 11.2 is the oldest that
// exports them all.
#define LC_NVRTC_SYMBOLS(X)                                                                        \
    X(nvrtcVersion, (int *major, int *minor))                                                      \
    X(nvrtcGetNumSupportedArchs, (int *count))                                                     \
    X(nvrtcGetSupportedArchs, (int *architectures))                                                \
    X(nvrtcCreateProgram,                                                                          \
      (nvrtcProgram * program, const char *text, const char *name, int header_count,               \
       const char *const *headers, const char *const *names))                                      \
    X(nvrtcDestroyProgram, (nvrtcProgram * program))                                               \
    X(nvrtcCompileProgram, (nvrtcProgram program, int option_count, const char *const *options))   \
    X(nvrtcGetPTXSize, (nvrtcProgram program, size_t * size_bytes))                                \
    X(nvrtcGetPTX, (nvrtcProgram program, char *ptx))                                              \
    X(nvrtcGetCUBINSize, (nvrtcProgram program, size_t * size_bytes))                              \
    X(nvrtcGetCUBIN, (nvrtcProgram program, char *cubin))                                          \
    X(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t * size_bytes))                         \
    X(nvrtcGetProgramLog, (nvrtcProgram program, char *log))

enum { LC_NVRTC_MAX_ARCHITECTURES = 64 };

typedef struct lc_nvrtc {
#define LC_NVRTC_FIELD(name, parameters) nvrtcResult(*name) parameters;
    LC_NVRTC_SYMBOLS(LC_NVRTC_FIELD)
#undef LC_NVRTC_FIELD
    const char *(*nvrtcGetErrorString)(nvrtcResult result);
    int version;                                   // 13000: 13.0
    int architectures[LC_NVRTC_MAX_ARCHITECTURES]; // 75, 80 ..., ascending
    int architecture_count;
    char path[1024];
} lc_nvrtc;

// Finds and loads NVRTC. A process does this once; later calls return the first result. If the
// first context names a library, only that one is tried. Otherwise the newest NVRTC that is not
// newer than the driver's CUDA version is preferred, because a driver may reject code from a newer
// compiler. LC_ERROR_UNSUPPORTED: the message names the missing library or function. Any thread.
lc_status lc_nvrtc_load(const lc_nvrtc **out, const lc_context *context, lc_message *message);

// A compilation target.
typedef struct lc_nvrtc_target {
    char name[24]; // "sm_90" or "compute_90"
    bool ptx;
} lc_nvrtc_target;

// Finds the target for a GPU of an architecture (90 is 9.0): its machine code ("sm_90") if NVRTC
// supports it, otherwise PTX of the nearest older architecture, which the driver compiles.
// LC_ERROR_UNSUPPORTED: the architecture is older than all that NVRTC supports.
lc_status lc_nvrtc_find_target(const lc_nvrtc *nvrtc, int architecture, lc_nvrtc_target *target,
                               lc_message *message);

// Result of a compilation: the image and the compiler's log.
typedef struct lc_kernel_image {
    void *bytes; // PTX: includes a terminating zero byte
    size_t size_bytes;
    char *log; // "": no output; NULL: not compiled
} lc_kernel_image;

// Compiles `source`. On error the message has the first error and image->log the whole log. The
// caller frees the image with lc_kernel_image_free in every case. Any thread.
lc_status lc_nvrtc_compile(const lc_nvrtc *nvrtc, const lc_kernel_source *source,
                           const lc_nvrtc_target *target, lc_kernel_image *image,
                           lc_message *message);
void lc_kernel_image_free(lc_kernel_image *image);

#endif
