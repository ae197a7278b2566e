// Clips: rectangles of cells copied out of a universe or read from pattern text.
//
// Example:
//
//     lc_clip *clip;
//     const lc_rectangle area = {-10, -10, 40, 30};
//     if (lc_clip_from_universe(&clip, universe, &area, &message) == LC_OK &&
//         lc_clip_turn(clip, LC_TURN_RIGHT, &message) == LC_OK)
//         printf("%lld cells wide\n", (long long)lc_clip_cells(clip)->width_cells); // 30
//
// A program can turn a clip, mirror it, write it as text, and paste it with lc_edits_paste
// (edits.h).
//
// Memory: a clip takes one bit per cell from malloc. The memory limit of a universe does not count
// clips.
// Pointers must not be NULL unless a comment allows it. Messages may be NULL.
// Threads: different clips are independent. Only one thread at a time may use a clip, and the
// universe that it is copied from.
#ifndef LIGHTCONE_CLIP_H
#define LIGHTCONE_CLIP_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LC_CLIP_SIDE_MAX (INT64_C(1) << 24)  // cells
#define LC_CLIP_CELLS_MAX (INT64_C(1) << 30) // cells in a clip

typedef struct lc_clip lc_clip;

// A rectangle of cells, also one that extends beyond the edges of a universe.
typedef struct lc_rectangle {
    int64_t x, y, width_cells, height_cells;
} lc_rectangle;

typedef enum lc_turn {
    LC_TURN_RIGHT,  // a quarter turn, clockwise
    LC_TURN_LEFT,   // a quarter turn, anticlockwise
    LC_TURN_FLIP_X, // left to right
    LC_TURN_FLIP_Y, // top to bottom
} lc_turn;

// Symmetries of clips and drawings.
typedef enum lc_edit_symmetry_kind {
    LC_EDIT_SYMMETRY_NONE,
    LC_EDIT_SYMMETRY_X,        // mirrored left to right
    LC_EDIT_SYMMETRY_Y,        // mirrored top to bottom
    LC_EDIT_SYMMETRY_BOTH,     // both mirrors
    LC_EDIT_SYMMETRY_DIAGONAL, // mirrored at the line from the top left to the bottom right
    LC_EDIT_SYMMETRY_TURN_2,   // half turns
    LC_EDIT_SYMMETRY_TURN_4,   // quarter turns
    LC_EDIT_SYMMETRY_ALL,      // all symmetries of a square
} lc_edit_symmetry_kind;

// Creates a clip of dead cells. The sides are at least 1 and at most LC_CLIP_SIDE_MAX. The caller
// destroys *out.
// Returns LC_OK; LC_ERROR_ARGUMENT (a side below 1); LC_ERROR_LIMIT (more cells than a clip may
// have); LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_clip_create(lc_clip **out, int64_t width_cells, int64_t height_cells,
                                lc_message *message);

// Copies a clip. The caller destroys *out. Returns LC_OK or LC_ERROR_MEMORY; then *out is NULL.
LC_API lc_status lc_clip_copy(lc_clip **out, const lc_clip *clip, lc_message *message);

// Copies a rectangle of a universe. Where opposite edges are joined (lc_edits_wraps), a rectangle
// that extends beyond an edge continues at the opposite edge, unless the rectangle is larger than
// the universe. Cells beyond all other edges are dead. The caller destroys *out.
// Returns LC_OK; LC_ERROR_ARGUMENT (a side below 1, or coordinates beyond 64 bits); LC_ERROR_LIMIT
// (more cells than a clip may have); LC_ERROR_MEMORY; or the error of lc_universe_failure. On error
// *out is NULL.
LC_API lc_status lc_clip_from_universe(lc_clip **out, const lc_universe *universe,
                                       const lc_rectangle *area, lc_message *message);

// Reads a pattern from memory, in any format that lc_pattern_open reads, also compressed with gzip.
// The clip contains the stated size of the pattern and all its live cells. `cells_max` is the
// largest number of cells of the clip; 0: LC_CLIP_CELLS_MAX. The function computes the size of the
// clip before it allocates memory. The caller destroys *out.
// Returns LC_OK; LC_ERROR_LIMIT (more than cells_max cells, or more than a clip may have);
// LC_ERROR_FORMAT (a damaged file, or a pattern with no live cell and no stated size);
// LC_ERROR_MEMORY; or an error of lc_pattern_open or lc_pattern_read. On error *out is NULL.
LC_API lc_status lc_clip_from_text(lc_clip **out, const void *data, size_t size_bytes,
                                   int64_t cells_max, lc_message *message);

// Writes the clip as RLE with the given rule, in at most limit_bytes bytes. *text has *size_bytes
// bytes and a zero byte after them. The caller frees *text with free().
// Returns LC_OK; LC_ERROR_LIMIT (more than limit_bytes bytes); LC_ERROR_UNSUPPORTED (RLE cannot
// store the rule); LC_ERROR_MEMORY. On error *text is NULL.
LC_API lc_status lc_clip_to_rle(const lc_clip *clip, const lc_rule *rule, size_t limit_bytes,
                                char **text, size_t *size_bytes, lc_message *message);

// Frees the clip and sets *clip to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_clip_destroy(lc_clip **clip);

// Returns the cells of a clip, with the top left cell at (0, 0) and one plane. The caller may write
// the words, but must leave the unused bits of each row 0. The cells are valid until the clip is
// turned or destroyed.
LC_API const lc_cells *lc_clip_cells(const lc_clip *clip);

// Counts the live cells.
LC_API uint64_t lc_clip_population(const lc_clip *clip);

// Returns the bounding box of the live cells; the clip's top left cell is (0, 0).
LC_API lc_box lc_clip_box(const lc_clip *clip);

// Finds the bounding box of the live cells in a rectangle of a universe. Reads at most as many
// cells as a clip may have, and only those within the bounding box of the universe. Returns the
// same statuses as lc_clip_from_universe.
LC_API lc_status lc_clip_find_box(const lc_universe *universe, const lc_rectangle *area,
                                  lc_box *box, lc_message *message);

// Turns or mirrors a clip. A quarter turn allocates memory for a second clip.
// Returns LC_OK; LC_ERROR_ARGUMENT (no value of lc_turn); LC_ERROR_MEMORY. On error the clip is
// unchanged.
LC_API lc_status lc_clip_turn(lc_clip *clip, lc_turn turn, lc_message *message);

// Makes a clip symmetric about its middle. The top left part of the clip stays, and the other cells
// become its images.
// Returns LC_OK; LC_ERROR_ARGUMENT (no such symmetry; or a diagonal, quarter turns or all, and the
// clip is not a square); LC_ERROR_MEMORY (the cells of the clip are then undefined).
LC_API lc_status lc_clip_make_symmetric(lc_clip *clip, lc_edit_symmetry_kind kind,
                                        lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
