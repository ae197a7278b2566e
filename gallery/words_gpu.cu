// Bit a cell on the GPU, words of 32 at a time: the same cells as bits-gpu, in fewer and larger
// loads.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 3.6.
//
//     memory       byte  0        1        2        3        the first cell of a byte is its
//                  cells 0 .. 7   8 .. 15  16 .. 23 24 .. 31 highest bit, as in bits-gpu
//
//     a word       bit   31 .............................. 0
//                  cell  0  .............................. 31
//
// The GPU treats byte 0 of a word as its lowest, so the bytes are swapped when a word is read, and
// again when it is written. A word is evaluated in three parts: its first cell needs the last one
// of the word before, its last cell the first one of the word after, and the 30 between them
// nothing else. Each neighbour is one shift and one mask.
//
// The printed listing shifts by 15 and by 16 where the second cell of the middle and of the lower
// row is meant, which is bit 30 as in the upper row: that is what this file does. As in bits-gpu,
// cb is known to the compiler, the ends of rows need no division, and cb need not divide a row.
//
// Bytes a cell: 1/4. Operations a cell: 30, half of which neighbouring cells share when compiled.
// Knobs: cb (words of a thread), threads (of a block), unroll (words that the compiler writes out
// one after the other).
// Limits: width a multiple of 32; fewer than 2^36 cells, since places in the board have 32 bits.
#ifndef LC_HOST

#include "cuda.h"

LC_INLINE lc_word swapped(lc_word word)
{
    return __byte_perm(word, 0, 0x0123);
}

LC_INLINE lc_word bit(lc_word word, int b)
{
    return word >> b & 1;
}

// The cell's bit `b` in the next generation.
LC_INLINE lc_word next_state(lc_word alive, lc_word cell, int b)
{
    return alive == 3 || (alive == 2 && cell) ? 1u << b : 0;
}

// Unrolled it takes up to 80 registers, which 1,024 threads cannot have. The bounds are only given
// for them: with any bounds at all the compiler uses as many registers as they allow, 122 where it
// otherwise needs 32.
#if CROWDED
#define BOUNDS LC_LAUNCH_BOUNDS(1024, 1)
#else
#define BOUNDS
#endif

LC_KERNEL void BOUNDS step(const lc_word *LC_RESTRICT cells, lc_word *LC_RESTRICT next,
                           unsigned int width_words, unsigned int height)
{
    const unsigned int groups = (width_words + CB - 1) / CB; // of a row: one for a thread
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < groups * height;
         i += blockDim.x * gridDim.x) {
        const unsigned int y = i / groups;
        unsigned int x = (i - y * groups) * CB;
        const lc_word *row0 = cells + (y > 0 ? y - 1 : height - 1) * width_words;
        const lc_word *row1 = cells + y * width_words;
        const lc_word *row2 = cells + (y + 1 < height ? y + 1 : 0) * width_words;
        lc_word *result = next + y * width_words;
        const unsigned int first = x > 0 ? x - 1 : width_words - 1;
        lc_word before0 = swapped(row0[first]), here0 = swapped(row0[x]);
        lc_word before1 = swapped(row1[first]), here1 = swapped(row1[x]);
        lc_word before2 = swapped(row2[first]), here2 = swapped(row2[x]);
#if RAGGED
        const unsigned int end = min(x + CB, width_words);
#else
        const unsigned int end = x + CB;
#endif
        LC_UNROLL(UNROLL)
        for (; x < end; x++) {
            const unsigned int last = x + 1 < width_words ? x + 1 : 0;
            const lc_word after0 = swapped(row0[last]);
            const lc_word after1 = swapped(row1[last]);
            const lc_word after2 = swapped(row2[last]);

            lc_word alive = bit(before0, 0) + bit(before1, 0) + bit(before2, 0) + bit(here0, 31) +
                            bit(here2, 31) + bit(here0, 30) + bit(here1, 30) + bit(here2, 30);
            lc_word word = next_state(alive, bit(here1, 31), 31);

            alive = bit(here0, 1) + bit(here1, 1) + bit(here2, 1) + bit(here0, 0) + bit(here2, 0) +
                    bit(after0, 31) + bit(after1, 31) + bit(after2, 31);
            word |= next_state(alive, bit(here1, 0), 0);

            LC_UNROLL(30)
            for (int b = 1; b < 31; b++) {
                alive = bit(here0, b - 1) + bit(here0, b) + bit(here0, b + 1) + bit(here1, b - 1) +
                        bit(here1, b + 1) + bit(here2, b - 1) + bit(here2, b) + bit(here2, b + 1);
                word |= next_state(alive, bit(here1, b), b);
            }
            result[x] = swapped(word);
            before0 = here0;
            before1 = here1;
            before2 = here2;
            here0 = after0;
            here1 = after1;
            here2 = after2;
        }
    }
}

#else // How it is launched ------------------------------------------------------------------------

#include "bit_rows_gpu.h"

enum { UNROLL = THREADS + 1 };
enum { WORD_CELLS = 32 };

static const lc_knob knobs[] = {
    LC_CB_KNOBS("words", 8),
    {"unroll", "words in a turn of the kernel's loop", 1, LC_KNOB_VALUES(1, 2, 4)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return check_bit_rows(board, WORD_CELLS, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2.0 / 8;
    *operations = 30;
}

static void compile(const lc_gallery_board *board, lc_gpu_options *options)
{
    define_bit_rows(board, WORD_CELLS, options);
    lc_gpu_define(options, "UNROLL", board->knob[UNROLL]);
    lc_gpu_define(options, "CROWDED", board->knob[THREADS] > 512 && board->knob[UNROLL] > 1);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    uint32_t width_words = (uint32_t)(run->board.width / WORD_CELLS);
    uint32_t height = (uint32_t)run->board.height;
    const lc_launch launch = launch_of_bit_rows(&run->board, WORD_CELLS);
    void *arguments[] = {&run->cells, &run->next, &width_words, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_words_gpu = {
    .name = "words-gpu",
    .title = "bit a cell on the GPU, words of 32 at a time, bytes swapped",
    .source = "Fiser 2013, section 3.6",
    .file = "words_gpu.cu",
    .knobs = knobs,
    .check = check,
    .layout = lc_gallery_bit_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"}, .compile = compile, .step = step},
};

#endif
