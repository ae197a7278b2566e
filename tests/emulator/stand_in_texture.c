// Arrays and textures of a GPU that is none. An array's elements are memory of the GPU, row after
// row, into which the driver's plain copies go. The only textures are of whole arrays of ints, read
// element by element with coordinates from 0 to 1 that go round.
#include <stdint.h>
#include <stdlib.h>

#include "emulator/emulated_abi.h"
#include "emulator/stand_in.h"

struct CUarray_st {
    CUdeviceptr elements;
    size_t width;
    size_t height;
};

enum { ELEMENT_BYTES = 4, MOST_WIDTH = 131072, MOST_HEIGHT = 65536 };

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor)
{
    PLANNED;
    if (descriptor->Width == 0 || descriptor->Width > MOST_WIDTH || descriptor->Height == 0 ||
        descriptor->Height > MOST_HEIGHT || descriptor->Format != CU_AD_FORMAT_SIGNED_INT32 ||
        descriptor->NumChannels != 1)
        return ERROR_INVALID_VALUE;
    CUdeviceptr elements;
    CUresult result =
        cuMemAlloc_v2(&elements, descriptor->Width * descriptor->Height * ELEMENT_BYTES);
    if (result)
        return result;
    *array = malloc(sizeof **array);
    **array = (struct CUarray_st){
        .elements = elements, .width = descriptor->Width, .height = descriptor->Height};
    return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray array)
{
    CUresult result = cuMemFree_v2(array->elements);
    free(array);
    return result;
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    PLANNED;
    if (copy->srcMemoryType != CU_MEMORYTYPE_DEVICE || copy->dstMemoryType != CU_MEMORYTYPE_ARRAY ||
        copy->srcXInBytes != 0 || copy->srcY != 0 || copy->dstXInBytes != 0 || copy->dstY != 0 ||
        copy->WidthInBytes > copy->srcPitch ||
        copy->WidthInBytes > copy->dstArray->width * ELEMENT_BYTES ||
        copy->Height > copy->dstArray->height)
        return ERROR_INVALID_VALUE;
    for (size_t y = 0; y < copy->Height; y++) {
        CUresult result = cuMemcpyDtoDAsync_v2(
            copy->dstArray->elements + y * copy->dstArray->width * ELEMENT_BYTES,
            copy->srcDevice + y * copy->srcPitch, copy->WidthInBytes, stream);
        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *descriptor, const CUDA_RESOURCE_VIEW_DESC *view)
{
    PLANNED;
    if (resource->resType != CU_RESOURCE_TYPE_ARRAY || resource->flags != 0 || view != NULL ||
        descriptor->addressMode[0] != CU_TR_ADDRESS_MODE_WRAP ||
        descriptor->addressMode[1] != CU_TR_ADDRESS_MODE_WRAP ||
        descriptor->filterMode != CU_TR_FILTER_MODE_POINT ||
        descriptor->flags != (CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES))
        return ERROR_INVALID_VALUE;
    const struct CUarray_st *array = resource->res.array.hArray;
    emulated_texture *made = malloc(sizeof *made);
    *made = (emulated_texture){.texels = (const int *)(uintptr_t)array->elements,
                               .width = (unsigned int)array->width,
                               .height = (unsigned int)array->height};
    *texture = (CUtexObject)(uintptr_t)made;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
    free((void *)(uintptr_t)texture);
    return CUDA_SUCCESS;
}
