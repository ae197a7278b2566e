// Bit a cell on the CPU, read and written as words of 32 cells, each cell evaluated on its own.
//
// Source: Marek Fiser, "Conway's Game of Life on GPU using CUDA" (2013), chapter 3, section 3.6,
// with the arithmetic of code listing 2.
//
//               left word  |      this word      |  right word
//     bit     31 ..... 1 0 | 31 30 29 .... 2 1 0 | 31 30 ..... 0
//     above              a |  b  c               |
//     here               d |  X  e               |       the first cell, X, and its neighbours
//     below              f |  g  h               |
//
// In memory the first cell of a byte is its highest bit, as in bits_cpu.c, and the first byte of a
// word its lowest: so a word's bytes are swapped when it is read and when it is written.
//
// The first and the last cell have neighbours in other words and are done separately; the thirty
// between them are counted from this word's three rows, shifted right by the cell's place. A thread
// does `cb` words of a row and carries two words of each row from one to the next.
//
// The published listing takes two neighbours of the first cell from bits 15 and 16; bit 30 is
// meant, and is used here. As published, words are no faster than bytes, which caches serve well
// enough.
//
// Bytes a cell: 0.25. Operations a cell: 30 (of a cell in the middle).
// Knobs: cb (words that a thread does before it starts afresh).
// Limits: widths that are multiples of 32.
#include <string.h>

#include "bit_rows.h"

enum { CB };

static const lc_knob knobs[] = {LC_CB_KNOB("words"), {.name = NULL}};

// The same word of three rows.
typedef struct column {
    uint32_t above, here, below;
} column;

static uint32_t load(const uint8_t *row, int64_t x)
{
    uint32_t word;
    memcpy(&word, row + 4 * x, sizeof word);
    return __builtin_bswap32(word);
}

static void store(uint8_t *row, int64_t x, uint32_t word)
{
    word = __builtin_bswap32(word);
    memcpy(row + 4 * x, &word, sizeof word);
}

static column load_column(const lc_bit_rows *rows, int64_t x)
{
    return (column){load(rows->above, x), load(rows->here, x), load(rows->below, x)};
}

static bool lives(uint32_t alive, uint32_t cell)
{
    return (alive == 3) | ((alive == 2) & (cell != 0));
}

static bool first_cell(const column *left, const column *at)
{
    const uint32_t alive = (left->above & 1) + (left->here & 1) + (left->below & 1) +
                           (at->above >> 31) + (at->below >> 31) + (at->above >> 30 & 1) +
                           (at->here >> 30 & 1) + (at->below >> 30 & 1);
    return lives(alive, at->here >> 31);
}

static bool last_cell(const column *at, const column *right)
{
    const uint32_t alive = (at->above >> 1 & 1) + (at->here >> 1 & 1) + (at->below >> 1 & 1) +
                           (at->above & 1) + (at->below & 1) + (right->above >> 31) +
                           (right->here >> 31) + (right->below >> 31);
    return lives(alive, at->here & 1);
}

static uint32_t middle_cells(const column *at)
{
    uint32_t next = 0;
    for (int i = 0; i < 30; i++) {
        const uint32_t above = at->above >> i, here = at->here >> i, below = at->below >> i;
        const uint32_t alive = (above & 1) + (above >> 1 & 1) + (above >> 2 & 1) + (below & 1) +
                               (below >> 1 & 1) + (below >> 2 & 1) + (here & 1) + (here >> 2 & 1);
        next |= (uint32_t)lives(alive, here & 2) << (i + 1);
    }
    return next;
}

// The words x .. x + count - 1 of a row of `width` words.
static void step_words(lc_bit_rows rows, int64_t x, int64_t count, int64_t width)
{
    const int64_t end = x + count;
    column left = load_column(&rows, lc_left_of(x, width)), at = load_column(&rows, x);
    for (; x < end; x++) {
        const column right = load_column(&rows, lc_right_of(x, width));
        const uint32_t ends = (uint32_t)first_cell(&left, &at) << 31 | last_cell(&at, &right);
        store(rows.next, x, ends | middle_cells(&at));
        left = at;
        at = right;
    }
}

static void step_rows(const lc_cpu_run *run, int64_t first, int64_t end)
{
    const int64_t width = run->layout.pitch_bytes / 4, cb = run->board.knob[CB];
    for (int64_t y = first; y < end; y++)
        for (int64_t x = 0; x < width; x += cb)
            step_words(lc_bit_rows_at(run, y), x, cb < width - x ? cb : width - x, width);
}

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    return lc_gallery_check_width(board, 32, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 0.25;
    *operations = 30;
}

const lc_design lc_design_words_cpu = {
    .name = "words-cpu",
    .title = "bit a cell on the CPU, cell by cell from words of 32",
    .source = "Fiser 2013, section 3.6",
    .file = "words_cpu.c",
    .knobs = knobs,
    .check = check,
    .layout = lc_gallery_bit_layout,
    .cost = cost,
    .cpu = &(const lc_cpu_design){.rows = step_rows},
};
