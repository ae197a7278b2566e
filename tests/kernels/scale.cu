// A kernel for tests of the device layer: multiplies numbers by FACTOR, a constant of the
// compilation, and adds what scale_parts.cuh says.
#include "scale_parts.cuh"

extern "C" __global__ void scale(unsigned int *values, unsigned int count)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] = FACTOR * values[i] + offset_of(i);
}
