// Kernels for tests of the emulator: what threads can do together, one kernel a kind. The same run
// on a GPU, where there is one, and must give the same.
#include "cuda.h"

enum { WARP_RESULTS = 14, BIT_RESULTS = 12, ATOMIC_RESULTS = 8 };

// What each lane gets from meetings of all lanes, and of those that `mask` names.
LC_KERNEL void warps(lc_word *results, lc_u64 *wide, lc_word mask)
{
    const lc_word i = blockIdx.x * blockDim.x + threadIdx.x;
    const lc_word lane = threadIdx.x % 32;
    const lc_word value = i * 0x9E3779B9u;
    lc_word *to = results + i * WARP_RESULTS;
    to[0] = __shfl_sync(~0u, value, (int)(lane * 7 + 5) % 32);
    to[1] = __shfl_up_sync(~0u, value, 3);
    to[2] = __shfl_down_sync(~0u, value, 1);
    to[3] = __shfl_xor_sync(~0u, value, 9);
    to[4] = __ballot_sync(~0u, value >> 31);
    to[5] = (lc_word)__any_sync(~0u, lane == 40);
    to[6] = (lc_word)__all_sync(~0u, lane < 32);
    wide[i] = __shfl_down_sync(~0u, (lc_u64)value << 20, 2);
    for (int k = 7; k < WARP_RESULTS; k++)
        to[k] = 0;
    if (mask >> lane & 1) {
        to[7] = __ballot_sync(mask, value & 1);
        to[8] = (lc_word)__any_sync(mask, value & 2);
        to[9] = (lc_word)__all_sync(mask, value & 4);
        __syncwarp(mask);
        lc_word sum = 0;
        for (lc_word k = 0; k < 32; k++) {
            if (mask >> k & 1)
                sum += __shfl_sync(mask, value, (int)k);
        }
        to[10] = sum;
#if __CUDA_ARCH__ >= 800
        to[11] = __reduce_add_sync(mask, value);
        to[12] = __reduce_min_sync(mask, value) ^ __reduce_max_sync(mask, value);
        to[13] = __reduce_and_sync(mask, value | 1) ^ __reduce_or_sync(mask, value) ^
                 __reduce_xor_sync(mask, value);
#endif
    }
    __syncwarp();
}

// Arithmetic on bits, of each number.
LC_KERNEL void bits(const lc_u64 *numbers, lc_u64 *results, int count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    const lc_u64 n = numbers[i];
    const lc_word low = (lc_word)n;
    const lc_word high = (lc_word)(n >> 32);
    lc_u64 *to = results + i * BIT_RESULTS;
    to[0] = (lc_u64)(__popc(low) * 100 + __popcll(n));
    to[1] = (lc_u64)(__clz((int)low) * 100 + __clzll((long long)n));
    to[2] = (lc_u64)(__ffs((int)low) * 100 + __ffsll((long long)n));
    to[3] = __brev(low);
    to[4] = __brevll(n);
    to[5] = __funnelshift_l(low, high, n >> 7 & 63);
    to[6] = __funnelshift_r(low, high, n >> 7 & 63);
    to[7] = __umulhi(low, high);
    to[8] = __byte_perm(low, high, 0x5170);
    to[9] = LC_GATE(0x96, low, high, low >> 5) ^ LC_GATE(0xE8, low, high, low >> 9);
    to[10] = LC_GATE(0x1B, low, high, low << 3);
    to[11] = min(low, high) ^ (max(low, high) << 1);
}

