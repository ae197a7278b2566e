// Ages: how long cells have been alive, where life was, and what has changed.
//
// A universe keeps one bit a cell, and a pass makes up to LC_PASS_GENERATIONS_MAX generations of
// which only the last is ever seen. So ages are what somebody finds out who looks again and again:
//
//     age of a live cell    generations since it was first seen alive, without having been seen
//                           dead since; 0 when it has just been found alive
//     trail of a dead cell  generations since it was first seen dead, after having been seen alive
//
// Both are exact if every generation is looked at. What is alive at the first look has age 0 then;
// cells that come into view later count as if they had been as they are since the first look.
//
// A picture of ages has a byte for each pixel, its code:
//
//     0            dead, and not seen alive for a long time
//     1 .. 127     a trail: 127 - floor(12 * log2(1 + generations)), as far as that is 1 or more
//     128 .. 255   alive: 128 + floor(8 * log2(1 + generations)), at most 255
//
// so that both say how long ago the cell has changed. Beside the codes a picture has the tones of
// lc_universe_picture. Pixels of many cells have the mean of their live cells' codes, rounded down,
// or if none is alive the strongest trail.
//
// It takes 18 bits a cell of what is looked at; of a bounded universe of at most 2^22 cells, of all
// of it, and else also of some cells beside, where the view was before. If that would be more than
// LC_AGES_CELLS_MAX cells, pixels are taken for cells: one is as old as its tone has stayed the
// same, and has a trail when nothing in it is alive.
//
// Threads: one at a time for given ages, and for the universe; the work is done by its threads.
#ifndef LIGHTCONE_AGES_H
#define LIGHTCONE_AGES_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LC_AGES_CELLS_MAX = 1 << 24, // whose ages are known one by one: 36 MiB
    LC_AGE_CODE_ALIVE = 128,     // the least code of a live cell
};

typedef struct lc_ages lc_ages;

// The code of a cell that has been alive (or dead) for so many generations.
LC_API uint8_t lc_age_code(bool alive, double generations);

// Makes of `count` codes, in place, bytes that have the tone in them too (NULL: 255, as all of a
// square alive has it), for what shows pictures in 256 colours. They are indices into a palette:
//
//     0                               dead, without a trail
//     1 .. 63                         a trail; 63 is the newest
//     64 + 4 * age + density          alive; age 0 .. 47 is the code's place between 128 and 255,
//                                     and density 0 .. 3 the quarter of the tone
LC_API void lc_age_indices(uint8_t *codes, const uint8_t *tones, size_t count);

// Ages of no universe yet; memory is taken by the first picture. LC_ERROR_MEMORY: *out is NULL.
LC_API lc_status lc_ages_create(lc_ages **out, lc_message *message);
// Frees it and clears *ages. NULL and a pointer to NULL are fine.
LC_API void lc_ages_destroy(lc_ages **ages);

// All is forgotten: the next picture is a first look. For when the cells are those of another
// universe. A generation that goes back, or a universe of another size, does the same by itself.
LC_API void lc_ages_forget(lc_ages *ages);

// Looks at the universe as it is now, where the last picture was; nothing before the first one. The
// cells that are others than before are as old as this generation, also where they were edited.
// Returns what lc_ages_picture does.
LC_API lc_status lc_ages_note(lc_ages *ages, const lc_universe *universe, lc_message *message);

// The same, and then a picture of the view that lc_universe_far_picture shows: width x height codes
// and as many tones (NULL: none). Returns what lc_universe_far_picture does, or LC_ERROR_MEMORY; on
// an error the bytes mean nothing, and what was known may be forgotten.
LC_API lc_status lc_ages_picture(lc_ages *ages, const lc_universe *universe, int64_t column,
                                 int64_t row, int log2_side, int64_t width, int64_t height,
                                 uint8_t *codes, uint8_t *tones, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
