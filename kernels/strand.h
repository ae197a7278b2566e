// A strand: a lane's LC_K words of 32 cells of a row, and how steppers compute the next generation.
//
// The lanes of a warp hold adjacent segments of a row. The words are interleaved (board_layout.h),
// so a cell's left and right neighbours are in the words before and after, and only the ends of a
// segment need a word from the adjacent lane and a shift. There are two placements of the result:
//
//   centred   (-DLC_DRIFTING=0)  cell x of the next generation takes the place of cell x. Both ends
//                                need the adjacent lane, so in the first and the last lane of a
//                                warp one more cell is wrong in each generation: two lanes are
//                                halo.
//   drifting  (-DLC_DRIFTING=1)  cell x + 1 of the next generation takes the place of cell x: words
//                                k, k + 1, k + 2 go into word k, and only the lane to the right is
//                                needed. One lane is halo. The cells move left by one column a
//                                generation; on a torus this changes only the origin.
//
// On a plane (-DLC_FENCED=1, centred) the columns next to the board are kept dead: the last bit of
// the segment left of it, and one bit of word LC_FENCE_WORD of the lane that holds the column right
// of the width. These stop all influence of cells further out.
//
// A slab (-DLC_SLAB=1) is a range of rows of a torus or a plane. The halo exchange has filled its
// halo rows with the adjacent slabs' rows, in the same columns. Only a plane's first slab has a
// wall above and only its last slab a wall below: lc_board_view.above, below.
#ifndef LC_KERNELS_STRAND_H
#define LC_KERNELS_STRAND_H

#include "board_layout.h"
#include "rule.h" // lc_next and lc_next_pair, generated for the rule

// LC_LOAD reads cells: __ldg if nothing writes them while the kernel runs, otherwise __ldcg.

#define LC_LANES 32
#define LC_HALO_LANES (LC_DRIFTING ? 1 : 2)
#define LC_WRAPS (LC_DRIFTING && !LC_SLAB) // row 0 follows the last row

typedef struct lc_strand {
    lc_word word[LC_K];
} lc_strand;

// Parity and majority of each cell and its left and right neighbours, and the cell itself. If the
// cells drift, all three are at the cell's place in the next generation.
typedef struct lc_sums {
    lc_strand parity, majority, cell;
} lc_sums;

// A lane's place in a row, and whether it may write its words.
typedef struct lc_lane {
    long long segment; // -1 .. S
    lc_u64 run;        // index of the run of rows
    bool owner;        // the segment is on the board, and its results are correct
} lc_lane;

LC_INLINE lc_strand lc_strand_load(const lc_word *at)
{
    lc_strand strand;
#if LC_K == 4
    const uint4 words = LC_LOAD((const uint4 *)at);
    strand.word[0] = words.x;
    strand.word[1] = words.y;
    strand.word[2] = words.z;
    strand.word[3] = words.w;
#elif LC_K == 2
    const uint2 words = LC_LOAD((const uint2 *)at);
    strand.word[0] = words.x;
    strand.word[1] = words.y;
#else
    strand.word[0] = LC_LOAD(at);
#endif
    return strand;
}

LC_INLINE void lc_strand_store(lc_word *at, lc_strand strand)
{
#if LC_K == 4
    *(uint4 *)at = make_uint4(strand.word[0], strand.word[1], strand.word[2], strand.word[3]);
#elif LC_K == 2
    *(uint2 *)at = make_uint2(strand.word[0], strand.word[1]);
#else
    *at = strand.word[0];
#endif
}

// Computes the sums. All lanes of the warp call it together.
LC_INLINE lc_sums lc_strand_sums(lc_strand strand)
{
    lc_word column[LC_K + 2]; // word k of the sums uses columns k, k + 1, k + 2
#if LC_DRIFTING
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++)
        column[k] = strand.word[k];
    const lc_word beside = __shfl_down_sync(~0u, strand.word[0], 1);
    column[LC_K] = __funnelshift_r(strand.word[0], beside, 1);
#if LC_K == 1
    column[2] = __funnelshift_r(strand.word[0], beside, 2);
#else
    column[LC_K + 1] = __funnelshift_r(strand.word[1], __shfl_down_sync(~0u, strand.word[1], 1), 1);
#endif
#else
    column[0] =
        __funnelshift_l(__shfl_up_sync(~0u, strand.word[LC_K - 1], 1), strand.word[LC_K - 1], 1);
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++)
        column[k + 1] = strand.word[k];
    column[LC_K + 1] = __funnelshift_r(strand.word[0], __shfl_down_sync(~0u, strand.word[0], 1), 1);
