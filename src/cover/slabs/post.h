// Rows between slabs of ranks that cannot reach each other's memory: each rank sends those of its
// slabs that others have in their halos, as they lie in memory.
#ifndef LC_COVER_POST_H
#define LC_COVER_POST_H

#include "cover/slabs/split.h"

typedef struct lc_post lc_post;

// `first_row` of each slab of the board, and its height; lent, and so are the engines, those of
// this rank's slabs. LC_ERROR_MEMORY.
lc_status lc_post_create(lc_post **out, lc_ranks *ranks, lc_engine *const *slabs, int count,
                         const int64_t *first_rows, bool is_ring, lc_message *message);
void lc_post_destroy(lc_post **post); // NULL and a pointer to NULL are fine

// By all ranks: what lc_engine_vtable.exchange is. Who cannot read its rows sends others: they are
// waited for.
lc_status lc_post_exchange(lc_post *post, bool alike, int64_t depth_cells, lc_message *message);

#endif
