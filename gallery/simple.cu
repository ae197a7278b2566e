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
// A thread reads its cell and the eight around it from global memory; that all but one of the nine
// come from the cache is left to the hardware. The published kernel leaves out the cells at the edges
// of the board; here rows and columns wrap round.
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
    // A launch has at most 65,535 blocks in y; should the board have more, a thread has more cells.
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

#include "gpu.h"

enum { ACROSS, DOWN };

static const lc_knob knobs[] = {
    {"across", "threads of a block in x", 64, LC_KNOB_VALUES(8, 16, 32, 64, 128, 256)},
    {"down", "threads of a block in y", 4, LC_KNOB_VALUES(1, 2, 4)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    if (board->width > INT32_MAX / 2 || board->height > INT32_MAX / 2) // so that no index overflows
        return lc_gallery_fail(message, LC_ERROR_UNSUPPORTED,
                               "the design steps boards of fewer than 2^30 rows and columns");
    return LC_OK;
}

static void layout(const lc_gallery_board *board, lc_cell_layout *layout)
{
    lc_gallery_plain_layout(board, 8, layout);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2;
    *operations = 24;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    int width = (int)run->board.width, height = (int)run->board.height;
    const uint32_t across = (uint32_t)run->board.knob[ACROSS];
    const uint32_t down = (uint32_t)run->board.knob[DOWN];
    const uint32_t blocks_down = lc_gpu_blocks(height, down);
    const lc_launch launch = {
        .grid = {lc_gpu_blocks(width, across), blocks_down < 65535 ? blocks_down : 65535},
        .block = {across, down},
    };
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    *done = 1;
    lc_status status = lc_gpu_launch(run, 0, launch, arguments, message);
    lc_gpu_swap(run);
    return status;
}

const lc_design lc_design_simple = {
    .name = "simple",
    .title = "byte a cell on the GPU, a thread a cell, blocks of two dimensions",
    .source = "BorisTheBrave 2025, first article",
    .file = "simple.cu",
    .knobs = knobs,
    .check = check,
    .layout = layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"}, .step = step},
};

#endif
