// Memory and layout of grids.
//
// The pitch is a whole number of cache lines and never a multiple of 4 KiB. Rows 4 KiB apart would
// share their cache sets, and a stepper that works down a column would evict its own rows. Rows
// shorter than a line are packed, so that a board one cell wide does not need a line per cell.
#include "grid/grid.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { LINE_WORDS = 8, PAGE_WORDS = 512, SLACK_BYTES = 1024 };

// Computes the layout of a grid, without its memory. Returns false on overflow or bad sizes.
static bool lay_out(lc_grid *grid, int64_t width_cells, int64_t height_cells,
                    int64_t margin_columns, int64_t margin_rows)
{
    const int64_t limit = INT64_C(1) << 62; // no sum below overflows
    if (width_cells < 1 || height_cells < 1 || margin_columns < 0 || margin_rows < 0 ||
        width_cells > limit / 2 || margin_columns > limit / 8 || height_cells > limit / 2 ||
        margin_rows > limit / 8)
        return false;
    int64_t left_words = (margin_columns + 63) / 64;
    int64_t words = left_words + (width_cells + margin_columns + 63) / 64;
    if (words > LINE_WORDS)
        words = (words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    if (words % PAGE_WORDS == 0)
        words += LINE_WORDS;
    uint64_t cells_bytes, size_bytes;
    if (!lc_mul_u64((uint64_t)words * 8, (uint64_t)(height_cells + 2 * margin_rows),
                    &cells_bytes) ||
        !lc_add_u64(cells_bytes, SLACK_BYTES, &size_bytes) || size_bytes > PTRDIFF_MAX)
        return false;
    *grid = (lc_grid){
        .size_bytes = (size_t)size_bytes,
        .pitch_words = (size_t)words,
        .width_cells = width_cells,
        .height_cells = height_cells,
        .margin_rows = margin_rows,
        .left_cells = left_words * 64,
        .right_cells = (words - left_words) * 64 - width_cells,
    };
    return true;
}

bool lc_grid_bytes(int64_t width_cells, int64_t height_cells, int64_t margin_columns,
                   int64_t margin_rows, uint64_t *size_bytes)
{
    lc_grid grid;
    if (!lay_out(&grid, width_cells, height_cells, margin_columns, margin_rows))
        return false;
    *size_bytes = grid.size_bytes;
    return true;
}

lc_status lc_grid_init(lc_grid *grid, const lc_context *context, int64_t width_cells,
                       int64_t height_cells, int64_t margin_columns, int64_t margin_rows)
{
    if (!lay_out(grid, width_cells, height_cells, margin_columns, margin_rows)) {
        *grid = (lc_grid){0};
        return LC_ERROR_LIMIT;
    }
    grid->context = context;
    grid->words = lc_context_alloc(context, grid->size_bytes);
    if (grid->words == NULL) {
        *grid = (lc_grid){0};
        return LC_ERROR_MEMORY;
    }
    return LC_OK;
}

void lc_grid_free(lc_grid *grid)
{
    if (grid == NULL)
        return;
    if (grid->words != NULL)
        lc_context_free(grid->context, grid->words, grid->size_bytes);
    *grid = (lc_grid){0};
}

bool lc_grid_get(const lc_grid *grid, int64_t x, int64_t y)
{
    return lc_grid_row(grid, y)[x >> 6] >> (x & 63) & 1;
}

void lc_grid_set(const lc_grid *grid, int64_t x, int64_t y, bool alive)
{
    uint64_t *word = lc_grid_row(grid, y) + (x >> 6);
    uint64_t bit = (uint64_t)1 << (x & 63);
    *word = alive ? *word | bit : *word & ~bit;
}
