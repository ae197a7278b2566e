// Compiled, not run, where CUDA's headers are installed: the prototypes, structures and constants
// that the device layer declares for itself are those of the real headers.
#include <cuda.h>
#include <nvrtc.h>

#define LC_DEVICE_CUDA_ABI_H // the types are those of the headers above
#include "device/cuda_constants.h"
#include "device/cuda_driver.h"
#include "device/nvrtc.h"

// The structures under other names, beside the real ones.
#define CUlaunchAttribute_st ours_launch_attribute
#define CUlaunchAttribute ours_CUlaunchAttribute
#define CUlaunchConfig_st ours_launch_config
#define CUlaunchConfig ours_CUlaunchConfig
#define CUuuid_st ours_uuid
#define CUuuid ours_CUuuid
#define CUipcMemHandle_st ours_ipc_mem_handle
#define CUipcMemHandle ours_CUipcMemHandle
#define CUDA_ARRAY_DESCRIPTOR_st ours_array_descriptor
#define CUDA_ARRAY_DESCRIPTOR ours_CUDA_ARRAY_DESCRIPTOR
#define CUDA_MEMCPY2D_st ours_memcpy2d
#define CUDA_MEMCPY2D ours_CUDA_MEMCPY2D
#define CUDA_RESOURCE_DESC_st ours_resource
#define CUDA_RESOURCE_DESC ours_CUDA_RESOURCE_DESC
#define CUDA_TEXTURE_DESC_st ours_texture
#define CUDA_TEXTURE_DESC ours_CUDA_TEXTURE_DESC
#define CUDA_RESOURCE_VIEW_DESC_st ours_view
#define CUDA_RESOURCE_VIEW_DESC ours_CUDA_RESOURCE_VIEW_DESC
#include "device/cuda_structs.h"
#undef CUlaunchAttribute
#undef CUlaunchConfig
#undef CUuuid
#undef CUipcMemHandle
#undef CUDA_ARRAY_DESCRIPTOR
#undef CUDA_MEMCPY2D
#undef CUDA_RESOURCE_DESC
#undef CUDA_TEXTURE_DESC
#undef CUDA_RESOURCE_VIEW_DESC

#define FIELDS(X)                                                                                  \
    X(CUlaunchAttribute, id)                                                                       \
    X(CUlaunchAttribute, value)                                                                    \
    X(CUlaunchAttribute, value.programmaticStreamSerializationAllowed)                             \
    X(CUlaunchConfig, gridDimX)                                                                    \
    X(CUlaunchConfig, gridDimY)                                                                    \
    X(CUlaunchConfig, gridDimZ)                                                                    \
    X(CUlaunchConfig, blockDimX)                                                                   \
    X(CUlaunchConfig, blockDimY)                                                                   \
    X(CUlaunchConfig, blockDimZ)                                                                   \
    X(CUlaunchConfig, sharedMemBytes)                                                              \
    X(CUlaunchConfig, hStream)                                                                     \
    X(CUlaunchConfig, attrs)                                                                       \
    X(CUlaunchConfig, numAttrs)                                                                    \
    X(CUuuid, bytes)                                                                               \
    X(CUipcMemHandle, reserved)                                                                    \
    X(CUDA_ARRAY_DESCRIPTOR, Width)                                                                \
    X(CUDA_ARRAY_DESCRIPTOR, Height)                                                               \
    X(CUDA_ARRAY_DESCRIPTOR, Format)                                                               \
    X(CUDA_ARRAY_DESCRIPTOR, NumChannels)                                                          \
    X(CUDA_MEMCPY2D, srcXInBytes)                                                                  \
    X(CUDA_MEMCPY2D, srcY)                                                                         \
    X(CUDA_MEMCPY2D, srcMemoryType)                                                                \
    X(CUDA_MEMCPY2D, srcHost)                                                                      \
    X(CUDA_MEMCPY2D, srcDevice)                                                                    \
    X(CUDA_MEMCPY2D, srcArray)                                                                     \
    X(CUDA_MEMCPY2D, srcPitch)                                                                     \
    X(CUDA_MEMCPY2D, dstXInBytes)                                                                  \
    X(CUDA_MEMCPY2D, dstY)                                                                         \
    X(CUDA_MEMCPY2D, dstMemoryType)                                                                \
    X(CUDA_MEMCPY2D, dstHost)                                                                      \
    X(CUDA_MEMCPY2D, dstDevice)                                                                    \
    X(CUDA_MEMCPY2D, dstArray)                                                                     \
    X(CUDA_MEMCPY2D, dstPitch)                                                                     \
    X(CUDA_MEMCPY2D, WidthInBytes)                                                                 \
    X(CUDA_MEMCPY2D, Height)                                                                       \
    X(CUDA_RESOURCE_DESC, resType)                                                                 \
    X(CUDA_RESOURCE_DESC, res.array.hArray)                                                        \
    X(CUDA_RESOURCE_DESC, res.reserved.reserved)                                                   \
    X(CUDA_RESOURCE_DESC, flags)                                                                   \
    X(CUDA_TEXTURE_DESC, addressMode)                                                              \
    X(CUDA_TEXTURE_DESC, filterMode)                                                               \
    X(CUDA_TEXTURE_DESC, flags)                                                                    \
    X(CUDA_TEXTURE_DESC, maxAnisotropy)                                                            \
    X(CUDA_TEXTURE_DESC, mipmapFilterMode)                                                         \
    X(CUDA_TEXTURE_DESC, mipmapLevelBias)                                                          \
    X(CUDA_TEXTURE_DESC, minMipmapLevelClamp)                                                      \
    X(CUDA_TEXTURE_DESC, maxMipmapLevelClamp)                                                      \
    X(CUDA_TEXTURE_DESC, borderColor)                                                              \
    X(CUDA_TEXTURE_DESC, reserved)
#define CHECK(type, field)                                                                         \
    _Static_assert(sizeof(ours_##type) == sizeof(type) &&                                          \
                       offsetof(ours_##type, field) == offsetof(type, field) &&                    \
                       sizeof((ours_##type){0}.field) == sizeof((type){0}.field),                  \
                   #type "." #field);
FIELDS(CHECK)
#undef CHECK

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
