// Copies cells from one block to another, by spans that have live cells.
#ifndef LC_COVER_BLOCK_COPY_H
#define LC_COVER_BLOCK_COPY_H

#include "cover/block/one_block.h"

// Copies the cells of `area`, in universe coordinates, to a block in which they are dead. Its left
// edge is a multiple of 64, unless both engines are unbounded. `watch` may end it; NULL: none.
// Returns LC_OK, LC_ERROR_STOPPED, or the error of reading or writing. On error the new block has
// some of the cells.
lc_status lc_block_copy(const lc_block *from, const lc_block *to, lc_area area,
                        const lc_engine_watch *watch, lc_message *message);

#endif
