// Topologies: maps coordinates beyond the edges to cells and fills halos.
//
// Every topology here is a flat orbifold. The plane is its unfolding, and a halo of any depth is a
// window on it. The groups are p1 (torus), pg (Klein bottle), pgg (cross-surface) and p4 (sphere).
// Mapping a coordinate applies the group until the coordinate lies in the rectangle.
#ifndef LC_GRID_TOPOLOGY_H
#define LC_GRID_TOPOLOGY_H

#include "grid/grid.h"
#include "kernels/topology_map.h"
#include "lightcone/rule.h"

// Converts a topology to the kernels' form.
lc_surface lc_surface_of(const lc_topology *topology);

// Maps any coordinate to its cell in 0 <= *x < width, 0 <= *y < height. A coordinate in an
// unbounded direction stays. Returns false beyond the edge of a plane, where every cell is always
// dead.
bool lc_topology_map(const lc_topology *topology, int64_t *x, int64_t *y);

// Returns the surface with x and y exchanged: cell (x, y) of one is cell (y, x) of the other.
lc_topology lc_topology_turned(const lc_topology *topology);

// Halos of a grid that holds a whole bounded universe: all cells outside the interior with -depth
// <= x < width + depth, -depth <= y < height + depth. The depth may exceed width and height but not
// the grid's margins. A grid without margin rows gets no halo rows. Halo cells without a cell of
// the universe become dead.
enum {
    LC_HALO_BESIDE = 1, // left and right of the interior rows
    LC_HALO_ENDS = 2,   // above and below the interior columns
    LC_HALO_CORNERS = 4,
    LC_HALO_ALL = 7
};

typedef struct lc_halo {
    const lc_topology *topology;
    int64_t depth_cells;
    unsigned parts; // set of the bits above; for a sphere all of them
} lc_halo;

// lc_halo_tasks returns the number of independent tasks, which may run on different threads. Tasks
// read only the interior and write only the halo. No halo word is written by two tasks.
size_t lc_halo_tasks(const lc_grid *grid, const lc_halo *halo);
void lc_halo_fill(lc_grid *grid, const lc_halo *halo, size_t task);

#endif
