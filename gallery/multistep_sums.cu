// Several generations a launch in shared memory, with the sums of a row made once for three rows.
//
// Source: BorisTheBrave, the second article on the Game of Life in CUDA (2025), which follows
// "Accelerated Game of Life with CUDA / Triton": its fastest kernel.
//
//     row y - 1   [l] [c] [r] -> sums --.
//     row y       [l] [c] [r] -> sums --+-> next generation of row y
//     row y + 1   [l] [c] [r] -> sums --'`-.
//     row y + 2   [l] [c] [r] -> sums ------+-> ... of row y + 1, and so on
//
// Like multistep.cu, with the tiles of packed_tile.cuh; but a thread goes down its `rows` words
// with the loop unrolled, and the sum of three cells side by side, a parity and a majority, serves
// the row above, its own row and the row below. So it loads three words instead of nine for each
// that it makes, and adds 8 times instead of 12 for each 32 cells; a thread with few rows gains
// less, as it needs the sums of two more rows than it has.
//
// Bytes a cell: 0.25 / steps and the halo (0.035 with the usual knobs).
// Operations a cell: 0.41 with words of 64 and 16 rows (2 * 2 * 18 / 16 shifts,
// 2 * (2 * 18 / 16 + 6) gates, and 5 for loads and stores, a word); 0.5 with the halo.
// Knobs: word, rows (of a thread), across, down (threads of a block in x and in y), steps.
// Limits: the width is a multiple of the word; fewer than 2^30 columns and 65,536 tiles below each
// other; a tile has more than 2 * steps rows; two tiles fit into the shared memory of a block.
#define MARGIN 1
#include "packed_tile.cuh"

#ifndef LC_HOST

// The buffers are distinct, so the loads can be moved ahead of the stores.
LC_INLINE void step_rows(const word *LC_RESTRICT from, word *LC_RESTRICT to)
{
    const word *const before = from - ACROSS;
    row_sums above = sums_of(before[-1], before[0], before[1]);
    row_sums here = sums_of(from[-1], from[0], from[1]);
    word cells = from[0];
    LC_UNROLL(ROWS)
    for (int i = 0; i < ROWS; i++) {
        const word *const after = from + (i + 1) * ACROSS;
        const word cells_below = after[0];
        const row_sums below = sums_of(after[-1], cells_below, after[1]);
        to[i * ACROSS] = next_of(above, here, below, cells);
        above = here;
        here = below;
        cells = cells_below;
    }
}

LC_KERNEL void LC_LAUNCH_BOUNDS(ACROSS * DOWN, 1)
    step(const word *cells, word *next, int words, int height, int steps)
{
    LC_SHARED_POOL(word, pool);
    part at = part_at(pool, words, height, steps);
    load_part(&at, cells);
    for (int s = 1; s <= steps; s++) {
        __syncthreads();
        if (has_inside(s))
            step_rows(at.from, at.to);
        turn_part(&at);
    }
    store_part(&at, next);
}

#else // How it is launched ------------------------------------------------------------------------

static const lc_knob knobs[] = {TILE_KNOBS(16, 16, 16, 8), {.name = NULL}};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return tile_check(board, MARGIN, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    const double halves = board->knob[WORD] / 32; // that a GPU makes of a word
    const double rows = board->knob[ROWS];
    *bytes = tile_traffic(board);
    *operations =
        tile_overlap(board) * (halves * (4 * (rows + 2) / rows + 6) + 5) / board->knob[WORD];
}

static lc_status prepare(lc_gpu_run *run, lc_message *message)
{
    return tile_prepare(run, MARGIN, message);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    return tile_step(run, MARGIN, generations, done, message);
}

const lc_design lc_design_multistep_sums = {
    .name = "multistep-sums",
    .title = "several generations a launch in shared memory, sums shared by rows",
    .source = "BorisTheBrave 2025, second article",
    .file = "multistep_sums.cu",
    .knobs = knobs,
    .check = check,
    .layout = packed_layout,
    .cost = cost,
    .gpu =
        &(const lc_gpu_design){
            .kernels = {"step"}, .compile = tile_compile, .prepare = prepare, .step = step},
};

#endif
