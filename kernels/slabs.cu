// Copies parcels between slabs of a board, with gridDim.x blocks per parcel.
//
// A warp copies 512 bytes at a time (LC_K = 4), directly into the other GPU's memory. Stores do not
// wait for the transfer; loads would. The last block of a parcel writes the number after the writes
// of all its blocks are visible to the other GPU.
//
//     -DLC_K=1, 2 or 4   words per segment
#include "slabs.h"

#if LC_K == 4
typedef uint4 segment;
#elif LC_K == 2
typedef uint2 segment;
#else
typedef lc_word segment;
#endif

#define THREADS 256

LC_KERNEL void LC_LAUNCH_BOUNDS(THREADS)
    carry(const lc_parcels parcels, unsigned int *LC_RESTRICT done, lc_u64 number)
{
    const lc_parcel *parcel = &parcels.list[blockIdx.y];
    const segment *from = (const segment *)parcel->from;
    segment *to = (segment *)parcel->to;
    for (lc_u64 i = (lc_u64)blockIdx.x * THREADS + threadIdx.x; i < parcel->segments;
         i += (lc_u64)gridDim.x * THREADS)
        to[i] = from[i];
    if (parcel->number == 0)
        return;
    LC_SHOW_ALL();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&done[blockIdx.y], 1u) == gridDim.x - 1) {
        done[blockIdx.y] = 0; // for the next launch
        LC_SHOW(parcel->number, number);
    }
}
