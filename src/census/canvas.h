// A square of the plane on which one soup runs.
//
// Only what changes is stepped. A cell is quiet if it is as two generations before. A step of n
// generations (an even number) covers all cells that are not quiet, and those at most n away, by
// patches of 64 x 64 cells (lc_canvas_patch in level.h). All other cells are quiet, and still are
// as they were. So ash of period 1 and 2 costs nothing, wherever it lies, and a patch lies wherever
// something happens. Blocks of 8 x 8 cells with a cell that is not quiet are *active*.
#ifndef LC_CENSUS_CANVAS_H
#define LC_CENSUS_CANVAS_H

#include <string.h>

#include "level/window_steps.h"
#include "lightcone/cells.h"

enum {
    LC_BLOCK_CELLS = 8,
    LC_CANVAS_MARGIN = 8, // blocks at each side that stay empty: a patch may begin there
};

// Corners of patches, in blocks.
typedef struct lc_patch_place {
    int column, row;
} lc_patch_place;

// A range of blocks, without `right` and `bottom`.
typedef struct lc_blocks {
    int left, top, right, bottom;
} lc_blocks;

typedef struct lc_canvas {
    lc_window_steps *steps; // lent
    int blocks;             // blocks along a side
    size_t column_bytes;
    uint8_t *cells;   // bit x % 8 of cells[x / 8 * column_bytes + y] is cell (x, y)
    uint64_t *active; // bits of blocks, by rows of row_words words
    int row_words;
    lc_blocks touched;  // blocks that have cells, or had cells before
    lc_blocks busy;     // what is active
    int64_t population; // live cells, and those of gliders that were taken away
    // Something came too near the edge, or more than patches_max patches were stepped. The cells
    // are no longer right.
    bool overflow;
    lc_canvas_patch *patches; // of the step that is being made
    lc_patch_place *places;
    int patch_count, patch_room;
    uint64_t patches_stepped, patches_max;
} lc_canvas;

// Creates an empty canvas of 2^side_log2 cells a side (10 to 16). Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_canvas_create(lc_canvas *canvas, int side_log2, lc_window_steps *steps);
void lc_canvas_free(lc_canvas *canvas);
void lc_canvas_clear(lc_canvas *canvas);

// Adds live cells: bit i of `bits` is cell (x + i, y). They are active.
void lc_canvas_add(lc_canvas *canvas, int x, int y, uint64_t bits);
// Makes a live cell dead, or a dead one alive. The active blocks and the
// population do not change.
void lc_canvas_turn(lc_canvas *canvas, int x, int y);
void lc_canvas_set_active(lc_canvas *canvas, int column, int row, bool active);
static inline bool lc_canvas_is_active(const lc_canvas *canvas, int column, int row)
{
    return (canvas->active[(size_t)row * (size_t)canvas->row_words + (size_t)column / 64] >>
                column % 64 &
            1) != 0;
}

// Steps by an even number of generations, unless `overflow` is set or becomes so.
// Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_canvas_step(lc_canvas *canvas, int generations);

// Returns the 8 x 8 cells of a block: byte i is row i.
static inline uint64_t lc_canvas_block(const lc_canvas *canvas, int column, int row)
{
    uint64_t block;
    memcpy(&block, canvas->cells + (size_t)column * canvas->column_bytes + 8 * (size_t)row,
           sizeof block);
    return block;
}

// Returns the first row of a column, from `row` on, whose block has live cells. If no row before
// `end` has any, returns `end`.
int lc_canvas_next_block(const lc_canvas *canvas, int column, int row, int end);

// May be false although no block is active any more.
static inline bool lc_canvas_is_quiet(const lc_canvas *canvas)
{
    return canvas->busy.top >= canvas->busy.bottom;
}

// Steps the active blocks by one generation. Then those blocks are active that differ from one
// generation before. Returns as lc_canvas_step.
lc_status lc_canvas_step_once(lc_canvas *canvas);
// Sets the active blocks to those with live cells.
void lc_canvas_wake(lc_canvas *canvas);

#endif
