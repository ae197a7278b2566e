// Plain C on 64-bit words: runs on every machine, and is the reference for the other levels.
#include <stdint.h>

#define VEC uint64_t
#define LANES 1
#define BAND_PAIR 0
#define V_ALL(word) (word)
#define V_XOR(a, b) ((a) ^ (b))
#define V_AND(a, b) ((a) & (b))
#define V_OR(a, b) ((a) | (b))
#define V_AND_NOT(a, b) ((a) & ~(b))
#define V_SHIFT_LEFT(a, n) ((a) << (n))
#define V_SHIFT_RIGHT(a, n) ((a) >> (n))
#define V_TOWARDS_HIGH(a, closed) ((a) << 1 | ((a) >> 63 & (closed)))
#define V_TOWARDS_LOW(a, closed) ((a) >> 1 | ((a) & (closed)) << 63)
#define V_TURN_HIGH(a) ((a) << 1 | (a) >> 63)
#define V_TURN_LOW(a) ((a) >> 1 | (a) << 63)
#define V_LANE_ABOVE(a) (a)
#define V_LANE_BELOW(a) (a)
#define V_OPAQUE(a) __asm__ volatile("" : "+r"(a))
#define GATE_CHAINS 8

#include "level/two_inputs.h"

const lc_level lc_level_portable = {
    .name = "portable",
    .vector_bits = 64,
    .vectors_max = 56,
    .needs = 0,
    .gates_per_word = 19,
    .comb_gates = 1500,
    LC_LEVEL_KERNELS,
};
