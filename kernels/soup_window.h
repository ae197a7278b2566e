// Windows of 64 x 64 cells of a canvas, which a warp holds in registers and steps.
//
// A lane holds two rows. Cells beyond the window count as dead, so after n generations the cells
// less than n from its edges are wrong.
#ifndef LC_KERNELS_SOUP_WINDOW_H
#define LC_KERNELS_SOUP_WINDOW_H

#include "census_job.h"
#include "rule.h" // lc_next_pair, generated for the rule

// Rows 2 lane and 2 lane + 1: words with columns 0 .. 31 and 32 .. 63 of the first, then of the
// second row.
typedef struct soup_window {
    lc_word cells[4];
} soup_window;

// Warps ------------------------------------------------------------------------------------------

LC_INLINE lc_word or_of_lanes(lc_word value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0u, value);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        value |= __shfl_xor_sync(~0u, value, distance);
    return value;
#endif
}

LC_INLINE lc_word sum_of_lanes(lc_word value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, value);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(~0u, value, distance);
    return value;
#endif
}

LC_INLINE lc_word largest_of_lanes(lc_word value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, value);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(~0u, value, distance));
    return value;
#endif
}

LC_INLINE lc_u64 or_of_lanes_64(lc_u64 value)
{
    const lc_word low = or_of_lanes((lc_word)value), high = or_of_lanes((lc_word)(value >> 32));
    return low | (lc_u64)high << 32;
}

// Loading and storing ----------------------------------------------------------------------------

// Loads the window whose first cell is (x, y); y is even. Behind the canvas there are as many words
// as it has rows.
LC_INLINE void load_window(soup_window *w, const lc_word *canvas, unsigned int x, unsigned int y,
                           unsigned int lane)
{
    const unsigned int shift = x % 32;
    const lc_word *at = canvas + x / 32 * LC_CENSUS_CELLS + y + 2 * lane;
    const uint2 left = *(const uint2 *)at, middle = *(const uint2 *)(at + LC_CENSUS_CELLS);
    const uint2 right = *(const uint2 *)(at + 2 * LC_CENSUS_CELLS);
    w->cells[0] = __funnelshift_r(left.x, middle.x, shift);
    w->cells[1] = __funnelshift_r(middle.x, right.x, shift);
    w->cells[2] = __funnelshift_r(left.y, middle.y, shift);
    w->cells[3] = __funnelshift_r(middle.y, right.y, shift);
}

// Whether a lane's rows are at least `margin`, an even number, from the edges of a window.
LC_INLINE bool is_inside(unsigned int lane, unsigned int margin)
{
    return lane >= margin / 2 && lane < 32 - margin / 2;
}

// Replaces cells of two rows where `mask` is set. Returns what was there.
LC_INLINE uint2 exchange_words(lc_word *at, lc_word first, lc_word second, lc_word mask)
{
    const uint2 was = *(const uint2 *)at;
    *(uint2 *)at = make_uint2((was.x & ~mask) | (first & mask), (was.y & ~mask) | (second & mask));
    return make_uint2(was.x & mask, was.y & mask);
}

// Stores the cells of a window that are at least `margin` from its edges; 4 or 8. Returns by how
// much the number of live cells in a lane's rows grows.
LC_INLINE int store_window(lc_word *canvas, const soup_window *w, unsigned int x, unsigned int y,
                           unsigned int lane, unsigned int margin)
{
    const unsigned int shift = x % 32;
    const lc_word low = ~0u << margin, high = ~0u >> margin;
    lc_word *at = canvas + x / 32 * LC_CENSUS_CELLS + y + 2 * lane;
    if (!is_inside(lane, margin))
        return 0;
    uint2 outer = exchange_words(at, w->cells[0] << shift, w->cells[2] << shift, low << shift);
    const uint2 middle = exchange_words(
        at + LC_CENSUS_CELLS, __funnelshift_l(w->cells[0], w->cells[1], shift),
        __funnelshift_l(w->cells[2], w->cells[3], shift), __funnelshift_l(low, high, shift));
    if (shift > margin) {
        const uint2 right = exchange_words(
            at + 2 * LC_CENSUS_CELLS, __funnelshift_l(w->cells[1], 0u, shift),
            __funnelshift_l(w->cells[3], 0u, shift), __funnelshift_l(high, 0u, shift));
        outer.x |= right.x; // the cells of the first and the third word have different bits
        outer.y |= right.y;
    }
    return __popc(w->cells[0] & low) + __popc(w->cells[1] & high) + __popc(w->cells[2] & low) +
           __popc(w->cells[3] & high) - __popc(outer.x) - __popc(outer.y) - __popc(middle.x) -
           __popc(middle.y);
}

