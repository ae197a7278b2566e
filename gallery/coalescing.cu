// Byte a cell on the GPU, sixteen cells a load: each thread has a piece of the board, or the
// threads take turns. The work is the same; the only difference is which thread does which sixteen.
//
// Source: Malte Skarupke, "Initial CUDA Performance Lessons" (2024), "Memory Coalescing".
//
//     coalesced=0     | 0 0 0 0 0 | 1 1 1 1 1 | 2 2 2 2 2 | 3 3 ..   who steps a sixteen: the loads
//     coalesced=1     | 0 1 2 3 4   5 6 7 8 9   0 1 2 3 4   5 6 ..   of a warp are 32 lines, or 4
//
// As many threads are launched as are meant to run at once, not as there is work; the loop in each
// thread is the article's. If the threads of a warp take turns, its load of 16 bytes a lane is 512
// bytes in one piece. If each has its own piece, the load touches 32 lines of 128 bytes for the
// same 512 bytes, and the remaining 112 of each line have to stay in the cache until the thread
// reaches them: with 2,048 threads on a multiprocessor and three rows each that is 768 KiB, three
// times the size of the cache. How far apart the pieces lie depends on the board; if each thread
// has only one sixteen, as on small boards, both are the same.
//
// Bytes a cell: 2 (one read, one written).
// Operations a cell: 6 (see sixteen_cells.cuh).
// Knobs: coalesced, threads (of a block), blocks (for each multiprocessor).
// Limits: the width is a multiple of 16; sides of up to 2^30 cells; fewer than 2^35 cells.
#include "sixteen_cells.cuh"

#ifndef LC_HOST

LC_KERNEL void LC_LAUNCH_BOUNDS(THREADS, 1)
    step(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
         unsigned int width, unsigned int height, unsigned int count)
{
    const unsigned int threads = gridDim.x * THREADS;
    const unsigned int me = blockIdx.x * THREADS + threadIdx.x;
#if COALESCED
    const unsigned int first = me, stride = threads, end = count;
#else
    const unsigned int each = (count + threads - 1) / threads;
    const unsigned int first = me * each, stride = 1;
    const unsigned int end = min(first + each, count);
#endif
    for (unsigned int i = first; i < end; i += stride)
        ((uint4 *)next)[i] = next_sixteen(cells, i, width, height);
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { COALESCED, THREADS, BLOCKS };

static const lc_knob knobs[] = {
    {"coalesced", "1: threads take turns, 0: each has a piece", 1, LC_KNOB_VALUES(0, 1)},
    {"threads", "threads of a block", 256, LC_KNOB_VALUES(32, 64, 128, 256, 512, 1024)},
    {"blocks", "blocks for each multiprocessor", 4, LC_KNOB_VALUES(1, 2, 4, 8, 16, 32)},
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2;
    *operations = 6;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    uint32_t width = (uint32_t)run->board.width, height = (uint32_t)run->board.height;
    uint32_t count = count_sixteens(&run->board);
    const lc_launch launch = {
        .grid = {(uint32_t)(lc_device_facts_of(run->device)->multiprocessors *
                            run->board.knob[BLOCKS])},
        .block = {(uint32_t)run->board.knob[THREADS]},
    };
    void *arguments[] = {&run->cells, &run->next, &width, &height, &count};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_coalescing = {
    .name = "coalescing",
    .title = "byte a cell on the GPU, memory dealt out in pieces or in turns",
    .source = "Skarupke 2024, \"Memory Coalescing\"",
    .file = "coalescing.cu",
    .knobs = knobs,
    .check = check_sixteens,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[COALESCED] = "COALESCED", [THREADS] = "THREADS"},
                                  .step = step},
};

#endif
