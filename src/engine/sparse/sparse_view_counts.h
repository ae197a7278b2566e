// Live cells of each square of 32 x 32 cells of a board, for downsampled views.
//
// A board may have millions of tiles, nearly all asleep; reading them for each view would take more
// time than stepping. After the first such view the counts are kept up to date by every tile
// update, for both layers, because the copies of a cycle of two rounds lie side by side. They are
// freed when no view was requested for a while, and when history is discarded.
#ifndef LC_ENGINE_SPARSE_SPARSE_VIEW_COUNTS_H
#define LC_ENGINE_SPARSE_SPARSE_VIEW_COUNTS_H

#include "engine/sparse/sparse_plane.h"

enum { LC_VIEW_COUNTS_LOG2 = 5 };

typedef struct lc_view_counts {
    _Atomic(uint32_t) *counts[2]; // of layers, row by row; NULL: not kept
    int64_t width, height;        // in squares
    uint64_t looked_at;           // round of the last view
} lc_view_counts;

// Starts to count. The board is bounded, with one copy of each tile. Returns false if out of
// memory, or if the board is too large.
bool lc_view_counts_begin(lc_view_counts *far, lc_plane *plane);
void lc_view_counts_end(lc_view_counts *far, lc_plane *plane);

// Adds the live cells of a tile to the counts of its layer, or subtracts them. Any thread.
void lc_view_counts_add(const lc_view_counts *far, const lc_tile *tile,
                        const uint32_t cells[LC_TILE_WORDS], bool goes);

// Sums the counts of one layer for larger squares. (x, y) is the first count of the first square,
// in squares of 32 x 32 cells.
void lc_view_counts_sum(const lc_view_counts *far, int layer, int64_t x, int64_t y, int log2_side,
                        int64_t width, int64_t height, uint32_t *counts);

#endif
