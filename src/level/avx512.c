// 512-bit vectors with three-input gates (vpternlog) and, for combing, the bit and byte
// permutations of VBMI, VBMI2 and GFNI; VPOPCNTDQ counts. Ice Lake, Zen 4 and later have all.
#if defined(__AVX512VBMI2__) && defined(__AVX512VPOPCNTDQ__) && defined(__GFNI__)
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/cpu_features.h"

#define INLINE static inline __attribute__((always_inline))
#define VEC __m512i
#define LANES 8
#define BAND_PAIR 1
#define CODE_COLUMNS 2
// The three-input gate whose output for inputs a, b, c is bit 4a + 2b + c of `table`.
#define GATE(table, a, b, c) _mm512_ternarylogic_epi64(a, b, c, table)
#define V_ALL(word) _mm512_set1_epi64((long long)(word))
#define V_XOR(a, b) _mm512_xor_si512(a, b)
#define V_AND(a, b) _mm512_and_si512(a, b)
#define V_OR(a, b) _mm512_or_si512(a, b)
#define V_AND_NOT(a, b) _mm512_andnot_si512(b, a)
#define V_MAJORITY(a, b, c) GATE(0xE8, a, b, c)
#define V_XOR_AND(a, b, c) GATE(0x78, a, b, c)
#define V_CHOOSE(cell, high, low) GATE(0xCA, cell, high, low)
#define V_TOWARDS_HIGH(a, closed)                                                                  \
    _mm512_shldi_epi64(a, _mm512_maskz_alignr_epi64((closed) ? 0xFF : 0xFE, a, a, 7), 1)
#define V_TOWARDS_LOW(a, closed)                                                                   \
    _mm512_shrdi_epi64(a, _mm512_maskz_alignr_epi64((closed) ? 0xFF : 0x7F, a, a, 1), 1)
#define V_TURN_HIGH(a) _mm512_rol_epi64(a, 1)
#define V_TURN_LOW(a) _mm512_ror_epi64(a, 1)
#define V_LANE_ABOVE(a) _mm512_alignr_epi64(a, a, 7)
#define V_LANE_BELOW(a) _mm512_alignr_epi64(a, a, 1)
#define V_NEXT_LIFE next_life
#define V_COUNT(a) _mm512_popcnt_epi64(a)

// Six gates, found by annealing over networks against the 96 cases that can occur. The first gate
// is a parity, which pairs of rows share as in gates.h. A gate overwrites its first operand. Each
// gate here has an operand that is not used again (the sums of row a, the cell, or an earlier
// gate), so none needs a copy. Few networks of six gates have this property, which makes this one
// 10 % faster.
INLINE __m512i next_life(bool odd_row, __m512i sa, __m512i ca, __m512i sb, __m512i cb, __m512i sc,
                         __m512i cc, __m512i x)
{
    __m512i p = odd_row ? V_XOR(V_XOR(sa, sb), sc) : V_XOR(V_XOR(sb, sc), sa);
    __m512i all_equal = GATE(129, sa, sb, sc);
    __m512i one = GATE(22, all_equal, ca, cc), at_most_one = GATE(23, ca, sb, cc);
    return GATE(0xE0, GATE(56, one, cb, at_most_one), p, x);
}

#include "level/aging.h"
#include "level/band.h"
#include "level/diagram_steps.h"
#include "level/live_count.h"

#define WINDOW_OWN_TILES
#define PATCH_OWN_ROWS
#include "level/board.h"

// Returns words 16 i .. 16 i + 15 of two adjacent tiles: rows a, a + 8, a + 16, a + 24 of the tiles
// for an even `a`, and the same for a + 1.
INLINE __m512i rows_pair(const uint32_t *left, const uint32_t *right, int a)
{
    const __m512i order =
        _mm512_add_epi32(_mm512_set1_epi32(a % 4 * 4),
                         _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0));
    return _mm512_permutex2var_epi32(_mm512_load_si512(left + a / 4 * 16), order,
                                     _mm512_load_si512(right + a / 4 * 16));
}

