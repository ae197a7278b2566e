// Compiled, not run, where CUDA's headers are installed: the prototypes and constants that the
// device layer declares for itself are those of the real headers.
#include <cuda.h>
#include <nvrtc.h>

#define LC_DEVICE_CUDA_ABI_H // the types are those of the headers above
#include "device/cuda_constants.h"
#include "device/cuda_driver.h"
#include "device/nvrtc.h"

#define CHECK(name, value) _Static_assert((int)(name) == (value), #name);
LC_CUDA_CONSTANTS(CHECK)
#undef CHECK

// An initialiser of another type is an error.
#define CHECK(name, version, parameters)                                                           \
    extern CUresult(*check_##name) parameters;                                                     \
    CUresult(*check_##name) parameters = name##version;
LC_CUDA_SYMBOLS(CHECK)
#undef CHECK
#define CHECK(name, parameters)                                                                    \
    extern nvrtcResult(*check_##name) parameters;                                                  \
    nvrtcResult(*check_##name) parameters = name;
LC_NVRTC_SYMBOLS(CHECK)
#undef CHECK
