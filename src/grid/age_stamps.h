// When cells changed: the looks at them, and codes of ages. What ages mean is in lightcone/ages.h.
//
// Each look has a number, its tick, from 1 on, and a generation. A cell has the tick at which it
// changed last, its stamp; that and its bit are all there is to know:
//
//     bit 1, stamp s    alive since tick s
//     bit 0, stamp s    dead since tick s; 0: never seen alive
//
// So a look at cells that did not change touches nothing but their bits. When ticks run out, old
// ones become one, two by two, and stamps are rewritten.
#ifndef LC_GRID_AGE_STAMPS_H
#define LC_GRID_AGE_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grid/tones.h"

enum { LC_AGE_TICKS = 1 << 14, LC_AGE_FRESH_TICKS = 1 << 12 };

typedef struct lc_age_clock {
    int now; // the last tick; 0: none yet
    double generation[LC_AGE_TICKS];
    uint8_t codes[2][LC_AGE_TICKS]; // of the dead and of the living, by their stamps
} lc_age_clock;

// The code of a cell that is so old.
uint8_t lc_age_code_of(bool alive, double generations);

// A look at that generation, which is not below that of the look before: if it is the same, so is
// the tick. True: there is no tick left, and lc_age_clock_merge has to come first.
bool lc_age_clock_tick(lc_age_clock *clock, double generation);

// Older ticks become fewer. Stamps are others now: merged[stamp].
void lc_age_clock_merge(lc_age_clock *clock, uint16_t merged[LC_AGE_TICKS]);

// Finds the codes of all stamps as of the last tick.
void lc_age_clock_code(lc_age_clock *clock);

// Cells: `height` rows of `words`, x0 a multiple of 64.
typedef struct lc_age_cells {
    int64_t x0, y0, words, height;
    uint64_t *cells,
        *seen;         // as they were, and as they are seen now: the caller fills in the latter
    uint16_t *stamps;  // 64 a word
    uint16_t *touched; // of a word: the last stamp among its cells
} lc_age_cells;

// The row becomes what is seen, and what changed has that stamp.
void lc_age_cells_note(const lc_age_cells *cells, int64_t row, uint16_t stamp);

// A row of a picture: codes of `width` cells from x on, all within the cells.
void lc_age_cells_codes(const lc_age_cells *cells, const lc_age_clock *clock, int64_t x, int64_t y,
                        int64_t width, uint8_t *codes);

// A row of squares of 2^log2_side cells (1 to LC_TONE_SIDE_MAX), the first of which has its corner
// at (x, y), a multiple of that. Cells that are not held are dead. `work` has 3 * width numbers.
void lc_age_cells_squares(const lc_age_cells *cells, const lc_age_clock *clock, int64_t x,
                          int64_t y, int log2_side, int64_t width, const lc_tones *table,
                          uint32_t *work, uint8_t *codes, uint8_t *tones);

#endif
