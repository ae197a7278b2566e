// Facts (population, bounding box, hash) of a grid's cells, and of combined parts.
#ifndef LC_GRID_FACTS_H
#define LC_GRID_FACTS_H

#include "grid/grid.h"
#include "grid/planes.h"

// Returns the facts in the set `which` (lc_fact) of interior rows y0 .. y1-1. All other facts are
// 0.
lc_facts lc_grid_facts(const lc_grid *grid, int64_t y0, int64_t y1, unsigned which);

// Returns the facts in the set `which` of a rectangle as if its first cell were (0, 0). The
// rectangle has cells. Bits behind the width are ignored.
lc_facts lc_cells_facts(const lc_cells *cells, unsigned which);

// Returns the facts of the union of two parts that share no live cell.
lc_facts lc_facts_joined(const lc_facts *a, const lc_facts *b);

// Returns the facts of the same cells moved right by `columns` and down by `rows`.
lc_facts lc_facts_moved(const lc_facts *facts, int64_t columns, int64_t rows);

#endif
