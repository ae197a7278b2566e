// Live cells of a universe and the objects among them.
#ifndef LC_TESTS_SUPPORT_LIVE_H
#define LC_TESTS_SUPPORT_LIVE_H

#include "lightcone/lightcone.h"
#include "object/fate.h"

// Returns the live cells. The caller frees all lists with lc_live_free.
lc_live live_read(const lc_universe *universe);

// Returns whether `b` is a translation of `a`.
bool live_alike(const lc_live *a, const lc_live *b);

// Moves all cells on an infinite plane, a torus or a Klein bottle.
void live_move(lc_live *cells, const lc_topology *topology, int64_t dx, int64_t dy);

// Returns the cells of `all` that are not in `some`.
lc_live live_others(const lc_live *all, const lc_live *some);

// Returns the cells inside the box or, with `inside` false, the others.
lc_live live_within(const lc_live *cells, const lc_box *box, bool inside);

// Returns whether the cells are `object` in any phase and orientation. NULL: false.
bool live_is_object(const lc_live *cells, lc_fates *fates, const lc_fate *object);

// Counts the groups that are the object and have no cell in `box` (NULL: anywhere). Cells at most
// two rows and columns apart belong to one group. *rest (may be NULL) receives the cells of all
// other groups.
size_t live_count_objects(const lc_live *cells, lc_fates *fates, const lc_fate *object,
                          const lc_box *box, lc_live *rest);

#endif
