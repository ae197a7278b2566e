// Tori of at most 64 x 64 cells, stepped as boards of 64 x 64 cells (lc_board_step in level.h).
//
// The board is filled with copies of the torus, side by side. If a side divides 64, the copies fit
// and stay right for ever. If not, the cells at the board's edges become wrong, one more row or
// column in each generation. A whole copy lies in the middle, `generations` away from these edges.
// After so many generations the board is filled from it again.
//
//         +--+------+--+      A torus of 30 columns: the copy in the middle begins at column 17
//         |  |      |  |      and is right for 17 generations.
//         |  |      |  |
//         +--+------+--+
//
// Threads: any thread may use a constant lc_tiling.
#ifndef LC_CENSUS_TILED_BOARD_H
#define LC_CENSUS_TILED_BOARD_H

#include "level/level.h"

typedef struct lc_tiling {
    int width, height;
    int left, top;                // of the copy in the middle
    int generations;              // for which that copy is right
    bool fits;                    // both sides divide 64
    uint64_t columns;             // one bit for each column of the torus
    uint8_t word[LC_BOARD_WORDS]; // of each row of the board
    uint8_t row[LC_BOARD_WORDS];  // of the torus, that the row of the board shows
} lc_tiling;

// Returns whether boards can have that size, and sets the tiling if so. `level` NULL: the rows of a
// board are in order.
bool lc_tiling_set(lc_tiling *tiling, const lc_level *level, int64_t width, int64_t height);

// Copy the rows of the torus from and to a board of LC_BOARD_WORDS words. Bits beyond the width are
// ignored when they are written.
void lc_tiling_read(const lc_tiling *tiling, const uint64_t *cells, uint64_t *rows);
void lc_tiling_write(const lc_tiling *tiling, uint64_t *cells, const uint64_t *rows);

void lc_tiling_step(const lc_tiling *tiling, lc_board_step *step, uint64_t *cells, int generations,
                    const lc_window_rules *rules);

#endif
