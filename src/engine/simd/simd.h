// The dense CPU engine's internal interface: passes over a whole grid, in strips (level/level.h).
#ifndef LC_ENGINE_SIMD_SIMD_H
#define LC_ENGINE_SIMD_SIMD_H

#include <stdatomic.h>

#include "engine/engine_interface.h"
#include "engine/simd/simd_states.h"
#include "level/level.h"
#include "lightcone/universe.h"

// How a pass divides a grid: strips of columns and runs of rows.
typedef struct lc_pass_plan {
    int generations;
    int other_planes;   // lc_other_planes.count
    bool ribbon;        // one run of rows without a halo above or below
    int vectors;        // K of every strip
    bool closed;        // one strip without a halo, whose ends are joined
    int64_t strips;     // of keep_cells columns each; the last one may be narrower
    int64_t keep_cells; // multiple of 64
    int64_t runs;       // of run_rows rows each
    int64_t run_rows;
    double cost; // estimated gates per generation, over all threads, idle time included
} lc_pass_plan;

// Finds the plan with the lowest estimated cost. 1 <= generations <= LC_PASS_MAX; `ribbon`: the
// board has at most LC_BAND_ROWS rows and stacks (lc_frame_stacks), and the rule has two states.
// Takes much less time than a pass.
enum { LC_PASS_MAX = LC_PASS_GENERATIONS_MAX };
void lc_pass_choose(lc_pass_plan *plan, const lc_level *level, const lc_frame *frame, bool ribbon,
                    int other_planes, int generations, int threads);

// Returns the bytes of scratch memory that one worker needs for any plan of that level; 64-byte
// aligned.
size_t lc_pass_scratch_bytes(const lc_level *level, int other_planes);

// The state of one worker.
typedef struct lc_pass_worker {
    void *scratch; // lc_pass_scratch_bytes of it
    bool busy;     // in the middle of a task
    size_t task;
    int64_t done; // rows of it that have gone through all generations
} lc_pass_worker;

typedef struct lc_pass {
    const lc_level *level;
    const lc_pass_plan *plan;
    // A grid for each stored plane (simd_states.h). The halo of plan->generations cells is filled;
    // a ribbon's, left and right.
    const lc_grid *from;
    lc_grid *to; // the pass writes the interior, maybe right of it, never left of it
    lc_other_planes others;
    void (*step)(const lc_band *band);
    void (*step_ribbon)(const lc_ribbon *ribbon); // for a ribbon, instead of step
    const uint64_t *any;                          // as in lc_band
    // As `any`, of the rule that brings all neighbours of live cells alive. NULL: no cell kills.
    const uint64_t *any_beside;
    const lc_code *code;
    const lc_diagram *map;
    // Beyond a wall the first column (-1 or width) or row is kept dead in each generation. No cells
    // are born there, so cells further out have no effect.
    const lc_frame *frame;
    uint16_t *tiles; // receives the live cells of each tile (simd_tile_counts.h); NULL: not counted
    lc_pass_worker *workers; // [worker_count], none busy before the first slice
    int worker_count;
    _Atomic size_t taken; // tasks that workers have asked for; 0 before the first slice
    uint64_t until_ns;    // the end of a slice, as lc_clock_ns; UINT64_MAX: the end of the pass
} lc_pass;

// A run of a strip. A pass has plan->strips * plan->runs of them, taken in order.
typedef struct lc_pass_part {
    int64_t keep_x, keep_cells; // columns to write
    int64_t y0, y1;             // rows to write
} lc_pass_part;
size_t lc_pass_tasks(const lc_pass *pass);
lc_pass_part lc_pass_part_of(const lc_pass *pass, size_t task);

// Runs worker `index` until the time is over or no task is left, for at least one band. Fits
// lc_task: a slice of a pass is one call for each worker. The next slice resumes the unfinished
// tasks.
void lc_pass_slice(void *pass, size_t index, int worker);

// For use between slices. Return whether the pass is complete, and whether LC_BAND_ROWS rows of a
// strip from row y on, or those up to the end, are complete. y is a multiple of LC_BAND_ROWS.
bool lc_pass_done(const lc_pass *pass);
bool lc_pass_finished(const lc_pass *pass, int64_t strip, int64_t y);

#endif
