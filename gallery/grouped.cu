// Bit a cell on the GPU, a thread a column of words: what the rows share is loaded and added once.
//
// Source: BorisTheBrave, "Accelerated Game of Life with CUDA / Triton" (2025): the grouped
// bit-packed kernels.
//
//              left   own   right
//     y - 1    [  ]  [   ]  [  ]      a thread walks down `rows` words; of each row it loads the
//     y        [  ]  [ 0 ]  [  ]      word and the two beside it, once, and adds them up, once.
//     y + 1    [  ]  [ 1 ]  [  ]      Kept from row to row: the sums of the last two rows, and the
//      ...     [  ]  [...]  [  ]      cells of the last one.
//     y + rows [  ]  [   ]  [  ]
//
// Neighbouring threads have neighbouring words, so the words beside are already in the cache. Then
// memory alone is the limit. The published kernel leaves out the edges of the board, and adds with
// full adders; here rows and columns wrap round, and packed_word.cuh says how it adds.
//
// Bytes a cell: 0.25 (a bit read, a bit written; the two rows that a group reads from its
// neighbours come from the level 2 cache).
// Operations a cell: 0.48 with words of 64 and 8 rows (2 * 2 * 10 / 8 shifts, 2 * (2 * 10 / 8 + 6)
// gates, and 9 for addresses and the edges, a word).
// Knobs: word, rows (of a thread), across, down (threads of a block in x and in y).
// Limits: the width is a multiple of the word; fewer than 2^30 rows and columns.
#include "packed_word.cuh"

#ifndef LC_HOST

typedef struct row {
    word cells;
    row_sums sums;
} row;

// A column of words and the two beside it, which may be across the edge.
typedef struct column {
    const word *cells;
    int left, own, right;
    int words, height;
} column;

LC_INLINE row row_at(const column *at, int y)
{
    const word *from = at->cells + (long long)y * at->words;
    const word own = __ldg(from + at->own);
    row loaded;
    loaded.cells = own;
    loaded.sums = sums_of(__ldg(from + at->left), own, __ldg(from + at->right));
    return loaded;
}

LC_KERNEL void step(const word *LC_RESTRICT cells, word *LC_RESTRICT next, int words, int height)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= words)
        return;
    const column at = {cells,
                       x > 0 ? x - 1 : words - 1,
                       x,
                       x < words - 1 ? x + 1 : 0,
                       words,
                       height};
    // A launch has at most 65,535 blocks in y; if the board needs more, a thread does more groups.
    for (int y = (int)(blockIdx.y * blockDim.y + threadIdx.y) * ROWS; y < height;
         y += (int)(gridDim.y * blockDim.y) * ROWS) {
        row above = row_at(&at, y > 0 ? y - 1 : height - 1);
        row here = row_at(&at, y);
        word *to = next + (long long)y * words + x;
        LC_UNROLL(ROWS)
        for (int i = 0; i < ROWS; i++) {
            const int last = y + i >= height - 1;
            const row below = row_at(&at, last ? 0 : y + i + 1);
            if (y + i < height)
                to[(long long)i * words] = next_of(above.sums, here.sums, below.sums, here.cells);
            above = here;
            here = below;
        }
    }
}

#else // How it is launched ------------------------------------------------------------------------

enum { ROWS = WORD + 1, ACROSS };

static const lc_knob knobs[] = {
    WORD_KNOB(64),
    {"rows", "rows of a thread", 8, LC_KNOB_VALUES(1, 2, 4, 8, 16, 32)},
    LC_PLANE_KNOBS(64),
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    const int halves = board->knob[WORD] / 32; // that a GPU makes of a word
    const double rows = board->knob[ROWS];
    *bytes = 0.25;
    *operations = (halves * (4 * (rows + 2) / rows + 6) + 9) / board->knob[WORD];
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    const int *knob = run->board.knob;
    return step_plane(run, run->board.width / knob[WORD], knob[ROWS], ACROSS, done, message);
}

const lc_design lc_design_grouped = {
    .name = "grouped",
    .title = "bit a cell on the GPU, a thread some rows of words",
    .source = "BorisTheBrave 2025, first article",
    .file = "grouped.cu",
    .knobs = knobs,
    .check = packed_check,
    .layout = packed_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[WORD] = "WORD", [ROWS] = "ROWS"},
                                  .step = step},
};

#endif
