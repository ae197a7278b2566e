// Copies cells between tiles and rectangles of cells, and finds live cells in tiles.
#ifndef LC_LEVEL_TILE_H
#define LC_LEVEL_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "level/level.h"
#include "lightcone/cells.h"

// In all functions the tile begins at cell (x, y), and only the cells that it shares with the
// rectangle matter.

// Copies the tile's cells to the rectangle, whose cells there are dead.
void lc_tile_read(const uint32_t tile[LC_TILE_WORDS], int64_t x, int64_t y, const lc_cells *to);
// Copies the rectangle's cells to the tile. Returns whether the tile has changed.
bool lc_tile_write(uint32_t tile[LC_TILE_WORDS], int64_t x, int64_t y, const lc_cells *from);
// Returns whether lc_tile_write would copy any live cell.
bool lc_tile_gets_life(int64_t x, int64_t y, const lc_cells *from);

// The number of dead rows or columns at each side of a tile with live cells.
typedef struct lc_tile_margins {
    int left, right, top, bottom;
} lc_tile_margins;
lc_tile_margins lc_tile_margins_of(const uint32_t tile[LC_TILE_WORDS]);

#endif
