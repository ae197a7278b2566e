// Reads cells of the plane that a bounded board unfolds into, and builds halos from them.
#ifndef LC_COVER_HALO_UNFOLD_H
#define LC_COVER_HALO_UNFOLD_H

#include "cover/block/one_block.h"

// Reads a rectangle of the unfolded plane, of any size and place: copies of the board, moved,
// mirrored and turned by its topology, and dead cells beyond walls. Bits behind the width stay.
// Errors as lc_cover_vtable.read.
lc_status lc_unfolded_read(lc_cover *board, const lc_cells *to, lc_message *message);

// Finds the rectangles beyond a block's open edges, `depth_cells` deep, in coordinates of the
// board. Returns their number.
enum { LC_HALO_AREAS = 4 };
int lc_halo_areas(const lc_block *block, int64_t depth_cells, lc_area areas[LC_HALO_AREAS]);

// Reads a rectangle of the unfolded plane piece by piece and passes the pieces to `call`, until a
// call fails. `strip` is a buffer of LC_STRIP_WORDS. Errors as lc_cover_vtable.read, or that of
// `call`.
enum { LC_STRIP_WORDS = 128 * LC_SPAN_WORDS };
typedef lc_status (*lc_unfolded_call)(void *context, lc_cells piece, lc_message *message);
lc_status lc_unfolded_pieces(lc_cover *board, lc_area area, uint64_t *strip, lc_unfolded_call call,
                             void *context, lc_message *message);

// Fills a block's halo beyond open edges, as an lc_filler. `strip` is a buffer of LC_STRIP_WORDS.
// Errors as lc_cover_vtable.read.
lc_status lc_unfolded_give(lc_cover *board, const lc_block *block, int64_t depth_cells,
                           uint64_t *strip, lc_message *message);

#endif
