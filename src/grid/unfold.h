// The plane that a board unfolds into, piece by piece: each is a rectangle of one copy of the
// board, as that copy moves, mirrors and turns it (kernels/topology_map.h).
#ifndef LC_GRID_UNFOLD_H
#define LC_GRID_UNFOLD_H

#include <stdbool.h>

#include "grid/topology.h"

typedef struct lc_unfolded {
    int64_t plane_x, plane_y, columns, rows; // where it stands
    bool is_dead; // it lies beyond the edges of a plane: the rest says nothing
    // The rectangle of the board that it shows; on its side, columns of the piece being rows of the
    // board; and from which end its columns and rows begin.
    int64_t x, y, width_cells, height_cells;
    bool on_side, from_right, from_below;
} lc_unfolded;

// Calls with each piece of a rectangle of that plane until a call fails, and returns the status of
// the last call. Only the place of `area` is used, not its words.
typedef lc_status (*lc_unfold_call)(void *context, const lc_unfolded *piece);
lc_status lc_unfold(const lc_surface *surface, const lc_cells *area, lc_unfold_call call,
                    void *context);

// Turns the rectangle of the board that a piece of at most 64 x 64 cells shows into the piece, in
// place. Each row is a word. Bits and rows beyond the rectangle are 0, before and afterwards.
void lc_unfolded_turn(const lc_unfolded *piece, uint64_t rows[64]);

#endif
