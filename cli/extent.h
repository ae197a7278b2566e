// The first and the last live cell in one direction. The coordinates may exceed 64 bits.
#ifndef LC_CLI_EXTENT_H
#define LC_CLI_EXTENT_H

#include "lightcone/cells.h"

typedef struct lc_cli_extent {
    bool any; // false: no cells
    lc_coordinate first, last;
} lc_cli_extent;

// Widens the extent to include `length` cells from `first` on. `length` is at least 1.
void lc_cli_extent_add(lc_cli_extent *extent, lc_coordinate first, lc_count length);

// Widens the extent by `cells` cells at one end.
void lc_cli_extent_widen_start(lc_cli_extent *extent, uint64_t cells);
void lc_cli_extent_widen_end(lc_cli_extent *extent, uint64_t cells);

// Finds the first square and the number of squares that cover the extent. A square has a side of
// 2^log2_side cells. Squares are numbered as in lc_universe_far_picture. Returns false if the
// squares are out of the range of lc_universe_far_picture.
bool lc_cli_extent_squares(const lc_cli_extent *extent, int log2_side, int64_t *first,
                           int64_t *count);

#endif
