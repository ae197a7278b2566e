// Edits of a universe that can be undone: cells drawn, random fills, clearing, pasting.
//
// An edit is done whole or not at all, and so is undoing and redoing one: if memory runs out, or it
// is given up (lc_edits_set_give_up), no cell has changed, and what could be undone before can be
// undone. Which cells it has changed is kept as one step. Steps are only valid between two
// generations: code that steps the universe, or switches to another one, calls lc_edits_forget.
//
// In a bounded universe an edit ends at the edges: what lies beyond is left out, which is not an
// error. Only a clip, and areas that are told to, go on at the opposite edge of a torus.
//
// Each function that edits says in *kept whether the edit can be undone. If it is too large for
// that it is done all the same, the steps before it are forgotten, and *kept is false; an edit that
// changed no cell is not a step, and *kept is true. They return LC_OK; LC_ERROR_ARGUMENT (as
// described with each); LC_ERROR_LIMIT or LC_ERROR_MEMORY (an unbounded universe would need more
// memory than it may have, or there is none; or an edit of it could not be taken back in the
// middle, as more cells than that would change); LC_ERROR_STOPPED (it was given up); or the failure
// that has ended the universe. Threads: only the universe's.
#ifndef LC_EDIT_EDITS_H
#define LC_EDIT_EDITS_H

#include "edit/clip.h"
#include "lightcone/universe.h"

#define LC_EDIT_RUN_MAX (INT64_C(1) << 24) // cells

typedef struct lc_edits lc_edits;

typedef struct lc_edit_run { // cells x .. x+length-1 of row y
    int64_t x, y, length;
} lc_edit_run;

typedef enum lc_paint {
    LC_PAINT_DEAD,
    LC_PAINT_ALIVE,
    LC_PAINT_INVERT,
} lc_paint;

typedef enum lc_paste_mode {
    LC_PASTE_OR,   // the clip's live cells are added
    LC_PASTE_COPY, // its dead cells are written too
    LC_PASTE_XOR,  // its live cells invert what is there
} lc_paste_mode;

// "or", "copy", "xor"; false, and nothing written, for any other name.
bool lc_paste_mode_named(const char *name, lc_paste_mode *mode);

// All steps together take at most limit_bytes; the oldest make room for new ones. LC_ERROR_MEMORY:
// *out is NULL.
lc_status lc_edits_create(lc_edits **out, size_t limit_bytes);
// Frees it and clears *edits. NULL and a pointer to NULL are fine.
void lc_edits_destroy(lc_edits **edits);

// What is asked now and then in the midst of an edit: whether to give it up. NULL: nobody. In a
// bounded universe an edit that changes more cells than there is memory to note goes on to its end.
void lc_edits_set_give_up(lc_edits *edits, bool (*gives_up)(void *context), void *context);

// After this, nothing done before can be undone or redone.
void lc_edits_forget(lc_edits *edits);

// What is edited from lc_edits_begin to lc_edits_end is one step, as if it were one edit. `status`
// is that of the last of these edits: if it is an error all of them are taken back. *kept: whether
// the step can be undone, also if the edits themselves said nothing of it. If in the end all cells
// are as they were before, it is not a step.
void lc_edits_begin(lc_edits *edits, lc_universe *universe);
lc_status lc_edits_end(lc_edits *edits, lc_status status, bool *kept);

// Grows with each edit, and each undoing and redoing, that has changed cells.
uint64_t lc_edits_changes(const lc_edits *edits);

// Paints `count` rectangles, which may overlap, in their order. Strokes as with lc_edits_cells.
// `wraps`: where opposite edges are joined, what goes beyond one of them comes in at the other.
// LC_ERROR_ARGUMENT: a side below 1, or coordinates beyond 64 bits.
lc_status lc_edits_paint(lc_edits *edits, lc_universe *universe, lc_paint paint, uint64_t stroke,
                         const lc_rectangle *areas, size_t count, bool wraps, bool *kept,
                         lc_message *message);

// What a stroke draws with that begins at a cell, as a pencil does it: it inverts that cell, and
// goes on with what it has made of it. The same stroke, which is not 0, has the same answer.
// Returns LC_OK or the universe's failure.
lc_status lc_edits_pencil(lc_edits *edits, const lc_universe *universe, uint64_t stroke, int64_t x,
                          int64_t y, bool *alive, lc_message *message);

// Whether what leaves a universe by an edge comes in at the opposite one as it is: a torus without
// a shift.
bool lc_edits_wraps(const lc_universe *universe);

// Makes the cells of `count` runs alive, or dead. Consecutive calls with the same stroke, which is
// not 0, are one step. LC_ERROR_ARGUMENT: a run of less than 1 or more than LC_EDIT_RUN_MAX cells,
// or with coordinates beyond 64 bits.
lc_status lc_edits_cells(lc_edits *edits, lc_universe *universe, bool alive, uint64_t stroke,
                         const lc_edit_run *runs, size_t count, bool *kept, lc_message *message);

// A random fill, like lc_universe_soup. LC_ERROR_ARGUMENT: a side below 1, coordinates beyond 64
// bits, or a density that is not between 0 and 1.
lc_status lc_edits_fill(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                        int64_t width_cells, int64_t height_cells, double density, uint64_t seed,
                        bool *kept, lc_message *message);

// Kills the cells of a rectangle, or all those outside it; with a live background, the latter only
// as far as the bounding box reaches. LC_ERROR_ARGUMENT: a side below 1, or coordinates beyond 64
// bits.
lc_status lc_edits_clear(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                         int64_t width_cells, int64_t height_cells, bool outside, bool *kept,
                         lc_message *message);

// Pastes a clip with its top left cell at (x, y). On a torus (one without a shift) it is wrapped
// round each direction in which it is no larger than the torus. LC_ERROR_ARGUMENT: coordinates
// beyond 64 bits.
lc_status lc_edits_paste(lc_edits *edits, lc_universe *universe, const lc_clip *clip, int64_t x,
                         int64_t y, lc_paste_mode mode, bool *kept, lc_message *message);
// How many live cells of the clip would lie beyond an edge, and so are left out.
uint64_t lc_edits_paste_loses(const lc_universe *universe, const lc_clip *clip, int64_t x,
                              int64_t y);

bool lc_edits_can_undo(const lc_edits *edits);
bool lc_edits_can_redo(const lc_edits *edits);

// LC_ERROR_ARGUMENT: there is nothing to undo (redo). LC_ERROR_LIMIT, LC_ERROR_MEMORY: an unbounded
// universe has no room for what was there. LC_ERROR_STOPPED: it was given up.
lc_status lc_edits_undo(lc_edits *edits, lc_universe *universe, lc_message *message);
lc_status lc_edits_redo(lc_edits *edits, lc_universe *universe, lc_message *message);

#endif
