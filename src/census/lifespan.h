// Finds how long a soup lives before it repeats its populations, as apgsearch counts it.
#ifndef LC_CENSUS_LIFESPAN_H
#define LC_CENSUS_LIFESPAN_H

#include "lightcone/universe.h"
#include "object/live.h"

// Largest generation at which a soup may be found settled: the populations take 128 MiB.
enum { LC_LIFESPAN_SETTLED_MAX = 1 << 24 };

// Sets *generations to the lifespan of the cells of a sorted list, under a rule without B0. The
// cells were found settled at generation `settled_at`. pop(i) is the population of generation i,
// and the end is settled_at + 8,000. The period p is the least number below 4,000 with
// pop(i) = pop(i - p) for i = max(p, settled_at) .. end - 1. The lifespan is one more than the
// greatest i from 1 to end - p - 1 with pop(i) != pop(i + p). It is 0 without such an i
// or p.
// Returns LC_OK; LC_ERROR_LIMIT (settled_at is above LC_LIFESPAN_SETTLED_MAX, or the cells need
// more than half of the machine's memory); or an error of lc_cells_count. On error *generations
// is 0.
lc_status lc_soup_lifespan(uint64_t *generations, const lc_live *cells, const lc_rule *rule,
                           uint64_t settled_at, lc_context *context, lc_message *message);

#endif
