// Symmetries of what is drawn: each area has its images, each clip can be given a symmetry.
//
// Centres are in half cells: (1, 1) is the middle of cell (0, 0), (2, 2) the corner between it and
// cell (1, 1). Threads: any.
#ifndef LC_EDIT_SYMMETRY_H
#define LC_EDIT_SYMMETRY_H

#include "edit/clip.h"
#include "edit/edits.h"

typedef enum lc_edit_symmetry_kind {
    LC_EDIT_SYMMETRY_NONE,
    LC_EDIT_SYMMETRY_X,        // left and right
    LC_EDIT_SYMMETRY_Y,        // top and bottom
    LC_EDIT_SYMMETRY_BOTH,     // both of them
    LC_EDIT_SYMMETRY_DIAGONAL, // about the line from the upper left to the lower right
    LC_EDIT_SYMMETRY_TURN_2,   // half a turn
    LC_EDIT_SYMMETRY_TURN_4,   // quarters of a turn
    LC_EDIT_SYMMETRY_ALL,      // all that a square has
} lc_edit_symmetry_kind;

enum { LC_EDIT_IMAGES_MAX = 8 };

typedef struct lc_edit_symmetry {
    lc_edit_symmetry_kind kind;
    int64_t x_halves, y_halves; // the centre
} lc_edit_symmetry;

// "none", "x", "y", "both", "diagonal", "turn-2", "turn-4", "all"; false, and nothing written, for
// any other name.
bool lc_edit_symmetry_named(const char *name, lc_edit_symmetry_kind *kind);
// Whether a square is turned into itself only about its middle or a corner of cells, so that both
// halves of the centre have to be odd or both even.
bool lc_edit_symmetry_is_square(lc_edit_symmetry_kind kind);

// An area and its images, itself first; images may coincide. Returns how many there are, 1 to
// LC_EDIT_IMAGES_MAX; 0: one has coordinates beyond 64 bits, or the centre is not one for that
// symmetry.
size_t lc_edit_images(const lc_edit_symmetry *symmetric, const lc_rectangle *from,
                      lc_rectangle images[LC_EDIT_IMAGES_MAX]);

// Gives a clip a symmetry about its middle, by what a part of it has. Returns LC_OK;
// LC_ERROR_ARGUMENT (the symmetry is one of squares, and the clip is none); LC_ERROR_MEMORY: the
// clip means nothing then.
lc_status lc_clip_make_symmetric(lc_clip *clip, lc_edit_symmetry_kind kind, lc_message *message);

#endif
