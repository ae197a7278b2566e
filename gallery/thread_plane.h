// Shared by the designs whose threads form a plane and, if a grid holds too few rows of blocks, go
// on to the rows a grid further down (simple.cu, wide_loads.cu, packed.cu, grouped.cu).
#ifndef LC_GALLERY_THREAD_PLANE_H
#define LC_GALLERY_THREAD_PLANE_H

#include "gpu_design.h"

enum { GRID_Y_MAX = 65535 }; // blocks

#define LC_PLANE_KNOBS(usual)                                                                      \
    {"across", "threads of a block in x", usual, LC_KNOB_VALUES(8, 16, 32, 64, 128, 256)},         \
    {                                                                                              \
        "down", "threads of a block in y", 4, LC_KNOB_VALUES(1, 2, 4)                              \
    }

// So that no index overflows.
static inline lc_status check_plane(const lc_gallery_board *board, lc_message *message)
{
    if (board->width <= INT32_MAX / 2 && board->height <= INT32_MAX / 2)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "the design steps boards of fewer than 2^30 rows and columns");
}

// One generation by step(cells, next, int columns, int height). A thread has one column and `rows`
// rows; `knob` is where LC_PLANE_KNOBS begin among the design's knobs.
static inline lc_status step_plane(lc_gpu_run *run, int64_t columns, int rows, int knob,
                                   uint64_t *done, lc_message *message)
{
    const int across = run->board.knob[knob], down = run->board.knob[knob + 1];
    int width = (int)columns, height = (int)run->board.height;
    const uint32_t blocks_down = lc_gpu_blocks(height, (int64_t)down * rows);
    const lc_launch launch = {
        .grid = {lc_gpu_blocks(width, across), blocks_down < GRID_Y_MAX ? blocks_down : GRID_Y_MAX},
        .block = {(uint32_t)across, (uint32_t)down},
    };
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

#endif
