// The driver's memory, and copies from and to it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/stand_in_work.h"

typedef struct registered_range {
    struct registered_range *next;
    const char *start;
    size_t size_bytes;
} registered_range;

static registered_range *registered;

EXPORT long fake_used_bytes(void)
{
    return (long)stand_in_memory_used();
}

static bool is_pinned(const void *address, size_t size_bytes)
{
    for (const registered_range *range = registered; range != NULL; range = range->next)
        if ((uintptr_t)address >= (uintptr_t)range->start &&
            (uintptr_t)address + size_bytes <= (uintptr_t)range->start + range->size_bytes)
            return true;
    return stand_in_memory_has(STAND_IN_PINNED, address, size_bytes);
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *size_bytes)
{
    IN_CONTEXT;
    *free_bytes = stand_in_gpu_bytes() - stand_in_memory_used();
    *size_bytes = stand_in_gpu_bytes();
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size_bytes)
{
    IN_CONTEXT;
    if (size_bytes == 0)
        return ERROR_INVALID_VALUE;
    if (size_bytes > stand_in_gpu_bytes() - stand_in_memory_used())
        return CUDA_ERROR_OUT_OF_MEMORY;
    void *memory = stand_in_memory(STAND_IN_GPU, size_bytes);
    *address = (CUdeviceptr)(uintptr_t)memory;
    return memory != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    ALONE;
    if (stand_in_context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    stand_in_work_all();
    stand_in_memory_free(host_address(address));
    return stand_in_sticky;
}

CUresult cuMemHostAlloc(void **address, size_t size_bytes, unsigned int flags)
{
    IN_CONTEXT;
    *address = flags ? NULL : stand_in_memory(STAND_IN_PINNED, size_bytes);
    return *address != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeHost(void *address)
{
    ALONE;
    stand_in_work_all();
    stand_in_memory_free(address);
    return stand_in_sticky;
}

CUresult cuMemHostRegister_v2(void *address, size_t size_bytes, unsigned int flags)
{
    IN_CONTEXT;
    if (address == NULL || size_bytes == 0 || flags != CU_MEMHOSTREGISTER_PORTABLE)
        return ERROR_INVALID_VALUE;
    registered_range *range = malloc(sizeof *range);
    *range = (registered_range){.next = registered, .start = address, .size_bytes = size_bytes};
    registered = range;
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *address)
{
    IN_CONTEXT;
    stand_in_work_all();
    for (registered_range **at = &registered; *at != NULL; at = &(*at)->next) {
        registered_range *range = *at;
        if (range->start == address) {
            *at = range->next;
            free(range);
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    if (!on_gpu(to, size_bytes))
        return ERROR_INVALID_VALUE;
    operation copy = {.kind = COPY, .to = host_address(to), .from = from, .size_bytes = size_bytes};
    if (!stand_in_records(stream) && !is_pinned(from, size_bytes)) {
        copy.staged = malloc(size_bytes); // the caller may use such memory again at once
        memcpy(copy.staged, from, size_bytes);
    }
    stand_in_enqueue(stream, &copy);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    if (!on_gpu(from, size_bytes))
        return ERROR_INVALID_VALUE;
    operation copy = {.kind = COPY, .to = to, .from = host_address(from), .size_bytes = size_bytes};
    stand_in_enqueue(stream, &copy);
    if (!stand_in_records(stream) && !is_pinned(to, size_bytes))
        stand_in_finish(stream); // such a copy is over when the call is
    return stand_in_sticky;
}

static CUresult copy_on_gpus(CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    if (!on_gpu(to, size_bytes) || !on_gpu(from, size_bytes))
        return ERROR_INVALID_VALUE;
    operation copy = {
        .kind = COPY, .to = host_address(to), .from = host_address(from), .size_bytes = size_bytes};
    stand_in_enqueue(stream, &copy);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    return copy_on_gpus(to, from, size_bytes, stream);
}

// All GPUs share the host's memory here, and one context.
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext of_to, CUdeviceptr from, CUcontext of_from,
                           size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    if (of_to == NULL || of_from == NULL)
        return ERROR_INVALID_CONTEXT;
    return copy_on_gpus(to, from, size_bytes, stream);
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    static bool enabled;
    IN_CONTEXT;
    if (peer == NULL || flags != 0)
        return ERROR_INVALID_VALUE;
    if (enabled)
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    enabled = true;
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    IN_CONTEXT;
    if (!on_gpu(to, count))
        return ERROR_INVALID_VALUE;
    operation fill = {.kind = FILL, .to = host_address(to), .value = value, .size_bytes = count};
    stand_in_enqueue(stream, &fill);
    return CUDA_SUCCESS;
}