// Each warp d += a b, of matrices of halves, rows one after the other: 16 x 16, 16 x 8, 16 x 8.
LC_KERNEL void products(const unsigned short *a, const unsigned short *b, unsigned short *d)
{
    const lc_word warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const lc_word g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    lc_word left[4], right[2], sum[2];
    a += warp * 256;
    b += warp * 128;
    d += warp * 128;
    for (lc_word i = 0; i < 4; i++) {
        const unsigned short *at = a + (g + i % 2 * 8) * 16 + 2 * t + i / 2 * 8;
        left[i] = at[0] | (lc_word)at[1] << 16;
    }
    for (lc_word i = 0; i < 2; i++) {
        const unsigned short *at = b + (2 * t + i * 8) * 8 + g;
        right[i] = at[0] | (lc_word)at[8] << 16;
        at = d + (g + i * 8) * 8 + 2 * t;
        sum[i] = at[0] | (lc_word)at[1] << 16;
    }
    LC_MULTIPLY_HALVES(sum, left, right);
    for (lc_word i = 0; i < 2; i++) {
        d[(g + i * 8) * 8 + 2 * t] = (unsigned short)sum[i];
        d[(g + i * 8) * 8 + 2 * t + 1] = (unsigned short)(sum[i] >> 16);
    }
}

// Each block turns its part of the numbers round, by way of both kinds of shared memory.
LC_KERNEL void LC_LAUNCH_BOUNDS(128, 2) turn(lc_word *numbers)
{
    LC_SHARED lc_word first[128];
    LC_SHARED_POOL(lc_word, second);
    lc_word *mine = numbers + blockIdx.x * blockDim.x;
    first[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    second[blockDim.x - 1 - threadIdx.x] = first[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = second[threadIdx.x];
}

// Every thread takes part in every kind of atomic.
LC_KERNEL void atomics(lc_word *results, lc_u64 *wide, int *signs)
{
    const lc_word i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&results[0], i);
    atomicMin(&results[1], i + 17);
    atomicMax(&results[2], i * 3);
    atomicOr(&results[3], 1u << i % 31);
    atomicXor(&results[4], i);
    atomicAnd(&results[5], ~(1u << i % 7));
    atomicAdd(&wide[0], (lc_u64)i << 30);
    atomicMin(&wide[1], ~((lc_u64)i << 8));
    atomicMax(&signs[0], (int)i - 50);
    atomicMin(&signs[1], 5 - (int)i);
    // Exchanged values are handed on: the sum of all that come out, and of what is left, stays.
    atomicAdd(&results[6], atomicExch(&results[7], i));
    lc_u64 seen = wide[2];
    for (;;) {
        lc_u64 found = atomicCAS(&wide[2], seen, seen + i);
        if (found == seen)
            break;
        seen = found;
    }
}

LC_INLINE void wait_for_all(lc_word *arrived, lc_word target)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*(volatile lc_word *)arrived < target)
            LC_SPIN();
    }
    __syncthreads();
}

// In each round every thread adds what its neighbour of the next block had: blocks wait for each
// other.
LC_KERNEL void rounds(lc_word *cells, lc_word *arrived, int count)
{
    LC_SHARED lc_word kept[64];
    const lc_word total = gridDim.x * blockDim.x;
    const lc_word i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < count; round++) {
        const lc_word *from = cells + (round & 1) * total;
        lc_word *to = cells + (1 - (round & 1)) * total;
        kept[threadIdx.x] = from[i];
        wait_for_all(arrived, (lc_word)(2 * round + 1) * gridDim.x);
        to[i] = kept[threadIdx.x] + 3 * *(volatile const lc_word *)&from[(i + blockDim.x) % total];
        wait_for_all(arrived, (lc_word)(2 * round + 2) * gridDim.x);
    }
}

// Of a texture of width x height elements, what is at the middle of the one to the left and above,
// and of the one to the right and below, at coordinates made as gallery/texture.cu makes them.
LC_KERNEL void corners(lc_u64 texture, int *results, int width, int height)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= width * height)
        return;
    const float column = 1.0f / (float)width, row = 1.0f / (float)height;
    const float x = ((float)(i % width) + 0.5f) * column, y = ((float)(i / width) + 0.5f) * row;
    results[2 * i] = LC_TEXTURE_INT(texture, x - column, y - row);
    results[2 * i + 1] = LC_TEXTURE_INT(texture, x + column, y + row);
}
