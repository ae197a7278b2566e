// Facts about the cells of a grid, and of parts put together.
#ifndef LC_GRID_FACTS_H
#define LC_GRID_FACTS_H

#include "grid/grid.h"

// About interior rows y0 .. y1-1, those of `which` (lc_fact); the others are 0.
lc_facts lc_grid_facts(const lc_grid *grid, int64_t y0, int64_t y1, unsigned which);

// About two parts that share no live cell.
lc_facts lc_facts_joined(const lc_facts *a, const lc_facts *b);

// The same about cells that far to the right and below.
lc_facts lc_facts_moved(const lc_facts *facts, int64_t columns, int64_t rows);

#endif
