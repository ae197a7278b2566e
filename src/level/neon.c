// 128-bit vectors on 64-bit Arm.
#if defined(__aarch64__)
#include <arm_neon.h>
#include <stdint.h>

#include "base/cpu_features.h"

#define VEC uint64x2_t
#define LANES 2
#define BAND_PAIR 1
#define V_ALL(word) vdupq_n_u64(word)
#define V_XOR(a, b) veorq_u64(a, b)
#define V_AND(a, b) vandq_u64(a, b)
#define V_OR(a, b) vorrq_u64(a, b)
#define V_AND_NOT(a, b) vbicq_u64(a, b)
#define V_CHOOSE(cell, high, low) vbslq_u64(cell, high, low)
#define V_SHIFT_LEFT(a, n) vshlq_u64(a, vdupq_n_s64(n))
#define V_SHIFT_RIGHT(a, n) vshlq_u64(a, vdupq_n_s64(-(n)))
#define V_TOWARDS_HIGH(a, closed) towards_high(a, V_ALL((closed) ? UINT64_MAX : 0))
#define V_TOWARDS_LOW(a, closed) towards_low(a, V_ALL((closed) ? UINT64_MAX : 0))
#define V_TURN_HIGH(a) vsriq_n_u64(vshlq_n_u64(a, 1), a, 63)
#define V_TURN_LOW(a) vsliq_n_u64(vshrq_n_u64(a, 1), a, 63)
#define V_LANE_ABOVE(a) vextq_u64(a, a, 1)
#define V_LANE_BELOW(a) vextq_u64(a, a, 1)
#define V_OPAQUE(a) __asm__ volatile("" : "+w"(a))

static inline uint64x2_t towards_high(uint64x2_t a, uint64x2_t ends)
{
    uint64x2_t below = vextq_u64(vandq_u64(a, ends), a, 1);
    return vorrq_u64(vshlq_n_u64(a, 1), vshrq_n_u64(below, 63));
}

static inline uint64x2_t towards_low(uint64x2_t a, uint64x2_t ends)
{
    uint64x2_t above = vextq_u64(a, vandq_u64(a, ends), 1);
    return vorrq_u64(vshrq_n_u64(a, 1), vshlq_n_u64(above, 63));
}

#define GATE_CHAINS 16
#include "level/two_inputs.h"

const lc_level lc_level_neon = {
    .name = "neon",
    .vector_bits = 128,
    .vectors_max = 40,
    .needs = LC_CPU_NEON,
    .gates_per_word = 18,
    .comb_gates = 1700,
    LC_LEVEL_KERNELS,
};
#endif
