// A block's size, and what its engine is to do at each of its edges.
#ifndef LC_GRID_FRAME_H
#define LC_GRID_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/engine.h"
#include "lightcone/rule.h"

// Opposite edges are joined both or neither, and left and right are open both or neither. A frame
// without an open edge is all walls or all joined.
//
// A slab is some rows of a board with such a frame. Its left and right edges are those of the
// board. Top and bottom are open, except at walls of the board. Beyond an open edge are rows of
// other slabs, or its own, in the same columns.
typedef struct lc_frame {
    int64_t width_cells, height_cells;
    lc_edge left, right, top, bottom;
    bool is_slab;
} lc_frame;

// That of a block which is all of a bounded universe: an edge is open where the surface shows
// something else beyond it than the opposite edge as it is.
lc_frame lc_frame_of(const lc_topology *topology);

// That of some rows of a board with such a frame, be they its first or its last.
lc_frame lc_frame_of_slab(const lc_frame *board, int64_t height_cells, bool is_first, bool is_last);

// The frame with x and y exchanged.
lc_frame lc_frame_turned(const lc_frame *frame);

static inline bool lc_frame_is_open(const lc_frame *frame)
{
    return frame->left == LC_EDGE_OPEN || frame->right == LC_EDGE_OPEN ||
           frame->top == LC_EDGE_OPEN || frame->bottom == LC_EDGE_OPEN;
}

// Whether all four edges are of that kind.
static inline bool lc_frame_is_all(const lc_frame *frame, lc_edge edge)
{
    return frame->left == edge && frame->right == edge && frame->top == edge &&
           frame->bottom == edge;
}

// Whether rows need no halo above and below: the first one and the last one are neighbours, or
// nothing lives beyond either.
static inline bool lc_frame_stacks(const lc_frame *frame)
{
    return frame->top != LC_EDGE_OPEN && frame->top == frame->bottom;
}

#endif
