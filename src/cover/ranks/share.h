// A rank's share of a board, and what it does when there is an order (order.h).
#ifndef LC_COVER_SHARE_H
#define LC_COVER_SHARE_H

#include "cover/ranks/order.h"
#include "cover/slabs/split.h"

typedef struct lc_share lc_share;

// Whether the ranks can share such a board, of which nothing is known yet of the others: settings
// taken out of what is asked for, and an engine chosen if none was. Nothing is laid out.
// LC_ERROR_UNSUPPORTED, LC_ERROR_ARGUMENT.
lc_status lc_share_begin(lc_cover_options *asked, lc_parts *parts, lc_message *message);

// For a WEIGH order. `slabs`, at rank 0, gets what all blocks of the board can do; NULL elsewhere.
void lc_share_weigh(const lc_order *order, lc_ranks *ranks, lc_context *context,
                    lc_slab_ability *slabs, lc_answer *answer);

// How many numbers say where slabs begin.
size_t lc_share_row_count(const lc_order *order, const lc_ranks *ranks);

// For a CREATE order, and these numbers, which are the share's now, whatever happens. `pool` NULL:
// one of the order's threads, or the context's. The context and the watch are lent. LC_ERROR_... as
// lc_cover_create; then *out is NULL.
lc_status lc_share_create(lc_share **out, const lc_order *order, int64_t *rows, lc_context *context,
                          lc_pool *pool, const lc_engine_watch *watch, lc_message *message);
void lc_share_destroy(lc_share **share); // NULL and a pointer to NULL are fine

lc_cover *lc_share_cover(const lc_share *share);

// What is answered after creating it; nothing of NULL.
void lc_share_describe(const lc_share *share, lc_answer *answer);

// For an order of the other kinds, with `cells` for READ and WRITE and `counts` for VIEW, which
// rank 0 has and the others have not: NULL. Who cannot read its cells sends others: they are waited
// for. Fails by its answer.
void lc_share_obey(lc_share *share, lc_ranks *ranks, const lc_order *order, const lc_cells *cells,
                   uint32_t *counts, lc_answer *answer);

// An errand: its bytes go from rank 0 to all others, and each does its work. `data` is NULL where
// there is no memory for them: then *passed is false everywhere, and there is no work.
lc_status lc_share_pass_on(lc_ranks *ranks, void *data, uint64_t bytes, bool *passed,
                           lc_message *message);
void lc_share_work(lc_share *share, lc_ranks *ranks, lc_errand_work *work, const lc_errand *errand,
                   lc_answer *answer);

// As lc_ranks_serve; `work` is what errands are.
lc_status lc_share_serve(lc_ranks *ranks, lc_context *context, lc_errand_work *work,
                         lc_message *message);

#endif
