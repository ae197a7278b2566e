// Layout of a board in GPU memory (C and CUDA C).
//
// A row is split into segments of K words of 32 cells. The words are interleaved: bit b of word k
// of segment s is column s*32*K + b*K + k. A cell's left and right neighbours are therefore the
// same bit of the words before and after its own, and only the ends of a segment need a shift:
//
//                 word 0      word 1      word 2      word 3          (K = 4)
//      bit 0      column 0         1           2           3
//      bit 1             4         5           6           7
//      ...
//      bit 31          124       125         126         127
//
// A halo surrounds the board: one segment at each end of a row, LC_HALO_ROWS rows above and below.
//
//             segment -1      0   ...  S-1      S          S = ceil(width / (32 K))
//            +----------+-----------------+----------+
//            |          |  LC_HALO_ROWS   |          |
//            +----------+-----------------+----------+
//            |   halo   |      cells      |   halo   |   height rows
//            +----------+-----------------+----------+
//            |          |  LC_HALO_ROWS   |          |
//            +----------+-----------------+----------+
//
// In the last segment, bits right of the width belong to the halo. Code that examines cells masks
// them.
#ifndef LC_KERNELS_BOARD_LAYOUT_H
#define LC_KERNELS_BOARD_LAYOUT_H

#include "cuda.h"

#define LC_HALO_ROWS 32

// A board, as a kernel argument.
typedef struct lc_board_view {
    lc_u64 cells; // address of its buffer, halo included
    long long width_cells, height_cells;
    long long segments; // S
    int above, below;   // halo rows that can have live cells, for a slab
} lc_board_view;

#ifdef LC_K // in a kernel: -DLC_K=1, 2 or 4

#define LC_SEGMENT_CELLS (32 * LC_K)

// Returns the address of word 0 of segment 0 of a row; -LC_HALO_ROWS <= y < height + LC_HALO_ROWS.
LC_INLINE lc_word *lc_row_at(const lc_board_view *board, long long y)
{
    return (lc_word *)board->cells +
           ((y + LC_HALO_ROWS) * (board->segments + 2) + 1) * (long long)LC_K;
}

// Returns a word of columns column, column + K ... column + 31*K. All must lie in the row or its
// halo.
LC_INLINE lc_word lc_columns_from(const lc_word *row, long long column)
{
    const long long bit = column >> (LC_K / 2); // K is 1, 2 or 4
    const lc_word *word = row + (bit >> 5) * LC_K + (column & (LC_K - 1));
    const int shift = (int)(bit & 31);
    return shift == 0 ? word[0] : word[0] >> shift | word[LC_K] << (32 - shift);
}

LC_INLINE lc_word lc_cell_at(const lc_word *row, long long column)
{
    const long long bit = column >> (LC_K / 2);
    return row[(bit >> 5) * LC_K + (column & (LC_K - 1))] >> (bit & 31) & 1;
}

// Returns the mask of those of columns column, column + K ... that are in begin .. end - 1.
LC_INLINE lc_word lc_columns_within(long long column, long long begin, long long end)
{
    lc_word below_begin = 0, below_end = 0;
    const long long to_begin = (begin - column + LC_K - 1) >> (LC_K / 2);
    const long long to_end = (end - column + LC_K - 1) >> (LC_K / 2);
    if (to_begin > 0)
        below_begin = to_begin >= 32 ? ~(lc_word)0 : ((lc_word)1 << to_begin) - 1;
    if (to_end > 0)
        below_end = to_end >= 32 ? ~(lc_word)0 : ((lc_word)1 << to_end) - 1;
    return below_end & ~below_begin;
}

// Plain words: bit i of word w of a row is column 64*w + i. A group is the smallest part of a row
// that consists of whole words in both forms: LC_GROUP plain words, 2 * LC_GROUP interleaved words.
#define LC_GROUP (LC_K == 4 ? 2 : 1)

// Packs bits 0, 2, 4 ... of x; lc_to_even_bits does the reverse.
LC_INLINE lc_word lc_even_bits(lc_u64 x)
{
    x &= 0x5555555555555555u;
    x = (x | x >> 1) & 0x3333333333333333u;
    x = (x | x >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    x = (x | x >> 4) & 0x00FF00FF00FF00FFu;
    x = (x | x >> 8) & 0x0000FFFF0000FFFFu;
    return (lc_word)(x | x >> 16);
}

LC_INLINE lc_u64 lc_to_even_bits(lc_word bits)
{
    lc_u64 x = bits;
    x = (x | x << 16) & 0x0000FFFF0000FFFFu;
    x = (x | x << 8) & 0x00FF00FF00FF00FFu;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

// Returns plain word w of a row. Bits right of the width are undefined.
LC_INLINE lc_u64 lc_plain_word(const lc_word *row, long long w)
{
#if LC_K == 1
    return row[2 * w] | (lc_u64)row[2 * w + 1] << 32;
#elif LC_K == 2
    return lc_to_even_bits(row[2 * w]) | lc_to_even_bits(row[2 * w + 1]) << 1;
#else
    // First the even columns of a half of the segment, in words 0 and 2, then the odd columns.
    const lc_word *words = row + w / 2 * 4;
    const int half = (int)(w % 2) * 16;
    const lc_u64 even = lc_to_even_bits(words[0] >> half & 0xFFFF) |
                        lc_to_even_bits(words[2] >> half & 0xFFFF) << 1;
    const lc_u64 odd = lc_to_even_bits(words[1] >> half & 0xFFFF) |
                       lc_to_even_bits(words[3] >> half & 0xFFFF) << 1;
    return lc_to_even_bits((lc_word)even) | lc_to_even_bits((lc_word)odd) << 1;
#endif
}

// Converts a group of plain words to interleaved words.
LC_INLINE void lc_comb(const lc_u64 *plain, lc_word *words)
{
#if LC_K == 1
    words[0] = (lc_word)plain[0];
    words[1] = (lc_word)(plain[0] >> 32);
#elif LC_K == 2
    words[0] = lc_even_bits(plain[0]);
    words[1] = lc_even_bits(plain[0] >> 1);
#else
    const lc_u64 even = lc_even_bits(plain[0]) | (lc_u64)lc_even_bits(plain[1]) << 32;
    const lc_u64 odd = lc_even_bits(plain[0] >> 1) | (lc_u64)lc_even_bits(plain[1] >> 1) << 32;
    words[0] = lc_even_bits(even);
    words[1] = lc_even_bits(odd);
    words[2] = lc_even_bits(even >> 1);
    words[3] = lc_even_bits(odd >> 1);
#endif
}

#endif
#endif
