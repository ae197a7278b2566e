// The live cells of a universe as a list, for tests that ask what a pattern is.
#ifndef LC_TESTS_SUPPORT_LIVE_H
#define LC_TESTS_SUPPORT_LIVE_H

#include "lightcone/lightcone.h"

typedef struct live_cell {
    int64_t x, y;
} live_cell;

typedef struct live_cells {
    size_t count;
    live_cell *at; // by rows, then columns
} live_cells;

live_cells live_read(const lc_universe *universe);
void live_free(live_cells *cells);

// Whether `b` is `a` moved by (dx, dy).
bool live_equal(const live_cells *a, const live_cells *b, int64_t dx, int64_t dy);
// Whether `b` is `a` moved anywhere.
bool live_alike(const live_cells *a, const live_cells *b);

// Those of `all` that are none of `some`.
live_cells live_others(const live_cells *all, const live_cells *some);

// Those for which `in` holds of the box; the rest with `inside` false.
live_cells live_within(const live_cells *cells, const lc_box *box, bool inside);

// Pieces: cells are in one if there are steps of up to two cells between them. Sets *piece_of (one
// number a cell, freed by the caller) and returns how many there are.
size_t live_pieces(const live_cells *cells, size_t **piece_of);

// An object in each of its phases and each of the eight ways in which it can lie.
typedef struct live_shapes {
    size_t count;
    live_cells *shapes;
    size_t cells_min, cells_max;
} live_shapes;

// Steps `universe`, which holds the object, for `phases` generations.
live_shapes live_shapes_of(lc_universe *universe, uint64_t phases);
void live_shapes_free(live_shapes *shapes);

// Counts the pieces that are the object and no cell of which is in `box` (NULL: anywhere). Unless
// it is NULL, *rest becomes the cells of all other pieces.
size_t live_count_objects(const live_cells *cells, const live_shapes *object, const lc_box *box,
                          live_cells *rest);

#endif
