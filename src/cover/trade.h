// Halos between ranks: before a pass each rank sends the others those of its cells that their
// blocks' halos show, and gets those that its own do.
//
// Who needs what follows from the topology alone. Each rank works out its own needs when the depth
// of the pass has changed, and tells those who hold the cells; from then on all send unasked.
#ifndef LC_COVER_TRADE_H
#define LC_COVER_TRADE_H

#include "cover/single.h"
#include "ranks/ranks.h"

typedef struct lc_trade lc_trade;

// first_rows[r] is the first row that rank r holds, first_rows[count] the board's height; it is
// lent. LC_ERROR_MEMORY.
lc_status lc_trade_create(lc_trade **out, lc_ranks *ranks, const lc_topology *topology,
                          const int64_t *first_rows, lc_message *message);
void lc_trade_destroy(lc_trade **trade); // NULL and a pointer to NULL are fine

// By all ranks: what the halos of so many of a rank's blocks show, that deep, of cells of other
// ranks. `own` reads this rank's cells. LC_ERROR_MEMORY, LC_ERROR_IO, or what reading returns.
lc_status lc_trade_make(lc_trade *trade, lc_cover *own, const lc_single *blocks, int count,
                        int64_t depth_cells, lc_message *message);

// Writes those cells of a rectangle that the last trade brought.
void lc_trade_read(const lc_trade *trade, const lc_cells *to);

#endif