// Transposes four vectors of four quarters.
INLINE void transpose_quarters(__m512i m[4])
{
    const __m512i a = _mm512_shuffle_i64x2(m[0], m[1], 0x44);
    const __m512i b = _mm512_shuffle_i64x2(m[2], m[3], 0x44);
    const __m512i c = _mm512_shuffle_i64x2(m[0], m[1], 0xEE);
    const __m512i d = _mm512_shuffle_i64x2(m[2], m[3], 0xEE);
    m[0] = _mm512_shuffle_i64x2(a, b, 0x88);
    m[1] = _mm512_shuffle_i64x2(a, b, 0xDD);
    m[2] = _mm512_shuffle_i64x2(c, d, 0x88);
    m[3] = _mm512_shuffle_i64x2(c, d, 0xDD);
}

INLINE void rows_load(__m512i *row, int vectors, const uint32_t *const *tiles)
{
#pragma GCC unroll 4
    for (int a = 0; a < 8; a += 2) {
        if (vectors == WINDOW_VECTORS) {
            const __m512i upper = rows_pair(tiles[0], tiles[1], a);
            const __m512i lower = rows_pair(tiles[2], tiles[3], a);
            row[a] = _mm512_shuffle_i64x2(upper, lower, 0x44);
            row[a + 1] = _mm512_shuffle_i64x2(upper, lower, 0xEE);
            continue;
        }
        __m512i m[4]; // rows a and a + 16, a + 8 and a + 24, and the same for a + 1, of a tile
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            m[i] = _mm512_permutex_epi64(rows_pair(tiles[2 * i], tiles[2 * i + 1], a), 0xD8);
        transpose_quarters(m);
        row[a] = m[0];
        row[a + 8] = m[1];
        row[a + 1] = m[2];
        row[a + 9] = m[3];
    }
}

