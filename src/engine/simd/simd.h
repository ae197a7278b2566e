// The dense CPU engine's inner interfaces: a pass over a whole grid, in strips (level/level.h).
#ifndef LC_ENGINE_SIMD_SIMD_H
#define LC_ENGINE_SIMD_SIMD_H

#include <stdatomic.h>

#include "engine/engine_interface.h"
#include "level/level.h"
#include "lightcone/universe.h"

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
void lc_pass_choose(lc_pass_plan *plan, const lc_level *level, const lc_frame *frame, bool ribbon,
                    int generations, int threads);

// Scratch memory that one worker needs for any plan of that level; 64-byte aligned.
size_t lc_pass_scratch_bytes(const lc_level *level);

// What one worker has in hand.
typedef struct lc_pass_worker {
    void *scratch; // lc_pass_scratch_bytes of it
    bool busy;     // in the middle of a task
    size_t task;
    int64_t done; // rows of it that are through the pipe
} lc_pass_worker;

typedef struct lc_pass {
    const lc_level *level;
    const lc_pass_plan *plan;
    const lc_grid *from; // halo of plan->generations cells filled; of a ribbon, its columns
    lc_grid *to;         // interior written; margins left of it untouched, right of it anything
    void (*step)(const lc_band *band);
    void (*step_ribbon)(const lc_ribbon *ribbon); // of a ribbon, instead
    const uint64_t *any;                          // as in lc_band
    const lc_code *code;
    const lc_diagram *map;
    // Beyond a wall the first column (-1 or width) or row is kept dead in each generation: nothing
    // is born there, so nothing further away matters.
    const lc_frame *frame;
    uint16_t *tiles;         // where to count the live cells (simd_tile_counts.h); NULL: nowhere
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
