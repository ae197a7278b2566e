// CPU levels: one table of functions on cells for each instruction set.
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
// The columns at a strip's ends become wrong, one more in each generation. So the caller reads a
// strip with a halo as wide as the number of generations, and writes back only its inside. A torus
// that is exactly one strip wide needs no halo: the strip is closed, and its last bit is next to
// its first.
//
// A band is LC_BAND_ROWS rows of a strip, vector k of row r at [k * LC_BAND_ROWS + r], so a kernel
// goes down a column of vectors with the row sums in registers.
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

// One generation of a band. Row r of `out` is the next generation of the row above row r of `in`.
// The two rows above the band are in `saved`, and the kernel saves the band's last two rows there
// for the next band.
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

// One generation of a ribbon: a strip of a board of at most LC_BAND_ROWS rows. All rows are in one
// band, so the row above the first one is either the last row or dead.
typedef struct lc_ribbon {
    int vectors; // K, as in lc_band
    int rows;
    bool closed;           // as in lc_band
    bool joined;           // the first and the last row are neighbours
    const void *in;        // [K][LC_BAND_ROWS] vectors; only the first `rows` are used
    void *out;             // the same; not `in`
    const uint64_t *any;   // as in lc_band, for ribbon_any only
    const lc_diagram *map; // for ribbon_map only
} lc_ribbon;

// Makes the other planes of a band, after a step function has made one generation of its live
// cells.
//
// lc_level.age: a live cell that does not survive is dying, and has a counter, which is not 0. The
// counter is `start` at first, is raised by 1 in each generation, and overflows to 0: then the cell
// is dead. A dying cell is not alive for its neighbours, and is not born.
//
// lc_level.remember: a cell has two bits, "marked" and "history" (simd_states.h). Both together say
// that a dead cell kills, and never changes.
enum { LC_AGING_PLANES_MAX = 8 };
typedef struct lc_aging {
    int vectors;       // K
    int planes;        // bits of a counter; 2 to remember
    int start;         // 1 to 2^planes - 1; not for remembering
    const void *in;    // the live cells before: lc_band.in
    const void *above; // [K] vectors: the row above them
    void *out;         // lc_band.out; loses the cells that must not be alive
    // [K][planes][LC_BAND_ROWS] vectors: the planes before, which are replaced by those afterwards.
    // As in lc_band, row r becomes the next generation of the row above it.
    void *others;
    void *saved; // [K][planes] vectors: the row above; receives the band's last row
    // To remember, [K][LC_BAND_ROWS] vectors: the cells of `out` that cannot survive; NULL: none.
    const void *killed;
} lc_aging;

// A tile is 32 x 32 cells, at 64-byte-aligned memory: bit x of word i is cell (x, lc_tile_row(i)).
// Rows 8 apart are adjacent, for vectors of 512 bits.
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

// Encodes an outer-totalistic rule for a kernel compiled for any rule. With n the number of live
// cells among the nine, p its lowest bit and q = n / 2 (0 .. 4), the next state for a dead (live)
// cell is the exclusive or, over j = 0 .. q, of selectors [p][j] taken from `dead` (and, for a live
// cell, of those from `flip` too): all ones or all zeros. Impossible cases save two selectors: with
// n = 0 the cell is dead, so flip [0][0] is part of flip [0][1]; with n = 9 it is alive, so flip
// [1][4] is part of dead [1][4].
enum { LC_ANY_WORDS = 2 * 2 * 5 };
void lc_any_rule(lc_counts counts, uint64_t selectors[LC_ANY_WORDS]);

// Two alternating rules, or the same rule twice: generation i uses rule i % 2.
typedef struct lc_window_rules {
    uint64_t any[2][LC_ANY_WORDS];
    const lc_code *code[2];   // of lc_code_create_windows: for ..._code only
    const lc_diagram *map[2]; // for ..._map only
} lc_window_rules;

// A window: four tiles, and the 32 x 32 cells in their middle some generations later.
//
//        +-------+-------+
//        |   0   |   1   |      At most LC_WINDOW_GENERATIONS_MAX generations: the middle is so
//        |   +---+---+   |      many cells away from the edge of the window.
//        +---+ middle+---+
//        |   +---+---+   |
//        |   2   |   3   |
//        +-------+-------+
typedef struct lc_window {
    const uint32_t *tiles[4];
    uint32_t *middle; // a tile; the new cells are compared with the old ones
    int generations;
    const lc_window_rules *rules; // for all but window_life
    // For window_fenced...: bit x of word y says whether cell (x, y) of the window may be alive.
    const uint64_t *may_live;
} lc_window;

typedef struct lc_window_change {
    bool changed;
    int32_t population; // change of the middle's population
} lc_window_change;

typedef lc_window_change lc_window_step(const lc_window *window);

// Three windows one below the other, on four rows of two tiles: a third less work than three single
// windows. The members are as in lc_window.
enum { LC_COLUMN_WINDOWS = 3 };

typedef struct lc_column {
    const uint32_t *tiles[2 * (LC_COLUMN_WINDOWS + 1)]; // left and right, from the top down
    uint32_t *middles[LC_COLUMN_WINDOWS];
    int generations;
    const lc_window_rules *rules;
} lc_column;

typedef void lc_column_step(const lc_column *column, lc_window_change changes[LC_COLUMN_WINDOWS]);

