// Byte a cell on the GPU, several cells a thread: loaded as one word, added as one word.
//
// Source: BorisTheBrave, "Accelerated Game of Life with CUDA / Triton" (2025): the kernel with wide
// loads.
//
//     row y - 1   [a0 a1 a2 a3] [b0 b1 b2 b3] [c0 c1 c2 c3]   a thread has the cells of b in row y;
//     row y       [           ] [  thread i ] [           ]   it loads nine words
//     row y + 1   [           ] [           ] [           ]
//
// The cells are 0 or 1, so the bytes of a word can be added without a carry from one to the next:
// the three rows first, then the sums shifted by a byte to either side. The published kernel then
// takes the bytes apart and writes them one by one, since its threads' cells are not aligned to
// words; it leaves out the edges of the board. Here they are aligned, the rule is applied to all
// bytes at once, and rows and columns wrap round.
//
// Bytes a cell: 2 (one read, one written).
// Operations a cell: 8.5 with 4 cells a word of 32 bits (9 additions and shifts for the count, 8
// for the rule, 17 for addresses and the edges); 6.4 with 8, where a GPU makes each operation on 64
// bits into two.
// Knobs: cells (of a thread), across, down (threads of a block in x and in y).
// Limits: the width is a multiple of `cells`; fewer than 2^30 rows and columns.
#ifndef LC_HOST

#include "cuda.h"

#if CELLS == 8
typedef lc_u64 word;
#define ALL_BYTES 0x0101010101010101ull
#else
typedef lc_word word;
#define ALL_BYTES 0x01010101u
#endif
enum { LAST_BYTE = 8 * (CELLS - 1) };

// The sum of three rows, for one column of words.
LC_INLINE word sum_down(const word *above, const word *here, const word *below, int i)
{
    return above[i] + here[i] + below[i];
}

LC_KERNEL void step(const word *cells, word *next, int words, int height)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= words)
        return;
    const int left = x > 0 ? x - 1 : words - 1, right = x < words - 1 ? x + 1 : 0;
    // A launch has at most 65,535 blocks in y; if the board needs more, a thread does more rows.
    for (int y = (int)(blockIdx.y * blockDim.y + threadIdx.y); y < height;
         y += (int)(gridDim.y * blockDim.y)) {
        const word *here = cells + (long long)y * words;
        const word *above = cells + (long long)(y > 0 ? y - 1 : height - 1) * words;
        const word *below = cells + (long long)(y < height - 1 ? y + 1 : 0) * words;
        const word alive = here[x];
        const word down = sum_down(above, here, below, x);
        const word west = down << 8 | sum_down(above, here, below, left) >> LAST_BYTE;
        const word east = down >> 8 | sum_down(above, here, below, right) << LAST_BYTE;
        const word neighbours = down + west + east - alive; // 0 to 8
        // Three neighbours, or two and alive, are the only ways to get 3. Adding 15 to what differs
        // from that carries into bit 4 of the byte unless it is 0.
        const word differs = (neighbours | alive) ^ 3 * ALL_BYTES;
        next[(long long)y * words + x] = ~(differs + 15 * ALL_BYTES) >> 4 & ALL_BYTES;
    }
}

#else // How it is launched ------------------------------------------------------------------------

#include "thread_plane.h"

enum { CELLS, ACROSS };

static const lc_knob knobs[] = {
    {"cells", "cells of a thread", 8, LC_KNOB_VALUES(4, 8)},
    LC_PLANE_KNOBS(32),
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    lc_status status = check_plane(board, message);
    return status != LC_OK ? status : lc_gallery_check_width(board, board->knob[CELLS], message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    *bytes = 2;
    *operations = board->knob[CELLS] == 8 ? 6.4 : 8.5;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    const int *knob = run->board.knob;
    return step_plane(run, run->board.width / knob[CELLS], 1, ACROSS, done, message);
}

const lc_design lc_design_wide_loads = {
    .name = "wide-loads",
    .title = "byte a cell on the GPU, loaded and added by the word",
    .source = "BorisTheBrave 2025, first article",
    .file = "wide_loads.cu",
    .knobs = knobs,
    .check = check,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[CELLS] = "CELLS"},
                                  .step = step},
};

#endif
