// NVRTC, NVIDIA's compiler for CUDA C as a library: found and loaded when it is first asked for.
#ifndef LC_DEVICE_NVRTC_H
#define LC_DEVICE_NVRTC_H

#include <stdbool.h>

#include "base/context_resources.h"
#include "device/cuda_abi.h"
#include "device/kernel_text.h"
#include "lightcone/status.h"

// One list: name, parameters. All return an nvrtcResult. NVRTC 11.2 is the oldest that has them
// all.
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
    int version;                                   // 13000 is 13.0
    int architectures[LC_NVRTC_MAX_ARCHITECTURES]; // 75, 80 ..., ascending
    int architecture_count;
    char path[1024];
} lc_nvrtc;

// Finds and loads NVRTC, once in a process; later calls give the same answer. The library that the
// first context names, if it names one, is the one to take. Else the newest that is no newer than
// the CUDA of the driver is preferred, since a driver need not load what a newer compiler has made.
// LC_ERROR_UNSUPPORTED: the message names what is missing. Any thread.
lc_status lc_nvrtc_load(const lc_nvrtc **out, const lc_context *context, lc_message *message);

// What to compile for a GPU of an architecture (90 is 9.0): machine code for exactly this one if
// NVRTC knows it ("sm_90"), else PTX for the nearest older one, which the driver then compiles.
// LC_ERROR_UNSUPPORTED if the architecture is older than all that NVRTC knows.
typedef struct lc_nvrtc_target {
    char name[24]; // "sm_90" or "compute_90"
    bool ptx;
} lc_nvrtc_target;

lc_status lc_nvrtc_find_target(const lc_nvrtc *nvrtc, int architecture, lc_nvrtc_target *target,
                               lc_message *message);

// What came out of a compilation: a module's image and what the compiler had to say.
typedef struct lc_kernel_image {
    void *bytes; // a PTX image ends with a zero byte, which is counted
    size_t size_bytes;
    char *log; // "" if it said nothing; NULL in an image that was not compiled
} lc_kernel_image;

// Compiles. If that fails, the message has the first error and image->log all that was said; the
// image is to be freed in any case. Any thread.
lc_status lc_nvrtc_compile(const lc_nvrtc *nvrtc, const lc_kernel_source *source,
                           const lc_nvrtc_target *target, lc_kernel_image *image,
                           lc_message *message);
void lc_kernel_image_free(lc_kernel_image *image);

#endif
