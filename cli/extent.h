// How far cells reach in one direction: the first and the last of them, which 64 bits may not hold.
#ifndef LC_CLI_EXTENT_H
#define LC_CLI_EXTENT_H

#include "lightcone/cells.h"

typedef struct lc_cli_extent {
    bool any; // false: there are no cells
    lc_coordinate first, last;
} lc_cli_extent;

// Adds `length` cells from `first` on; length is at least 1.
void lc_cli_extent_add(lc_cli_extent *extent, lc_coordinate first, lc_count length);

// Adds so many cells at either end.
void lc_cli_extent_widen_start(lc_cli_extent *extent, uint64_t cells);
void lc_cli_extent_widen_end(lc_cli_extent *extent, uint64_t cells);

// The squares of 2^log2_side cells a side that hold the extent, as lc_universe_far_picture counts
// them. False: they are too far away for that.
bool lc_cli_extent_squares(const lc_cli_extent *extent, int log2_side, int64_t *first,
                           int64_t *count);

#endif
