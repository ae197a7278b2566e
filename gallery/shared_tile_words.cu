// The tiles of shared_tile.cu with 32 cells a word, which its author proposes as future work.
//
// Source: Lorenzo Cappetti, "Game of Life: Performance Optimization with CUDA Parallelization"
// (University of Florence), section 7.2, "Bit-packing"; the tile is that of its section 4.
//
//     bit b of word w of a row    column 32 w + b
//
//     left   centre   right       tile: (BLOCK ROWS + 2) rows of BLOCK + 2 words and a padding one,
//     ...31  0 ... 31  0 ...      loaded once, then one barrier
//
//     row sums    (s, c) = centre moved by one to either side + centre, two bits: 2 gates, 2 shifts
//     next        of three rows' sums and the centre word: 6 gates
//
// A thread has `rows` words of one column, one below the other: it adds up each row once, and keeps
// the sums of the two rows before, so that with many rows a word costs 8 gates and not 12. rows = 1
// is the published scheme, a thread for each place of the tile.
//
// The padding column does not help here: neighbouring threads read neighbouring words, which are in
// different banks. In blocks of 16 the two rows of a warp are in different banks if the pitch is 16
// more than a multiple of 32; it is 18 or 19, so about two accesses in a warp of those collide
// either way.
//
// Bytes a cell: 0.25 (a word of 32 cells read, and one written).
// Operations a cell: 0.375 with 4 rows: 2 shifts and 2 gates for each of a thread's rows + 2 rows
// of words, and 6 gates for each word. On top of these come three loads from the tile a row.
// Knobs: block (its side in threads), rows (words below each other that a thread steps), ldg,
// padding.
// Limits: the width is a multiple of 32; sides of up to 2^30 cells.
#ifndef LC_HOST

#include "cuda.h"

#define HEIGHT (BLOCK * ROWS) // of a block, in rows of the board

#if LDG
#define LOAD(at) __ldg(at)
#else
#define LOAD(at) (*(at))
#endif

typedef struct row_sum {
    lc_word s, c; // bits 0 and 1 of how many of a cell and its two neighbours in the row are alive
    lc_word centre;
} row_sum;

LC_INLINE void load_row(lc_word *tile, const lc_word *row, unsigned int i, unsigned int left,
                        unsigned int own, unsigned int right)
{
    tile[i + 1] = LOAD(row + own);
    if (i == 0)
        tile[0] = LOAD(row + left);
    if (i == BLOCK - 1)
        tile[BLOCK + 1] = LOAD(row + right);
}

LC_INLINE row_sum add_row(const lc_word *tile, unsigned int i)
{
    const lc_word centre = tile[i + 1];
    const lc_word left = __funnelshift_l(tile[i], centre, 1);
    const lc_word right = __funnelshift_r(centre, tile[i + 2], 1);
    const row_sum sum = {LC_GATE(150, left, centre, right), LC_GATE(232, left, centre, right),
                         centre};
    return sum;
}

// B3/S23. It relies on what cannot happen: a live centre is in its row's sum.
LC_INLINE lc_word next_word(row_sum a, row_sum b, row_sum c)
{
    const lc_word n1 = LC_GATE(105, c.s, b.s, a.s);
    const lc_word n2 = LC_GATE(219, b.s, n1, a.s);
    const lc_word n3 = LC_GATE(214, c.c, a.c, n1);
    const lc_word n4 = LC_GATE(233, c.c, b.c, a.c);
    const lc_word n5 = LC_GATE(38, n3, n4, n2);
    return LC_GATE(162, b.centre, n1, n5);
}

// `width` in words.
LC_KERNEL void LC_LAUNCH_BOUNDS(BLOCK *BLOCK, 1)
    step(const lc_word *cells, lc_word *next, unsigned int width, unsigned int height)
{
    LC_SHARED lc_word tile[HEIGHT + 2][BLOCK + 2 + PADDING];
    const unsigned int i = threadIdx.x;
    const unsigned int x = blockIdx.x * BLOCK + i;
    const unsigned int top = (blockIdx.z * gridDim.y + blockIdx.y) * HEIGHT;
    if (top >= height) // the whole block
        return;
    const unsigned int left = x > 0 ? x - 1 : width - 1;
    const unsigned int own = x < width ? x : 0;
    const unsigned int right = x + 1 < width ? x + 1 : 0;

    // Outside the board, row 0: it is below the last row, and nothing else reads there.
    LC_UNROLL(ROWS)
    for (unsigned int j = threadIdx.y; j < HEIGHT; j += BLOCK) {
        const unsigned int y = top + j < height ? top + j : 0;
        load_row(tile[j + 1], cells + (lc_u64)y * width, i, left, own, right);
    }
    if (threadIdx.y == 0) {
        const unsigned int y = top > 0 ? top - 1 : height - 1;
        load_row(tile[0], cells + (lc_u64)y * width, i, left, own, right);
    }
    if (threadIdx.y == BLOCK - 1) {
        const unsigned int y = top + HEIGHT < height ? top + HEIGHT : 0;
        load_row(tile[HEIGHT + 1], cells + (lc_u64)y * width, i, left, own, right);
    }
    __syncthreads();

    const unsigned int first = threadIdx.y * ROWS;
    lc_word *out = next + (lc_u64)(top + first) * width + x;
    row_sum above = add_row(tile[first], i), here = add_row(tile[first + 1], i);
    LC_UNROLL(ROWS)
    for (unsigned int k = 0; k < ROWS; k++) {
        const row_sum below = add_row(tile[first + k + 2], i);
        if (x < width && top + first + k < height)
            out[(lc_u64)k * width] = next_word(above, here, below);
        above = here;
        here = below;
    }
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { BLOCK, ROWS, LDG, PADDING };

static const lc_knob knobs[] = {
    {"block", "threads along a block's side", 16, LC_KNOB_VALUES(4, 8, 16, 32)},
    {"rows", "words below each other that a thread steps", 4, LC_KNOB_VALUES(1, 2, 4, 8)},
    {"ldg", "1: loads through the read-only cache", 1, LC_KNOB_VALUES(0, 1)},
    {"padding", "1: an extra column in shared memory", 1, LC_KNOB_VALUES(0, 1)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    const lc_status status = lc_gallery_check_width(board, 32, message);
    return status != LC_OK ? status : lc_gallery_check_sides(board, message);
}

static void layout(const lc_gallery_board *board, lc_cell_layout *layout)
{
    lc_gallery_plain_layout(board, 1, layout);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    const double rows = board->knob[ROWS];
    *bytes = 0.25;
    *operations = (4 * (rows + 2) / rows + 6) / 32;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    const uint32_t side = (uint32_t)run->board.knob[BLOCK];
    const uint32_t rows = side * (uint32_t)run->board.knob[ROWS];
    uint32_t width = (uint32_t)(run->board.width / 32), height = (uint32_t)run->board.height;
    const lc_launch launch =
        lc_gpu_plane(lc_gpu_blocks(width, side), lc_gpu_blocks(height, rows), side, side);
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_shared_tile_words = {
    .name = "shared-tile-words",
    .title = "32 cells a word on the GPU, tiles in shared memory",
    .source = "Cappetti 2026, section 7.2",
    .file = "shared_tile_words.cu",
    .knobs = knobs,
    .check = check,
    .layout = layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[BLOCK] = "BLOCK", [ROWS] = "ROWS",
                                             [LDG] = "LDG", [PADDING] = "PADDING"},
                                  .step = step},
};

#endif
