// Several generations a launch in shared memory, `inner` of them at a time in registers.
//
// Source: BorisTheBrave, the second article on the Game of Life in CUDA (2025), which follows
// "Accelerated Game of Life with CUDA / Triton": the variant with an array in registers.
//
//     shared memory   --- rows + 2 * inner rows --->   registers   inner generations
//     (packed_tile.cuh) <--- rows rows of the next ---   (a row below)
//
//     a row    | own, low half | own, high half | side |     32 bits each, a ring: left of the low
//              ^---------------------------------------^     half is `side`, and so on round
//     side     | the first 16 cells right of own | the last 16 cells left of own |
//
// Like multistep_sums.cu, but with a barrier only every `inner` generations: a thread takes in
// `inner` more rows above and below, and 16 more cells left and right, and steps them in its
// registers, in an array that stays in registers only if all loops are unrolled. The cells beside
// come as one word for both sides, in which the last right and the first left cell meet though they
// are not neighbours; from there, wrong cells spread by one a generation, as they do from the first
// and the last row.
//
// So with inner = 2 it saves half the shared memory traffic and half the barriers at the price of
// half as much arithmetic again: three words of 32 where two are useful, and more rows than are
// written. As its author found, that gains nothing where arithmetic is already the limit: on an
// H200 it makes 0.68 times the generations of multistep_sums.cu.
//
// Bytes a cell: 0.25 / steps and the halo (0.033 with the usual knobs).
// Operations a cell: 0.56 with words of 64, 16 rows and inner = 2 (3 * (4 * 19 + 6 * 17) / 16
// shifts and gates, and 5 / 2 for loads and stores, a word); 0.64 with the halo.
// Knobs: word, rows (of a thread), across, down (threads of a block in x and in y), steps, inner.
// Limits: the width is a multiple of the word; fewer than 2^30 columns and 65,536 tiles below each
// other; a tile has more than 2 * steps rows; two tiles fit into the shared memory of a block.
#define MARGIN INNER
#include "packed_tile.cuh"

#ifndef LC_HOST

enum { ARRAY_ROWS = ROWS + 2 * INNER, HALVES = WORD / 32 };

// A word and the cells beside it: HALVES words of 32, then `side`.
typedef struct ring {
    lc_word part[HALVES + 1];
} ring;

typedef struct ring_sums {
    ring parity, majority;
} ring_sums;

LC_INLINE ring ring_at(const word *at)
{
    ring loaded;
    loaded.part[0] = LOW_HALF(at[0]);
    loaded.part[HALVES - 1] = HIGH_HALF(at[0]);
    loaded.part[HALVES] = (LOW_HALF(at[1]) & 0xFFFF) | (HIGH_HALF(at[-1]) & 0xFFFF0000);
    return loaded;
}

LC_INLINE word word_of(const ring *row)
{
#if WORD == 64
    return JOINED(row->part[0], row->part[1]);
#else
    return row->part[0];
#endif
}

LC_INLINE ring_sums sums_of_ring(const ring *row)
{
    ring_sums sums;
    LC_UNROLL(HALVES + 1)
    for (int k = 0; k <= HALVES; k++) {
        const lc_word here = row->part[k];
        const lc_word west = __funnelshift_l(row->part[k > 0 ? k - 1 : HALVES], here, 1);
        const lc_word east = __funnelshift_r(here, row->part[k < HALVES ? k + 1 : 0], 1);
        sums.parity.part[k] = LC_GATE(0x96, west, here, east);
        sums.majority.part[k] = LC_GATE(0xE8, west, here, east);
    }
    return sums;
}

LC_INLINE ring next_of_ring(const ring_sums *above, const ring_sums *here, const ring_sums *below,
                            const ring *cells)
{
    ring next;
    LC_UNROLL(HALVES + 1)
    for (int k = 0; k <= HALVES; k++)
        next.part[k] = next_of_half(above->parity.part[k], above->majority.part[k],
                                    here->parity.part[k], here->majority.part[k],
                                    below->parity.part[k], below->majority.part[k], cells->part[k]);
    return next;
}

// Up to INNER generations, in place: row i of the array stays row i.
LC_INLINE void step_rows(const word *LC_RESTRICT from, word *LC_RESTRICT to, int generations)
{
    ring row[ARRAY_ROWS];
    LC_UNROLL(ARRAY_ROWS)
    for (int i = 0; i < ARRAY_ROWS; i++)
        row[i] = ring_at(from + (i - INNER) * ACROSS);
    LC_UNROLL(INNER)
    for (int g = 0; g < INNER; g++) {
        if (g >= generations)
            continue;
        ring_sums above = sums_of_ring(&row[g]), here = sums_of_ring(&row[g + 1]);
        LC_UNROLL(ARRAY_ROWS)
        for (int i = 1; i < ARRAY_ROWS - 1; i++) {
            if (i <= g || i >= ARRAY_ROWS - 1 - g)
                continue;
            const ring_sums below = sums_of_ring(&row[i + 1]);
            row[i] = next_of_ring(&above, &here, &below, &row[i]);
            above = here;
            here = below;
        }
    }
    LC_UNROLL(ROWS)
    for (int i = 0; i < ROWS; i++)
        to[i * ACROSS] = word_of(&row[i + INNER]);
}

LC_KERNEL void LC_LAUNCH_BOUNDS(ACROSS * DOWN, 1)
    step(const word *cells, word *next, int words, int height, int steps)
{
    LC_SHARED_POOL(word, pool);
    part at = part_at(pool, words, height, steps);
    load_part(&at, cells);
    for (int s = 0; s < steps; s += INNER) {
        const int generations = min(INNER, steps - s);
        __syncthreads();
        if (has_inside(s + generations))
            step_rows(at.from, at.to, generations);
        turn_part(&at);
    }
    store_part(&at, next);
}

#else // How it is launched ------------------------------------------------------------------------

enum { INNER = STEPS + 1 };

static const lc_knob knobs[] = {
    TILE_KNOBS(16, 32, 16, 8),
    {"inner", "generations in registers between two barriers", 2, LC_KNOB_VALUES(1, 2, 3, 4, 8)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return tile_check(board, board->knob[INNER], message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    const double parts = board->knob[WORD] / 32 + 1; // of a row in registers
    const double rows = board->knob[ROWS], inner = board->knob[INNER];
    *bytes = tile_traffic(board);
    *operations = tile_overlap(board) *
                  (parts * (4 * (rows + inner + 1) + 6 * (rows + inner - 1)) / rows + 5 / inner) /
                  board->knob[WORD];
}

static lc_status prepare(lc_gpu_run *run, lc_message *message)
{
    return tile_prepare(run, run->board.knob[INNER], message);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    return tile_step(run, run->board.knob[INNER], generations, done, message);
}

const lc_design lc_design_multistep_registers = {
    .name = "multistep-registers",
    .title = "several generations a launch, some at a time in registers",
    .source = "BorisTheBrave 2025, second article",
    .file = "multistep_registers.cu",
    .knobs = knobs,
    .check = check,
    .layout = packed_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[INNER] = "INNER"},
                                  .compile = tile_compile,
                                  .prepare = prepare,
                                  .step = step},
};

#endif
