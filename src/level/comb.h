// Combing a row into vectors and back, for any vector of 64-bit lanes: included by a level that has
// defined, besides what band.h needs,
//
//   LANES                    64-bit lanes in a VEC
//   V_SHIFT_LEFT(a, n), V_SHIFT_RIGHT(a, n)     in each lane
//
// Lane j's part of the row is 64 chunks of K consecutive cells. Combing transposes this 64 x K bit
// matrix, in six exchanges of ever smaller blocks, for all lanes at once. It skips empty blocks: up
// to K = 32 the first exchange halves the rows.
#include <string.h>

#include "level/level.h"

enum { CHUNKS = 64 };

static const uint64_t block_mask[6] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                       0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};

// Exchanges the upper half of the columns of rows a with the lower half of rows a + size.
INLINE void exchange(VEC *m, int rows, int log2_size)
{
    int size = 1 << log2_size;
    VEC mask = V_ALL(block_mask[log2_size]);
    for (int block = 0; block < rows; block += 2 * size) {
        for (int a = block; a < block + size; a++) {
            VEC t = V_AND(V_XOR(V_SHIFT_RIGHT(m[a], size), m[a + size]), mask);
            m[a] = V_XOR(m[a], V_SHIFT_LEFT(t, size));
            m[a + size] = V_XOR(m[a + size], t);
        }
    }
}

// Does the same if the upper halves are empty and their new content is not needed.
INLINE int merge(VEC *m, int log2_size)
{
    int size = 1 << log2_size;
    for (int a = 0; a < size; a++)
        m[a] = V_OR(m[a], V_SHIFT_LEFT(m[a + size], size));
    return size;
}

INLINE int split(VEC *m, int log2_size)
{
    int size = 1 << log2_size;
    VEC mask = V_ALL(block_mask[log2_size]);
    for (int a = 0; a < size; a++) {
        m[a + size] = V_AND(V_SHIFT_RIGHT(m[a], size), mask);
        m[a] = V_AND(m[a], mask);
    }
    return 2 * size;
}

INLINE void comb_row(VEC *out, int vectors, const uint8_t *cells)
{
    union {
        VEC v[CHUNKS];
        uint64_t word[CHUNKS][LANES];
    } m;
    uint64_t chunk_mask = (UINT64_C(1) << vectors) - 1;
    size_t bit = 0;
    for (int lane = 0; lane < LANES; lane++) {
        for (int i = 0; i < CHUNKS; i++, bit += (size_t)vectors) {
            uint64_t word;
            memcpy(&word, cells + bit / 8, sizeof word);
            m.word[i][lane] = word >> bit % 8 & chunk_mask;
        }
    }
    int rows = CHUNKS;
#define STAGE(n)                                                                                   \
    if (rows == 2 << n && vectors <= 1 << n)                                                       \
        rows = merge(m.v, n);                                                                      \
    else                                                                                           \
        exchange(m.v, rows, n);
    STAGE(5)
    STAGE(4)
    STAGE(3)
    STAGE(2)
    STAGE(1)
    STAGE(0)
#undef STAGE
    for (int k = 0; k < vectors; k++)
        out[(size_t)k * LC_BAND_ROWS] = m.v[k];
}

INLINE void uncomb_row(uint8_t *cells, const VEC *in, int vectors)
{
    union {
        VEC v[CHUNKS];
        uint64_t word[CHUNKS][LANES];
    } m;
    int rows = 1;
    while (rows < vectors)
        rows *= 2;
    for (int k = 0; k < rows; k++)
        m.v[k] = k < vectors ? in[(size_t)k * LC_BAND_ROWS] : V_ALL(0);
#define STAGE(n)                                                                                   \
    if (rows == 1 << n)                                                                            \
        rows = split(m.v, n);                                                                      \
    else                                                                                           \
        exchange(m.v, rows, n);
    STAGE(0)
    STAGE(1)
    STAGE(2)
    STAGE(3)
    STAGE(4)
    STAGE(5)
#undef STAGE
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t word = 0;
        int fill = 0;
        for (int i = 0; i < CHUNKS; i++) {
            uint64_t chunk = m.word[i][lane];
            word |= chunk << fill;
            fill += vectors;
            if (fill >= 64) {
                memcpy(cells, &word, sizeof word);
                cells += sizeof word;
                fill -= 64;
                word = fill ? chunk >> (vectors - fill) : 0;
            }
        }
    }
}

static void comb(void *band, int row, int rows, int vectors, const uint8_t *cells,
                 size_t pitch_bytes)
{
    for (int i = 0; i < rows; i++)
        comb_row((VEC *)band + row + i, vectors, cells + (size_t)i * pitch_bytes);
}

static void uncomb(uint8_t *cells, size_t pitch_bytes, const void *band, int row, int rows,
                   int vectors)
{
    for (int i = 0; i < rows; i++)
        uncomb_row(cells + (size_t)i * pitch_bytes, (const VEC *)band + row + i, vectors);
}
