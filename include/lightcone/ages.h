// Ages: how long each cell has been alive or dead, as pictures.
//
//     lc_ages *ages = NULL;
//     uint8_t codes[320 * 200];
//     if (lc_ages_create(&ages, &message) == LC_OK) // then a picture after each step
//         lc_ages_picture(ages, universe, 0, 0, 0, 320, 200, codes, NULL, &message);
//     lc_ages_destroy(&ages);
//
// A universe stores one bit per cell and no history. This part looks at a universe again and again
// and derives ages from the differences:
//
//     age of a live cell    generations since the first look that found it alive, without a look
//                           that found it dead since; 0 at that first look
//     trail of a dead cell  generations since the first look that found it dead, after one that
//                           found it alive
//
// Both are exact if every generation is looked at. At the first look every live cell has age 0. A
// cell that comes into view later is given the age of the first look.
//
// A picture of ages has one byte per pixel, its code:
//
//     0            dead, and not found alive for a long time
//     1 .. 127     a trail: 127 - floor(12 * log2(1 + generations)), down to 1
//     128 .. 255   alive: 128 + floor(8 * log2(1 + generations)), at most 255
//
// A picture can also have the grey levels of lc_universe_picture. A pixel of many cells has the
// mean code of its live cells, rounded down, or the strongest trail if no cell is alive.
//
// Memory is 18 bits per cell in view. If a bounded universe has at most 2^22 cells, all of its
// cells count; otherwise some cells around earlier views count as well. For more than
// LC_AGES_CELLS_MAX cells ages are kept per pixel: a pixel is as old as its grey level, and leaves
// a trail when its last cell dies.
//
// Threads: any thread may call these functions. Ages are used by one thread at a time; the
// functions also use the universe and run on its threads.
#ifndef LIGHTCONE_AGES_H
#define LIGHTCONE_AGES_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LC_AGES_CELLS_MAX = 1 << 24, // cells with an age each: 36 MiB
    LC_AGE_CODE_ALIVE = 128,     // lowest code of a live cell
};

typedef struct lc_ages lc_ages;

// Returns the code of a cell that has been alive (or dead) for that many generations.
LC_API uint8_t lc_age_code(bool alive, double generations);

// Replaces `count` codes by indices into a palette of 256 colours that also encode the grey level.
// `tones` NULL: 255, the level of a square that is fully alive.
//
//     0                               dead, without a trail
//     1 .. 63                         a trail; 63 is the newest
//     64 + 4 * age + density          alive; age 0 .. 47 is the code's place between 128 and 255,
//                                     and density 0 .. 3 the quarter of the grey level
LC_API void lc_age_indices(uint8_t *codes, const uint8_t *tones, size_t count);

// Creates ages that have seen no universe yet. The first picture allocates their memory. The caller
// destroys them. Returns LC_OK; LC_ERROR_MEMORY, and *out is NULL.
LC_API lc_status lc_ages_create(lc_ages **out, lc_message *message);
// Frees the ages and sets *ages to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_ages_destroy(lc_ages **ages);

// Forgets everything: the next picture is a first look. Call it when the cells become those of
// another universe. A lower generation or another size of the universe has the same effect.
LC_API void lc_ages_forget(lc_ages *ages);

// Looks at the universe in the area of the last picture; before the first picture does nothing. A
// cell that differs from the last look changed in this generation, also if it was edited. Returns
// what lc_ages_picture does.
LC_API lc_status lc_ages_note(lc_ages *ages, const lc_universe *universe, lc_message *message);

// Looks at the universe and draws the view of lc_universe_far_picture: width x height codes, and as
// many grey levels in `tones` (NULL: none).
// Returns what lc_universe_far_picture does; LC_ERROR_MEMORY. On error the bytes are undefined, and
// the ages may have been forgotten.
LC_API lc_status lc_ages_picture(lc_ages *ages, const lc_universe *universe, int64_t column,
                                 int64_t row, int log2_side, int64_t width, int64_t height,
                                 uint8_t *codes, uint8_t *tones, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
