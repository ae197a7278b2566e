// Byte a cell on the GPU, a thread a cell, threads in blocks of two dimensions.
//
// Source: BorisTheBrave, "Accelerated Game of Life with CUDA / Triton" (2025): the first kernel in
// CUDA.
//
//               across
//             +--------+
//       down  | thread |  thread (i, j) of block (I, J): cell x = I * across + i, y = J * down + j
//             +--------+  one byte each, 0 or 1, rows one after the other
//
// A thread reads its cell and the eight around it from global memory; it is left to the hardware
// that all but one of the nine come from the cache. The published kernel leaves out the cells at
// the edges of the board; here rows and columns wrap round.
//
// Bytes a cell: 2 (one read, one written).
// Operations a cell: 24 (8 additions, 3 comparisons and choices, 13 for addresses and the edges).
// Knobs: across, down (threads of a block in x and in y).
// Limits: fewer than 2^30 rows and columns.
#ifndef LC_HOST

#include "cuda.h"

LC_KERNEL void step(const unsigned char *cells, unsigned char *next, int width, int height)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= width)
        return;
    const int left = x > 0 ? x - 1 : width - 1, right = x < width - 1 ? x + 1 : 0;
    // A launch has at most 65,535 blocks in y; if the board needs more, a thread does more cells.
    for (int y = (int)(blockIdx.y * blockDim.y + threadIdx.y); y < height;
         y += (int)(gridDim.y * blockDim.y)) {
        const unsigned char *here = cells + (long long)y * width;
        const unsigned char *above = cells + (long long)(y > 0 ? y - 1 : height - 1) * width;
        const unsigned char *below = cells + (long long)(y < height - 1 ? y + 1 : 0) * width;
        const int alive = above[left] + above[x] + above[right] + here[left] + here[right] +
                          below[left] + below[x] + below[right];
        next[(long long)y * width + x] = alive == 3 || (alive == 2 && here[x]);
    }
}

#else // How it is launched ------------------------------------------------------------------------

#include "thread_plane.h"

enum { ACROSS };

static const lc_knob knobs[] = {
    LC_PLANE_KNOBS(64),
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2;
    *operations = 24;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    return step_plane(run, run->board.width, 1, ACROSS, done, message);
}

const lc_design lc_design_simple = {
    .name = "simple",
    .title = "byte a cell on the GPU, a thread a cell, blocks of two dimensions",
    .source = "BorisTheBrave 2025, first article",
    .file = "simple.cu",
    .knobs = knobs,
    .check = check_plane,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"}, .step = step},
};

#endif
