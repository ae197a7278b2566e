// What GPUs there are, and what they answer about themselves.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emulator/stand_in.h"

CUresult cuDeviceGetCount(int *count)
{
    PLANNED;
    *count = stand_in_number("FAKE_GPUS", 1);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int index)
{
    PLANNED;
    *device = STAND_IN_FIRST_GPU + index;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size_bytes, CUdevice device)
{
    PLANNED;
    snprintf(name, (size_t)size_bytes, "Fake %d", device);
    return CUDA_SUCCESS;
}

size_t stand_in_bytes_of(CUdevice device)
{
    return (size_t)stand_in_number_of(device, "FAKE_MEMORY", 64) << 20;
}

size_t stand_in_gpu_bytes(void)
{
    return stand_in_bytes_of(STAND_IN_FIRST_GPU);
}

CUresult cuDeviceTotalMem_v2(size_t *size_bytes, CUdevice device)
{
    PLANNED;
    *size_bytes = stand_in_bytes_of(device);
    return device >= STAND_IN_FIRST_GPU ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    PLANNED;
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = stand_in_number("FAKE_ARCHITECTURE", 90) / 10;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = stand_in_number("FAKE_ARCHITECTURE", 90) % 10;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
        *value = stand_in_number("FAKE_COMPUTE_MODE", 0);
        break;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
        *value = 1;
        break;
    default: // each its own number, so that a mix-up shows
        *value = stand_in_attribute(attribute, device, 1000 + (int)attribute);
    }
    return device >= STAND_IN_FIRST_GPU ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    PLANNED;
    *uuid = (CUuuid){{(char)device}};
    return device >= STAND_IN_FIRST_GPU ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    PLANNED;
    *can = stand_in_number("FAKE_PEERS", 1);
    return device >= STAND_IN_FIRST_GPU && peer >= STAND_IN_FIRST_GPU && device != peer
               ? CUDA_SUCCESS
               : ERROR_INVALID_VALUE;
}

// Memory of another process. Ranks of tests are threads, so here it may be of this one, which a
// real driver refuses; and that of another one cannot be had.
typedef struct lent {
    uint64_t process, address;
} lent;

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address)
{
    PLANNED;
    const lent one = {(uint64_t)getpid(), address};
    memcpy(handle, &one, sizeof one);
    return stand_in_number("FAKE_PEERS", 1) ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags)
{
    PLANNED;
    lent one;
    memcpy(&one, &handle, sizeof one);
    *address = one.address;
    return flags == CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS && one.process == (uint64_t)getpid()
               ? CUDA_SUCCESS
               : ERROR_INVALID_VALUE;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address)
{
    PLANNED;
    return address != 0 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}