// A patch: 64 x 64 cells of a canvas, stepped as a torus. In n generations the cells at most n away
// from the patch's edges become wrong, unless everything beyond the edges is dead and stays so.
//
// A canvas stores cells by columns of bytes: bit x % 8 of byte y of column x / 8 is cell (x, y).
typedef struct lc_canvas_patch {
    const uint8_t *from; // byte 0 of the first column; the next one begins column_bytes later
    size_t column_bytes;
    int generations;              // 1 to 8, or more if `repeats` is true
    bool repeats;                 // see below
    const lc_window_rules *rules; // for all but patch_life; both rules are the same
    // Results: the cells in columns of bytes, which are right more than `margin` away from the
    // edges, `made` generations later; and the blocks of 8 x 8 cells in which a right cell differs
    // from two generations before (from one before, if `generations` is 1): bit 8 r + c is block c
    // of row r.
    _Alignas(64) uint8_t to[8][64];
    uint64_t active;
    int margin, made;
} lc_canvas_patch;

// If `repeats` is false, `made` and `margin` are `generations`. Otherwise `margin` is
// LC_PATCH_REPEAT, `generations` is a multiple of it, and the patch is stepped by so many
// generations again and again, until all are made or an outermost block is active. In between, the
// cells near the edges get their first states again: all cells beyond the inner 6 x 6 blocks,
// inside and outside of the patch, have to be as they were two generations before, at first.
enum { LC_PATCH_REPEAT = 4 };

typedef void lc_patch_step(lc_canvas_patch *patch);

// Steps a board of 64 x 64 cells: a torus, by any number of generations from 0 on. Bit x of
// cells[lc_board_word(level, y)] is cell (x, y): the order of a vector's lanes, so that nothing has
// to be moved. The words are aligned to 64 bytes. `rules` is for all but board_life; both rules are
// the same.
enum { LC_BOARD_WORDS = 64 };
typedef void lc_board_step(uint64_t *cells, int generations, const lc_window_rules *rules);

typedef struct lc_level {
    const char *name;
    int vector_bits;
    int vectors_max;    // largest K
    unsigned needs;     // lc_cpu_feature
    int gates_per_word; // operations of step_life per vector
    // Read (write) rows `row` .. row + rows - 1 of a band from (to) strings of K * vector_bits
    // cells that start pitch_bytes apart. They may read (overwrite) up to LC_COMB_SLACK_BYTES
    // behind a string's end.
    void (*comb)(void *band, int row, int rows, int vectors, const uint8_t *cells,
                 size_t pitch_bytes);
    void (*uncomb)(uint8_t *cells, size_t pitch_bytes, const void *band, int row, int rows,
                   int vectors);
    int comb_gates; // cost of both for a row, in gates: for choosing a plan
    // Adds to counts[i] the live cells of word i in `rows` rows, at most 16, for each of `length`
    // words.
    void (*count)(uint16_t *counts, const uint64_t *words, size_t pitch_words, int rows,
                  size_t length);
    void (*step_life)(const lc_band *band);
    void (*step_any)(const lc_band *band);
    void (*step_map)(const lc_band *band);  // rules of any table
    void (*step_code)(const lc_band *band); // NULL: no code generator
    void (*ribbon_life)(const lc_ribbon *ribbon);
    void (*ribbon_any)(const lc_ribbon *ribbon);
    void (*ribbon_map)(const lc_ribbon *ribbon);
    void (*age)(const lc_aging *aging);
    void (*remember)(const lc_aging *aging);
    lc_code_target code_target; // for step_code and the other ..._code, which are NULL together
    lc_window_step *window_life, *window_any, *window_code;
    lc_window_step *window_map;
    lc_window_step *window_fenced, *window_fenced_code, *window_fenced_map; // beside walls
    lc_column_step *column_life, *column_any, *column_code, *column_map;
    lc_patch_step *patch_life, *patch_any, *patch_code, *patch_map;
    // Writes the cells of a stepped patch that are right into the canvas. `at` is `from`. Returns
    // the change of the population.
    int64_t (*patch_write)(const lc_canvas_patch *patch, uint8_t *at);
    lc_board_step *board_life, *board_any, *board_code, *board_map;
    // Runs independent gates on registers for about that long. Returns operations a second.
    double (*gate_rate)(uint64_t duration_ns);
} lc_level;

// Returns the word of a board that has row y.
static inline int lc_board_word(const lc_level *level, int y)
{
    const int lanes = level->vector_bits / 64, vectors = LC_BOARD_WORDS / lanes;
    return y % vectors * lanes + y / vectors;
}

// The kernels that all levels have under the same names.
#define LC_LEVEL_KERNELS                                                                           \
    .comb = comb, .uncomb = uncomb, .count = count, .step_life = step_life, .step_any = step_any,  \
    .ribbon_life = ribbon_life, .ribbon_any = ribbon_any, .window_life = window_life,              \
    .window_any = window_any, .column_life = column_life, .column_any = column_any,                \
    .window_fenced = window_fenced, .step_map = step_map, .ribbon_map = ribbon_map,                \
    .window_map = window_map, .window_fenced_map = window_fenced_map, .column_map = column_map,    \
    .patch_life = patch_life, .patch_any = patch_any, .patch_map = patch_map,                      \
    .patch_write = patch_write, .board_life = board_life, .board_any = board_any,                  \
    .board_map = board_map, .age = age, .remember = remember, .gate_rate = gate_rate

// The kernels of levels with a code generator.
#define LC_LEVEL_CODE_KERNELS                                                                      \
    .step_code = step_code, .window_code = window_code, .window_fenced_code = window_fenced_code,  \
    .column_code = column_code, .patch_code = patch_code, .board_code = board_code

extern const lc_level lc_level_portable;
extern const lc_level lc_level_avx2;
extern const lc_level lc_level_avx512;
extern const lc_level lc_level_neon;

// Returns the level of that name ("auto" or NULL: the best). NULL and a message: the name is
// unknown, or this CPU or build does not have the level.
const lc_level *lc_level_find(const char *name, lc_message *message);

#endif
