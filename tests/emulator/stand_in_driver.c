// The driver's plain parts: errors, contexts, modules, launches. What GPUs there are is in
// stand_in_gpus.c, memory in stand_in_copies.c, streams in stand_in_work.c, textures in
// stand_in_texture.c.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "emulator/stand_in_work.h"

static int retained;
static char explanation[512];

EXPORT long fake_context_depth(void)
{
    return stand_in_context_depth;
}

void stand_in_explain(const char *text)
{
    snprintf(explanation, sizeof explanation, "%s", text);
}

// ---- the driver and its contexts ----------------------------------------------------------------

CUresult cuInit(unsigned int flags)
{
    PLANNED;
    return flags ? ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    PLANNED;
    *version = 12080;
    return CUDA_SUCCESS;
}

static const struct {
    CUresult code;
    const char *name;
    const char *text;
} errors[] = {
    {ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "too many blocks in cooperative launch"},
    {ERROR_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
};

static CUresult find_text(CUresult error, const char **name, const char **text)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == error) {
            *name = errors[i].name;
            *text = errors[i].text;
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    const char *text;
    return find_text(error, name, &text);
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const char *name;
    CUresult result = find_text(error, &name, text);
    if (error == stand_in_sticky && *explanation != '\0') // more than a real driver knows
        *text = explanation;
    return result;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    static char of_a_context;
    PLANNED;
    ALONE;
    retained++;
    *context = (CUcontext)(void *)&of_a_context;
    return device >= STAND_IN_FIRST_GPU ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    ALONE;
    if (--retained == 0) { // the next user has a context of its own
        stand_in_sticky = CUDA_SUCCESS;
        *explanation = '\0';
    }
    return device >= STAND_IN_FIRST_GPU ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    PLANNED;
    stand_in_context_depth++;
    return context != NULL ? CUDA_SUCCESS : ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    if (stand_in_context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    stand_in_context_depth--;
    *context = NULL;
    return CUDA_SUCCESS;
}

// ---- modules and kernels ------------------------------------------------------------------------

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int option_count,
                            CUjit_option *options, void **values)
{
    IN_CONTEXT;
    char *log = NULL;
    size_t log_bytes = 0;
    for (unsigned int i = 0; i < option_count; i++)
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
            log = values[i];
        else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            log_bytes = (size_t)(uintptr_t)values[i];
    return stand_in_load(module, image, log, log_bytes);
}

CUresult cuModuleUnload(CUmodule module)
{
    ALONE;
    stand_in_work_all();
    stand_in_unload(module);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    IN_CONTEXT;
    return stand_in_find(function, module, name);
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    IN_CONTEXT;
    return stand_in_function_attribute(value, attribute, function);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    IN_CONTEXT;
    return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
               ? stand_in_allow_shared(function, value)
               : ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t shared_bytes)
{
    IN_CONTEXT;
    return stand_in_occupancy(blocks, function, threads, shared_bytes);
}

static CUresult launch(stand_in_launch *wanted, CUstream stream, void **arguments)
{
    CUresult result = stand_in_check(wanted);
    if (result)
        return result;
    operation one = {.kind = LAUNCH, .launch = *wanted};
    const unsigned int *size_bytes;
    unsigned int count = stand_in_arguments(wanted->function, &size_bytes);
    size_t used = 0;
    for (unsigned int i = 0; i < count; i++) {
        if (i >= MOST_ARGUMENTS || used + size_bytes[i] > sizeof one.argument_bytes)
            return ERROR_INVALID_VALUE;
        one.launch.arguments[i] = one.argument_bytes + used;
        memcpy(one.launch.arguments[i], arguments[i], size_bytes[i]);
        used += (size_bytes[i] + 15) / 16 * 16;
    }
    stand_in_enqueue(stream, &one);
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra)
{
    IN_CONTEXT;
    if (extra != NULL)
        return ERROR_INVALID_VALUE;
    stand_in_launch wanted = {.function = function,
                              .grid = {grid_x, grid_y, grid_z},
                              .block = {block_x, block_y, block_z},
                              .shared_bytes = shared_bytes};
    return launch(&wanted, stream, arguments);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra)
{
    IN_CONTEXT;
    if (extra != NULL)
        return ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
            return ERROR_INVALID_VALUE;
    stand_in_launch wanted = {.function = function,
                              .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                              .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                              .shared_bytes = config->sharedMemBytes};
    return launch(&wanted, config->hStream, arguments);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **arguments)
{
    IN_CONTEXT;
    stand_in_launch wanted = {.function = function,
                              .grid = {grid_x, grid_y, grid_z},
                              .block = {block_x, block_y, block_z},
                              .shared_bytes = shared_bytes,
                              .cooperative = true};
    return launch(&wanted, stream, arguments);
}
