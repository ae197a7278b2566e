// Counts of squares from the map of tiles: pictures of a board that is seen from far away.
#ifndef LC_ENGINE_SIMD_SIMD_TILE_SUMS_H
#define LC_ENGINE_SIMD_SIMD_TILE_SUMS_H

#include "engine/simd/simd_tile_counts.h"

// Whether such squares are whole tiles, and so can be summed up.
bool lc_tiles_fit(const lc_view *squares);

// From a valid map. `forming`: a pass that counts, between two slices; tiles that it has finished
// are taken as it leaves them. NULL: all as the cells are.
void lc_tiles_sum(const lc_view *squares, const lc_tiles *tiles, const lc_pass *forming,
                  lc_pool *pool);

#endif
