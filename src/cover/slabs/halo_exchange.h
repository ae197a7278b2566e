// Halo exchange between ranks, by cells. Before each pass every rank sends the cells that its
// neighbours need for their halos and receives its own.
//
// The topology alone decides which rank needs which cells. When the depth of a pass changes, each
// rank finds the areas that it needs and sends the list to the ranks that hold them. After that,
// cells are sent without another request.
#ifndef LC_COVER_HALO_EXCHANGE_H
#define LC_COVER_HALO_EXCHANGE_H

#include "cover/block/one_block.h"
#include "ranks/rank_calls.h"

typedef struct lc_halo_exchange lc_halo_exchange;

// Creates the exchange of a rank that has `blocks` blocks of a board. first_rows[r] is the first
// row of rank r, first_rows[count] the board's height; it must outlive the exchange.
// LC_ERROR_MEMORY.
lc_status lc_halo_exchange_create(lc_halo_exchange **out, lc_ranks *ranks,
                                  const lc_cover_options *board, const int64_t *first_rows,
                                  int blocks, lc_message *message);
void lc_halo_exchange_destroy(lc_halo_exchange **exchange); // NULL and a pointer to NULL are fine

// Begins the exchange of halos `depth_cells` deep. All ranks call it. `own` reads this rank's
// cells. If it succeeds, lc_halo_exchange_end must follow, which returns when the cells have
// arrived. LC_ERROR_MEMORY, LC_ERROR_IO, or the error of reading.
lc_status lc_halo_exchange_begin(lc_halo_exchange *exchange, lc_cover *own,
                                 const lc_one_block *blocks, int64_t depth_cells,
                                 lc_message *message);
lc_status lc_halo_exchange_end(lc_halo_exchange *exchange, lc_message *message);

// Whether a block's halo has cells of other ranks, so that its pass must wait for the end.
bool lc_halo_exchange_needs(const lc_halo_exchange *exchange, int block);

// Writes those cells of a rectangle that the last exchange brought.
void lc_halo_exchange_read(const lc_halo_exchange *exchange, const lc_cells *to);

#endif