// Returns half of a window's middle, from vectors 4 half .. 4 half + 3 of a window, or from those
// and the ones 8 further on of a column.
INLINE __m512i middle_half(const __m512i *row, int vectors, int which, int half)
{
    if (vectors == WINDOW_VECTORS) {
        // Dwords 2 q of lanes 2 to 5, of two vectors each.
        const __m512i order =
            _mm512_set_epi32(26, 24, 22, 20, 10, 8, 6, 4, 26, 24, 22, 20, 10, 8, 6, 4);
        __m512i y[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            y[i] = _mm512_srli_epi64(row[4 * half + i], 16);
        return _mm512_mask_blend_epi64(0xF0, _mm512_permutex2var_epi32(y[0], order, y[1]),
                                       _mm512_permutex2var_epi32(y[2], order, y[3]));
    }
    // Dwords 2 q of lanes 1 + 2 `which` and the next, of two vectors: quarters of these, for all
    // three middles.
    const __m512i order = _mm512_set_epi32(0, 0, 0, 0, 28, 12, 26, 10, 24, 8, 22, 6, 20, 4, 18, 2);
    __m512i m[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        m[i] = _mm512_permutex2var_epi32(_mm512_srli_epi64(row[4 * half + i], 16), order,
                                         _mm512_srli_epi64(row[4 * half + i + 8], 16));
    transpose_quarters(m);
    return m[which];
}

INLINE lc_window_change window_store(const __m512i *row, int vectors, int which, uint32_t *middle)
{
    __mmask16 changed = 0;
    __m512i more = _mm512_setzero_si512();
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        const __m512i now = middle_half(row, vectors, which, half);
        const __m512i old = _mm512_load_si512(middle + 16 * half);
        changed |= _mm512_cmpneq_epi32_mask(now, old);
        more = _mm512_add_epi64(
            more, _mm512_sub_epi64(_mm512_popcnt_epi64(now), _mm512_popcnt_epi64(old)));
        _mm512_store_si512(middle + 16 * half, now);
    }
    return (lc_window_change){changed != 0,
                              changed != 0 ? (int32_t)_mm512_reduce_add_epi64(more) : 0};
}

// In each lane, exchanges byte j of vector i with byte i of vector j.
INLINE void transpose_lanes(__m512i m[8])
{
    __m512i a[8], b[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) { // bytes of two vectors; of the even lanes, then of the odd ones
        a[i] = _mm512_unpacklo_epi8(m[2 * i], m[2 * i + 1]);
        a[i + 4] = _mm512_unpackhi_epi8(m[2 * i], m[2 * i + 1]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) { // of four vectors: rows 0 to 3, then 4 to 7
        b[2 * i] = _mm512_unpacklo_epi16(a[2 * i], a[2 * i + 1]);
        b[2 * i + 1] = _mm512_unpackhi_epi16(a[2 * i], a[2 * i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) { // of eight vectors: two rows each
        a[4 * i] = _mm512_unpacklo_epi32(b[4 * i], b[4 * i + 2]);
        a[4 * i + 1] = _mm512_unpackhi_epi32(b[4 * i], b[4 * i + 2]);
        a[4 * i + 2] = _mm512_unpacklo_epi32(b[4 * i + 1], b[4 * i + 3]);
        a[4 * i + 3] = _mm512_unpackhi_epi32(b[4 * i + 1], b[4 * i + 3]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        m[2 * i] = _mm512_unpacklo_epi64(a[i], a[i + 4]);
        m[2 * i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 4]);
    }
}

INLINE void patch_load(__m512i *row, const lc_canvas_patch *patch)
{
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        row[i] = _mm512_loadu_si512(patch->from + (size_t)i * patch->column_bytes);
    transpose_lanes(row);
}

INLINE void patch_store(const __m512i *row, lc_canvas_patch *patch)
{
    __m512i m[8];
    memcpy(m, row, sizeof m);
    transpose_lanes(m);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        _mm512_storeu_si512(patch->to[i], m[i]);
}

// Lane q of vector v is row 8 q + v, so the lanes of all vectors together are rows of blocks.
INLINE uint64_t patch_active(const __m512i *row, const __m512i *before, int margin)
{
    const __m512i columns =
        _mm512_set1_epi64((long long)(UINT64_MAX << margin & UINT64_MAX >> margin));
    __m512i differs = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int v = 0; v < 8; v++) {
        const int counted = (v < margin ? 0xFE : 0xFF) & (v >= 8 - margin ? 0x7F : 0xFF);
        differs = _mm512_mask_or_epi64(differs, (__mmask8)counted, differs,
                                       _mm512_xor_si512(row[v], before[v]));
    }
    return _mm512_test_epi8_mask(differs, columns);
}

INLINE void patch_keep_edges(__m512i *row, const __m512i *first)
{
    const uint64_t edges = ~(UINT64_MAX << LC_PATCH_REPEAT & UINT64_MAX >> LC_PATCH_REPEAT);
    const __m512i columns = _mm512_set1_epi64((long long)edges);
#pragma GCC unroll 8
    for (int v = 0; v < 8; v++) {
        const int whole = (v < LC_PATCH_REPEAT ? 0x01 : 0) | (v >= 8 - LC_PATCH_REPEAT ? 0x80 : 0);
        const __m512i keep =
            _mm512_mask_set1_epi64(columns, (__mmask8)whole, (long long)UINT64_MAX);
        row[v] = V_CHOOSE(keep, first[v], row[v]);
    }
}

static int64_t patch_write(const lc_canvas_patch *patch, uint8_t *at)
{
    const int margin = patch->margin;
    const uint64_t columns = UINT64_MAX << margin & UINT64_MAX >> margin; // also of rows
    __m512i more = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        uint8_t *column = at + (size_t)i * patch->column_bytes;
        const __m512i right = _mm512_maskz_set1_epi8(columns, (char)(columns >> 8 * i & 0xFF));
        const __m512i old = _mm512_loadu_si512(column), to = _mm512_loadu_si512(patch->to[i]);
        const __m512i now = V_CHOOSE(right, to, old);
        more = _mm512_add_epi64(
            more, _mm512_sub_epi64(_mm512_popcnt_epi64(now), _mm512_popcnt_epi64(old)));
        _mm512_storeu_si512(column, now);
    }
    return _mm512_reduce_add_epi64(more);
}

// Combing. The row is 512 chunks of K cells, K at most 16; eight chunks take K bytes.
//
//   low / high  byte i of qword q, of vector v: cells 0..7 / 8..15 of chunk 64 v + 8 q + i
//   turned      each qword is an 8 x 8 bit matrix: transposed, its byte c is cell c of 8 chunks;
//               bytes c of the 8 qwords together are 64 bits of vector c: qword v of it
//   combed      so the 8 x 8 matrix of qwords is transposed
enum { GROUPS = 8, CHUNK_BITS_MAX = 16 };

INLINE __m512i transpose_bits(__m512i x)
{
    // The data is the matrix, and the vectors are constant: bytes 1, 2, 4 ... select its columns.
    __m512i columns = _mm512_set1_epi64((long long)0x8040201008040201);
    // gf2p8affine numbers a matrix's rows from its last byte.
    __m512i reverse =
        _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    return _mm512_gf2p8affine_epi64_epi8(columns, _mm512_shuffle_epi8(x, reverse), 0);
}

// Moves byte c of qword q to byte q of qword c.
INLINE __m512i transpose_bytes(__m512i x)
{
    __m512i to = _mm512_set_epi64(0x3F372F271F170F07, 0x3E362E261E160E06, 0x3D352D251D150D05,
                                  0x3C342C241C140C04, 0x3B332B231B130B03, 0x3A322A221A120A02,
                                  0x3931292119110901, 0x3830282018100800);
    return _mm512_permutexvar_epi8(to, x);
}

INLINE void transpose_qwords(__m512i m[8])
{
    __m512i a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = _mm512_unpacklo_epi64(m[i], m[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi64(m[i], m[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int j = 0; j < 2; j++) {
            b[i + j] = _mm512_shuffle_i64x2(a[i + j], a[i + j + 2], 0x88);
            b[i + j + 2] = _mm512_shuffle_i64x2(a[i + j], a[i + j + 2], 0xDD);
        }
    }
    for (int j = 0; j < 4; j++) {
        m[j] = _mm512_shuffle_i64x2(b[j], b[j + 4], 0x88);
        m[j + 4] = _mm512_shuffle_i64x2(b[j], b[j + 4], 0xDD);
    }
}

// Chunk i of eight starts at bit i * K of their K bytes. Chunks 4 .. 7 are read from byte K / 2 on,
// so that all fields of a multishift lie within 64 bits.
static void comb(void *band, int row, int rows, int vectors, const uint8_t *cells,
                 size_t pitch_bytes)
{
    uint64_t place[8];
    uint8_t field[64];
    for (int q = 0; q < 8; q++) {
        for (int i = 0; i < 8; i++)
            field[8 * q + i] = (uint8_t)(i < 4 ? i * vectors : i * vectors - vectors / 2 * 8);
        place[q] = UINT64_C(0x0706050403020100) +
                   UINT64_C(0x0101010101010101) * (uint64_t)(unsigned)(q * vectors);
    }
    __m512i places = _mm512_loadu_si512(place), fields = _mm512_loadu_si512(field);
    for (int i = 0; i < rows; i++, cells += pitch_bytes) {
        for (int high = 0; high < vectors; high += 8) {
            __m512i m[GROUPS];
            for (int group = 0; group < GROUPS; group++) {
                const uint8_t *from = cells + (size_t)(8 * group * vectors + high / 8);
                const uint8_t *half = from + vectors / 2;
                __m512i first = _mm512_permutex2var_epi8(_mm512_loadu_si512(from), places,
                                                         _mm512_loadu_si512(from + 64));
                __m512i second = _mm512_permutex2var_epi8(_mm512_loadu_si512(half), places,
                                                          _mm512_loadu_si512(half + 64));
                __m512i chunks =
                    _mm512_mask_multishift_epi64_epi8(_mm512_multishift_epi64_epi8(fields, first),
                                                      0xF0F0F0F0F0F0F0F0, fields, second);
                m[group] = transpose_bytes(transpose_bits(chunks));
            }
            transpose_qwords(m);
            __m512i *out = (__m512i *)band + (size_t)high * LC_BAND_ROWS + row + i;
            int wanted = vectors - high < 8 ? vectors - high : 8;
            for (int k = 0; k < wanted; k++)
                out[(size_t)k * LC_BAND_ROWS] = m[k];
        }
    }
}

// Packs chunks of 16-bit words: two into 2K bits, four into 4K bits, eight into K bytes, and the
// four runs of K bytes in a vector into one run of 4K.
typedef struct {
    __m512i interleave[2], gather;
    __m128i k1, k2, k4, rest;
} pack_constants;

INLINE __m512i pack(__m512i low, __m512i high, int half, const pack_constants *to)
{
    __m512i low16 = _mm512_set1_epi32(0xFFFF), low32 = _mm512_set1_epi64(0xFFFFFFFF);
    __m512i x = _mm512_permutex2var_epi8(low, to->interleave[half], high);
    x = GATE(0xF8, _mm512_sll_epi32(_mm512_srli_epi32(x, 16), to->k1), x, low16);
    x = GATE(0xF8, _mm512_sll_epi64(_mm512_srli_epi64(x, 32), to->k2), x, low32);
    __m512i upper = _mm512_unpackhi_epi64(x, x);
    __m512i lower = _mm512_or_si512(x, _mm512_sll_epi64(upper, to->k4));
    x = _mm512_unpacklo_epi64(lower, _mm512_srl_epi64(upper, to->rest));
    return _mm512_permutexvar_epi8(to->gather, x);
}

static void uncomb(uint8_t *cells, size_t pitch_bytes, const void *band, int row, int rows,
                   int vectors)
{
    uint8_t interleave[2][64], gather[64];
    for (int i = 0; i < 64; i++) {
        interleave[0][i] = (uint8_t)(i / 2 + i % 2 * 64);
        interleave[1][i] = (uint8_t)(interleave[0][i] + 32);
        gather[i] = (uint8_t)(i < 4 * vectors ? i / vectors * 16 + i % vectors : 0);
    }
    pack_constants to = {
        .interleave = {_mm512_loadu_si512(interleave[0]), _mm512_loadu_si512(interleave[1])},
        .gather = _mm512_loadu_si512(gather),
        .k1 = _mm_cvtsi32_si128(vectors),
        .k2 = _mm_cvtsi32_si128(2 * vectors),
        .k4 = _mm_cvtsi32_si128(4 * vectors),
        .rest = _mm_cvtsi32_si128(64 - 4 * vectors),
    };
    for (int i = 0; i < rows; i++, cells += pitch_bytes) {
        __m512i bytes[2][GROUPS];
        for (int high = 0; high < 2; high++) {
            const __m512i *in = (const __m512i *)band + (size_t)high * 8 * LC_BAND_ROWS + row + i;
            for (int k = 0; k < 8; k++)
                bytes[high][k] =
                    k + 8 * high < vectors ? in[(size_t)k * LC_BAND_ROWS] : _mm512_setzero_si512();
            if (8 * high >= vectors)
                continue;
            transpose_qwords(bytes[high]);
            for (int group = 0; group < GROUPS; group++)
                bytes[high][group] = transpose_bits(transpose_bytes(bytes[high][group]));
        }
        // In order, because each store overwrites the useless tail of the previous one.
        for (int run = 0; run < 2 * GROUPS; run++)
            _mm512_storeu_si512(cells + (size_t)(4 * vectors * run),
                                pack(bytes[0][run / 2], bytes[1][run / 2], run % 2, &to));
    }
}

// Measures the highest rate of this CPU: gates on registers only. Each takes the last result of its
// own chain and two constants. (A Zen 5 is half as fast if all three operands are results that are
// used again, because each gate then needs a copy.)
static double gate_rate(uint64_t duration_ns)
{
    enum { CHAINS = 16, ROUNDS = 1000 };
    __m512i r[CHAINS], constant[2];
#pragma GCC unroll 16 // or gcc keeps r in memory
    for (int i = 0; i < CHAINS; i++)
        r[i] = V_ALL(UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(i + 1));
    constant[0] = V_ALL(UINT64_C(0xBF58476D1CE4E5B9)), constant[1] = V_ALL(0x94D049BB133111EB);
    uint64_t start = lc_clock_ns(), now = start, operations = 0;
    while (now - start < duration_ns) {
        for (int round = 0; round < ROUNDS; round++) {
#pragma GCC unroll 16
            for (int i = 0; i < CHAINS; i++)
                __asm__ volatile("vpternlogq $0x96, %2, %1, %0"
                                 : "+v"(r[i])
                                 : "v"(constant[0]), "v"(constant[1]));
        }
        operations += (uint64_t)ROUNDS * CHAINS;
        now = lc_clock_ns();
    }
    return (double)operations * 1e9 / (double)(now - start);
}

const lc_level lc_level_avx512 = {
    .name = "avx512",
    .vector_bits = 512,
    .vectors_max = CHUNK_BITS_MAX,
    .needs = LC_CPU_AVX512F | LC_CPU_AVX512BW | LC_CPU_AVX512VL | LC_CPU_AVX512DQ |
             LC_CPU_AVX512VBMI | LC_CPU_AVX512VBMI2 | LC_CPU_AVX512VPOPCNTDQ | LC_CPU_GFNI,
    .gates_per_word = 8,
    .comb_gates = 700,
    LC_LEVEL_KERNELS,
    LC_LEVEL_CODE_KERNELS,
    .code_target = LC_CODE_AVX512,
};
#endif
