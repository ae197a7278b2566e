// Live cells of each tile of a board, counted while downsampled views are requested.
//
// A tile is 64 columns by 16 rows: one word wide, and as high as a band of a pass. A pass counts
// tiles when it writes their rows, while these are in the first-level cache, in less than a
// hundredth of its time. So a view of a board of many GiB, or its population, comes from a map that
// is 64 times smaller than the board.
//
//      counts[ty * across + tx]      columns 64 tx .. 64 tx + 63, rows 16 ty .. 16 ty + 15,
//                                    as far as the board reaches
//
// As with the grids, there are two maps: one of the cells, one of the current pass's result.
#ifndef LC_ENGINE_SIMD_SIMD_TILE_COUNTS_H
#define LC_ENGINE_SIMD_SIMD_TILE_COUNTS_H

#include "base/threads.h"
#include "engine/simd/simd.h"

enum { LC_TILE_ROWS = LC_BAND_ROWS, LC_TILE_COLUMNS = 64 };

typedef struct lc_tiles {
    const lc_context *context; // that the maps' memory comes from
    int64_t across, down;
    uint64_t size_bytes; // of one map
    uint16_t *of_cells;  // NULL: not requested yet
    uint16_t *of_next;   // also NULL until requested
    bool valid;          // of_cells matches the cells
    int wanted;          // number of passes that will still count
} lc_tiles;

// Sets *size_bytes to the size of both maps. Returns false on overflow.
bool lc_tiles_bytes(int64_t width_cells, int64_t height_cells, uint64_t *size_bytes);

// Prepares maps for a board of the grid's size. Allocates no memory before the first request.
void lc_tiles_init(lc_tiles *tiles, const lc_grid *grid);
void lc_tiles_free(lc_tiles *tiles);

// Records a request for a view. The next passes will count. If the view covers at least a quarter
// of the board, the board is counted now. Returns whether the map can be used.
bool lc_tiles_want(lc_tiles *tiles, const lc_view *squares, const lc_grid *grid,
                   const lc_level *level, lc_pool *pool);

// Returns the map that the next pass fills; NULL: it does not count.
uint16_t *lc_tiles_of_next(lc_tiles *tiles);

// Ends a pass. If it counted, its map is now the map of the cells; otherwise no map is valid.
void lc_tiles_exchange(lc_tiles *tiles, bool counted);

// Adds to `counts` the live cells of columns x .. x + columns - 1 in `rows` rows from row y on. The
// rows belong to one row of tiles; x is at the edge of a tile.
void lc_tiles_count(const lc_grid *grid, const lc_level *level, int64_t x, int64_t y,
                    int64_t columns, int rows, uint16_t *counts);

// Returns the population from a valid map.
uint64_t lc_tiles_population(const lc_tiles *tiles, lc_pool *pool);

#endif
