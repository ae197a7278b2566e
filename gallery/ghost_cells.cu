// An int a cell and a border of ghosts: three small kernels a generation.
//
// Source: Oak Ridge Leadership Computing Facility, "CUDA Game of Life" tutorial, the first of three
// programs (GOL-CUDA.cu).
//
//     ghost ghost ghost ghost ghost     fill_ghost_rows, fill_ghost_columns (ghost_border.cuh) copy
//     ghost  int   int   int  ghost     the far side of the board into the border; then step, a
//     ghost  int   int   int  ghost     thread a cell, reads nine ints and writes one, and has no
//     ghost ghost ghost ghost ghost     edges to care for
//
// The original has square boards and square blocks, and gives the kernels that fill the border as
// many threads as its blocks have on a side; here they have 128. Its rule, five comparisons, is
// written as two.
//
// Bytes a cell: 8. Operations a cell: 22.
// Knobs: x, y (threads of a block along a row, and how many rows of them). Published: 16 and 16.
// Limits: x * y at most 1,024; a width of at most 2^30 cells, a height of at most 65,535 blocks.
#ifndef LC_HOST

#include "ghost_border.cuh"

LC_KERNEL void step(const int *LC_RESTRICT cells, int *LC_RESTRICT next, int width, int height)
{
    const lc_cell_place pitch = width + 2;
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) + 1;
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y) + 1;
    if (x > width || y > height)
        return;
    const lc_cell_place place = y * pitch + x;
    const int *above = cells + (place - pitch), *here = cells + place;
    const int *below = cells + (place + pitch);
    const int cell = here[0]; // loaded with the others, not after them
    const int alive =
        above[-1] + above[0] + above[1] + here[-1] + here[1] + below[-1] + below[0] + below[1];
    next[place] = alive == 3 || (alive == 2 && cell);
}

#else // How it is launched ------------------------------------------------------------------------

#include "ghost_border.h"

enum { OVERLAP = 0 }; // of the blocks: none

static const lc_knob knobs[] = {
    {"x", "threads of a block along a row", 16, LC_KNOB_VALUES(4, 8, 16, 32, 64, 128, 256)},
    {"y", "rows of threads in a block", 16, LC_KNOB_VALUES(1, 2, 4, 8, 16, 32)},
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
    *operations = 22;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    return lc_ghost_step(run, OVERLAP, done, message);
}

const lc_design lc_design_ghost_cells = {
    .name = "ghost-cells",
    .title = "int a cell on the GPU with a border of ghosts, three kernels a generation",
    .source = "OLCF tutorial, GOL-CUDA.cu",
    .file = "ghost_cells.cu",
    .knobs = knobs,
    .check = check,
    .layout = lc_ghost_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = LC_GHOST_KERNELS,
                                  .compile = lc_ghost_compile,
                                  .step = step},
};

#endif
