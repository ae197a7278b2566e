// What the designs with a bit a cell share: words of cells, how they are added, how a board is laid
// out.
//
//     row y    | word 0 | word 1 | ...       bit i of word k is cell k * WORD + i, so that a cell's
//                                            left neighbour comes from a shift to the left
//
// The sum of three cells side by side is two words: its low bit is the parity of the three, its
// high bit their majority. Three rows of such sums and the cells in the middle give the next
// generation in six functions of three bits. Together they are twelve operations a word of 32
// cells, or eight where rows share their sums. (The sources add eight neighbours with full and half
// adders, some fifteen operations once a compiler has joined them.)
//
//     -DWORD   32 or 64: cells of a word. A GPU computes with 32 bits, and so do the gates.
#ifndef LC_GALLERY_PACKED_WORD_H
#define LC_GALLERY_PACKED_WORD_H

#ifndef LC_HOST

#include "cuda.h"

#if WORD == 64
typedef lc_u64 word;
#define LOW_HALF(w) ((lc_word)(w))
#define HIGH_HALF(w) ((lc_word)((w) >> 32))
#define JOINED(low, high) ((lc_u64)(high) << 32 | (low))
#define GATE(table, a, b, c)                                                                       \
    JOINED(LC_GATE(table, LOW_HALF(a), LOW_HALF(b), LOW_HALF(c)),                                  \
           LC_GATE(table, HIGH_HALF(a), HIGH_HALF(b), HIGH_HALF(c)))
#else
typedef lc_word word;
#define LOW_HALF(w) (w)
#define HIGH_HALF(w) (w)
#define GATE(table, a, b, c) LC_GATE(table, a, b, c)
#endif

// At each place the cell left of it. Of the word beside, the nearer half is enough.
LC_INLINE word cells_left(lc_word left_half, word here)
{
#if WORD == 64
    return JOINED(__funnelshift_l(left_half, LOW_HALF(here), 1),
                  __funnelshift_l(LOW_HALF(here), HIGH_HALF(here), 1));
#else
    return __funnelshift_l(left_half, here, 1);
#endif
}

LC_INLINE word cells_right(word here, lc_word right_half)
{
#if WORD == 64
    return JOINED(__funnelshift_r(LOW_HALF(here), HIGH_HALF(here), 1),
                  __funnelshift_r(HIGH_HALF(here), right_half, 1));
#else
    return __funnelshift_r(here, right_half, 1);
#endif
}

// The sum of each cell with its left and right neighbours.
typedef struct row_sums {
    word parity, majority;
} row_sums;

LC_INLINE row_sums sums_beside(lc_word left_half, word here, lc_word right_half)
{
    const word west = cells_left(left_half, here), east = cells_right(here, right_half);
    row_sums sums;
    sums.parity = GATE(0x96, west, here, east);
    sums.majority = GATE(0xE8, west, here, east);
    return sums;
}

LC_INLINE row_sums sums_of(word left, word here, word right)
{
    return sums_beside(HIGH_HALF(left), here, LOW_HALF(right));
}

// The next generation of 32 cells, from the sums of their row and of the rows above and below. It
// relies on what cannot occur: where a cell is alive the sum of its own row is not 0.
LC_INLINE lc_word next_of_half(lc_word parity_above, lc_word majority_above, lc_word parity_here,
                               lc_word majority_here, lc_word parity_below, lc_word majority_below,
                               lc_word cells)
{
    const lc_word odd = LC_GATE(105, parity_below, parity_here, parity_above);
    const lc_word carry = LC_GATE(219, parity_here, odd, parity_above);
    const lc_word outer = LC_GATE(214, majority_below, majority_above, odd);
    const lc_word twos = LC_GATE(233, majority_below, majority_here, majority_above);
    const lc_word two_or_three = LC_GATE(38, outer, twos, carry);
    return LC_GATE(162, cells, odd, two_or_three);
}

LC_INLINE word next_of(row_sums above, row_sums here, row_sums below, word cells)
{
    const lc_word low = next_of_half(
        LOW_HALF(above.parity), LOW_HALF(above.majority), LOW_HALF(here.parity),
        LOW_HALF(here.majority), LOW_HALF(below.parity), LOW_HALF(below.majority), LOW_HALF(cells));
#if WORD == 64
    return JOINED(low, next_of_half(HIGH_HALF(above.parity), HIGH_HALF(above.majority),
                                    HIGH_HALF(here.parity), HIGH_HALF(here.majority),
                                    HIGH_HALF(below.parity), HIGH_HALF(below.majority),
                                    HIGH_HALF(cells)));
#else
    return low;
#endif
}

// The column or row `i` of `count` on a torus. It is rarely out by more than `count`, and a
// division takes as long as all the rest of finding a thread's place.
LC_INLINE int wrapped(int i, int count)
{
    if (i < 0)
        i += count;
    else if (i >= count)
        i -= count;
    if (i >= 0 && i < count)
        return i;
    i %= count;
    return i < 0 ? i + count : i;
}

#else // On the host -------------------------------------------------------------------------------

#include "thread_plane.h"

// The first knob of each of these designs.
enum { WORD };
#define WORD_KNOB(usual)                                                                           \
    {                                                                                              \
        "word", "cells of a word", usual, LC_KNOB_VALUES(32, 64)                                   \
    }

static inline lc_status packed_check(const lc_gallery_board *board, lc_message *message)
{
    lc_status status = check_plane(board, message);
    return status != LC_OK ? status : lc_gallery_check_width(board, board->knob[WORD], message);
}

// For kernels whose blocks cover `rows` rows each and are dealt out in two dimensions.
static inline lc_status packed_check_blocks(const lc_gallery_board *board, int64_t rows,
                                            lc_message *message)
{
    if (board->height > GRID_Y_MAX * rows)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                               "the design steps up to %lld rows with these knobs: %d blocks of "
                               "%lld rows below each other",
                               (long long)(GRID_Y_MAX * rows), (int)GRID_Y_MAX, (long long)rows);
    return packed_check(board, message);
}

static inline void packed_layout(const lc_gallery_board *board, lc_cell_layout *layout)
{
    lc_gallery_plain_layout(board, 1, layout);
}

#endif

#endif
