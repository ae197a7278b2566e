// Rectangles of cells. Coordinates: x to the right, y down.
#ifndef LIGHTCONE_CELLS_H
#define LIGHTCONE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// No cell is further than this from 0: an unbounded direction has coordinates -LC_UNIVERSE_REACH ..
// LC_UNIVERSE_REACH. That leaves 64 bits room for a margin, a halo or a shift beyond them.
#define LC_UNIVERSE_REACH (INT64_C(1) << 62)

typedef struct lc_box { // the smallest rectangle that holds all live cells
    bool empty;         // no live cell: the rest is 0
    int64_t x, y, width_cells, height_cells;
} lc_box;

#ifdef __cplusplus
}
#endif
#endif