#endif
    lc_sums sums;
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++) {
        sums.parity.word[k] = LC_GATE(0x96, column[k], column[k + 1], column[k + 2]);
        sums.majority.word[k] = LC_GATE(0xE8, column[k], column[k + 1], column[k + 2]);
        sums.cell.word[k] = column[k + 1];
    }
    return sums;
}

// Returns the row `here` in the next generation.
LC_INLINE lc_strand lc_strand_next(const lc_sums *above, const lc_sums *here, const lc_sums *below)
{
    lc_strand next;
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++)
        next.word[k] = lc_next(above->parity.word[k], above->majority.word[k], here->parity.word[k],
                               here->majority.word[k], below->parity.word[k],
                               below->majority.word[k], here->cell.word[k]);
    return next;
}

// The same for rows `here` and `below` at once, which takes fewer gates.
LC_INLINE void lc_strand_next_pair(const lc_sums *above, const lc_sums *here, const lc_sums *below,
                                   const lc_sums *beyond, lc_strand *next_here,
                                   lc_strand *next_below)
{
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++)
        lc_next_pair(above->parity.word[k], above->majority.word[k], here->parity.word[k],
                     here->majority.word[k], below->parity.word[k], below->majority.word[k],
                     beyond->parity.word[k], beyond->majority.word[k], here->cell.word[k],
                     below->cell.word[k], &next_here->word[k], &next_below->word[k]);
}

// Assigns lanes to places on a tape, which has for each run of rows the board's segments and
// LC_HALO_LANES of halo. Warps take windows of 32 places that overlap by the halo. A warp may
// therefore work on the end of one run and the beginning of the next, and few lanes are idle for
// any width: with R runs of S segments and h halo lanes, R * S / (ceil(R * (S + h) / (32 - h)) *
// 32) of the lanes do useful work.
LC_INLINE lc_lane lc_lane_at(lc_u64 warp, int lane, long long segments, lc_u64 runs)
{
    const lc_u64 places = (lc_u64)segments + LC_HALO_LANES;
    const lc_u64 place = warp * (LC_LANES - LC_HALO_LANES) + (lc_u64)lane;
    const lc_u64 run = place / places;
    const long long entry = (long long)(place - run * places);
    lc_lane at;
    at.run = run < runs ? run : runs - 1;
#if LC_DRIFTING
    at.segment = entry < segments ? entry : 0;
    at.owner = run < runs && lane < LC_LANES - 1 && entry < segments;
#else
    at.segment = entry - 1;
    at.owner = run < runs && lane > 0 && lane < LC_LANES - 1 && entry > 0 && entry <= segments;
#endif
    return at;
}

// Returns the row `rows` rows below, with one multiplication, in a pipe that the gates do not use.
LC_INLINE lc_word *lc_row_below(lc_word *row, unsigned int rows, unsigned int pitch_bytes)
{
    return (lc_word *)((char *)row + (lc_u64)rows * pitch_bytes);
}

// Returns the row after y. If row 0 follows the last row, y - last is 0 after the last row;
// otherwise, being unsigned, it is larger than any row.
LC_INLINE unsigned int lc_next_row(unsigned int y, unsigned int last)
{
#if LC_WRAPS
    const unsigned int after = y + 1, wrapped = y - last;
    return after < wrapped ? after : wrapped;
#else
    (void)last;
    return y + 1;
#endif
}

#if LC_FENCED
// Masks of words LC_K - 1 and LC_FENCE_WORD: 0 for the columns kept dead.
typedef struct lc_fence {
    lc_word left, right;
} lc_fence;

LC_INLINE lc_fence lc_fence_at(const lc_board_view *board, long long segment)
{
    const long long right = board->width_cells / LC_SEGMENT_CELLS;
    const int bit = (int)(board->width_cells % LC_SEGMENT_CELLS) / LC_K;
    lc_fence fence = {~0u, ~0u};
    if (segment < 0)
        fence.left = ~0u >> 1;
    if (segment == right)
        fence.right = ~(1u << bit);
    return fence;
}

LC_INLINE void lc_strand_fence(lc_strand *strand, lc_fence fence)
{
    strand->word[LC_K - 1] &= fence.left;
    strand->word[LC_FENCE_WORD] &= fence.right;
}

// Number of rows beyond the block that can have live cells.
LC_INLINE int lc_rows_above(const lc_board_view *board)
{
    return LC_SLAB ? board->above : 0;
}

LC_INLINE int lc_rows_below(const lc_board_view *board)
{
    return LC_SLAB ? board->below : 0;
}

// Clears a row that lies above or below the plane.
LC_INLINE void lc_strand_clear_unless(lc_strand *strand, bool inside)
{
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++)
        strand->word[k] = inside ? strand->word[k] : 0;
}
#endif

#endif
