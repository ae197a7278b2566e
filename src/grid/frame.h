// A block's size and the kind of each of its edges.
#ifndef LC_GRID_FRAME_H
#define LC_GRID_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/engine.h"
#include "lightcone/rule.h"

// Opposite edges are both joined or neither is; left and right are both open or neither is. A frame
// without an open edge has only walls or only joined edges.
//
// A slab is a range of rows of a board with such a frame. Its left and right edges are the board's.
// Its top and bottom edges are open unless they are walls of the board. Beyond an open edge are
// rows of other slabs, or of the slab itself, in the same columns.
typedef struct lc_frame {
    int64_t width_cells, height_cells;
    lc_edge left, right, top, bottom;
    bool is_slab;
} lc_frame;

// Returns the frame of a block that holds a whole bounded universe. An edge is open unless it is a
// wall or continues unchanged at the opposite edge.
lc_frame lc_frame_of(const lc_topology *topology);

// Returns the frame of a range of rows of a board; is_first, is_last: the range has the board's
// first or last row.
lc_frame lc_frame_of_slab(const lc_frame *board, int64_t height_cells, bool is_first, bool is_last);

// Returns the frame with x and y exchanged.
lc_frame lc_frame_turned(const lc_frame *frame);

static inline bool lc_frame_is_open(const lc_frame *frame)
{
    return frame->left == LC_EDGE_OPEN || frame->right == LC_EDGE_OPEN ||
           frame->top == LC_EDGE_OPEN || frame->bottom == LC_EDGE_OPEN;
}

// Returns whether all four edges are of that kind.
static inline bool lc_frame_is_all(const lc_frame *frame, lc_edge edge)
{
    return frame->left == edge && frame->right == edge && frame->top == edge &&
           frame->bottom == edge;
}

// Returns whether the block needs no halo rows above and below: its first and last rows are
// neighbours, or both edges are walls.
static inline bool lc_frame_stacks(const lc_frame *frame)
{
    return frame->top != LC_EDGE_OPEN && frame->top == frame->bottom;
}

#endif
