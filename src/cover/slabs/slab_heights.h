// Where a board is cut into slabs: the faster a device, the more rows it gets, but no more than its
// memory holds.
#ifndef LC_COVER_SLAB_HEIGHTS_H
#define LC_COVER_SLAB_HEIGHTS_H

#include <stdint.h>

typedef struct lc_slab_ability {
    uint64_t weight;   // below 2^32: how fast, beside the others; 0: it is not known
    int64_t most_rows; // that its memory holds
} lc_slab_ability;

// Of each slab the first row, and behind the last one the height: count + 1 numbers. Each slab has
// a row or more, so count is at most the height. If one weight is not known, or all are equal, all
// slabs are as high as the others, but for what cannot be divided. If memory is too small for the
// board, it is not looked at.
void lc_slab_first_rows(int64_t height_cells, const lc_slab_ability *slabs, int count,
                        int64_t *first_rows);

#endif
