// Bit a cell on the GPU, a thread a word of 32 or 64 cells: it counts all their neighbours at once.
//
// Source: BorisTheBrave, "Accelerated Game of Life with CUDA / Triton" (2025): the bit-packed
// kernels, of 32 and of 64 bits.
//
//     row y - 1   |  nw  |  n  |  ne  |     bit i of word k is cell k * word + i
//     row y       |  w   | own |  e   |     a thread loads these nine words and writes one
//     row y + 1   |  sw  |  s  |  se  |     (packed_word.cuh says how they are added)
//
// The published kernel leaves out the edges of the board, and adds with full adders; here rows and
// columns wrap round, and the three sums of a row are added by six functions of three bits. As
// published, each thread finds the sums of all three rows for itself.
//
// Bytes a cell: 0.25 (a bit read, a bit written).
// Operations a cell: 1.06 with words of 32 (6 shifts, 12 gates, 16 for addresses and the edges);
// 0.81 with words of 64.
// Knobs: word, across, down (threads of a block in x and in y).
// Limits: the width is a multiple of the word; fewer than 2^30 rows and columns.
#include "packed_word.cuh"

#ifndef LC_HOST

LC_KERNEL void step(const word *cells, word *next, int words, int height)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= words)
        return;
    const int left = x > 0 ? x - 1 : words - 1, right = x < words - 1 ? x + 1 : 0;
    // A launch has at most 65,535 blocks in y; if the board needs more, a thread does more words.
    for (int y = (int)(blockIdx.y * blockDim.y + threadIdx.y); y < height;
         y += (int)(gridDim.y * blockDim.y)) {
        const word *here = cells + (long long)y * words;
        const word *above = cells + (long long)(y > 0 ? y - 1 : height - 1) * words;
        const word *below = cells + (long long)(y < height - 1 ? y + 1 : 0) * words;
        const word own = here[x];
        next[(long long)y * words + x] = next_of(sums_of(above[left], above[x], above[right]),
                                                 sums_of(here[left], own, here[right]),
                                                 sums_of(below[left], below[x], below[right]), own);
    }
}

#else // How it is launched ------------------------------------------------------------------------

enum { ACROSS = WORD + 1 };

static const lc_knob knobs[] = {
    WORD_KNOB(64),
    LC_PLANE_KNOBS(64),
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    *bytes = 0.25;
    *operations = board->knob[WORD] == 64 ? 52.0 / 64 : 34.0 / 32;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    const int *knob = run->board.knob;
    return step_plane(run, run->board.width / knob[WORD], 1, ACROSS, done, message);
}

const lc_design lc_design_packed = {
    .name = "packed",
    .title = "bit a cell on the GPU, a thread a word",
    .source = "BorisTheBrave 2025, first article",
    .file = "packed.cu",
    .knobs = knobs,
    .check = packed_check,
    .layout = packed_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[WORD] = "WORD"},
                                  .step = step},
};

#endif
