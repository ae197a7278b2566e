// What stands anywhere on the plane that a board unfolds into, and halos made of it.
#ifndef LC_COVER_HALO_UNFOLD_H
#define LC_COVER_HALO_UNFOLD_H

#include "cover/block/one_block.h"

// Reads a rectangle of that plane, of any size and place: copies of the board as its topology moves
// and turns them, and dead cells beyond the edges of a plane. Bits behind the width are not
// touched. The board is bounded. Returns what reading it does.
lc_status lc_unfolded_read(lc_cover *board, const lc_cells *to, lc_message *message);

// The rectangles beyond a block's open edges, that far; coordinates are the board's. Returns how
// many there are.
enum { LC_HALO_AREAS = 4 };
int lc_halo_areas(const lc_block *block, int64_t depth_cells, lc_area areas[LC_HALO_AREAS]);

// Gives a block of the board what a filler fills (engine/engine_interface.h). `strip` is memory for
// a piece of it on its way. Returns what reading does.
enum { LC_STRIP_WORDS = 128 * LC_SPAN_WORDS };
lc_status lc_unfolded_give(lc_cover *board, const lc_block *block, int64_t depth_cells,
                           uint64_t *strip, lc_message *message);

#endif
