// The second oracle (see oracle_words.h): sums of neighbours as a textbook writes them.
#include "oracle_words.h"

#include <stdio.h>
#include <stdlib.h>

#include "oracle.h"

static void *must(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "oracle: out of memory\n");
        exit(2);
    }
    return memory;
}

// The ring ----------------------------------------------------------------------------------------

// Of cell (x, y), -1 <= x <= width: the word in the array, and the bit in that word.
static size_t word_of(const word_oracle *board, int64_t x, int64_t y)
{
    return (size_t)(y + 1) * board->pitch + (size_t)((x + 64) / 64);
}

static unsigned bit_of(int64_t x)
{
    return (unsigned)((x + 64) % 64);
}

static void add_ring_cell(word_oracle *board, const lc_topology *topology, int64_t x, int64_t y)
{
    int64_t from_x = x, from_y = y;
    if (oracle_ring(topology, &from_x, &from_y))
        board->ring[board->ring_count++] =
            (word_oracle_ring){.to_word = word_of(board, x, y),
                               .from_word = word_of(board, from_x, from_y),
                               .to_bit = bit_of(x),
                               .from_bit = bit_of(from_x)};
}

static void fill_ring(word_oracle *board)
{
    for (size_t i = 0; i < board->ring_count; i++) {
        const word_oracle_ring *r = &board->ring[i];
        const uint64_t alive = board->cells[r->from_word] >> r->from_bit & 1;
        uint64_t *to = &board->cells[r->to_word];
        *to = (*to & ~(UINT64_C(1) << r->to_bit)) | alive << r->to_bit;
    }
}

word_oracle *word_oracle_create(int64_t width, int64_t height, oracle_rule rule,
                                const lc_topology *topology)
{
    word_oracle *board = must(calloc(1, sizeof *board));
    board->width = width;
    board->height = height;
    board->rule = rule;
    board->row_words = ((size_t)width + 63) / 64;
    board->pitch = board->row_words + 2;
    board->last_mask = ~UINT64_C(0) >> (64 * board->row_words - (size_t)width);
    const size_t words = board->pitch * ((size_t)height + 2);
    board->cells = must(calloc(words, sizeof *board->cells));
    board->next = must(calloc(words, sizeof *board->next));
    board->ring = must(calloc(2 * ((size_t)width + (size_t)height) + 4, sizeof *board->ring));
    for (int64_t x = -1; x <= width; x++) {
        add_ring_cell(board, topology, x, -1);
        add_ring_cell(board, topology, x, height);
    }
    for (int64_t y = 0; y < height; y++) {
        add_ring_cell(board, topology, -1, y);
        add_ring_cell(board, topology, width, y);
    }
    return board;
}

void word_oracle_destroy(word_oracle *board)
{
    if (board == NULL)
        return;
    free(board->cells);
    free(board->next);
    free(board->ring);
    free(board);
}

// One word ----------------------------------------------------------------------------------------

// A cell's surroundings, for 64 cells at once: north is the row above, west the cell to the left.
typedef struct surroundings {
    uint64_t north_west, north, north_east, west, here, east, south_west, south, south_east;
} surroundings;

static inline surroundings surroundings_of(const uint64_t *here, size_t pitch)
{
    const uint64_t *above = here - pitch, *below = here + pitch;
    return (surroundings){
        .north_west = above[0] << 1 | above[-1] >> 63,
        .north = above[0],
        .north_east = above[0] >> 1 | above[1] << 63,
        .west = here[0] << 1 | here[-1] >> 63,
        .here = here[0],
        .east = here[0] >> 1 | here[1] << 63,
        .south_west = below[0] << 1 | below[-1] >> 63,
        .south = below[0],
        .south_east = below[0] >> 1 | below[1] << 63,
    };
}

typedef struct sum {
    uint64_t digit, carry;
} sum;

static inline sum half_adder(uint64_t a, uint64_t b)
{
    return (sum){a ^ b, a & b};
}

static inline sum full_adder(uint64_t a, uint64_t b, uint64_t c)
{
    return (sum){a ^ b ^ c, (a & b) | (a & c) | (b & c)};
}

// For each number of live neighbours all bits or none: whether a cell is born, and survives.
typedef struct totals {
    uint64_t birth[9], survival[9];
} totals;

static totals totals_of(const oracle_rule *rule)
{
    totals t;
    for (int n = 0; n <= 8; n++) {
        t.birth[n] = rule->birth >> n & 1 ? ~UINT64_C(0) : 0;
        t.survival[n] = rule->survival >> n & 1 ? ~UINT64_C(0) : 0;
    }
    return t;
}

