// Bit a cell on the GPU, four cells at a time out of a table: nothing is counted after the table is
// made.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 4, which chapter 3
// announces as the more complicated way.
//
//     6 x 3 cells    . . . . . .             what the four in the middle become hangs on 18 cells:
//                    . A B C D .    ->       a table of 2^18 entries, 256 KiB in the GPU's memory,
//                    . . . . . .             has A B C D of the next generation for each of them
//
//     its index      | row y - 1: 6 bits | row y: 6 bits | row y + 1: 6 bits |
//
// Bytes of cells, high bit first, pass through three words as in bits-gpu: three bytes of each row.
// Two look-ups make the byte in the middle, its left half from bits 16 to 11 and its right half
// from bits 12 to 7. The GPU makes the table before the first generation, for whatever rule the
// board has. It is larger than a multiprocessor's cache can spare: dense soups, which use all of
// the table, are slower than quiet boards, where few of its lines are in use.
//
// Differences from the publication: cb is known to the compiler, the ends of a row need no
// division, and cb need not divide a row.
//
// Bytes a cell: 1/4, without the table. Operations a cell: 4, and a quarter of a look-up.
// Knobs: cb (bytes of a thread), threads (of a block).
// Limits: width a multiple of 8; fewer than 2^34 cells, since places in the board have 32 bits.
#ifndef LC_HOST

#include "cuda.h"

#define TABLE_SIZE (1u << 18)

// Bits low + 5 .. low of three rows, as an index.
LC_INLINE unsigned int index_of(unsigned int row0, unsigned int row1, unsigned int row2, int low)
{
    return (row0 >> low & 63) << 12 | (row1 >> low & 63) << 6 | (row2 >> low & 63);
}

LC_KERNEL void step(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
                    const unsigned char *LC_RESTRICT table, unsigned int width_bytes,
                    unsigned int height)
{
    const unsigned int groups = (width_bytes + CB - 1) / CB; // of a row: one for a thread
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < groups * height;
         i += blockDim.x * gridDim.x) {
        const unsigned int y = i / groups;
        unsigned int x = (i - y * groups) * CB;
        const unsigned char *row0 = cells + (y > 0 ? y - 1 : height - 1) * width_bytes;
        const unsigned char *row1 = cells + y * width_bytes;
        const unsigned char *row2 = cells + (y + 1 < height ? y + 1 : 0) * width_bytes;
        unsigned char *result = next + y * width_bytes;
        const unsigned int before = x > 0 ? x - 1 : width_bytes - 1;
        unsigned int data0 = (unsigned int)row0[before] << 8 | row0[x];
        unsigned int data1 = (unsigned int)row1[before] << 8 | row1[x];
        unsigned int data2 = (unsigned int)row2[before] << 8 | row2[x];
#if RAGGED
        const unsigned int end = min(x + CB, width_bytes);
#else
        const unsigned int end = x + CB;
#endif
        LC_UNROLL(4)
        for (; x < end; x++) {
            const unsigned int after = x + 1 < width_bytes ? x + 1 : 0;
            data0 = data0 << 8 | row0[after];
            data1 = data1 << 8 | row1[after];
            data2 = data2 << 8 | row2[after];
            const unsigned int left = table[index_of(data0, data1, data2, 11)];
            const unsigned int right = table[index_of(data0, data1, data2, 7)];
            result[x] = (unsigned char)(left << 4 | right);
        }
    }
}

// A thread an entry. Bit n of `birth` and `survival`: what happens with n live neighbours.
LC_KERNEL void make_table(unsigned char *table, unsigned int birth, unsigned int survival)
{
    const unsigned int index = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int four = 0;
    for (int b = 3; b >= 0; b--) { // the cell is bit b + 1 of the six, and bit b of the result
        const unsigned int alive =
            __popc(index >> 12 >> b & 7) + __popc(index >> 6 >> b & 5) + __popc(index >> b & 7);
        const unsigned int rule = index >> 6 >> (b + 1) & 1 ? survival : birth;
        four |= (rule >> alive & 1) << b;
    }
    if (index < TABLE_SIZE)
        table[index] = (unsigned char)four;
}

#else // How it is launched ------------------------------------------------------------------------

#include "bit_rows_gpu.h"

enum { STEP, MAKE_TABLE };
enum { BYTE_CELLS = 8, TABLE_SIZE = 1 << 18, TABLE_THREADS = 256 };

static const lc_knob knobs[] = {
    LC_CB_KNOBS("bytes", 4),
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return check_bit_rows(board, BYTE_CELLS, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2.0 / 8;
    *operations = 4;
}

static void compile(const lc_gallery_board *board, lc_gpu_options *options)
{
    define_bit_rows(board, BYTE_CELLS, options);
}

static uint64_t table_bytes(const lc_gallery_board *board)
{
    (void)board;
    return TABLE_SIZE;
}

static lc_status prepare(lc_gpu_run *run, lc_message *message)
{
    lc_counts counts = {0};
    (void)lc_rule_counts(run->board.rule, &counts); // check_rule refuses other rules
    uint32_t birth = counts.birth, survival = counts.survival;
    const lc_launch launch = {.grid = {TABLE_SIZE / TABLE_THREADS}, .block = {TABLE_THREADS}};
    void *arguments[] = {&run->extra, &birth, &survival};
    return lc_gpu_launch(run, MAKE_TABLE, launch, arguments, message);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    uint32_t width_bytes = (uint32_t)(run->board.width / BYTE_CELLS);
    uint32_t height = (uint32_t)run->board.height;
    const lc_launch launch = launch_of_bit_rows(&run->board, BYTE_CELLS);
    void *arguments[] = {&run->cells, &run->next, &run->extra, &width_bytes, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_table_gpu = {
    .name = "table-gpu",
    .title = "bit a cell on the GPU, four cells at a time out of a table",
    .source = "Fiser 2013, chapter 4",
    .file = "table_gpu.cu",
    .knobs = knobs,
    .any_rule = true,
    .check = check,
    .layout = lc_gallery_bit_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step", "make_table"},
                                  .compile = compile,
                                  .extra_bytes = table_bytes,
                                  .prepare = prepare,
                                  .step = step},
};

#endif
