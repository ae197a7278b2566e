// Edits of a universe, with undo: drawing, random fills, clearing, pasting, moving and turning.
//
// Example:
//
//     lc_edits *edits;
//     const lc_rectangle area = {10, 20, 30, 40};
//     if (lc_edits_create(&edits, 64 << 20, &message) == LC_OK &&
//         lc_edits_clear(edits, universe, &area, false, &message) == LC_OK)
//         lc_edits_undo(edits, universe, &message); // the cells are as before
//
// An edit changes all of its cells or none: if memory runs out, or the program cancels the edit
// (lc_edits_set_give_up), no cell has changed, and earlier edits can still be undone. Undo and redo
// also change all cells or none.
//
// The changed cells of an edit are recorded as one step. Steps belong to the cells of one
// generation. A program that steps the universe, writes cells by other functions, or edits another
// universe with the same lc_edits, calls lc_edits_forget first.
//
// In a bounded universe an edit ends at the edges and leaves out cells beyond them. On a torus
// without a shift (lc_edits_wraps), an edit that extends beyond an edge continues at the opposite
// edge, unless its rectangle is larger than the universe.
//
// The functions that edit return
// - LC_OK;
// - LC_ERROR_ARGUMENT (a side below 1, coordinates beyond 64 bits, and the causes named at the
//   function);
// - LC_ERROR_LIMIT or LC_ERROR_MEMORY (an unbounded universe needs more memory than it may have,
//   or the edit cannot be recorded, so that it could not be taken back if it failed; functions that
//   use a clip: more cells than a clip may have);
// - LC_ERROR_STOPPED (cancelled);
// - or the error of lc_universe_failure.
//
// Pointers must not be NULL unless a comment allows it. Messages may be NULL.
// Threads: the thread that uses the universe, one at a time.
#ifndef LIGHTCONE_EDITS_H
#define LIGHTCONE_EDITS_H

#include "lightcone/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_FLOOD_CELLS_MAX (INT64_C(1) << 26)  // in the area of a flood fill
#define LC_ELLIPSE_ROWS_MAX (INT64_C(1) << 18) // in an ellipse
enum { LC_EDIT_IMAGES_MAX = 8 };               // of a rectangle under a symmetry

typedef struct lc_edits lc_edits;

typedef enum lc_paint {
    LC_PAINT_DEAD,
    LC_PAINT_ALIVE,
    LC_PAINT_INVERT,
} lc_paint;

typedef enum lc_paste_mode {
    LC_PASTE_OR,   // adds the clip's live cells
    LC_PASTE_COPY, // writes live and dead cells
    LC_PASTE_XOR,  // inverts cells under the clip's live cells
} lc_paste_mode;

typedef enum lc_edit_shape { LC_EDIT_SHAPE_RECTANGLE, LC_EDIT_SHAPE_ELLIPSE } lc_edit_shape;

// A symmetry about a centre, in half cells: (1, 1) is the middle of cell (0, 0), and (2, 2) is the
// corner between the cells (0, 0) and (1, 1).
typedef struct lc_edit_symmetry {
    lc_edit_symmetry_kind kind;
    int64_t x_halves, y_halves;
} lc_edit_symmetry;

// Creates an empty list of steps. All steps together take at most limit_bytes bytes; new steps
// replace the oldest ones. The caller destroys *out.
// Returns LC_OK or LC_ERROR_MEMORY; then *out is NULL.
LC_API lc_status lc_edits_create(lc_edits **out, size_t limit_bytes, lc_message *message);

// Frees the steps and sets *edits to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_edits_destroy(lc_edits **edits);

// Sets a callback that is asked during edits, about every millisecond; if it returns true, the edit
// is cancelled. NULL: none. In a bounded universe, an edit of more cells than can be recorded is
// not cancelled.
LC_API void lc_edits_set_give_up(lc_edits *edits, bool (*gives_up)(void *context), void *context);

// Removes all steps.
LC_API void lc_edits_forget(lc_edits *edits);

// Joins all edits until lc_edits_end into one step.
LC_API void lc_edits_begin(lc_edits *edits, lc_universe *universe);
// Ends the joint step. `status` is the status of its last edit. If it is an error, all edits since
// lc_edits_begin are undone. Edits that changed no cell make no step. Returns `status`.
LC_API lc_status lc_edits_end(lc_edits *edits, lc_status status);

// Returns a number that grows with each edit, undo and redo that has changed cells.
LC_API uint64_t lc_edits_changes(const lc_edits *edits);

// Returns whether the last edit is kept, so that it can be undone. An edit that takes more than
// limit_bytes is made and not kept, and the earlier steps are removed. True after an edit that
// changed no cell.
LC_API bool lc_edits_kept(const lc_edits *edits);

// Returns how many live cells of the last paste, move or turn were left out, because they lay
// beyond an edge.
LC_API uint64_t lc_edits_lost(const lc_edits *edits);

// Returns whether edits continue at opposite edges: the universe is a torus or a tube without a
// shift.
LC_API bool lc_edits_wraps(const lc_universe *universe);

// Drawing --------------------------------------------------------------------------------------

// Paints rectangles in turn; they may overlap. Consecutive calls with the same `stroke` are one
// step; 0: each call is a step. `wraps` false: the rectangles end at the edges of a torus, too. A
// rectangle larger than a torus goes round it once.
LC_API lc_status lc_edits_paint(lc_edits *edits, lc_universe *universe, lc_paint paint,
                                uint64_t stroke, const lc_rectangle *areas, size_t count,
                                bool wraps, lc_message *message);

