// Several generations a launch: a block loads a tile of words into shared memory, steps it there,
// and writes the part of it that is still right.
//
// Source: BorisTheBrave, the second article on the Game of Life in CUDA (2025), which follows
// "Accelerated Game of Life with CUDA / Triton": the first of its kernels.
//
//     global memory       shared memory, twice                     global memory
//                         +-----------+  8 times   +-----------+
//     tile with halo ---> |  now      | ---------> |  next     | ---> tile without halo
//                         +-----------+ <--------- +-----------+
//
// The threads wait only at the barrier after each generation; with two buffers, none can overwrite
// what another still reads. packed_tile.cuh says how tiles overlap. As published, a thread has
// `rows` rows of words, and for each of them loads nine words and finds the sums of three rows, as
// if it had no other. The published kernel treats what lies beyond the board as dead, and computes
// all of a tile to the end; here rows and columns wrap round, threads whose rows have all gone
// wrong rest, and packed_word.cuh says how words are added.
//
// Bytes a cell: 0.25 / steps and the halo (0.035 with the usual knobs).
// Operations a cell: 0.66 with words of 64 (12 shifts, 24 gates and 6 for loads and stores, a
// word); 0.8 with the halo.
// Knobs: word, rows (of a thread), across, down (threads of a block in x and in y), steps.
// Limits: the width is a multiple of the word; fewer than 2^30 columns and 65,536 tiles below each
// other; a tile has more than 2 * steps rows; two tiles fit into the shared memory of a block.
#define MARGIN 1
#include "packed_tile.cuh"

#ifndef LC_HOST

LC_INLINE row_sums sums_at(const word *at)
{
    return sums_of(at[-1], at[0], at[1]);
}

LC_KERNEL void LC_LAUNCH_BOUNDS(ACROSS * DOWN, 1)
    step(const word *cells, word *next, int words, int height, int steps)
{
    LC_SHARED_POOL(word, pool);
    part at = part_at(pool, words, height, steps);
    load_part(&at, cells);
    for (int s = 1; s <= steps; s++) {
        __syncthreads();
        if (has_inside(s)) {
            LC_UNROLL(2)
            for (int i = 0; i < ROWS; i++) {
                const word *from = at.from + i * ACROSS;
                at.to[i * ACROSS] =
                    next_of(sums_at(from - ACROSS), sums_at(from), sums_at(from + ACROSS), *from);
            }
        }
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
    *bytes = tile_traffic(board);
    *operations = tile_overlap(board) * (halves * 18 + 6) / board->knob[WORD];
}

static lc_status prepare(lc_gpu_run *run, lc_message *message)
{
    return tile_prepare(run, MARGIN, message);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    return tile_step(run, MARGIN, generations, done, message);
}

const lc_design lc_design_multistep = {
    .name = "multistep",
    .title = "several generations a launch in shared memory",
    .source = "BorisTheBrave 2025, second article",
    .file = "multistep.cu",
    .knobs = knobs,
    .check = check,
    .layout = packed_layout,
    .cost = cost,
    .gpu =
        &(const lc_gpu_design){
            .kernels = {"step"}, .compile = tile_compile, .prepare = prepare, .step = step},
};

#endif
