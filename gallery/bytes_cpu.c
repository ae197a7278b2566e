// Byte a cell on the CPU, by one thread or all: the plain program that the others are compared
// with.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 2: serial, and
// parallel over the rows.
//
//     row y - 1   . a b c .
//     row y       . d X e .      one byte a cell, 0 or 1, rows one after the other;
//     row y + 1   . f g h .      X' = a + ... + h == 3 || (a + ... + h == 2 && X)
//
// The torus is made by arithmetic: the coordinates of the rows and columns beside a cell are
// wrapped before they are used.
//
// Bytes a cell: 2 (one read, one written; the rows above and below are still in the cache).
// Operations a cell: 20 (8 additions, 3 comparisons and choices, 9 for addresses).
// Knobs: none. One thread (-t 1) is the serial program.
// Limits: none.
#include "cpu_design.h"

static void step_rows(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t width = run->board.width, height = run->board.height;
    for (int64_t y = first; y < end; y++) {
        const uint8_t *here = run->cells + y * width;
        const uint8_t *above = run->cells + (y + height - 1) % height * width;
        const uint8_t *below = run->cells + (y + 1) % height * width;
        uint8_t *next = run->next + y * width;
        for (int64_t x = 0; x < width; x++) {
            const int64_t left = (x + width - 1) % width;
            const int64_t right = (x + 1) % width;
            const int alive = above[left] + above[x] + above[right] + here[left] + here[right] +
                              below[left] + below[x] + below[right];
            next[x] = alive == 3 || (alive == 2 && here[x]);
        }
    }
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2;
    *operations = 20;
}

const lc_design lc_design_bytes_cpu = {
    .name = "bytes-cpu",
    .title = "byte a cell on the CPU, serial or by rows on all threads",
    .source = "Fiser 2013, chapter 2",
    .file = "bytes_cpu.c",
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .cpu = &(const lc_cpu_design){.rows = step_rows},
};
