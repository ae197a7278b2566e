// Tiles beside the edges of a board, whose windows reach beyond them.
//
// Windows show those cells through the surface (grid/unfold.h), so no tile is stored for them. Such
// a window is assembled, piece by piece, from the tiles that hold the cells. A change beside an
// edge schedules all tiles that see it. A tile that the edge cuts has dead cells beyond it. This
// costs some microseconds a window and works for all surfaces and sizes. Tiles in the middle of a
// board do not need it.
#ifndef LC_ENGINE_SPARSE_SPARSE_EDGE_H
#define LC_ENGINE_SPARSE_SPARSE_EDGE_H

#include "engine/sparse/sparse_plane.h"
#include "level/level.h"

// Calls `call` with the place of each tile of the other layer that this tile sees, or that sees
// this tile; some more than once. Stops at the first error and returns it.
typedef lc_status (*lc_edge_call)(void *context, int layer, int64_t x, int64_t y);
lc_status lc_edge_around(const lc_plane *plane, const lc_tile *tile, lc_edge_call call,
                         void *context);

// Returns whether a tile is so close to an edge that an overlapping tile depends on cells beyond
// it.
bool lc_edge_is_near(const lc_surface *surface, int layer, int64_t x, int64_t y);

// Computes such a tile from one copy, that many generations later. Returns its population.
typedef struct lc_edge_rule {
    lc_window_step *step_window;
    const lc_window_rules *rules; // as in lc_window
} lc_edge_rule;
int lc_edge_step(const lc_plane *plane, const lc_tile *tile, int copy, int generations,
                 const lc_edge_rule *rule, uint32_t cells[LC_TILE_WORDS]);

#endif
