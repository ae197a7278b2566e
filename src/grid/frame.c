// Computes the frames of boards and slabs.
#include "grid/frame.h"

static lc_edge edge_of(const lc_topology *t, bool twisted, int64_t shift_cells)
{
    switch (t->kind) {
    case LC_TOPOLOGY_PLANE:
        return LC_EDGE_WALL;
    case LC_TOPOLOGY_TORUS:
    case LC_TOPOLOGY_KLEIN_BOTTLE:
        return twisted || shift_cells != 0 ? LC_EDGE_OPEN : LC_EDGE_JOINED;
    default:
        return LC_EDGE_OPEN;
    }
}

lc_frame lc_frame_of(const lc_topology *t)
{
    const lc_edge across = edge_of(t, t->twist_y, t->shift_y_cells);
    const lc_edge down = edge_of(t, t->twist_x, t->shift_x_cells);
    return (lc_frame){.width_cells = t->width_cells,
                      .height_cells = t->height_cells,
                      .left = across,
                      .right = across,
                      .top = down,
                      .bottom = down};
}

lc_frame lc_frame_of_slab(const lc_frame *board, int64_t height_cells, bool is_first, bool is_last)
{
    lc_frame slab = *board;
    slab.height_cells = height_cells;
    slab.top = is_first && board->top == LC_EDGE_WALL ? LC_EDGE_WALL : LC_EDGE_OPEN;
    slab.bottom = is_last && board->bottom == LC_EDGE_WALL ? LC_EDGE_WALL : LC_EDGE_OPEN;
    slab.is_slab = !lc_frame_is_open(board);
    return slab;
}

lc_frame lc_frame_turned(const lc_frame *f)
{
    return (lc_frame){.width_cells = f->height_cells,
                      .height_cells = f->width_cells,
                      .left = f->top,
                      .right = f->bottom,
                      .top = f->left,
                      .bottom = f->right,
                      .is_slab = f->is_slab};
}
