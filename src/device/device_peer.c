// Access to the memory of other GPUs and of other processes, and waiting for values in GPU memory.
#include "device/gpu_device.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/least.h"
#include "device/device_state.h"

_Static_assert(sizeof(lc_device_memory_key) == sizeof(CUipcMemHandle),
               "a key is what the driver's is");

lc_status lc_device_copy_from(lc_device *device, lc_device_address to, const lc_device *other,
                              lc_device_address from, size_t size_bytes, lc_device_stream *stream,
                              lc_message *message)
{
    if (other->gpu == device->gpu)
        return lc_device_copy(device, to, from, size_bytes, stream, message);
    LC_RETURN_CALL(device, "", message, cuMemcpyPeerAsync, to, device->gpu->context, from,
                   other->gpu->context, size_bytes, stream);
}

lc_status lc_device_enable_access(lc_device *device, const lc_device *other, bool *direct,
                                  lc_message *message)
{
    int can = 1;
    *direct = true;
    if (other->gpu == device->gpu)
        return LC_OK;
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    CUresult result =
        device->cuda->cuDeviceCanAccessPeer(&can, device->gpu->handle, other->gpu->handle);
    status = lc_device_check(device, result, "cuDeviceCanAccessPeer", "", message);
    *direct = status == LC_OK && can != 0;
    if (*direct) {
        result = device->cuda->cuCtxEnablePeerAccess(other->gpu->context, 0);
        if (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
            result = CUDA_SUCCESS;
        status = lc_device_check(device, result, "cuCtxEnablePeerAccess", "", message);
    }
    return lc_device_leave(device, status);
}

lc_status lc_device_export_memory(lc_device *device, lc_device_address memory,
                                  lc_device_memory_key *key, lc_message *message)
{
    CUipcMemHandle handle;
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    status = lc_device_check(device, device->cuda->cuIpcGetMemHandle(&handle, memory),
                             "cuIpcGetMemHandle", "", message);
    if (status == LC_OK)
        memcpy(key, &handle, sizeof *key);
    return lc_device_leave(device, status);
}

lc_status lc_device_import_memory(lc_device *device, const lc_device_memory_key *key,
                                  lc_device_address *out, lc_message *message)
{
    CUipcMemHandle handle;
    CUdeviceptr address = 0;
    *out = 0;
    memcpy(&handle, key, sizeof handle);
    const lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    const CUresult result =
        device->cuda->cuIpcOpenMemHandle(&address, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    *out = result == CUDA_SUCCESS ? address : 0;
    return lc_device_leave(device,
                           lc_device_check(device, result, "cuIpcOpenMemHandle", "", message));
}

void lc_device_unmap_memory(lc_device *device, lc_device_address *memory)
{
    if (*memory && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuIpcCloseMemHandle(*memory);
        lc_device_leave(device, LC_OK);
    }
    *memory = 0;
}

lc_status lc_device_wait_for_value(lc_device *device, lc_device_address number, uint64_t least,
                                   lc_device_stream *stream, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuStreamWaitValue64, stream, number, least,
                   CU_STREAM_WAIT_VALUE_GEQ);
}

lc_status lc_device_synchronize_within(lc_device *device, lc_device_stream *stream,
                                       uint64_t timeout_ns, bool *done, lc_message *message)
{
    static const struct timespec pause = {.tv_nsec = 20000};
    static const uint64_t most_ns =
        1000000; // the most that one pause counts: the process may have been suspended
    uint64_t looked_ns = lc_clock_ns(), waited_ns = 0;
    *done = false;
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    for (;;) {
        const CUresult result = device->cuda->cuStreamQuery(stream);
        *done = result != CUDA_ERROR_NOT_READY;
        const uint64_t now_ns = lc_clock_ns();
        waited_ns += lc_least_u64(now_ns - looked_ns, most_ns);
        looked_ns = now_ns;
        if (*done || waited_ns > timeout_ns) {
            status = *done ? lc_device_check(device, result, "cuStreamQuery", "", message) : LC_OK;
            return lc_device_leave(device, status);
        }
        (void)nanosleep(&pause, NULL);
    }
}
