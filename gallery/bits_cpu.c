// Bit a cell on the CPU, eight cells a byte, each cell evaluated on its own.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 3: sections 3.1
// and 3.3, with the arithmetic of code listing 1.
//
//     bit            23 .. 17 16  15 14 ..  8   7 ..  0
//     above           previous |   this     |   next      each row's register holds three bytes;
//     here            byte     |   byte     |   byte      the cell evaluated is bit 15 of `here`
//     below                    |            |
//
// Bits 14 and 16 are the cell's neighbours on the right and left. Under one mask they are two
// fields, far enough apart to count to 3 each: three rows take two additions. The bits above and
// below the cell are added separately. Then all registers move left by a cell, and after eight such
// moves there is room for the next byte. A thread does `cb` bytes of a row in this way, and so
// loads three bytes for each, and six more for each `cb`.
//
// Published as a program for all threads; with one (-t 1) it is the serial program. The listing is
// right only if a row is a multiple of `cb` bytes; here the rest of a row is a shorter piece.
//
// Bytes a cell: 0.25. Operations a cell: 26 (24 on the cell's bits, 1.5 for pushing and addresses).
// Knobs: cb (bytes that a thread does before it starts afresh).
// Limits: widths that are multiples of 8.
#include "bit_rows.h"

enum { CB };

static const lc_knob knobs[] = {LC_CB_KNOB("bytes"), {.name = NULL}};

// The bytes x .. x + count - 1 of a row of `width` bytes.
static void step_bytes(lc_bit_rows rows, int64_t x, int64_t count, int64_t width)
{
    const uint32_t both_sides = 1u << 16 | 1u << 14, cell = 1u << 15;
    const int64_t left = lc_left_of(x, width), end = x + count;
    uint32_t above = (uint32_t)rows.above[left] << 16 | (uint32_t)rows.above[x] << 8;
    uint32_t here = (uint32_t)rows.here[left] << 16 | (uint32_t)rows.here[x] << 8;
    uint32_t below = (uint32_t)rows.below[left] << 16 | (uint32_t)rows.below[x] << 8;
    for (; x < end; x++) {
        const int64_t right = lc_right_of(x, width);
        above |= rows.above[right];
        here |= rows.here[right];
        below |= rows.below[right];
        uint32_t next = 0;
        for (int i = 0; i < 8; i++) {
            const uint32_t sides =
                ((above & both_sides) + (here & both_sides) + (below & both_sides)) >> 14;
            const uint32_t alive =
                (sides & 3) + (sides >> 2) + (above >> 15 & 1) + (below >> 15 & 1);
            next = next << 1 | ((alive == 3) | ((alive == 2) & ((here & cell) != 0)));
            above <<= 1;
            here <<= 1;
            below <<= 1;
        }
        rows.next[x] = (uint8_t)next;
    }
}

static void step_rows(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t width = run->layout.pitch_bytes, cb = run->board.knob[CB];
    for (int64_t y = first; y < end; y++)
        for (int64_t x = 0; x < width; x += cb)
            step_bytes(lc_bit_rows_at(run, y), x, cb < width - x ? cb : width - x, width);
}

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return lc_gallery_check_width(board, 8, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 0.25;
    *operations = 26;
}

const lc_design lc_design_bits_cpu = {
    .name = "bits-cpu",
    .title = "bit a cell on the CPU, cell by cell from registers of three bytes",
    .source = "Fiser 2013, chapter 3",
    .file = "bits_cpu.c",
    .knobs = knobs,
    .check = check,
    .layout = lc_gallery_bit_layout,
    .cost = cost,
    .cpu = &(const lc_cpu_design){.rows = step_rows},
};
