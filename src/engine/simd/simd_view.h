// Counting the live cells of squares: what the dense CPU engine's views from afar are made of.
#ifndef LC_ENGINE_SIMD_SIMD_VIEW_H
#define LC_ENGINE_SIMD_SIMD_VIEW_H

#include "base/threads.h"
#include "engine/simd/simd.h"

// From the cells of the grid, on all threads of the pool; `forming` is not looked at.
void lc_squares_count(const lc_view *squares, const lc_grid *grid, const lc_level *level,
                      lc_pool *pool);

#endif
