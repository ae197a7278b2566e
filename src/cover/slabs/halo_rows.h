// Halo exchange between ranks, by rows as they lie in the engine's memory. It is used if the ranks'
// GPUs cannot reach each other's memory.
#ifndef LC_COVER_HALO_ROWS_H
#define LC_COVER_HALO_ROWS_H

#include "cover/slabs/board_slabs.h"

typedef struct lc_halo_rows lc_halo_rows;

// Creates the exchange of a rank that has the slabs `slabs`. first_row[i] is the first row of the
// i-th slab of the board, the last entry the board's height. The array and the engines must outlive
// it. LC_ERROR_MEMORY.
lc_status lc_halo_rows_create(lc_halo_rows **out, lc_ranks *ranks, lc_engine *const *slabs,
                              int count, const int64_t *first_rows, bool is_ring,
                              lc_message *message);
void lc_halo_rows_destroy(lc_halo_rows **rows); // NULL and a pointer to NULL are fine

// Fills the halos of all slabs, as lc_slab_ops.exchange_halos does. All ranks call it. A rank that
// cannot read its rows still sends, because the others wait for it.
lc_status lc_halo_rows_exchange(lc_halo_rows *halo_rows, bool alike, int64_t depth_cells,
                                lc_message *message);

#endif
