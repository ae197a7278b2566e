// What a kind of CPU does with cells: one table of functions for each instruction set.
//
// Layout of a strip. A row of a strip is combed: it has K vectors of V bits, and bit b of vector k
// is the strip's column b * K + k. So the left and right neighbours of a vector's cells are the
// vectors beside it, and only the first and last vector need a shift (by one bit, through the
// whole vector):
//
//      column      0   1  ..  K-1 |  K  K+1 .. 2K-1 | 2K ...
//      vector      0   1  ..  K-1 |  0   1  ..  K-1 |  0 ...
//      bit         0   0  ..   0  |  1   1  ..   1  |  2 ...
//
// What comes into the strip from beyond its ends is wrong by one column a generation; the strip is
// read with a halo as wide as the number of generations, and only its inside is written back. A
// torus that is exactly a strip wide needs none: the strip is closed, its last bit beside its
// first.
//
// A band is LC_BAND_ROWS rows of a strip, vector k of row r at [k * LC_BAND_ROWS + r], so that a
// kernel walks down a column of vectors with the row sums in registers.
#ifndef LC_LEVEL_LEVEL_H
#define LC_LEVEL_LEVEL_H

#include <stdbool.h>

#include "level/code.h"
#include "lightcone/machine.h"
#include "lightcone/rule.h"
#include "logic/diagram.h"

enum {
    LC_BAND_ROWS = 16,
    LC_VECTOR_BYTES_MAX = 64,
    LC_COMB_SLACK_BYTES = 128,
};

// One generation of a band. Row r of `out` is the next generation of the row above row r of `in`;
// the two rows above the band are in `saved`, where the band's own last two rows are left for the
// next one.
typedef struct lc_band {
    int vectors;           // K, 1 or more
    bool closed;           // the ends of the strip are joined
    const void *in;        // [K][LC_BAND_ROWS] vectors
    void *saved;           // [K][2] vectors
    void *out;             // [K][LC_BAND_ROWS] vectors; not `in`
    const uint64_t *any;   // lc_any_rule's selectors: for step_any only
    const lc_code *code;   // for step_code only
    const lc_diagram *map; // for step_map only
} lc_band;

// One generation of a ribbon: a strip of a board of at most LC_BAND_ROWS rows, all of it in one
// band, so that nothing comes from above or below: the row above the first one is the last one, or
// nothing lives there.
typedef struct lc_ribbon {
    int vectors; // K, as in lc_band
    int rows;
    bool closed;           // as in lc_band
    bool joined;           // the first row and the last one are neighbours
    const void *in;        // [K][LC_BAND_ROWS] vectors, of which the first `rows` count
    void *out;             // the same; not `in`
    const uint64_t *any;   // as in lc_band, for ribbon_any only
    const lc_diagram *map; // for ribbon_map only
} lc_ribbon;

// A tile is 32 x 32 cells, at 64-byte-aligned memory: bit x of word i is cell (x, lc_tile_row(i)).
// Rows 8 apart lie side by side, as vectors of 512 bits want them.
enum {
    LC_TILE_LOG2 = 5,
    LC_TILE_CELLS = 1 << LC_TILE_LOG2,
    LC_TILE_WORDS = LC_TILE_CELLS,
    LC_WINDOW_GENERATIONS_MAX = LC_TILE_CELLS / 2,
};

static inline int lc_tile_row(int word)
{
    return word % 4 * 8 + word / 4;
}

static inline int lc_tile_word(int row)
{
    return row % 8 * 4 + row / 8;
}

// Any outer-totalistic rule for a kernel that was compiled without knowing it. With n the number of
// live cells among the nine, p its lowest bit and q = n / 2 (0 .. 4), the next state for a dead
// (live) cell is the exclusive or, over j = 0 .. q, of selectors [p][j] taken from `dead` (and, for
// a live cell, of those from `flip` too): all ones or all zeros. What cannot happen saves two of
// them: with n = 0 the cell is dead, so flip [0][0] is part of flip [0][1]; with n = 9 it is alive,
// so flip [1][4] is part of dead [1][4].
enum { LC_ANY_WORDS = 2 * 2 * 5 };
void lc_any_rule(lc_counts counts, uint64_t selectors[LC_ANY_WORDS]);

// Two rules that take turns, or twice the same: generation i is made with number i % 2.
typedef struct lc_window_rules {
    uint64_t any[2][LC_ANY_WORDS];
    const lc_code *code[2];   // of lc_code_create_windows: for ..._code only
    const lc_diagram *map[2]; // for ..._map only
} lc_window_rules;

