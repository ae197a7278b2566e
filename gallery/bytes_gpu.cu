// Byte a cell on the GPU, a thread a cell: the plain kernel.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 2.
//
//     thread i        cell x = i % width, y = i / width
//     reads           its 8 neighbours and itself, a byte each, from global memory
//     writes          one byte of the other board
//
// A launch has up to 32,768 blocks, and each thread goes on to the cell that many threads further
// on until all are done. Neighbouring threads have neighbouring cells, so each of a warp's nine
// loads is one line of the cache.
//
// Bytes a cell: 2. Operations a cell: 24.
// Knobs: threads (of a block).
// Limits: none. Boards of fewer than 2^31 cells are stepped with the published arithmetic of 32
// bits: a remainder for each coordinate. With 64 bits, remainders would take longer than all the
// rest, so on larger boards a thread divides once and then adds.
#ifndef LC_HOST

#include "cuda.h"

#if WIDE
typedef unsigned long long place;
#else
typedef unsigned int place;
#endif

// The cell at column x of the row that begins at y; both are places in the board.
LC_INLINE void step_cell(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
                         place width, place size, place x, place y)
{
#if WIDE
    const place left = x > 0 ? x - 1 : width - 1, right = x < width - 1 ? x + 1 : 0;
    const place above = (y > 0 ? y : size) - width, below = y < size - width ? y + width : 0;
#else
    const place left = (x + width - 1) % width, right = (x + 1) % width;
    const place above = (y + size - width) % size, below = (y + width) % size;
#endif
    const int cell = cells[x + y]; // loaded with the others, not after them
    const int alive = cells[left + above] + cells[x + above] + cells[right + above] +
                      cells[left + y] + cells[right + y] + cells[left + below] +
                      cells[x + below] + cells[right + below];
    next[x + y] = alive == 3 || (alive == 2 && cell);
}

LC_KERNEL void step(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
                    lc_u64 board_width, lc_u64 board_height)
{
    const place width = (place)board_width, size = width * (place)board_height;
    const place threads = (place)blockDim.x * gridDim.x;
    const place first = (place)blockIdx.x * blockDim.x + threadIdx.x;
#if WIDE
    const place columns = threads % width, rows = threads - columns;
    place x = first % width, y = first - x;
    while (y < size) {
        step_cell(cells, next, width, size, x, y);
        x += columns;
        y += rows;
        if (x >= width) {
            x -= width;
            y += width;
        }
    }
#else
    for (place i = first; i < size; i += threads)
        step_cell(cells, next, width, size, i % width, i - i % width);
#endif
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { THREADS };

static const lc_knob knobs[] = {
    {"threads", "threads of a block", 128, LC_KNOB_VALUES(32, 64, 128, 256, 512, 1024)},
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2;
    *operations = 24;
}

static void compile(const lc_gallery_board *board, lc_gpu_options *options)
{
    lc_gpu_define(options, "WIDE", board->width * board->height > INT32_MAX);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    int64_t width = run->board.width, height = run->board.height;
    const int64_t threads = run->board.knob[THREADS];
    const int64_t blocks = (width * height + threads - 1) / threads;
    const lc_launch launch = {
        .grid = {(uint32_t)(blocks < 32768 ? blocks : 32768)},
        .block = {(uint32_t)threads},
    };
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_bytes_gpu = {
    .name = "bytes-gpu",
    .title = "byte a cell on the GPU, a thread a cell",
    .source = "Fiser 2013, chapter 2",
    .file = "bytes_gpu.cu",
    .knobs = knobs,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"}, .compile = compile, .step = step},
};

#endif
