// Tiles beside the edges of a board, whose windows reach beyond them.
//
// What lies there is seen through the surface (grid/unfold.h), so no tile is ever kept for it: such
// a window is put together, piece by piece, of the tiles that hold those cells; and what changes
// beside an edge wakes all tiles that see it. A tile that the edge cuts has dead cells beyond it.
// This costs some microseconds a window and holds for all surfaces and sizes; in the middle of a
// board nobody knows of it.
#ifndef LC_ENGINE_SPARSE_SPARSE_EDGE_H
#define LC_ENGINE_SPARSE_SPARSE_EDGE_H

#include "engine/sparse/sparse_plane.h"
#include "level/level.h"

// Calls with the place in the other layer of each tile of the board that sees this one or that this
// one sees, some more than once, until a call fails; returns what that one did.
typedef lc_status (*lc_edge_call)(void *context, int layer, int64_t x, int64_t y);
lc_status lc_edge_around(const lc_plane *plane, const lc_tile *tile, lc_edge_call call,
                         void *context);

// Whether a tile stands so near to an edge that something beyond it matters to one of those across;
// and whether any of its cells is on the board at all.
bool lc_edge_is_near(const lc_surface *surface, int layer, int64_t x, int64_t y);
bool lc_edge_is_on_board(const lc_surface *surface, int layer, int64_t x, int64_t y);

// What such a tile becomes in so many generations after those of a copy; how much of it lives.
typedef struct lc_edge_rule {
    lc_window_step *step_window;
    const lc_window_rules *rules; // as in lc_window
} lc_edge_rule;
int lc_edge_step(const lc_plane *plane, const lc_tile *tile, int copy, int generations,
                 const lc_edge_rule *rule, uint32_t cells[LC_TILE_WORDS]);

#endif
