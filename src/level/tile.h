// Tiles and cells: tiles as parts of a rectangle of cells, and where in them something lives.
#ifndef LC_LEVEL_TILE_H
#define LC_LEVEL_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "level/level.h"
#include "lightcone/cells.h"

// A tile begins at cell (x, y); of it and the rectangle that part matters which both share.

// Adds what the tile has to the rectangle, whose words are zero there.
void lc_tile_read(const uint32_t tile[LC_TILE_WORDS], int64_t x, int64_t y, const lc_cells *to);
// The tile gets what the rectangle has; whether that is something else than it had.
bool lc_tile_write(uint32_t tile[LC_TILE_WORDS], int64_t x, int64_t y, const lc_cells *from);
// Whether the tile would get any live cell.
bool lc_tile_gets_life(int64_t x, int64_t y, const lc_cells *from);

// Of a tile in which something lives, how many lines are dead at its sides.
typedef struct lc_tile_margins {
    int left, right, top, bottom;
} lc_tile_margins;
lc_tile_margins lc_tile_margins_of(const uint32_t tile[LC_TILE_WORDS]);

#endif
