// The dense CPU engine's inner interfaces: one table of functions for each instruction set.
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
#ifndef LC_ENGINE_SIMD_SIMD_H
#define LC_ENGINE_SIMD_SIMD_H

#include <stdatomic.h>

#include "engine/engine.h"
#include "engine/simd/code.h"
#include "lightcone/universe.h"

enum {
    LC_BAND_ROWS = 16,
    LC_VECTOR_BYTES_MAX = 64,
    LC_COMB_SLACK_BYTES = 128,
};

// One generation of a band. Row r of `out` is the next generation of the row above row r of `in`;
// the two rows above the band are in `saved`, where the band's own last two rows are left for the
// next one.
typedef struct lc_band {
    int vectors;         // K, 1 or more
    bool closed;         // the ends of the strip are joined
    const void *in;      // [K][LC_BAND_ROWS] vectors
    void *saved;         // [K][2] vectors
    void *out;           // [K][LC_BAND_ROWS] vectors; not `in`
    const uint64_t *any; // lc_any_rule's selectors: for step_any only
    const lc_code *code; // for step_code only
} lc_band;

// One generation of a ribbon: a strip of a board of at most LC_BAND_ROWS rows, all of it in one
// band, so that nothing comes from above or below: the row above the first one is the last one, or
// nothing lives there.
typedef struct lc_ribbon {
    int vectors; // K, as in lc_band
    int rows;
    bool closed;         // as in lc_band
    bool joined;         // the first row and the last one are neighbours
    const void *in;      // [K][LC_BAND_ROWS] vectors, of which the first `rows` count
    void *out;           // the same; not `in`
    const uint64_t *any; // as in lc_band, for ribbon_any only
} lc_ribbon;

// Any outer-totalistic rule for a kernel that was compiled without knowing it. With n the number of
// live cells among the nine, p its lowest bit and q = n / 2 (0 .. 4), the next state for a dead
// (live) cell is the exclusive or, over j = 0 .. q, of selectors [p][j] taken from `dead` (and, for
// a live cell, of those from `flip` too): all ones or all zeros. What cannot happen saves two of
// them: with n = 0 the cell is dead, so flip [0][0] is part of flip [0][1]; with n = 9 it is alive,
// so flip [1][4] is part of dead [1][4].
enum { LC_ANY_WORDS = 2 * 2 * 5 };
void lc_any_rule(const lc_rule *rule, uint64_t selectors[LC_ANY_WORDS]);

typedef struct lc_simd_level {
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
    void (*step_code)(const lc_band *band); // NULL: this level has no code generator
    void (*ribbon_life)(const lc_ribbon *ribbon);
    void (*ribbon_any)(const lc_ribbon *ribbon);
    lc_code_target code_target; // of step_code
    // Runs independent gates on registers for about that long; operations a second.
    double (*gate_rate)(uint64_t duration_ns);
} lc_simd_level;

extern const lc_simd_level lc_simd_portable;
extern const lc_simd_level lc_simd_avx2;
extern const lc_simd_level lc_simd_avx512;
extern const lc_simd_level lc_simd_neon;

// The level of that name ("auto" or NULL: the best), if this CPU has it; else NULL and a message.
const lc_simd_level *lc_simd_find(const char *name, lc_message *message);

// A pass: `generations` of a whole grid --------------------------------------------------------

// How a grid is cut: strips of columns and runs of rows.
typedef struct lc_pass_plan {
    int generations;
    bool ribbon;        // one run of rows without a halo above or below
    int vectors;        // K of every strip
    bool closed;        // one strip without a halo, its ends joined
    int64_t strips;     // of keep_cells columns each, the last one of what remains
    int64_t keep_cells; // multiple of 64
    int64_t runs;       // of run_rows rows each
    int64_t run_rows;
    double cost; // estimated gates for a generation, as if one thread did all
} lc_pass_plan;

// The plan that costs least by count of operations. 1 <= generations <= LC_PASS_MAX; `ribbon`: the
// board has at most LC_BAND_ROWS rows and stacks (lc_frame_stacks). Returns in well under the time
// of a pass.
enum { LC_PASS_MAX = LC_PASS_GENERATIONS_MAX };
void lc_pass_choose(lc_pass_plan *plan, const lc_simd_level *level, const lc_frame *frame,
                    bool ribbon, int generations, int threads);

// Scratch memory that one worker needs for any plan of that level; 64-byte aligned.
size_t lc_pass_scratch_bytes(const lc_simd_level *level);

// What one worker has in hand.
typedef struct lc_pass_worker {
    void *scratch; // lc_pass_scratch_bytes of it
    bool busy;     // in the middle of a task
    size_t task;
    int64_t done; // rows of it that are through the pipe
} lc_pass_worker;

typedef struct lc_pass {
    const lc_simd_level *level;
    const lc_pass_plan *plan;
    const lc_grid *from; // halo of plan->generations cells filled; of a ribbon, its columns
    lc_grid *to;         // interior written; margins left of it untouched, right of it anything
    void (*step)(const lc_band *band);
    void (*step_ribbon)(const lc_ribbon *ribbon); // of a ribbon, instead
    const uint64_t *any;                          // as in lc_band
    const lc_code *code;
    // Beyond a wall the first column (-1 or width) or row is kept dead in each generation: nothing
    // is born there, so nothing further away matters.
    const lc_frame *frame;
    uint16_t *tiles;         // where to count the live cells (tiles.h); NULL: nowhere
    lc_pass_worker *workers; // worker_count of them, none busy before the first slice
    int worker_count;
    _Atomic size_t taken; // tasks that workers have asked for, 0 before the first slice
    uint64_t until_ns;    // of lc_clock_ns: when a slice ends; UINT64_MAX: with the pass
} lc_pass;

// A run of a strip; there are plan->strips * plan->runs of them, taken in order.
typedef struct lc_pass_part {
    int64_t keep_x, keep_cells; // the columns that are written
    int64_t y0, y1;             // and the rows
} lc_pass_part;
size_t lc_pass_tasks(const lc_pass *pass);
lc_pass_part lc_pass_part_of(const lc_pass *pass, size_t task);

// What worker `index` does until the time is over or no task is left, one band at least. Fits
// lc_task: a slice of a pass is one call of it for each worker. What they were at when the time was
// over is gone on with in the next slice.
void lc_pass_slice(void *pass, size_t index, int worker);

// Between slices: whether all is made, and whether LC_BAND_ROWS rows of a strip from row y on are,
// or as many as there are; y is a multiple of that.
bool lc_pass_done(const lc_pass *pass);
bool lc_pass_finished(const lc_pass *pass, int64_t strip, int64_t y);

#endif
