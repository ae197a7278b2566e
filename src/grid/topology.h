// Topologies as halos: where a cell beyond the edge really is.
//
// Every topology here is a flat orbifold, so the unbounded plane is its unfolding and a halo of any
// depth is a window on it: torus p1, Klein bottle pg, cross-surface pgg, sphere p4. Mapping a
// coordinate is applying the group until it falls into the rectangle.
#ifndef LC_GRID_TOPOLOGY_H
#define LC_GRID_TOPOLOGY_H

#include "grid/grid.h"
#include "kernels/topology_map.h"
#include "lightcone/rule.h"

// A topology as kernels take it.
lc_surface lc_surface_of(const lc_topology *topology);

// Maps any coordinate to the cell it shows, 0 <= *x < width and so on; an unbounded direction stays
// as it is. False: it shows no cell (beyond the edge of a plane), which is dead for ever.
bool lc_topology_map(const lc_topology *topology, int64_t *x, int64_t *y);

// The same surface with x and y exchanged: what (x, y) is on one is (y, x) on the other.
lc_topology lc_topology_turned(const lc_topology *topology);

// Halos of a grid that holds the whole bounded universe: all cells with -depth <= x < width +
// depth, -depth <= y < height + depth outside the interior. The depth is no larger than the grid's
// margins (any relation to width and height), but a grid may have no margin rows at all. Cells that
// show none become dead.
enum {
    LC_HALO_BESIDE = 1, // left and right of the interior rows
    LC_HALO_ENDS = 2,   // above and below the interior columns
    LC_HALO_CORNERS = 4,
    LC_HALO_ALL = 7
};

typedef struct lc_halo {
    const lc_topology *topology;
    int64_t depth_cells;
    unsigned parts; // to be filled: a set of the bits above; of a sphere all
} lc_halo;

// lc_halo_tasks returns the number of independent tasks, which may run on different threads. Tasks
// read only the interior and write only the halo, each its own words.
size_t lc_halo_tasks(const lc_grid *grid, const lc_halo *halo);
void lc_halo_fill(lc_grid *grid, const lc_halo *halo, size_t task);

#endif
