// 256-bit vectors.
#if defined(__AVX2__)
#include <immintrin.h>
#include <stdint.h>

#include "base/cpu_features.h"

#define VEC __m256i
#define LANES 4
#define BAND_PAIR 1
#define CODE_COLUMNS 1
#define V_ALL(word) _mm256_set1_epi64x((long long)(word))
#define V_XOR(a, b) _mm256_xor_si256(a, b)
#define V_AND(a, b) _mm256_and_si256(a, b)
#define V_OR(a, b) _mm256_or_si256(a, b)
#define V_AND_NOT(a, b) _mm256_andnot_si256(b, a)
#define V_SHIFT_LEFT(a, n) _mm256_slli_epi64(a, n)
#define V_SHIFT_RIGHT(a, n) _mm256_srli_epi64(a, n)
#define V_TOWARDS_HIGH(a, closed) towards_high(a, V_ALL((closed) ? UINT64_MAX : 0))
#define V_TOWARDS_LOW(a, closed) towards_low(a, V_ALL((closed) ? UINT64_MAX : 0))
#define V_TURN_HIGH(a) _mm256_or_si256(_mm256_slli_epi64(a, 1), _mm256_srli_epi64(a, 63))
#define V_TURN_LOW(a) _mm256_or_si256(_mm256_srli_epi64(a, 1), _mm256_slli_epi64(a, 63))
#define V_LANE_ABOVE(a) _mm256_permute4x64_epi64(a, 0x93)
#define V_LANE_BELOW(a) _mm256_permute4x64_epi64(a, 0x39)
#define V_OPAQUE(a) __asm__ volatile("" : "+x"(a))

static inline __m256i towards_high(__m256i a, __m256i ends)
{
    __m256i turned = _mm256_permute4x64_epi64(a, 0x93);
    __m256i below = _mm256_blend_epi32(turned, _mm256_and_si256(turned, ends), 0x03);
    return _mm256_or_si256(_mm256_slli_epi64(a, 1), _mm256_srli_epi64(below, 63));
}

static inline __m256i towards_low(__m256i a, __m256i ends)
{
    __m256i turned = _mm256_permute4x64_epi64(a, 0x39);
    __m256i above = _mm256_blend_epi32(turned, _mm256_and_si256(turned, ends), 0xC0);
    return _mm256_or_si256(_mm256_srli_epi64(a, 1), _mm256_slli_epi64(above, 63));
}

#define GATE_CHAINS 14
#include "level/two_inputs.h"

const lc_level lc_level_avx2 = {
    .name = "avx2",
    .vector_bits = 256,
    .vectors_max = 24,
    .needs = LC_CPU_AVX2,
    .gates_per_word = 18,
    .comb_gates = 2000,
    LC_LEVEL_KERNELS,
    LC_LEVEL_CODE_KERNELS,
    .code_target = LC_CODE_AVX2,
};
#endif
