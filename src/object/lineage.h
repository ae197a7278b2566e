// Tells which cells affect each other within some generations, by following what becomes of them.
#ifndef LC_OBJECT_LINEAGE_H
#define LC_OBJECT_LINEAGE_H

#include "object/field.h"

// Steps the cells of a sorted list for `generations`. A live cell descends from the neighbours, or
// from the cell itself, that were alive a generation before. Joins in the union-find `up` over the
// cells of the list those cells whose descendants are near each other (lc_live_groups) in one
// generation. Cells of different sets evolve for so long as if the other sets were not there.
// If `repeats` is true, the cells repeat after `generations`, in place or moved. Then the function
// also joins each cell with the cell whose place its descendant takes, so that each set alone
// repeats, too. `field` is scratch. Returns LC_OK; LC_ERROR_LIMIT (the cells spread too far);
// LC_ERROR_MEMORY; LC_ERROR_STOPPED (by lc_set_give_up).
lc_status lc_lineage_join(lc_field *field, const lc_live *cells, uint64_t generations, bool repeats,
                          uint32_t *up);

#endif
