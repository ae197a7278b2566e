// Converts between rows of bits, as the library has them, and a design's memory (design.h:
// lc_cell_layout).
//
//     -DCELL_BITS         1, 8 or 32
//     -DHIGH_BIT_FIRST    1: the first cell of a byte is its highest bit
//
// A thread does 32 cells of a row: one word of bits. With 1 bit a cell, a design's rows need not be
// whole words, so they go byte by byte.
#include "cuda.h"

typedef struct lc_layout_view {
    unsigned char *board; // cell (0, 0)
    lc_u64 pitch_bytes;
    lc_u64 width;
} lc_layout_view;

LC_INLINE unsigned int flipped(unsigned int byte)
{
#if HIGH_BIT_FIRST
    return __brev(byte) >> 24;
#else
    return byte;
#endif
}

// The cells from x on, up to 32 of them, as bits.
LC_INLINE lc_word take(const unsigned char *row, lc_u64 x, lc_u64 width)
{
    const lc_u64 count = width - x < 32 ? width - x : 32;
    lc_word word = 0;
#if CELL_BITS == 1
    for (lc_u64 i = 0; i < (count + 7) / 8; i++)
        word |= flipped(row[x / 8 + i]) << 8 * i;
    return count == 32 ? word : word & ((1u << count) - 1);
#elif CELL_BITS == 8
    for (lc_u64 i = 0; i < count; i++)
        word |= (lc_word)row[x + i] << i;
    return word;
#else
    for (lc_u64 i = 0; i < count; i++)
        word |= ((const lc_word *)row)[x + i] << i;
    return word;
#endif
}

LC_INLINE void give(unsigned char *row, lc_u64 x, lc_u64 width, lc_word word)
{
    const lc_u64 count = width - x < 32 ? width - x : 32;
#if CELL_BITS == 1
    for (lc_u64 i = 0; i < (count + 7) / 8; i++)
        row[x / 8 + i] = (unsigned char)flipped(word >> 8 * i & 255);
#elif CELL_BITS == 8
    for (lc_u64 i = 0; i < count; i++)
        row[x + i] = (unsigned char)(word >> i & 1);
#else
    for (lc_u64 i = 0; i < count; i++)
        ((lc_word *)row)[x + i] = word >> i & 1;
#endif
}

// Rows y .. y + count - 1 of the board, from and to rows of pitch_words words of 32 bits.
LC_KERNEL void write_rows(lc_layout_view to, const lc_word *rows, lc_u64 pitch_words, lc_u64 y,
                          lc_u64 count)
{
    const lc_u64 words = (to.width + 31) / 32, step = (lc_u64)gridDim.x * blockDim.x;
    for (lc_u64 i = (lc_u64)blockIdx.x * blockDim.x + threadIdx.x; i < words * count; i += step) {
        const lc_u64 row = i / words, x = i % words * 32;
        lc_word word = rows[row * pitch_words + x / 32];
        if (to.width - x < 32)
            word &= (1u << (to.width - x)) - 1;
        give(to.board + (y + row) * to.pitch_bytes, x, to.width, word);
    }
}

LC_KERNEL void read_rows(lc_layout_view from, lc_word *rows, lc_u64 pitch_words, lc_u64 y,
                         lc_u64 count)
{
    const lc_u64 words = pitch_words, step = (lc_u64)gridDim.x * blockDim.x;
    for (lc_u64 i = (lc_u64)blockIdx.x * blockDim.x + threadIdx.x; i < words * count; i += step) {
        const lc_u64 row = i / words, x = i % words * 32;
        rows[row * pitch_words + x / 32] =
            x < from.width ? take(from.board + (y + row) * from.pitch_bytes, x, from.width) : 0;
    }
}
