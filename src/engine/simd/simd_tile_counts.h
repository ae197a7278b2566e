// The live cells of each tile of a board, kept while somebody looks at it from far away.
//
// A tile is 64 columns of 16 rows: one word wide, and one band of a pass high. So a pass can count
// tiles when it writes its rows, which are in the first-level cache then, at less than a hundredth
// of its time; and the picture of a board of many GiB, or its population, comes from a map that is
// 64 times smaller than the board.
//
//      counts[ty * across + tx]      columns 64 tx .. 64 tx + 63, rows 16 ty .. 16 ty + 15,
//                                    as far as the board reaches
//
// There are two maps as there are two grids: of the cells, and of what the pass in hand makes.
#ifndef LC_ENGINE_SIMD_SIMD_TILE_COUNTS_H
#define LC_ENGINE_SIMD_SIMD_TILE_COUNTS_H

#include "base/threads.h"
#include "engine/simd/simd.h"

enum { LC_TILE_ROWS = LC_BAND_ROWS, LC_TILE_COLUMNS = 64 };

typedef struct lc_tiles {
    const lc_context *context; // whose memory it is
    int64_t across, down;
    uint64_t size_bytes; // of one map
    uint16_t *of_cells;  // NULL: nobody has asked yet
    uint16_t *of_next;   // the same
    bool valid;          // of_cells says what the cells are
    int wanted;          // so many more passes shall count
} lc_tiles;

// Bytes of both maps; false if they are too many.
bool lc_tiles_bytes(int64_t width_cells, int64_t height_cells, uint64_t *size_bytes);

// For a board of the grid's size; no memory is taken before somebody asks.
void lc_tiles_init(lc_tiles *tiles, const lc_grid *grid);
void lc_tiles_free(lc_tiles *tiles);

// Somebody has asked for such squares: the next passes shall count, and if the squares are a good
// part of the board it is counted now. Whether the map can be used.
bool lc_tiles_want(lc_tiles *tiles, const lc_view *squares, const lc_grid *grid,
                   const lc_level *level, lc_pool *pool);

// Where the next pass shall count; NULL: it shall not.
uint16_t *lc_tiles_of_next(lc_tiles *tiles);

// The pass is made: what it counted, if it did, is of the cells now.
void lc_tiles_exchange(lc_tiles *tiles, bool counted);

// Adds to `counts` the live cells of `rows` rows from row y on, none of them of another row of
// tiles; columns x .. x + columns - 1, x at the edge of a tile.
void lc_tiles_count(const lc_grid *grid, const lc_level *level, int64_t x, int64_t y,
                    int64_t columns, int rows, uint16_t *counts);

// From a valid map.
uint64_t lc_tiles_population(const lc_tiles *tiles, lc_pool *pool);

#endif
