// Divides the rows of a board among slabs: in proportion to the devices' speeds, within their
// memory.
#ifndef LC_COVER_SLAB_HEIGHTS_H
#define LC_COVER_SLAB_HEIGHTS_H

#include <stdint.h>

typedef struct lc_slab_ability {
    uint64_t weight;   // relative speed, below 2^32; 0: unknown
    int64_t most_rows; // that fit into its memory
} lc_slab_ability;

// Writes the first row of each slab, and the height after the last: count + 1 numbers. `count` is
// at most the height; each slab has at least one row. If a weight is unknown or all are equal,
// heights differ only by what cannot be divided. If all memory together is too small, it is
// ignored.
void lc_slab_first_rows(int64_t height_cells, const lc_slab_ability *slabs, int count,
                        int64_t *first_rows);

#endif
