// Kernels that are wrong, each in a way of its own, for tests of the emulator. MISTAKE says which.
#include "cuda.h"

LC_KERNEL void mistake(lc_word *numbers, int size)
{
    LC_SHARED lc_word rows[64];
    const int i = (int)threadIdx.x;
#if MISTAKE == 1 // half a warp shuffles here, half there
    if (i < 16)
        numbers[i] = __shfl_xor_sync(~0u, (lc_word)i, 1);
    else
        numbers[i] = __shfl_xor_sync(~0u, (lc_word)i, 2);
#elif MISTAKE == 2 // one names others than it meets
    numbers[i] = __ballot_sync(i == 3 ? 0x0Fu : ~0u, 1);
#elif MISTAKE == 3 // some end before a barrier
    if (i == 40)
        return;
    __syncthreads();
#elif MISTAKE == 4 // a barrier for half a block, the rest at a shuffle
    if (i < 32)
        __syncthreads();
    else
        numbers[i] = __shfl_sync(~0u, (lc_word)i, 0);
    if (i == 0)
        numbers[0] = __ballot_sync(~0u, 1);
#elif MISTAKE == 5 // reads beyond the end
    numbers[i] = numbers[size / 4 + i * 1024];
#elif MISTAKE == 6 // writes before the beginning
    numbers[-1 - i * 1024] = 1;
#elif MISTAKE == 7 // writes a byte beyond an end that is no page's
    ((unsigned char *)numbers)[size + i % 2] = 1;
#elif MISTAKE == 8 // a null pointer
    *(lc_word *)(numbers - numbers) = 1;
#elif MISTAKE == 9 // four words from where two begin
    *(uint4 *)(numbers + 2) = make_uint4(1, 2, 3, 4);
#elif MISTAKE == 10
    numbers[i] = (lc_word)i << (size - size / 32 * 32 + 32);
#elif MISTAKE == 11
    rows[i + size] = 1;
#elif MISTAKE == 12 // waits for a block that cannot run at the same time
    if (blockIdx.x == 0) {
        while (*(volatile lc_word *)numbers != 12345)
            LC_SPIN();
    } else {
        numbers[0] = 12345;
    }
#elif MISTAKE == 13 // counts on lanes going in step
    rows[i] = (lc_word)i;
    numbers[i] = rows[i ^ 1];
#elif MISTAKE == 14 // beyond the shared memory asked for
    LC_SHARED_POOL(lc_word, pool);
    pool[i + 1] = 1;
#elif MISTAKE == 15 // takes what lane 0, which is not there, would have given
    if (i % 2 == 1)
        numbers[i] = __shfl_sync(0xAAAAAAAAu, (lc_word)i, 0);
#endif
    rows[i] = 0;
    numbers[i] += rows[i] + (lc_word)size;
}