// The next state of those cells of which `is_n` says that n neighbours are alive.
static inline uint64_t next_of(const totals *t, int n, uint64_t is_n, uint64_t here)
{
    return is_n & ((here & t->survival[n]) | (~here & t->birth[n]));
}

// Without loops, so that compilers step several words at once.
static inline uint64_t next_by_totals(const totals *t, const surroundings *s)
{
    const sum a = full_adder(s->north_west, s->north, s->north_east);
    const sum b = full_adder(s->south_west, s->south, s->south_east);
    const sum c = half_adder(s->west, s->east);
    const sum ones = full_adder(a.digit, b.digit, c.digit);
    const sum d = full_adder(a.carry, b.carry, c.carry);
    const sum twos = half_adder(d.digit, ones.carry);
    const sum fours = half_adder(d.carry, twos.carry);

    const uint64_t eight = fours.carry, four = fours.digit, two = twos.digit, one = ones.digit;
    const uint64_t from_0 = ~eight & ~four & ~two, from_2 = ~four & two;
    const uint64_t from_4 = four & ~two, from_6 = four & two;
    return next_of(t, 0, from_0 & ~one, s->here) | next_of(t, 1, from_0 & one, s->here) |
           next_of(t, 2, from_2 & ~one, s->here) | next_of(t, 3, from_2 & one, s->here) |
           next_of(t, 4, from_4 & ~one, s->here) | next_of(t, 5, from_4 & one, s->here) |
           next_of(t, 6, from_6 & ~one, s->here) | next_of(t, 7, from_6 & one, s->here) |
           next_of(t, 8, eight, s->here);
}

// For each of the 512 neighbourhoods of a map all bits or none. Its number has the north-western
// cell as the highest digit and the south-eastern one as the lowest.
typedef struct map {
    uint64_t next[512];
} map;

static void map_of(const oracle_rule *rule, map *m)
{
    for (size_t i = 0; i < 512; i++)
        m->next[i] = rule->table[i / 8] >> (7 - i % 8) & 1 ? ~UINT64_C(0) : 0;
}

// One cell of the surroundings after the other halves what is still to be chosen from.
static uint64_t next_by_map(const map *m, const surroundings *s)
{
    const uint64_t digits[9] = {s->north_west, s->north,      s->north_east, s->west,      s->here,
                                s->east,       s->south_west, s->south,      s->south_east};
    uint64_t left[256];
    for (size_t i = 0; i < 256; i++)
        left[i] = (m->next[i] & ~digits[0]) | (m->next[256 + i] & digits[0]);
    for (size_t k = 1; k < 9; k++) {
        const size_t half = (size_t)256 >> k;
        for (size_t i = 0; i < half; i++)
            left[i] = (left[i] & ~digits[k]) | (left[half + i] & digits[k]);
    }
    return left[0];
}

// The board ---------------------------------------------------------------------------------------

static void step_by_totals(word_oracle *board, const totals *t)
{
    const totals all = *t;
    const size_t pitch = board->pitch, words = board->row_words;
    for (int64_t y = 0; y < board->height; y++) {
        const uint64_t *here = word_oracle_row(board, y);
        uint64_t *restrict next = board->next + (here - board->cells);
        for (size_t i = 0; i < words; i++) {
            const surroundings s = surroundings_of(here + i, pitch);
            next[i] = next_by_totals(&all, &s);
        }
    }
}

static void step_by_map(word_oracle *board, const map *m)
{
    for (int64_t y = 0; y < board->height; y++) {
        const uint64_t *here = word_oracle_row(board, y);
        uint64_t *next = board->next + (here - board->cells);
        for (size_t i = 0; i < board->row_words; i++) {
            const surroundings s = surroundings_of(here + i, board->pitch);
            next[i] = next_by_map(m, &s);
        }
    }
}

void word_oracle_step(word_oracle *board, uint64_t generations)
{
    const bool is_map = board->rule.is_map;
    const totals t = totals_of(&board->rule);
    map m;
    if (is_map)
        map_of(&board->rule, &m);
    for (uint64_t g = 0; g < generations; g++) {
        fill_ring(board);
        if (is_map)
            step_by_map(board, &m);
        else
            step_by_totals(board, &t);
        uint64_t *old = board->cells;
        board->cells = board->next;
        board->next = old;
        for (int64_t y = 0; y < board->height; y++)
            word_oracle_row(board, y)[board->row_words - 1] &= board->last_mask;
    }
}
