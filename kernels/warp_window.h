// Windows of 64 x 64 cells, which a warp holds in registers and steps. A lane has two rows.
#ifndef LC_KERNELS_WARP_WINDOW_H
#define LC_KERNELS_WARP_WINDOW_H

#include "cuda.h"
#include "rule.h" // lc_next_pair, generated for the rule

// Rows 2 lane and 2 lane + 1: words with columns 0 .. 31 and 32 .. 63 of the first, then of the
// second row.
typedef struct warp_window {
    lc_word cells[4];
} warp_window;

// Live cells of three columns, for each cell in the middle: parity + 2 * majority.
typedef struct row_sums {
    lc_word parity[2], majority[2];
} row_sums;

// Sums of a lane's rows, and of those above and below.
typedef struct window_sums {
    row_sums above, first, second, below;
} window_sums;

// `is_torus`: the last column is beside the first one. If not, dead cells are.
LC_INLINE row_sums sums_of_row(const lc_word cells[2], bool is_torus)
{
    const lc_word left[2] = {is_torus ? __funnelshift_l(cells[1], cells[0], 1) : cells[0] << 1,
                             __funnelshift_l(cells[0], cells[1], 1)};
    const lc_word right[2] = {__funnelshift_r(cells[0], cells[1], 1),
                              is_torus ? __funnelshift_r(cells[1], cells[0], 1) : cells[1] >> 1};
    row_sums sums;
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        sums.parity[i] = LC_GATE(0x96, left[i], cells[i], right[i]);
        sums.majority[i] = LC_GATE(0xE8, left[i], cells[i], right[i]);
    }
    return sums;
}

// `is_torus`: the last row is above the first one. If not, the first and the last row are wrong.
LC_INLINE window_sums sums_of_window(const warp_window *w, bool is_torus)
{
    const unsigned int lane = threadIdx.x % 32;
    window_sums s;
    s.first = sums_of_row(&w->cells[0], is_torus);
    s.second = sums_of_row(&w->cells[2], is_torus);
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        if (is_torus) {
            s.above.parity[i] = __shfl_sync(~0u, s.second.parity[i], (lane + 31) % 32);
            s.above.majority[i] = __shfl_sync(~0u, s.second.majority[i], (lane + 31) % 32);
            s.below.parity[i] = __shfl_sync(~0u, s.first.parity[i], (lane + 1) % 32);
            s.below.majority[i] = __shfl_sync(~0u, s.first.majority[i], (lane + 1) % 32);
        } else {
            s.above.parity[i] = __shfl_up_sync(~0u, s.second.parity[i], 1);
            s.above.majority[i] = __shfl_up_sync(~0u, s.second.majority[i], 1);
            s.below.parity[i] = __shfl_down_sync(~0u, s.first.parity[i], 1);
            s.below.majority[i] = __shfl_down_sync(~0u, s.first.majority[i], 1);
        }
    }
    return s;
}

// Steps a window by the rule of rule.h.
LC_INLINE void step_window(warp_window *w, bool is_torus)
{
    const window_sums s = sums_of_window(w, is_torus);
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        lc_word a, b;
        lc_next_pair(s.above.parity[i], s.above.majority[i], s.first.parity[i], s.first.majority[i],
                     s.second.parity[i], s.second.majority[i], s.below.parity[i],
                     s.below.majority[i], w->cells[i], w->cells[2 + i], &a, &b);
        w->cells[i] = a;
        w->cells[2 + i] = b;
    }
}

#endif
