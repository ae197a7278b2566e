// CUDA arrays, and textures through which kernels read them.
#include "device/device_state.h"
#include "device/gpu_device.h"

lc_status lc_device_array_create(lc_device *device, const char *what, size_t width, size_t height,
                                 lc_device_array **out, lc_message *message)
{
    const CUDA_ARRAY_DESCRIPTOR descriptor = {
        .Width = width,
        .Height = height,
        .Format = CU_AD_FORMAT_SIGNED_INT32,
        .NumChannels = 1,
    };
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    CUarray array = NULL;
    const CUresult result = device->cuda->cuArrayCreate(&array, &descriptor);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        status = lc_device_fail_memory(device, what, (uint64_t)width * height * sizeof(int32_t),
                                       message);
    else
        status = lc_device_check(device, result, "cuArrayCreate", "", message);
    *out = status != LC_OK ? NULL : array;
    return lc_device_leave(device, status);
}

void lc_device_array_destroy(lc_device *device, lc_device_array **array)
{
    if (*array != NULL && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuArrayDestroy(*array);
        lc_device_leave(device, LC_OK);
    }
    *array = NULL;
}

lc_status lc_device_array_copy_from(lc_device *device, lc_device_array *array,
                                    lc_device_address from, uint64_t pitch_bytes, size_t width,
                                    size_t height, lc_device_stream *stream, lc_message *message)
{
    const CUDA_MEMCPY2D copy = {
        .srcMemoryType = CU_MEMORYTYPE_DEVICE,
        .srcDevice = from,
        .srcPitch = pitch_bytes,
        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
        .dstArray = array,
        .WidthInBytes = width * sizeof(int32_t),
        .Height = height,
    };
    LC_RETURN_CALL(device, "", message, cuMemcpy2DAsync, &copy, stream);
}

lc_status lc_device_texture_create(lc_device *device, lc_device_array *array,
                                   lc_device_texture *out, lc_message *message)
{
    const CUDA_RESOURCE_DESC resource = {
        .resType = CU_RESOURCE_TYPE_ARRAY,
        .res.array.hArray = array,
    };
    const CUDA_TEXTURE_DESC descriptor = {
        .addressMode = {CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_WRAP},
        .filterMode = CU_TR_FILTER_MODE_POINT,
        .flags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES,
    };
    CUtexObject texture = 0;
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    status = lc_device_check(
        device, device->cuda->cuTexObjectCreate(&texture, &resource, &descriptor, NULL),
        "cuTexObjectCreate", "", message);
    *out = status != LC_OK ? 0 : texture;
    return lc_device_leave(device, status);
}

void lc_device_texture_destroy(lc_device *device, lc_device_texture *texture)
{
    if (*texture && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuTexObjectDestroy(*texture);
        lc_device_leave(device, LC_OK);
    }
    *texture = 0;
}
