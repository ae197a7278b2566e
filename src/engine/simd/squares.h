// Counting the live cells of squares: what the dense CPU engine's density view is made of.
#ifndef LC_ENGINE_SIMD_SQUARES_H
#define LC_ENGINE_SIMD_SQUARES_H

#include "base/threads.h"
#include "engine/simd/simd.h"

// What is asked for: squares of 2^log2_side cells a side (at most 2^15), width x height of them, the
// first one's corner at (x, y) of the grid; counts[j * width + i]. What is outside counts as dead.
typedef struct lc_squares {
    int64_t x, y;
    int log2_side;
    int64_t width, height;
    uint32_t *counts;
} lc_squares;

// From the cells of the grid, on all threads of the pool.
void lc_squares_count(const lc_squares *squares, const lc_grid *grid, const lc_simd_level *level,
                      lc_pool *pool);

#endif
