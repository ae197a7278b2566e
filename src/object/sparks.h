// Finds the objects that sparks belong to.
//
// A spark is a group of cells that an object throws off and that soon dies out. Without it the rest
// of the object is not one of the object's phases, so that it does not repeat itself exactly:
//
//     generation 0       ship without spark        spark
//     generation 64      ship, perhaps with its next spark
// From generation 64 on the ship repeats itself, which tells what its phase of generation 0 is: the
// ship with the spark.
#ifndef LC_OBJECT_SPARKS_H
#define LC_OBJECT_SPARKS_H

#include "object/fate.h"

// `up` is a union-find over the cells of a sorted list. Joins the sets of sparks with the sets of
// the objects that they belong to. Objects with periods of up to `limit` are found. Returns as
// lc_fate_find, but for LC_ERROR_LIMIT.
lc_status lc_sparks_join(lc_fates *fates, const lc_live *cells, uint64_t limit, uint32_t *up);

#endif
