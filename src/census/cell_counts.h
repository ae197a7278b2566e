// Counts the live cells of the generations of a few cells that are alone on the infinite plane.
#ifndef LC_CENSUS_CELL_COUNTS_H
#define LC_CENSUS_CELL_COUNTS_H

#include "lightcone/universe.h"
#include "object/live.h"

// How cells are stepped.
typedef struct lc_counting {
    const lc_rule *rule; // without B0
    lc_context *context; // NULL: a new one
    const char *engine;  // "sparse", "hashlife"
    uint64_t max_memory_bytes;
    uint64_t cells_max; // a generation with more live cells ends the counting
    uint64_t nodes_max; // so do more new nodes of HashLife, over all steps
    uint64_t step;      // generations from one count to the next
} lc_counting;

// Sets counts[i] to the number of live cells in generation i * step of a sorted list of cells, for
// i below `wanted`. Sets *counted to the number of counts that were set: fewer than `wanted` if a
// generation exceeds cells_max or nodes_max, or needs more than max_memory_bytes. One thread does
// the work. Returns LC_OK; LC_ERROR_MEMORY; LC_ERROR_LIMIT (the cells given exceed
// max_memory_bytes or LC_UNIVERSE_REACH); LC_ERROR_STOPPED (by lc_set_give_up); or another error of
// lc_universe_create.
lc_status lc_cells_count(uint64_t *counts, size_t wanted, size_t *counted,
                         const lc_counting *counting, const lc_live *cells, lc_message *message);

#endif
