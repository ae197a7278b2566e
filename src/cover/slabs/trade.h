// Halos between ranks: before a pass each rank sends the others those of its cells that their
// blocks' halos show, and gets those that its own do.
//
// Who needs what follows from the topology alone. Each rank works out its own needs when the depth
// of the pass has changed, and tells those who hold the cells; from then on all send unasked.
#ifndef LC_COVER_TRADE_H
#define LC_COVER_TRADE_H

#include "cover/block/single.h"
#include "ranks/ranks.h"

typedef struct lc_trade lc_trade;

// first_rows[r] is the first row that rank r holds, first_rows[count] the board's height; it is
// lent. This rank has so many blocks. LC_ERROR_MEMORY.
lc_status lc_trade_create(lc_trade **out, lc_ranks *ranks, const lc_topology *topology,
                          const int64_t *first_rows, int blocks, lc_message *message);
void lc_trade_destroy(lc_trade **trade); // NULL and a pointer to NULL are fine

// By all ranks: sends for what the halos of a rank's blocks show, that deep, of cells of other
// ranks. `own` reads this rank's cells. What comes is here after lc_trade_end, which follows if
// this succeeds. LC_ERROR_MEMORY, LC_ERROR_IO, or what reading returns.
lc_status lc_trade_begin(lc_trade *trade, lc_cover *own, const lc_single *blocks,
                         int64_t depth_cells, lc_message *message);
lc_status lc_trade_end(lc_trade *trade, lc_message *message);

// After it was begun: whether a block has to wait for its end.
bool lc_trade_needs(const lc_trade *trade, int block);

// Writes those cells of a rectangle that the last trade brought.
void lc_trade_read(const lc_trade *trade, const lc_cells *to);

#endif
