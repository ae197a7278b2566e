// The layout and the launches of boards with a border of ghosts: see ghost_border.cuh.
#include "ghost_border.h"

enum { FILL_THREADS = 128, GRID_ROWS_MAX = 65535, THREADS_MAX = 1024 };
enum { STEP, FILL_ROWS, FILL_COLUMNS }; // the kernels, in the order of LC_GHOST_KERNELS

void lc_ghost_layout(const lc_gallery_board *board, lc_cell_layout *layout)
{
    *layout = (lc_cell_layout){
        .cell_bits = 32,
        .pitch_bytes = (board->width + 2) * (int64_t)sizeof(int32_t),
        .left_cells = 1,
        .top_rows = 1,
    };
    layout->size_bytes = (uint64_t)layout->pitch_bytes * (uint64_t)(board->height + 2);
}

void lc_ghost_compile(const lc_gallery_board *board, lc_gpu_options *options)
{
    lc_gpu_define(options, "WIDE", (board->width + 2) * (board->height + 2) > INT32_MAX);
}

lc_status lc_ghost_check(const lc_gallery_board *board, int overlap, lc_message *message)
{
    const int x = board->knob[LC_GHOST_X], y = board->knob[LC_GHOST_Y];
    if (x * y > THREADS_MAX)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "%d x %d threads are too many: a block has at most %d", x, y, THREADS_MAX);
    const int64_t height_max = (int64_t)(y - overlap) * GRID_ROWS_MAX, width_max = INT64_C(1) << 30;
    if (board->height <= height_max && board->width <= width_max)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "with blocks of this size this design steps boards of up to %lld x %lld "
                   "cells",
                   (long long)width_max, (long long)height_max);
}

static lc_status fill_border(lc_gpu_run *run, lc_message *message)
{
    int32_t width = (int32_t)run->board.width, height = (int32_t)run->board.height;
    void *arguments[] = {&run->cells, &width, &height};
    lc_launch launch = {
        .grid = {lc_gpu_blocks(width, FILL_THREADS)},
        .block = {FILL_THREADS},
    };
    lc_status status = lc_gpu_launch(run, FILL_ROWS, launch, arguments, message);
    if (status != LC_OK)
        return status;
    launch.grid[0] = lc_gpu_blocks(height + 2, FILL_THREADS);
    return lc_gpu_launch(run, FILL_COLUMNS, launch, arguments, message);
}

lc_status lc_ghost_step(lc_gpu_run *run, int overlap, uint64_t *done, lc_message *message)
{
    int32_t width = (int32_t)run->board.width, height = (int32_t)run->board.height;
    const int x = run->board.knob[LC_GHOST_X], y = run->board.knob[LC_GHOST_Y];
    const lc_launch launch = {
        .grid = {lc_gpu_blocks(width, x - overlap), lc_gpu_blocks(height, y - overlap)},
        .block = {(uint32_t)x, (uint32_t)y},
    };
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    lc_status status = fill_border(run, message);
    return status != LC_OK ? status : lc_gpu_generation(run, launch, arguments, done, message);
}
