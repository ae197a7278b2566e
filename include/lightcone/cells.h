// Rectangles of cells. Coordinates: x to the right, y down.
#ifndef LIGHTCONE_CELLS_H
#define LIGHTCONE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_box { // the smallest rectangle that holds all live cells
    bool empty;         // no live cell: the rest is 0
    int64_t x, y, width_cells, height_cells;
} lc_box;

#ifdef __cplusplus
}
#endif
#endif