// Finds what a pencil draws that begins a stroke at (x, y): *alive is the opposite of that cell.
// Later calls with the same stroke, which is not 0, give the same answer. Changes no cell.
LC_API lc_status lc_edits_pencil(lc_edits *edits, const lc_universe *universe, uint64_t stroke,
                                 int64_t x, int64_t y, bool *alive, lc_message *message);

// Computes the rectangles of a shape that fills `box` from edge to edge. `thickness_cells` is that
// of the outline; 0: the shape is filled. A cell belongs to an ellipse if the cell's middle lies in
// it. The caller frees *areas with free(). Any thread.
// Returns LC_OK; LC_ERROR_ARGUMENT (a side below 1, coordinates beyond LC_UNIVERSE_REACH, a
// negative thickness, or no such shape); LC_ERROR_LIMIT (an ellipse of more than
// LC_ELLIPSE_ROWS_MAX rows); LC_ERROR_MEMORY. On error *areas is NULL.
LC_API lc_status lc_edit_shape_rectangles(lc_edit_shape shape, const lc_rectangle *box,
                                          int64_t thickness_cells, lc_rectangle **areas,
                                          size_t *count, lc_message *message);

// Computes a rectangle and its images under a symmetry; images may coincide. Any thread.
// Returns their number, 1 to LC_EDIT_IMAGES_MAX; 0 if an image has coordinates beyond 64 bits, if
// the symmetry is unknown, or if the symmetry needs a centre whose halves are both odd or both even
// (lc_edit_symmetry_is_square).
LC_API size_t lc_edit_images(const lc_edit_symmetry *symmetry, const lc_rectangle *from,
                             lc_rectangle images[LC_EDIT_IMAGES_MAX]);
// Returns whether the symmetry exchanges x and y. Such a symmetry needs a square clip, and as its
// centre the middle or a corner of a cell.
LC_API bool lc_edit_symmetry_is_square(lc_edit_symmetry_kind kind);

// Inverts the connected cells that are like the cell at (x, y). Dead cells are connected at their
// sides, live cells also at corners. `within`: only in this rectangle; NULL: in the whole universe.
// *count is the number of cells.
// Returns also LC_ERROR_ARGUMENT ((x, y) is outside, or the area of dead cells is not closed); and
// LC_ERROR_LIMIT (more than LC_FLOOD_CELLS_MAX cells would be examined).
LC_API lc_status lc_edits_flood(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                                const lc_rectangle *within, uint64_t *count, lc_message *message);

// Rectangles -----------------------------------------------------------------------------------

// Some of these functions create a small universe for a moment. `scratch` has its options; its
// rule, topology, engine and disk are ignored.

// Fills a rectangle with a soup, like lc_universe_soup. With a symmetry, or where the rectangle
// continues at the opposite edge of a torus, the soup is that of a rectangle at (0, 0).
// Returns also LC_ERROR_ARGUMENT (the density is not between 0 and 1; or as
// lc_clip_make_symmetric).
LC_API lc_status lc_edits_fill(lc_edits *edits, lc_universe *universe,
                               const lc_universe_options *scratch, const lc_rectangle *area,
                               double density, uint64_t seed, lc_edit_symmetry_kind symmetry,
                               lc_message *message);

// Kills the cells in a rectangle; with `outside`, the cells outside it. If the background is alive,
// the cells outside are killed within the bounding box only.
LC_API lc_status lc_edits_clear(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                                bool outside, lc_message *message);

// Pastes a clip with its top left cell at (x, y).
LC_API lc_status lc_edits_paste(lc_edits *edits, lc_universe *universe, const lc_clip *clip,
                                int64_t x, int64_t y, lc_paste_mode mode, lc_message *message);

// Moves a rectangle of cells, or a copy of it, and pastes it by `mode`.
LC_API lc_status lc_edits_move(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                               int64_t right_cells, int64_t down_cells, bool copies,
                               lc_paste_mode mode, lc_message *message);

// Turns a rectangle of cells about its middle and adds its live cells to the others. *to is the
// rectangle after the turn; four quarter turns lead back to `area`.
LC_API lc_status lc_edits_turn(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                               lc_turn turn, lc_rectangle *to, lc_message *message);

// Advances the cells in a rectangle, or with `outside` all others, by one generation. The
// neighbours beyond the rectangle count as they are. The generation of the universe stays.
// Returns also LC_ERROR_UNSUPPORTED (outside, if empty space comes alive by the rule or the live
// cells have no end).
LC_API lc_status lc_edits_advance(lc_edits *edits, lc_universe *universe,
                                  const lc_universe_options *scratch, const lc_rectangle *area,
                                  bool outside, lc_message *message);

// Undo -----------------------------------------------------------------------------------------

LC_API bool lc_edits_can_undo(const lc_edits *edits);
LC_API bool lc_edits_can_redo(const lc_edits *edits);

// Undo the last step, or redo the last step undone. Return also LC_ERROR_ARGUMENT (nothing to undo
// or redo).
LC_API lc_status lc_edits_undo(lc_edits *edits, lc_universe *universe, lc_message *message);
LC_API lc_status lc_edits_redo(lc_edits *edits, lc_universe *universe, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
