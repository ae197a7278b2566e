// What stands anywhere on the plane that a board unfolds into.
#ifndef LC_COVER_UNFOLD_H
#define LC_COVER_UNFOLD_H

#include "cover/cover.h"

// Reads a rectangle of that plane, of any size and place: copies of the board as its topology moves
// and turns them, and dead cells beyond the edges of a plane. Bits behind the width are not
// touched. The board is bounded. Returns what reading it does.
lc_status lc_unfolded_read(lc_cover *board, const lc_cells *to, lc_message *message);

#endif
