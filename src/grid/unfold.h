// Splits the plane that a board unfolds into. Each piece is a rectangle of one copy of the board,
// moved, mirrored and turned as that copy is (kernels/topology_map.h).
#ifndef LC_GRID_UNFOLD_H
#define LC_GRID_UNFOLD_H

#include <stdbool.h>

#include "grid/topology.h"

typedef struct lc_unfolded {
    int64_t plane_x, plane_y, columns, rows; // its rectangle on the plane
    bool is_dead; // beyond the edges of a plane; the members below are undefined
    // The rectangle of the board that the piece shows. on_side: columns of the piece are rows of
    // the board. from_right, from_below: its columns and rows begin at that end of the rectangle.
    int64_t x, y, width_cells, height_cells;
    bool on_side, from_right, from_below;
} lc_unfolded;

// Calls `call` with each piece of a rectangle of the plane, until a call fails. Returns the status
// of the last call. Reads the coordinates and size of `area`, not its words.
typedef lc_status (*lc_unfold_call)(void *context, const lc_unfolded *piece);
lc_status lc_unfold(const lc_surface *surface, const lc_cells *area, lc_unfold_call call,
                    void *context);

// Converts, in place, the board's rectangle of a piece of at most 64 x 64 cells into the piece's
// cells. Each row is a word. Bits and rows beyond the rectangle are 0, before and after.
void lc_unfolded_turn(const lc_unfolded *piece, uint64_t rows[64]);

#endif
