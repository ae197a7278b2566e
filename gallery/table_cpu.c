// Bit a cell on the CPU, four cells looked up at a time.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 4: a table of all
// neighbourhoods of 6 x 3 cells, each with the next state of the four cells in its middle.
//
//     above     a b c d e f
//     here      g H I J K l        index  abcdef gHIJKl mnopqr, 18 bits, a the highest
//     below     m n o p q r        entry  H'I'J'K' in the low half of a byte
//
// Three bytes of a row are in a register, as in bits_cpu.c; two windows of six cells, one of them
// four cells further on, make the byte in the middle:
//
//     bit     23 ... 17 16 15 14 13 12 11 10  9  8  7  6 ... 0
//     first              .  H  I  J  K  .                          bits 16 .. 11
//     second                         .  H  I  J  K  .              bits 12 ..  7
//
// The table has 2^18 entries of a byte: 256 KiB, more than a first-level cache holds, less than a
// second-level one. It is made from the rule before the first generation, so every rule costs the
// same.
//
// Bytes a cell: 0.25 (the table stays in the cache). Operations a cell: 3.5 (28 for a byte, two of
// them loads from the table).
// Knobs: cb (bytes that a thread does before it starts afresh).
// Limits: widths that are multiples of 8.
#include <stdlib.h>

#include "bit_rows.h"

enum { CB };

enum { TABLE_BYTES = 1 << 18 };

static const lc_knob knobs[] = {LC_CB_KNOB("bytes"), {.name = NULL}};

// The cell in the middle of three columns, the lowest bits of `index` and of what is 6 and 12
// higher.
static unsigned cell_of(lc_counts rule, unsigned index)
{
    unsigned alive = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (row != 1 || column != 1)
                alive += index >> (6 * row + column) & 1;
    const unsigned counts = (index >> 7 & 1) != 0 ? rule.survival : rule.birth;
    return counts >> alive & 1;
}

static uint64_t extra_bytes(const lc_gallery_board *board)
{
    (void)board;
    return TABLE_BYTES;
}

static lc_status prepare(lc_cpu_run *run, lc_message *message)
{
    uint8_t *table = malloc(TABLE_BYTES);
    if (table == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a table of %d bytes",
                       (int)TABLE_BYTES);
    lc_counts counts = {0};
    (void)lc_rule_counts(run->board.rule, &counts); // check_rule refuses other rules
    for (unsigned index = 0; index < TABLE_BYTES; index++) {
        unsigned cells = 0;
        for (int column = 0; column < 4; column++)
            cells |= cell_of(counts, index >> column) << column;
        table[index] = (uint8_t)cells;
    }
    run->own = table;
    return LC_OK;
}

static void release(lc_cpu_run *run)
{
    free(run->own);
}

// The bytes x .. x + count - 1 of a row of `width` bytes.
static void step_bytes(lc_bit_rows rows, const uint8_t *table, int64_t x, int64_t count,
                       int64_t width)
{
    const uint32_t first = 0x3f << 11, second = 0x3f << 7;
    const int64_t left = lc_left_of(x, width), end = x + count;
    uint32_t above = (uint32_t)rows.above[left] << 8 | rows.above[x];
    uint32_t here = (uint32_t)rows.here[left] << 8 | rows.here[x];
    uint32_t below = (uint32_t)rows.below[left] << 8 | rows.below[x];
    for (; x < end; x++) {
        const int64_t right = lc_right_of(x, width);
        above = above << 8 | rows.above[right];
        here = here << 8 | rows.here[right];
        below = below << 8 | rows.below[right];
        const uint8_t high =
            table[(above & first) << 1 | (here & first) >> 5 | (below & first) >> 11];
        const uint8_t low =
            table[(above & second) << 5 | (here & second) >> 1 | (below & second) >> 7];
        rows.next[x] = (uint8_t)(high << 4 | low);
    }
}

static void step_rows(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t width = run->layout.pitch_bytes, cb = run->board.knob[CB];
    for (int64_t y = first; y < end; y++)
        for (int64_t x = 0; x < width; x += cb)
            step_bytes(lc_bit_rows_at(run, y), run->own, x, cb < width - x ? cb : width - x, width);
}

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return lc_gallery_check_width(board, 8, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 0.25;
    *operations = 3.5;
}

const lc_design lc_design_table_cpu = {
    .name = "table-cpu",
    .title = "bit a cell on the CPU, four cells at a time out of a table",
    .source = "Fiser 2013, chapter 4",
    .file = "table_cpu.c",
    .knobs = knobs,
    .any_rule = true,
    .check = check,
    .layout = lc_gallery_bit_layout,
    .cost = cost,
    .cpu =
        &(const lc_cpu_design){
            .extra_bytes = extra_bytes, .prepare = prepare, .release = release, .rows = step_rows},
};
