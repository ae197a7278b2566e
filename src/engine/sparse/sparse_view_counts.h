// How much lives in each square of 32 x 32 cells of a board, for looks from far away.
//
// There may be millions of tiles, of which nearly all sleep; to go over them for each picture would
// take more time than stepping does. So once somebody has looked at so many from so far, counts of
// squares are kept up to date by whoever changes a tile: of both layers, as those of a cycle of two
// rounds lie side by side. When nobody has looked for a while, or the cells have no past any more,
// they go.
#ifndef LC_ENGINE_SPARSE_SPARSE_VIEW_COUNTS_H
#define LC_ENGINE_SPARSE_SPARSE_VIEW_COUNTS_H

#include "engine/sparse/sparse_plane.h"

enum { LC_VIEW_COUNTS_LOG2 = 5 };

typedef struct lc_view_counts {
    _Atomic(uint32_t) *counts[2]; // of layers, row by row; NULL: nobody looks
    int64_t width, height;        // in squares
    uint64_t looked_at;           // the round
} lc_view_counts;

// Begins to count. Only boards that are bounded, with one copy of each tile. False: there is no
// memory for it, or too much to be counted.
bool lc_view_counts_begin(lc_view_counts *far, lc_plane *plane);
void lc_view_counts_end(lc_view_counts *far, lc_plane *plane);

// What lives in a tile comes to the counts of its layer, or goes from them. Any thread.
void lc_view_counts_add(const lc_view_counts *far, const lc_tile *tile,
                        const uint32_t cells[LC_TILE_WORDS], bool goes);

// Of one layer: sums for squares that begin and end with those of 32 x 32 cells; x and y are of
// the first of them.
void lc_view_counts_sum(const lc_view_counts *far, int layer, int64_t x, int64_t y, int log2_side,
                        int64_t width, int64_t height, uint32_t *counts);

#endif
