// Stamps record when each cell last changed. Codes of ages (lightcone/ages.h) are computed from
// them.
//
// Each look at the cells has a generation and a tick, a number from 1 on. The stamp of a cell is
// the tick at which the cell last changed. Stamp and bit give the age:
//
//     bit 1, stamp s    alive since tick s
//     bit 0, stamp s    dead since tick s; 0: never seen alive
//
// A look at unchanged cells therefore reads only their bits. When no ticks are left, old ticks are
// merged and all stamps are rewritten.
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
    uint8_t codes[2][LC_AGE_TICKS]; // [alive][stamp]
} lc_age_clock;

// Returns the code of a cell of that age.
uint8_t lc_age_code_of(bool alive, double generations);

// Records a look at a generation, not below that of the last look. A repeated generation keeps its
// tick. Returns true and records nothing if no tick is left; the caller then calls
// lc_age_clock_merge.
bool lc_age_clock_tick(lc_age_clock *clock, double generation);

// Merges old ticks. The new stamp of a cell is merged[stamp].
void lc_age_clock_merge(lc_age_clock *clock, uint16_t merged[LC_AGE_TICKS]);

// Computes the codes of all stamps at the last tick.
void lc_age_clock_code(lc_age_clock *clock);

// Cells: `height` rows of `words` words. x0 is a multiple of 64.
typedef struct lc_age_cells {
    int64_t x0, y0, words, height;
    uint64_t *cells,
        *seen;         // the cells at the last look and now; the caller fills in `seen`
    uint16_t *stamps;  // 64 per word
    uint16_t *touched; // per word: the latest stamp of its cells
} lc_age_cells;

// Copies a row of `seen` to `cells` and sets the stamp of each changed cell.
void lc_age_cells_note(const lc_age_cells *cells, int64_t row, uint16_t stamp);

// Writes the codes of `width` cells of a row from x on. All must lie in `cells`.
void lc_age_cells_codes(const lc_age_cells *cells, const lc_age_clock *clock, int64_t x, int64_t y,
                        int64_t width, uint8_t *codes);

// Writes the codes of a row of squares of 2^log2_side cells a side (1 to LC_TONE_SIDE_MAX). The
// first square begins at (x, y), a multiple of its side. Cells outside `cells` are dead. `work` has
// room for 3 * width numbers.
void lc_age_cells_squares(const lc_age_cells *cells, const lc_age_clock *clock, int64_t x,
                          int64_t y, int log2_side, int64_t width, const lc_tones *table,
                          uint32_t *work, uint8_t *codes, uint8_t *tones);

#endif
