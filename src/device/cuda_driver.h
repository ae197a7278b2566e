// The CUDA driver API, loaded from libcuda.so.1 on first use.
//
// Each function is looked up by a versioned name (cuMemAlloc_v2), whose signature never changes.
// Any driver that exports all of these names works, older or newer than this program.
#ifndef LC_DEVICE_CUDA_DRIVER_H
#define LC_DEVICE_CUDA_DRIVER_H

#include "base/context_resources.h"
#include "device/cuda_abi.h"
#include "lightcone/status.h"

// Name, version suffix and parameters of each function. All return a CUresult. The driver of CUDA
// 11.7 is the oldest that exports them all.
#define LC_CUDA_SYMBOLS(X)                                                                         \
    X(cuInit, , (unsigned int flags))                                                              \
    X(cuDriverGetVersion, , (int *version))                                                        \
    X(cuGetErrorName, , (CUresult error, const char **name))                                       \
    X(cuGetErrorString, , (CUresult error, const char **text))                                     \
    X(cuDeviceGetCount, , (int *count))                                                            \
    X(cuDeviceGet, , (CUdevice * device, int index))                                               \
    X(cuDeviceGetName, , (char *name, int size_bytes, CUdevice device))                            \
    X(cuDeviceTotalMem, _v2, (size_t * size_bytes, CUdevice device))                               \
    X(cuDeviceGetAttribute, , (int *value, CUdevice_attribute attribute, CUdevice device))         \
    X(cuDevicePrimaryCtxRetain, , (CUcontext * context, CUdevice device))                          \
    X(cuDevicePrimaryCtxRelease, _v2, (CUdevice device))                                           \
    X(cuCtxPushCurrent, _v2, (CUcontext context))                                                  \
    X(cuCtxPopCurrent, _v2, (CUcontext * context))                                                 \
    X(cuMemGetInfo, _v2, (size_t * free_bytes, size_t * total_bytes))                              \
    X(cuMemAlloc, _v2, (CUdeviceptr * address, size_t size_bytes))                                 \
    X(cuMemFree, _v2, (CUdeviceptr address))                                                       \
    X(cuMemHostAlloc, , (void **address, size_t size_bytes, unsigned int flags))                   \
    X(cuMemFreeHost, , (void *address))                                                            \
    X(cuMemHostRegister, _v2, (void *address, size_t size_bytes, unsigned int flags))              \
    X(cuMemHostUnregister, , (void *address))                                                      \
    X(cuMemcpyHtoDAsync, _v2,                                                                      \
      (CUdeviceptr to, const void *from, size_t size_bytes, CUstream stream))                      \
    X(cuMemcpyDtoHAsync, _v2, (void *to, CUdeviceptr from, size_t size_bytes, CUstream stream))    \
    X(cuMemcpyDtoDAsync, _v2,                                                                      \
      (CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream))                      \
    X(cuMemcpyPeerAsync, ,                                                                         \
      (CUdeviceptr to, CUcontext of_to, CUdeviceptr from, CUcontext of_from, size_t size_bytes,    \
       CUstream stream))                                                                           \
    X(cuDeviceCanAccessPeer, , (int *can, CUdevice device, CUdevice peer))                         \
    X(cuCtxEnablePeerAccess, , (CUcontext peer, unsigned int flags))                               \
    X(cuDeviceGetUuid, _v2, (CUuuid * uuid, CUdevice device))                                      \
    X(cuIpcGetMemHandle, , (CUipcMemHandle * handle, CUdeviceptr address))                         \
    X(cuIpcOpenMemHandle, _v2, (CUdeviceptr * address, CUipcMemHandle handle, unsigned int flags)) \
    X(cuIpcCloseMemHandle, , (CUdeviceptr address))                                                \
    X(cuMemsetD8Async, , (CUdeviceptr to, unsigned char value, size_t count, CUstream stream))     \
    X(cuModuleLoadDataEx, ,                                                                        \
      (CUmodule * module, const void *image, unsigned int option_count, CUjit_option *options,     \
       void **values))                                                                             \
    X(cuModuleUnload, , (CUmodule module))                                                         \
    X(cuModuleGetFunction, , (CUfunction * function, CUmodule module, const char *name))           \
    X(cuFuncGetAttribute, , (int *value, CUfunction_attribute attribute, CUfunction function))     \
    X(cuFuncSetAttribute, , (CUfunction function, CUfunction_attribute attribute, int value))      \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, ,                                               \
      (int *blocks, CUfunction function, int threads, size_t shared_bytes))                        \
    X(cuLaunchKernel, ,                                                                            \
      (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,         \
       unsigned int block_x, unsigned int block_y, unsigned int block_z,                           \
       unsigned int shared_bytes, CUstream stream, void **arguments, void **extra))                \
    X(cuLaunchKernelEx, ,                                                                          \
      (const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra))         \
    X(cuLaunchCooperativeKernel, ,                                                                 \
      (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,         \
       unsigned int block_x, unsigned int block_y, unsigned int block_z,                           \
       unsigned int shared_bytes, CUstream stream, void **arguments))                              \
    X(cuStreamCreate, , (CUstream * stream, unsigned int flags))                                   \
    X(cuStreamDestroy, _v2, (CUstream stream))                                                     \
    X(cuStreamSynchronize, , (CUstream stream))                                                    \
    X(cuStreamWaitEvent, , (CUstream stream, CUevent event, unsigned int flags))                   \
    X(cuStreamWaitValue64, _v2,                                                                    \
      (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags))                \
    X(cuStreamQuery, , (CUstream stream))                                                          \
    X(cuStreamBeginCapture, _v2, (CUstream stream, CUstreamCaptureMode mode))                      \
    X(cuStreamEndCapture, , (CUstream stream, CUgraph * graph))                                    \
    X(cuEventCreate, , (CUevent * event, unsigned int flags))                                      \
    X(cuEventDestroy, _v2, (CUevent event))                                                        \
    X(cuEventRecord, , (CUevent event, CUstream stream))                                           \
    X(cuEventSynchronize, , (CUevent event))                                                       \
    X(cuEventElapsedTime, , (float *milliseconds, CUevent start, CUevent end))                     \
    X(cuGraphInstantiateWithFlags, ,                                                               \
      (CUgraphExec * executable, CUgraph graph, unsigned long long flags))                         \
    X(cuGraphDestroy, , (CUgraph graph))                                                           \
    X(cuGraphExecDestroy, , (CUgraphExec executable))                                              \
    X(cuGraphLaunch, , (CUgraphExec executable, CUstream stream))                                  \
    X(cuArrayCreate, _v2, (CUarray * array, const CUDA_ARRAY_DESCRIPTOR *descriptor))              \
    X(cuArrayDestroy, , (CUarray array))                                                           \
    X(cuMemcpy2DAsync, _v2, (const CUDA_MEMCPY2D *copy, CUstream stream))                          \
    X(cuTexObjectCreate, ,                                                                         \
      (CUtexObject * texture, const CUDA_RESOURCE_DESC *resource,                                  \
       const CUDA_TEXTURE_DESC *descriptor, const CUDA_RESOURCE_VIEW_DESC *view))                  \
    X(cuTexObjectDestroy, , (CUtexObject texture))

typedef struct lc_cuda {
#define LC_CUDA_FIELD(name, version, parameters) CUresult(*name) parameters;
    LC_CUDA_SYMBOLS(LC_CUDA_FIELD)
#undef LC_CUDA_FIELD
    int version; // of CUDA, as far as the driver supports it: 13000 is 13.0
} lc_cuda;

// Loads and initialises the driver, once in a process: the library that the first context names, if
// it names one; later calls give the same answer. LC_ERROR_UNSUPPORTED: the message names the
// library or the symbol that is missing, or says what the driver answered. Any thread.
lc_status lc_cuda_load(const lc_cuda **out, const lc_context *context, lc_message *message);

// "CUDA_ERROR_OUT_OF_MEMORY (2), out of memory"
#define LC_CUDA_ERROR_TEXT_BYTES 160
const char *lc_cuda_error_text(const lc_cuda *cuda, CUresult result,
                               char text[LC_CUDA_ERROR_TEXT_BYTES]);

#endif
