// Symmetries of what is drawn: each area has its images, each clip can be given a symmetry.
//
// Centres are in half cells: (1, 1) is the middle of cell (0, 0), (2, 2) the corner between it and
// cell (1, 1). Threads: any.
#ifndef LC_EDIT_SYMMETRY_H
#define LC_EDIT_SYMMETRY_H

#include "edit/clip.h"
#include "edit/edits.h"

typedef enum lc_mirrors {
    LC_MIRRORS_NONE,
    LC_MIRRORS_X,        // left and right
    LC_MIRRORS_Y,        // top and bottom
    LC_MIRRORS_BOTH,     // both of them
    LC_MIRRORS_DIAGONAL, // about the line from the upper left to the lower right
    LC_MIRRORS_TURN_2,   // half a turn
    LC_MIRRORS_TURN_4,   // quarters of a turn
    LC_MIRRORS_ALL,      // all that a square has
} lc_mirrors;

enum { LC_IMAGES_MAX = 8 };

typedef struct lc_symmetric {
    lc_mirrors mirrors;
    int64_t x_halves, y_halves; // the centre
} lc_symmetric;

// "none", "x", "y", "both", "diagonal", "turn-2", "turn-4", "all"; false, and nothing written, for
// any other name.
bool lc_mirrors_named(const char *name, lc_mirrors *mirrors);
// Whether a square is turned into itself only about its middle or a corner of cells, so that both
// halves of the centre have to be odd or both even.
bool lc_mirrors_are_square(lc_mirrors mirrors);

// An area and its images, itself first; images may coincide. Returns how many there are, 1 to
// LC_IMAGES_MAX; 0: one has coordinates beyond 64 bits, or the centre is not one for that symmetry.
size_t lc_symmetric_images(const lc_symmetric *symmetric, const lc_edit_area *from,
                           lc_edit_area images[LC_IMAGES_MAX]);

// Gives a clip a symmetry about its middle, by what a part of it has. Returns LC_OK;
// LC_ERROR_ARGUMENT (the symmetry is one of squares, and the clip is none); LC_ERROR_MEMORY: the
// clip means nothing then.
lc_status lc_symmetric_clip(lc_clip *clip, lc_mirrors mirrors, lc_message *message);

#endif
