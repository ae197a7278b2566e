// Byte a cell on the CPU by whole matrices: a convolution, then masks.
//
// Source: Lorenzo Cappetti, "Game of Life: Performance Optimization with CUDA Parallelization"
// (2026), section 3: the sequential baseline, which uses NumPy and SciPy; scipy.c runs exactly
// those. This is the same method in C.
//
//                     1 1 1
//     neighbours  =   1 0 1  * cells                        a pass each over the whole board, with
//                     1 1 1                                 its result in an array of its own,
//     birth       =   cells == 0 & neighbours == 3          one byte a cell, 0 or 1, rows one
//     survival    =   cells == 1 & (neighbours == 2         after the other
//                                 | neighbours == 3)
//     next        =   birth | survival
//
// Passes over whole matrices, with arrays between them, are the point of the method: no pass has a
// branch in its loop over cells, so the compiler vectorises all of them. They are also its price: a
// board that does not stay in the cache goes through memory four times.
//
// Published for one thread (-t 1); here each pass can be spread over the rows.
//
// Bytes a cell: 11 (2 for the convolution, 3 for each of the others). Operations a cell: 16 (on
// bytes: 7 additions, 5 comparisons, 4 of logic).
// Knobs: none.
// Limits: none.
#include <stdlib.h>

#include "cpu_design.h"

enum { NEIGHBOURS, BIRTH, SURVIVAL, ARRAYS };

// One of the arrays between the passes.
static uint8_t *array(const lc_cpu_run *run, int index)
{
    return (uint8_t *)run->own + (size_t)index * (size_t)run->layout.size_bytes;
}

static uint64_t extra_bytes(const lc_gallery_board *board)
{
    return ARRAYS * (uint64_t)board->width * (uint64_t)board->height;
}

static lc_status prepare(lc_cpu_run *run, lc_message *message)
{
    run->own = calloc(ARRAYS, (size_t)run->layout.size_bytes);
    if (run->own != NULL)
        return LC_OK;
    return lc_fail(message, LC_ERROR_MEMORY, "out of memory for %d arrays of %llu bytes",
                   (int)ARRAYS, (unsigned long long)run->layout.size_bytes);
}

static void release(lc_cpu_run *run)
{
    free(run->own);
}

static uint8_t ring(const uint8_t *above, const uint8_t *here, const uint8_t *below, int64_t left,
                    int64_t x, int64_t right)
{
    return (uint8_t)(above[left] + above[x] + above[right] + here[left] + here[right] +
                     below[left] + below[x] + below[right]);
}

static void convolve_row(const uint8_t *above, const uint8_t *here, const uint8_t *below,
                         uint8_t *restrict neighbours, int64_t width)
{
    const int64_t last = width - 1;
    neighbours[0] = ring(above, here, below, last, 0, width > 1 ? 1 : 0);
    for (int64_t x = 1; x < last; x++)
        neighbours[x] = ring(above, here, below, x - 1, x, x + 1);
    if (last > 0)
        neighbours[last] = ring(above, here, below, last - 1, last, 0);
}

static void convolve(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t width = run->board.width, height = run->board.height;
    for (int64_t y = first; y < end; y++)
        convolve_row(run->cells + (y + height - 1) % height * width, run->cells + y * width,
                     run->cells + (y + 1) % height * width, array(run, NEIGHBOURS) + y * width,
                     width);
}

static void find_births(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t begin = first * run->board.width, stop = end * run->board.width;
    const uint8_t *cells = run->cells, *neighbours = array(run, NEIGHBOURS);
    uint8_t *restrict birth = array(run, BIRTH);
    for (int64_t i = begin; i < stop; i++)
        birth[i] = (cells[i] == 0) & (neighbours[i] == 3);
}

static void find_survivors(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t begin = first * run->board.width, stop = end * run->board.width;
    const uint8_t *cells = run->cells, *neighbours = array(run, NEIGHBOURS);
    uint8_t *restrict survival = array(run, SURVIVAL);
    for (int64_t i = begin; i < stop; i++)
        survival[i] = (cells[i] == 1) & ((neighbours[i] == 2) | (neighbours[i] == 3));
}

static void unite(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t begin = first * run->board.width, stop = end * run->board.width;
    const uint8_t *birth = array(run, BIRTH), *survival = array(run, SURVIVAL);
    uint8_t *restrict next = run->next;
    for (int64_t i = begin; i < stop; i++)
        next[i] = birth[i] | survival[i];
}

static lc_status step(lc_cpu_run *run, uint64_t generations, lc_message *message)
{
    (void)message;
    for (; generations > 0; generations--) {
        lc_cpu_for_rows(run, convolve);
        lc_cpu_for_rows(run, find_births);
        lc_cpu_for_rows(run, find_survivors);
        lc_cpu_for_rows(run, unite);
        lc_cpu_swap(run);
    }
    return LC_OK;
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 11;
    *operations = 16;
}

const lc_design lc_design_convolution = {
    .name = "convolution",
    .title = "byte a cell on the CPU by whole matrices: a convolution, then masks",
    .source = "Cappetti 2026, section 3",
    .file = "convolution.c",
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .cpu =
        &(const lc_cpu_design){
            .extra_bytes = extra_bytes, .prepare = prepare, .release = release, .step = step},
};
