// An int a cell, a block's cells in shared memory: each cell is read from there by its nine users.
//
// Source: Oak Ridge Leadership Computing Facility, "CUDA Game of Life" tutorial, the second of
// three programs (GOL-CUDA-Shared.cu).
//
//     + + + + + + + +     a block: each thread loads one cell into shared memory;
//     + * * * * * * +     *  then makes its next generation,
//     + * * * * * * +     +  or, at the block's rim, has nothing more to do
//     + + + + + + + +
//
// So tiles overlap by two cells: of the usual 32 x 16 threads, 30 x 14 make a cell. The board has a
// border of ghosts, filled by two kernels before each step (ghost_border.cuh). The original asks
// the GPU for more shared memory and less cache, which two kilobytes a block no longer need.
//
// Bytes a cell: 8. Operations a cell: 30.
// Knobs: x, y (threads of a block along a row, and how many rows of them). Published: 32 and 16.
// Limits: x * y at most 1,024; a width of at most 2^30 cells, a height of at most 65,535 tiles.
#ifndef LC_HOST

#include "ghost_border.cuh"

LC_KERNEL void step(const int *LC_RESTRICT cells, int *LC_RESTRICT next, int width, int height)
{
    LC_SHARED int tile[Y][X];
    const lc_cell_place pitch = width + 2;
    const int i = (int)threadIdx.y, j = (int)threadIdx.x;
    const int x = (int)blockIdx.x * (X - 2) + j, y = (int)blockIdx.y * (Y - 2) + i;
    // A place beyond the border may also be beyond what an int holds.
    const bool inside = x <= width + 1 && y <= height + 1;
    const lc_cell_place place = inside ? y * pitch + x : 0;
    if (inside)
        tile[i][j] = cells[place];
    __syncthreads();
    if (i == 0 || i == Y - 1 || j == 0 || j == X - 1 || x > width || y > height)
        return;
    const int cell = tile[i][j];
    const int alive = tile[i - 1][j - 1] + tile[i - 1][j] + tile[i - 1][j + 1] + tile[i][j - 1] +
                      tile[i][j + 1] + tile[i + 1][j - 1] + tile[i + 1][j] + tile[i + 1][j + 1];
    next[place] = alive == 3 || (alive == 2 && cell);
}

#else // How it is launched ------------------------------------------------------------------------

#include "ghost_border.h"

enum { OVERLAP = 2 }; // of the blocks, in cells

static const lc_knob knobs[] = {
    {"x", "threads of a block along a row", 32, LC_KNOB_VALUES(8, 16, 32, 64, 128)},
    {"y", "rows of threads in a block", 16, LC_KNOB_VALUES(4, 8, 16, 32)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return lc_ghost_check(board, OVERLAP, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 8;
    *operations = 30;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    return lc_ghost_step(run, OVERLAP, done, message);
}

const lc_design lc_design_overlapped_tile = {
    .name = "overlapped-tile",
    .title = "int a cell on the GPU, tiles in shared memory that overlap",
    .source = "OLCF tutorial, GOL-CUDA-Shared.cu",
    .file = "overlapped_tile.cu",
    .knobs = knobs,
    .check = check,
    .layout = lc_ghost_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = LC_GHOST_KERNELS,
                                  .macros = {[LC_GHOST_X] = "X", [LC_GHOST_Y] = "Y"},
                                  .compile = lc_ghost_compile,
                                  .step = step},
};

#endif
