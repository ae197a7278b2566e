// Several generations a launch in the registers of a warp, whose lanes pass each other their words
// by shuffles: no shared memory, no barrier.
//
// Source: Toru Fujita, Koji Nakano, Yasuaki Ito, "Fast Simulation of Conway's Game of Life Using
// Bitwise Parallel Bulk Computation on a GPU", International Journal of Foundations of Computer
// Science 27 (2016), 981-1003; before it, with Daigo Nishikori, "Efficient GPU Implementations for
// the Conway's Game of Life", CANDAR 2015.
//
//               lane 0   lane 1          lane 30  lane 31
//             +--------+--------+- ... -+--------+--------+
//     row 0   |        | halo   |       |        |        |  `steps` rows
//             |        +--------+- ... -+--------+        |
//     row 1   |  halo  | word -> word            |  halo  |  from lane to lane by shuffles,
//      ...    |        |   |                     |        |  from row to row in a lane's registers
//             |        +--------+- ... -+--------+        |
//     row R-1 |        | halo   |       |        |        |  `steps` rows
//             +--------+--------+- ... -+--------+--------+
//
// The papers' abstracts describe words of 32 or 64 cells whose neighbours are counted by operations
// on words, a block of cells in the registers of the 32 threads of a warp, two words a thread that
// are updated together, neighbours by warp shuffle, and several steps a launch. They do not say how
// the words of a block are dealt to the threads; here a lane has `rows` words one below the other,
// so that a row of the block is one line of memory, and only the words left and right, of which
// half a word is enough, come from other lanes. The row sums that two words updated together share
// are here shared by all `rows` of them. On the GPUs of 2016 a thread had fewer registers to spare.
//
// Bytes a cell: 0.25 / steps and the halo (0.038 with the usual knobs).
// Operations a cell: 0.34 (2 shuffles, 4 shifts, 16 gates, a word of 64); 0.49 with the halo.
// Knobs: word, rows (of a lane), warps (of a block), steps.
// Limits: the width is a multiple of the word; fewer than 2^30 columns and 65,536 blocks below each
// other; a warp has more than 2 * steps rows.
#include "packed_word.cuh"

#ifndef LC_HOST

enum { LANES = 32 };

LC_INLINE row_sums sums_in_warp(word cells)
{
    const lc_word left = __shfl_up_sync(~0u, HIGH_HALF(cells), 1);
    const lc_word right = __shfl_down_sync(~0u, LOW_HALF(cells), 1);
    return sums_beside(left, cells, right);
}

// In place. The first and the last row stay as they are: they would be wrong anyway.
LC_INLINE void step_rows(word *row)
{
    row_sums above = sums_in_warp(row[0]), here = sums_in_warp(row[1]);
    LC_UNROLL(ROWS)
    for (int i = 1; i < ROWS - 1; i++) {
        const row_sums below = sums_in_warp(row[i + 1]);
        row[i] = next_of(above, here, below, row[i]);
        above = here;
        here = below;
    }
}

LC_KERNEL void LC_LAUNCH_BOUNDS(WARPS * LANES, 1)
    step(const word *cells, word *next, int words, int height, int steps)
{
    const int lane = (int)(threadIdx.x % LANES), warp = (int)(threadIdx.x / LANES);
    const int x = (int)blockIdx.x * (LANES - 2) + lane - 1;
    const int first = ((int)blockIdx.y * WARPS + warp) * (ROWS - 2 * steps) - steps;
    if (first + steps >= height)
        return; // below the board, with its whole warp

    word row[ROWS];
    const word *const column = cells + wrapped(x, words);
    int y = wrapped(first, height);
    LC_UNROLL(ROWS)
    for (int i = 0; i < ROWS; i++) {
        row[i] = __ldg(column + (long long)y * words);
        y = y < height - 1 ? y + 1 : 0;
    }

    LC_UNROLL(1)
    for (int s = 0; s < steps; s++)
        step_rows(row);

    if (lane == 0 || lane == LANES - 1 || x >= words)
        return;
    word *const to = next + (long long)first * words + x;
    LC_UNROLL(ROWS)
    for (int i = 0; i < ROWS; i++)
        if (i >= steps && i < ROWS - steps && first + i < height)
            to[(long long)i * words] = row[i];
}

#else // How it is launched ------------------------------------------------------------------------

enum { ROWS = WORD + 1, WARPS, STEPS, LANES = 32 };

static const lc_knob knobs[] = {
    WORD_KNOB(64),
    {"rows", "rows of a lane", 64, LC_KNOB_VALUES(8, 16, 32, 48, 64)},
    {"warps", "warps of a block", 4, LC_KNOB_VALUES(1, 2, 4, 8)},
    {"steps", "generations a launch", 8, LC_KNOB_VALUES(1, 2, 3, 4, 6, 8, 12, 16)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    if (board->knob[ROWS] <= 2 * board->knob[STEPS])
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                               "%d rows are all halo with steps=%d: it takes more than two rows a "
                               "generation",
                               board->knob[ROWS], board->knob[STEPS]);
    const int inside = board->knob[ROWS] - 2 * board->knob[STEPS];
    return packed_check_blocks(board, (int64_t)inside * board->knob[WARPS], message);
}

// How much a warp computes for each word that it keeps.
static double overlap(const lc_gallery_board *board)
{
    const double rows = board->knob[ROWS];
    return (double)LANES / (double)(LANES - 2) * rows / (rows - 2 * board->knob[STEPS]);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    const double halves = board->knob[WORD] / 32; // that a GPU makes of a word
    *bytes = (overlap(board) + 1) / 8 / board->knob[STEPS];
    *operations = overlap(board) * (2 + 10 * halves) / board->knob[WORD];
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    const lc_gallery_board *board = &run->board;
    int words = (int)(board->width / board->knob[WORD]), height = (int)board->height;
    int steps = board->knob[STEPS];
    if (generations < (uint64_t)steps)
        steps = (int)generations;
    const int inside = board->knob[ROWS] - 2 * steps;
    const lc_launch launch = {
        .grid = {lc_gpu_blocks(words, LANES - 2),
                 lc_gpu_blocks(height, (int64_t)inside * board->knob[WARPS])},
        .block = {(uint32_t)(board->knob[WARPS] * LANES)},
    };
    void *arguments[] = {&run->cells, &run->next, &words, &height, &steps};
    *done = (uint64_t)steps;
    lc_status status = lc_gpu_launch(run, 0, launch, arguments, message);
    lc_gpu_swap(run);
    return status;
}

const lc_design lc_design_warp_shuffle = {
    .name = "warp-shuffle",
    .title = "several generations a launch in a warp's registers, by shuffles",
    .source = "Fujita, Nakano, Ito 2016",
    .file = "warp_shuffle.cu",
    .knobs = knobs,
    .check = check,
    .layout = packed_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[WORD] = "WORD", [ROWS] = "ROWS", [WARPS] = "WARPS"},
                                  .step = step},
};

#endif