// Stepping ---------------------------------------------------------------------------------------

typedef struct row_sums {
    lc_word parity[2], majority[2];
} row_sums;

LC_INLINE row_sums sums_of_row(const lc_word cells[2])
{
    const lc_word left[2] = {cells[0] << 1, __funnelshift_l(cells[0], cells[1], 1)};
    const lc_word right[2] = {__funnelshift_r(cells[0], cells[1], 1), cells[1] >> 1};
    row_sums sums;
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        sums.parity[i] = LC_GATE(0x96, left[i], cells[i], right[i]);
        sums.majority[i] = LC_GATE(0xE8, left[i], cells[i], right[i]);
    }
    return sums;
}

LC_INLINE void step_window(soup_window *w)
{
    const row_sums first = sums_of_row(&w->cells[0]), second = sums_of_row(&w->cells[2]);
    row_sums above, below;
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        above.parity[i] = __shfl_up_sync(~0u, second.parity[i], 1);
        above.majority[i] = __shfl_up_sync(~0u, second.majority[i], 1);
        below.parity[i] = __shfl_down_sync(~0u, first.parity[i], 1);
        below.majority[i] = __shfl_down_sync(~0u, first.majority[i], 1);
    }
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        lc_word a, b;
        lc_next_pair(above.parity[i], above.majority[i], first.parity[i], first.majority[i],
                     second.parity[i], second.majority[i], below.parity[i], below.majority[i],
                     w->cells[i], w->cells[2 + i], &a, &b);
        w->cells[i] = a;
        w->cells[2 + i] = b;
    }
}

// Steps by `generations`, 2 or more. Sets *before to the cells two generations before the end.
LC_INLINE void step_window_by(soup_window *w, soup_window *before, int generations)
{
    LC_UNROLL(1)
    for (int t = 2; t < generations; t++)
        step_window(w);
    *before = *w;
    step_window(w);
    step_window(w);
}

// Comparing --------------------------------------------------------------------------------------

// Returns a bit for each byte of a word that is not 0.
LC_INLINE lc_word nonzero_bytes(lc_word word)
{
    word |= word >> 4;
    word |= word >> 2;
    word |= word >> 1;
    return ((word & 0x01010101u) * 0x01020408u) >> 24 & 15;
}

// Returns which of the eight blocks of 8 x 8 cells around a lane's rows differ, at least `margin`
// from the edges.
LC_INLINE lc_word blocks_that_differ(const soup_window *a, const soup_window *b, unsigned int lane,
                                     unsigned int margin)
{
    const bool inside = is_inside(lane, margin);
    const lc_word low = (a->cells[0] ^ b->cells[0]) | (a->cells[2] ^ b->cells[2]);
    const lc_word high = (a->cells[1] ^ b->cells[1]) | (a->cells[3] ^ b->cells[3]);
    lc_word blocks = nonzero_bytes(low & ~0u << margin) | nonzero_bytes(high & ~0u >> margin) << 4;
    blocks = inside ? blocks : 0;
    blocks |= __shfl_xor_sync(~0u, blocks, 1);
    return blocks | __shfl_xor_sync(~0u, blocks, 2);
}

// Gives the cells less than `margin` from the edges their states in `from`.
LC_INLINE void keep_edges(soup_window *w, const soup_window *from, unsigned int lane,
                          unsigned int margin)
{
    const bool inside = is_inside(lane, margin);
    const lc_word low = inside ? ~0u << margin : 0, high = inside ? ~0u >> margin : 0;
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        w->cells[2 * i] = (w->cells[2 * i] & low) | (from->cells[2 * i] & ~low);
        w->cells[2 * i + 1] = (w->cells[2 * i + 1] & high) | (from->cells[2 * i + 1] & ~high);
    }
}

#endif
