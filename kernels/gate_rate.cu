// Measures how fast a GPU computes three-input gates, the upper limit of stepping. Each thread
// works around a ring of words. The operands of a gate are results of earlier gates, so no gate
// waits for the one just before it.
#include "cuda.h"

#define LC_RING 16
#define LC_ROUNDS 8 // rounds of the ring per turn of the loop

// Computes LC_RING * LC_ROUNDS * turns gates per thread. The write at the end never happens but
// keeps the compiler from removing the gates.
LC_KERNEL void LC_LAUNCH_BOUNDS(256, 1) gate_rate(unsigned int turns, lc_word *never)
{
    lc_word ring[LC_RING];
    LC_UNROLL(LC_RING)
    for (unsigned int i = 0; i < LC_RING; i++)
        ring[i] = (blockIdx.x * blockDim.x + threadIdx.x) * 0x9E3779B9u + i * 0x85EBCA6Bu;
    LC_UNROLL(1)
    for (unsigned int turn = 0; turn < turns; turn++) {
        LC_UNROLL(LC_ROUNDS)
        for (int round = 0; round < LC_ROUNDS; round++) {
            LC_UNROLL(LC_RING)
            for (int i = 0; i < LC_RING; i++)
                ring[i] = LC_GATE(0x96, ring[i], ring[(i + 5) % LC_RING], ring[(i + 10) % LC_RING]);
        }
    }
    lc_word all = 0;
    LC_UNROLL(LC_RING)
    for (int i = 0; i < LC_RING; i++)
        all |= ring[i] ^ (lc_word)i;
    if (all == 0)
        *never = turns;
}
