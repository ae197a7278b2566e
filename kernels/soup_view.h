// Views of 32 x 32 cells of a canvas, one row a lane, and the cells in them that belong together.
#ifndef LC_KERNELS_SOUP_VIEW_H
#define LC_KERNELS_SOUP_VIEW_H

#include "soup_canvas.h"

#define VIEW_CELLS 32 // along a side

// A view of 32 x 32 cells: lane y has row y.
typedef struct soup_view {
    int x, y;
} soup_view;

LC_INLINE lc_word load_view(const lc_word *canvas, soup_view v, unsigned int lane)
{
    const lc_word *at = canvas + v.x / 32 * CANVAS_CELLS + v.y + (int)lane;
    return __funnelshift_r(at[0], at[CANVAS_CELLS], (unsigned int)v.x % 32);
}

LC_INLINE void erase_from_view(lc_word *canvas, soup_view v, unsigned int lane, lc_word cells)
{
    lc_word *at = canvas + v.x / 32 * CANVAS_CELLS + v.y + (int)lane;
    const lc_u64 both = (lc_u64)cells << v.x % 32;
    if ((lc_word)both != 0)
        at[0] &= ~(lc_word)both;
    if (both >> 32 != 0)
        at[CANVAS_CELLS] &= ~(lc_word)(both >> 32);
}

// Returns the cells of `reached` that chains join to `seed`.
LC_INLINE lc_word joined_cells(lc_word seed, lc_word reached, int square)
{
    for (;;) {
        const lc_word near = seed | seed << 1 | seed >> 1;
        const lc_word wide = near | seed << 2 | seed >> 2, far = square ? wide : near;
        lc_word all = wide | __shfl_up_sync(~0u, wide, 1) | __shfl_down_sync(~0u, wide, 1) |
                      __shfl_up_sync(~0u, far, 2) | __shfl_down_sync(~0u, far, 2);
        all &= reached;
        if (!__any_sync(~0u, all != seed))
            return all;
        seed = all;
    }
}

#endif
