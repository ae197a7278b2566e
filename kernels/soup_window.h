// Windows of a canvas: loading, storing and comparing them.
//
// Bit x % 32 of word x / 32 * CANVAS_CELLS + y of a canvas is cell (x, y). So the lanes of a warp,
// which have adjacent rows, find them in adjacent words.
//
// The host's options set LC_CENSUS_PASS.
//
// Cells beyond a window count as dead, so after n generations the cells less than n from its edges
// are wrong.
#ifndef LC_KERNELS_SOUP_WINDOW_H
#define LC_KERNELS_SOUP_WINDOW_H

#include "census_job.h"
#include "warp_window.h"

#define BLOCK_CELLS LC_CENSUS_BLOCK(LC_CENSUS_PASS)
#define CANVAS_CELLS (BLOCK_CELLS * LC_CENSUS_BLOCKS)
#define PATCH_BLOCKS (64 / BLOCK_CELLS) // along a side of a window
#define BLOCK_LANES (BLOCK_CELLS / 2)   // which have a block's rows

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
LC_INLINE void load_window(warp_window *w, const lc_word *canvas, unsigned int x, unsigned int y,
                           unsigned int lane)
{
    const unsigned int shift = x % 32;
    const lc_word *at = canvas + x / 32 * CANVAS_CELLS + y + 2 * lane;
    const uint2 left = *(const uint2 *)at, middle = *(const uint2 *)(at + CANVAS_CELLS);
    const uint2 right = *(const uint2 *)(at + 2 * CANVAS_CELLS);
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
LC_INLINE int store_window(lc_word *canvas, const warp_window *w, unsigned int x, unsigned int y,
                           unsigned int lane, unsigned int margin)
{
    const unsigned int shift = x % 32;
    const lc_word low = ~0u << margin, high = ~0u >> margin;
    lc_word *at = canvas + x / 32 * CANVAS_CELLS + y + 2 * lane;
    if (!is_inside(lane, margin))
        return 0;
    uint2 outer = exchange_words(at, w->cells[0] << shift, w->cells[2] << shift, low << shift);
    const uint2 middle = exchange_words(
        at + CANVAS_CELLS, __funnelshift_l(w->cells[0], w->cells[1], shift),
        __funnelshift_l(w->cells[2], w->cells[3], shift), __funnelshift_l(low, high, shift));
    if (shift > margin) {
        const uint2 right = exchange_words(
            at + 2 * CANVAS_CELLS, __funnelshift_l(w->cells[1], 0u, shift),
            __funnelshift_l(w->cells[3], 0u, shift), __funnelshift_l(high, 0u, shift));
        outer.x |= right.x; // the cells of the first and the third word have different bits
        outer.y |= right.y;
    }
    return __popc(w->cells[0] & low) + __popc(w->cells[1] & high) + __popc(w->cells[2] & low) +
           __popc(w->cells[3] & high) - __popc(outer.x) - __popc(outer.y) - __popc(middle.x) -
           __popc(middle.y);
}

// Steps by `generations`, 2 or more. Sets *before to the cells two generations before the end.
LC_INLINE void step_window_by(warp_window *w, warp_window *before, int generations)
{
    LC_UNROLL(1)
    for (int t = 2; t < generations; t++)
        step_window(w, false);
    *before = *w;
    step_window(w, false);
    step_window(w, false);
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

// Returns which of the blocks around a lane's rows differ, at least `margin` from the edges.
LC_INLINE lc_word blocks_that_differ(const warp_window *a, const warp_window *b, unsigned int lane,
                                     unsigned int margin)
{
    const bool inside = is_inside(lane, margin);
    const lc_word low = (a->cells[0] ^ b->cells[0]) | (a->cells[2] ^ b->cells[2]);
    const lc_word high = (a->cells[1] ^ b->cells[1]) | (a->cells[3] ^ b->cells[3]);
    lc_word blocks = nonzero_bytes(low & ~0u << margin) | nonzero_bytes(high & ~0u >> margin) << 4;
    blocks = inside ? blocks : 0;
    LC_UNROLL(3)
    for (int distance = 1; distance < BLOCK_LANES; distance *= 2)
        blocks |= __shfl_xor_sync(~0u, blocks, distance);
#if LC_CENSUS_PASS == 1
    blocks = (blocks | blocks >> 1) & 0x55; // pairs of bytes
    blocks = (blocks | blocks >> 1) & 0x33;
    blocks = (blocks | blocks >> 2) & 0x0F;
#endif
    return blocks;
}

// Gives the cells less than `margin` from the edges their states in `from`.
LC_INLINE void keep_edges(warp_window *w, const warp_window *from, unsigned int lane,
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
