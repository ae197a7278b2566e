// Edits of a selected rectangle: moved, turned, advanced by a generation, filled at random with a
// symmetry; and areas filled up to their border. Each is one step of lc_edits.
//
// Where opposite edges are joined (lc_edits_wraps), a rectangle that goes beyond one of them goes
// on at the other, if it is no larger than the universe. A rectangle has as many cells as a clip
// may have; more are LC_ERROR_LIMIT. *kept, and the errors of memory, are as in edits.h. After an
// error nothing has changed. Threads: only the universe's.
#ifndef LC_EDIT_SELECTION_EDITS_H
#define LC_EDIT_SELECTION_EDITS_H

#include "edit/clip.h"
#include "edit/edits.h"
#include "edit/symmetry.h"

// Copies a rectangle, round the edges too. As lc_clip_from_universe.
lc_status lc_clip_from_area(lc_clip **out, const lc_universe *universe, const lc_rectangle *area,
                            lc_message *message);

// Moves a rectangle, or a copy of it; its live cells come upon what is there by `mode`. *lost: how
// many of them would lie beyond an edge. LC_ERROR_ARGUMENT: coordinates beyond 64 bits.
lc_status lc_edits_move(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                        int64_t right_cells, int64_t down_cells, bool copies, lc_paste_mode mode,
                        uint64_t *lost, bool *kept, lc_message *message);

// Turns a rectangle about its middle; its live cells are added to what is there. *to: where it is
// then, so that four quarters lead back.
lc_status lc_edits_turn(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                        lc_turn turn, lc_rectangle *to, uint64_t *lost, bool *kept,
                        lc_message *message);

// Cells inside (outside) become what they are in the next generation, seeing their neighbours as
// they are; all others stay, and so does the generation. `creation`: how a universe is made for
// that. LC_ERROR_UNSUPPORTED: outside, with a rule by which space without end comes alive.
lc_status lc_edits_advance(lc_edits *edits, lc_universe *universe,
                           const lc_universe_options *creation, const lc_rectangle *area,
                           bool outside, bool *kept, lc_message *message);

// A random fill that has a symmetry about the middle of the rectangle. Errors also as
// lc_clip_make_symmetric.
lc_status lc_edits_fill_symmetric(lc_edits *edits, lc_universe *universe,
                                  const lc_universe_options *creation, const lc_rectangle *area,
                                  double density, uint64_t seed, lc_edit_symmetry_kind kind,
                                  bool *kept, lc_message *message);

#define LC_FLOOD_CELLS_MAX (INT64_C(1) << 26)

// Inverts the connected cells round (x, y) that are like it: dead ones are joined at their sides,
// live ones at corners too. `within`: and that are in there; NULL: in the whole universe. *count:
// how many. LC_ERROR_ARGUMENT: (x, y) is not in there, or the area is not closed, as far as life
// goes; LC_ERROR_LIMIT: more than LC_FLOOD_CELLS_MAX cells would have to be looked at.
lc_status lc_edits_flood(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                         const lc_rectangle *within, uint64_t *count, bool *kept,
                         lc_message *message);

// The smallest rectangle with all live cells of a rectangle; one without cells (is_empty) if there
// are none. Changes nothing.
lc_status lc_clip_find_box(const lc_universe *universe, const lc_rectangle *area, lc_box *box,
                           lc_message *message);

#endif
