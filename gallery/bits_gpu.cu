// Bit a cell on the GPU, bytes at a time: a thread does some consecutive bytes of a row.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 3.2.
//
//     a byte of a row:   bit  7 6 5 4 3 2 1 0
//                        cell 0 1 2 3 4 5 6 7    so what is right of a cell is right of its bit
//
//     three of them for each of three rows, in the 24 low bits of a word:
//
//         row y - 1      | byte x - 1 | byte x | byte x + 1 |
//         row y          | byte x - 1 | byte x | byte x + 1 |    8 cells of byte x are evaluated,
//         row y + 1      | byte x - 1 | byte x | byte x + 1 |    the others are their neighbours
//
// From byte to byte the words move left by 8 and take one more byte each, so a thread that does cb
// bytes reads cb + 2 of each row: a larger cb means less is read twice, but fewer threads. The
// neighbours of a cell are counted in two columns at a time: left and right of it, three rows are
// added as two-bit numbers that lie two bits apart; then both sums and the two cells above and
// below are added.
//
// Differences from the publication: cb is known to the compiler; the ends of a row are found by a
// comparison, not by a division for each byte; and the last thread of a row does fewer bytes if cb
// does not divide the row (the original then skips bytes at the beginning of some rows and does
// others twice).
//
// Bytes a cell: 1/4. Operations a cell: 20.
// Knobs: cb (bytes of a thread), threads (of a block), unroll (bytes that the compiler writes out
// one after the other). Published as the best: 8 bytes and 128 threads.
// Limits: width a multiple of 8; fewer than 2^34 cells, since places in the board have 32 bits.
#ifndef LC_HOST

#include "cuda.h"

// The cell at bit 15 - j of row1, a generation later, at its bit in the resulting byte. Nothing is
// shifted before it is counted: the counts begin at the bit to the right of the cell.
LC_INLINE unsigned int cell(unsigned int row0, unsigned int row1, unsigned int row2, int j)
{
    const int right = 14 - j;
    const unsigned int sides = 5u << right, two_bits = 3u << right, one = 1u << right;
    const unsigned int columns = (row0 & sides) + (row1 & sides) + (row2 & sides);
    const unsigned int alive =
        (columns & two_bits) + (columns >> 2 & two_bits) + (row0 >> 1 & one) + (row2 >> 1 & one);
    // Three, or two and the cell: both give three once the cell is or-ed in.
    return (alive | (row1 >> 1 & one)) == 3 * one ? 128u >> j : 0;
}

LC_KERNEL void step(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
                    unsigned int width_bytes, unsigned int height)
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
        LC_UNROLL(UNROLL)
        for (; x < end; x++) {
            const unsigned int after = x + 1 < width_bytes ? x + 1 : 0;
            data0 = data0 << 8 | row0[after];
            data1 = data1 << 8 | row1[after];
            data2 = data2 << 8 | row2[after];
            unsigned int byte = 0;
            LC_UNROLL(8)
            for (int j = 0; j < 8; j++)
                byte |= cell(data0, data1, data2, j);
            result[x] = (unsigned char)byte;
        }
    }
}

#else // How it is launched ------------------------------------------------------------------------

#include "bit_rows_gpu.h"

enum { UNROLL = THREADS + 1 };
enum { BYTE_CELLS = 8 };

static const lc_knob knobs[] = {
    LC_CB_KNOBS("bytes", 8),
    {"unroll", "bytes in a turn of the kernel's loop", 2, LC_KNOB_VALUES(1, 2, 4)},
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
    *operations = 20;
}

static void compile(const lc_gallery_board *board, lc_gpu_options *options)
{
    define_bit_rows(board, BYTE_CELLS, options);
    lc_gpu_define(options, "UNROLL", board->knob[UNROLL]);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    uint32_t width_bytes = (uint32_t)(run->board.width / BYTE_CELLS);
    uint32_t height = (uint32_t)run->board.height;
    const lc_launch launch = launch_of_bit_rows(&run->board, BYTE_CELLS);
    void *arguments[] = {&run->cells, &run->next, &width_bytes, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_bits_gpu = {
    .name = "bits-gpu",
    .title = "bit a cell on the GPU, bytes at a time, neighbours counted in two columns",
    .source = "Fiser 2013, section 3.2",
    .file = "bits_gpu.cu",
    .knobs = knobs,
    .check = check,
    .layout = lc_gallery_bit_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"}, .compile = compile, .step = step},
};

#endif
