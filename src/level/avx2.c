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
#define PATCH_OWN_ROWS
#include "level/two_inputs.h"

// Number the bytes of eight quarters of vectors by 7 bits: three of the vector, four of the place.
// This turns the number's bits round by one, so that three or four such steps exchange a byte's
// column and its row.
INLINE void turn_bytes(__m256i m[8])
{
    __m256i next[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        next[2 * i] = _mm256_unpacklo_epi8(m[i], m[i + 4]);
        next[2 * i + 1] = _mm256_unpackhi_epi8(m[i], m[i + 4]);
    }
    memcpy(m, next, sizeof next);
}

// Lane q of vector v is row 16 q + v of the patch. Rows come in pairs: 2 i and 2 i + 1, and those
// 16 further down, from the columns' upper halves, and the rows 32 further down from the lower
// halves.
INLINE void patch_load(__m256i *row, const lc_canvas_patch *patch)
{
    __m256i upper[8], lower[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        const uint8_t *column = patch->from + (size_t)i * patch->column_bytes;
        upper[i] = _mm256_loadu_si256((const __m256i *)column);
        lower[i] = _mm256_loadu_si256((const __m256i *)(column + 32));
    }
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        turn_bytes(upper);
        turn_bytes(lower);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        const __m256i even = _mm256_unpacklo_epi64(upper[i], lower[i]);
        const __m256i odd = _mm256_unpackhi_epi64(upper[i], lower[i]);
        row[2 * i] = _mm256_permute4x64_epi64(even, 0xD8);
        row[2 * i + 1] = _mm256_permute4x64_epi64(odd, 0xD8);
    }
}

INLINE void patch_store(const __m256i *row, lc_canvas_patch *patch)
{
    __m256i upper[8], lower[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        const __m256i even = _mm256_permute4x64_epi64(row[2 * i], 0xD8);
        const __m256i odd = _mm256_permute4x64_epi64(row[2 * i + 1], 0xD8);
        upper[i] = _mm256_unpacklo_epi64(even, odd);
        lower[i] = _mm256_unpackhi_epi64(even, odd);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        turn_bytes(upper);
        turn_bytes(lower);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        _mm256_store_si256((__m256i *)patch->to[i], upper[i]);
        _mm256_store_si256((__m256i *)(patch->to[i] + 32), lower[i]);
    }
}

// Returns all ones for the rows of a vector that are at most `margin` away from the patch's edges.
INLINE __m256i patch_edge_rows(int v, int margin)
{
    return _mm256_set_epi64x(v >= 16 - margin ? -1 : 0, 0, 0, v < margin ? -1 : 0);
}

INLINE uint64_t patch_active(const __m256i *row, const __m256i *before, int margin)
{
    const __m256i columns = V_ALL(UINT64_MAX << margin & UINT64_MAX >> margin);
    uint64_t active = 0;
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) { // even and odd rows of blocks
        __m256i differs = _mm256_setzero_si256();
#pragma GCC unroll 8
        for (int v = 8 * half; v < 8 * half + 8; v++)
            differs =
                V_OR(differs, V_AND_NOT(V_XOR(row[v], before[v]), patch_edge_rows(v, margin)));
        const __m256i quiet = _mm256_cmpeq_epi8(V_AND(differs, columns), _mm256_setzero_si256());
        const uint64_t bytes = (uint32_t)~_mm256_movemask_epi8(quiet);
#pragma GCC unroll 4
        for (int q = 0; q < 4; q++)
            active |= (bytes >> 8 * q & 0xFF) << (16 * q + 8 * half);
    }
    return active;
}

INLINE void patch_keep_edges(__m256i *row, const __m256i *first)
{
    const __m256i columns = V_ALL(~(UINT64_MAX << LC_PATCH_REPEAT & UINT64_MAX >> LC_PATCH_REPEAT));
#pragma GCC unroll 16
    for (int v = 0; v < 16; v++) {
        const __m256i keep = V_OR(columns, patch_edge_rows(v, LC_PATCH_REPEAT));
        row[v] = V_OR(V_AND(first[v], keep), V_AND_NOT(row[v], keep));
    }
}

// Returns the number of live cells in each byte.
INLINE __m256i ones_of_bytes(__m256i x)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i ones =
        _mm256_broadcastsi128_si256(_mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0));
    const __m256i high = V_AND(_mm256_srli_epi16(x, 4), nibble);
    return _mm256_add_epi8(_mm256_shuffle_epi8(ones, V_AND(x, nibble)),
                           _mm256_shuffle_epi8(ones, high));
}

// Returns the bytes' sum; all of them are from -128 to 127.
INLINE int64_t sum_of_bytes(__m256i x)
{
    const __m256i sums =
        _mm256_sad_epu8(_mm256_xor_si256(x, _mm256_set1_epi8(-128)), _mm256_setzero_si256());
    return _mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) +
           _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3) - 32 * 128;
}

static int64_t patch_write(const lc_canvas_patch *patch, uint8_t *at)
{
    const int margin = patch->margin;
    const uint64_t columns = UINT64_MAX << margin & UINT64_MAX >> margin;
    int64_t more = 0;
    for (int half = 0; half < 2; half++) {
        __m256i change = _mm256_setzero_si256(); // of 8 bytes: at most 64
        uint8_t rows[32] = {0};
        memset(rows + (half == 0 ? margin : 0), 0xFF, (size_t)(32 - margin));
        const __m256i inside = _mm256_loadu_si256((const __m256i *)rows);
        for (int i = 0; i < 8; i++) {
            __m256i *place = (__m256i *)(at + (size_t)i * patch->column_bytes + 32 * (size_t)half);
            const __m256i bits = _mm256_set1_epi8((char)(columns >> 8 * i & 0xFF));
            const __m256i right = V_AND(bits, inside), old = _mm256_loadu_si256(place);
            const __m256i to = _mm256_load_si256((const __m256i *)(patch->to[i] + 32 * half));
            const __m256i now = V_OR(V_AND(to, right), V_AND_NOT(old, right));
            change =
                _mm256_add_epi8(change, _mm256_sub_epi8(ones_of_bytes(now), ones_of_bytes(old)));
            _mm256_storeu_si256(place, now);
        }
        more += sum_of_bytes(change);
    }
    return more;
}

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
