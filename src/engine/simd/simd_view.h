// Downsampled views of the dense CPU engine: counts the live cells of squares.
#ifndef LC_ENGINE_SIMD_SIMD_VIEW_H
#define LC_ENGINE_SIMD_SIMD_VIEW_H

#include "base/threads.h"
#include "engine/simd/simd.h"

// Computes a view from the cells of the grid, on all threads of the pool. Ignores `forming`.
void lc_squares_count(const lc_view *squares, const lc_grid *grid, const lc_level *level,
                      lc_pool *pool);

#endif