// A window: four tiles, and the 32 x 32 cells in their middle some generations later.
//
//        +-------+-------+
//        |   0   |   1   |      At most LC_WINDOW_GENERATIONS_MAX generations: the middle is so
//        |   +---+---+   |      many cells away from what lies beyond the window.
//        +---+ middle+---+
//        |   +---+---+   |
//        |   2   |   3   |
//        +-------+-------+
typedef struct lc_window {
    const uint32_t *tiles[4];
    uint32_t *middle; // a tile; what it was before is compared with what it becomes
    int generations;
    const lc_window_rules *rules; // for all but window_life
    // For the fenced ones: bit x of word y is whether cell (x, y) of the window may ever be alive.
    const uint64_t *may_live;
} lc_window;

typedef struct lc_window_change {
    bool changed;
    int32_t population; // how many more cells of the middle are alive
} lc_window_change;

typedef lc_window_change lc_window_step(const lc_window *window);

// Three windows one below the other, whose tiles are four times two: a third less work than three
// by themselves. What is said of a window holds for each.
enum { LC_COLUMN_WINDOWS = 3 };

typedef struct lc_column {
    const uint32_t *tiles[2 * (LC_COLUMN_WINDOWS + 1)]; // left, right, and below them the next two
    uint32_t *middles[LC_COLUMN_WINDOWS];
    int generations;
    const lc_window_rules *rules;
} lc_column;

typedef void lc_column_step(const lc_column *column, lc_window_change changes[LC_COLUMN_WINDOWS]);

typedef struct lc_level {
    const char *name;
    int vector_bits;
    int vectors_max;    // largest K
    unsigned needs;     // lc_cpu_feature
    int gates_per_word; // operations of step_life on a vector
    // Rows `row` .. row + rows - 1 of a band from (to) strings of K * vector_bits cells that start
    // pitch_bytes apart. Up to LC_COMB_SLACK_BYTES behind a string's end may be read (overwritten).
    void (*comb)(void *band, int row, int rows, int vectors, const uint8_t *cells,
                 size_t pitch_bytes);
    void (*uncomb)(uint8_t *cells, size_t pitch_bytes, const void *band, int row, int rows,
                   int vectors);
    int comb_gates; // what both cost for a row, in gates: for choosing a plan
    // Adds to counts[i] the live cells of word i in `rows` rows, at most 16, for each of `length`
    // words.
    void (*count)(uint16_t *counts, const uint64_t *words, size_t pitch_words, int rows,
                  size_t length);
    void (*step_life)(const lc_band *band);
    void (*step_any)(const lc_band *band);
    void (*step_map)(const lc_band *band);  // rules of any table
    void (*step_code)(const lc_band *band); // NULL: this level has no code generator
    void (*ribbon_life)(const lc_ribbon *ribbon);
    void (*ribbon_any)(const lc_ribbon *ribbon);
    void (*ribbon_map)(const lc_ribbon *ribbon);
    lc_code_target code_target; // of step_code and the other ..._code, which are NULL if it is
    lc_window_step *window_life, *window_any, *window_code;
    lc_window_step *window_map;
    lc_window_step *window_fenced, *window_fenced_code, *window_fenced_map; // beside walls
    lc_column_step *column_life, *column_any, *column_code, *column_map;
    // Runs independent gates on registers for about that long; operations a second.
    double (*gate_rate)(uint64_t duration_ns);
} lc_level;

// What all levels have under the same names.
#define LC_LEVEL_KERNELS                                                                           \
    .comb = comb, .uncomb = uncomb, .count = count, .step_life = step_life, .step_any = step_any,  \
    .ribbon_life = ribbon_life, .ribbon_any = ribbon_any, .window_life = window_life,              \
    .window_any = window_any, .column_life = column_life, .column_any = column_any,                \
    .window_fenced = window_fenced, .step_map = step_map, .ribbon_map = ribbon_map,                \
    .window_map = window_map, .window_fenced_map = window_fenced_map, .column_map = column_map,    \
    .gate_rate = gate_rate

// What those have that can run code made at run time.
#define LC_LEVEL_CODE_KERNELS                                                                      \
    .step_code = step_code, .window_code = window_code, .window_fenced_code = window_fenced_code,  \
    .column_code = column_code

extern const lc_level lc_level_portable;
extern const lc_level lc_level_avx2;
extern const lc_level lc_level_avx512;
extern const lc_level lc_level_neon;

// The level of that name ("auto" or NULL: the best), if this CPU has it; else NULL and a message.
const lc_level *lc_level_find(const char *name, lc_message *message);

#endif
