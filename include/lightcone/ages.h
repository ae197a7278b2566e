// Ages: pictures that show how long each cell has been alive or dead.
//
// Example:
//
//     lc_ages *ages = NULL;
//     uint8_t codes[320 * 200];
//     if (lc_ages_create(&ages, &message) == LC_OK) // then a picture after each step
//         lc_ages_picture(ages, universe, 0, 0, 0, 320, 200, codes, NULL, &message);
//     lc_ages_destroy(&ages); // frees the ages.
//
// A universe stores one bit per cell and no history. Each call of lc_ages_picture or lc_ages_note
// samples the cells. The library derives ages from the differences between samples. The age of a
// live cell is the number of generations since the sample in which the cell first appeared alive.
// If the cell dies and is born again, its age starts at 0 again. A cell that dies leaves a trail.
// The age of a trail is the number of generations since the sample that first showed the trail's
// cell dead.
//
// The ages of cells and trails are exact if every generation is sampled. At the first sample every
// live cell has age 0. A cell that comes into view later counts as unchanged since the first
// sample.
//
// A picture of ages has one byte per pixel, the code of the pixel:
//
//     0:            dead, and alive in no recent sample;
//     1 .. 127:     a trail, 127 - floor(12 * log2(1 + generations)), at least 1;
//     128 .. 255:   alive, 128 + floor(8 * log2(1 + generations)), at most 255.
//
// The function lc_ages_picture can also return the grey levels of lc_universe_picture. A pixel that
// covers several cells has the mean code of its live cells, rounded down. A pixel without live
// cells has the highest code of its cells.
//
// Ages take 18 bits of memory per cell in view. In a bounded universe of at most 2^22 cells, all
// cells count as in view. In a universe that is unbounded or has more than 2^22 cells, some cells
// around earlier views also count as in view. If more than LC_AGES_CELLS_MAX cells are in view,
// each pixel has only one age: the time since the pixel's grey level changed. A pixel leaves a
// trail when its last live cell dies.
//
// Threads: any thread may call these functions. Only one thread at a time may use the same ages. A
// call with a universe also counts as a use of that universe, and runs on the universe's threads.
#ifndef LIGHTCONE_AGES_H
#define LIGHTCONE_AGES_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    // Largest number of cells in view for which each cell has its own age. The ages of 2^24 cells
    // take 36 MiB.
    LC_AGES_CELLS_MAX = 1 << 24,
    LC_AGE_CODE_ALIVE = 128, // lowest code of a live cell
};

typedef struct lc_ages lc_ages;

// Returns the code of a cell that has been alive (or dead) for `generations` generations.
LC_API uint8_t lc_age_code(bool alive, double generations);

// Replaces `count` codes by indices into a palette of 256 colours. An index stands for a code and a
// grey level. `tones` NULL: all grey levels are 255, the level of a pixel whose cells are all
// alive. The indices are:
//
//     0:                        dead, without a trail;
//     1 .. 63:                  a trail, where 63 is the newest;
//     64 + 4 * age + density:   alive, where the codes 128 .. 255 become the ages 0 .. 47, and the
//                               grey levels 0 .. 255 become the densities 0 .. 3.
LC_API void lc_age_indices(uint8_t *codes, const uint8_t *tones, size_t count);

// Creates an lc_ages without samples. The first picture allocates the memory for the ages. The
// caller destroys the ages. Returns LC_OK; LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_ages_create(lc_ages **out, lc_message *message);
// Frees the ages and sets *ages to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_ages_destroy(lc_ages **ages);

// Forgets all samples, so the next picture takes a new first sample. Call lc_ages_forget before you
// use the ages with another universe. The library also forgets all samples if a call passes a
// universe of another size, or a universe at an earlier generation than the last sample.
LC_API void lc_ages_forget(lc_ages *ages);

// Samples the universe in the area of the last picture. Does nothing before the first picture. A
// cell that differs from the last sample counts as changed in the current generation, even if the
// program edited the cell. Returns the same statuses as lc_ages_picture.
LC_API lc_status lc_ages_note(lc_ages *ages, const lc_universe *universe, lc_message *message);

// Samples the universe and draws the same view as lc_universe_far_picture. Writes width x height
// codes to `codes` and the same number of grey levels to `tones`. `tones` NULL: no grey levels are
// written.
// Returns the same statuses as lc_universe_far_picture. On error the contents of `codes` and
// `tones` are undefined, and the samples may have been forgotten.
LC_API lc_status lc_ages_picture(lc_ages *ages, const lc_universe *universe, int64_t column,
                                 int64_t row, int log2_side, int64_t width, int64_t height,
                                 uint8_t *codes, uint8_t *tones, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
