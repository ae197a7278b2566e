// Downsampled views from the map of tile counts.
#ifndef LC_ENGINE_SIMD_SIMD_TILE_SUMS_H
#define LC_ENGINE_SIMD_SIMD_TILE_SUMS_H

#include "engine/simd/simd_tile_counts.h"

// Whether the squares consist of whole tiles, so that tile counts can be added up.
bool lc_tiles_fit(const lc_view *squares);

// Computes a view from a valid map. `forming`: a pass that counts, between two slices; tiles that
// it has finished are shown after the pass. NULL: all tiles are shown as the cells are.
void lc_tiles_sum(const lc_view *squares, const lc_tiles *tiles, const lc_pass *forming,
                  lc_pool *pool);

#endif
