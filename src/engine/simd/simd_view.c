// Counts the live cells of squares, or sets the bytes that stand for the counts, on all threads.
//
// A task is a band of up to 64 rows of cells. It is processed in blocks of up to 128 words x 32
// rows, which begin at the edges of squares and stay in the first-level cache:
//
//       x                                     squares of up to 32 cells: a block is one row
//       +------+------+------+-- .. --+       of them, 64 / side to a word. Fields of bits are
//       | word | word | word |        |       added until there is one for each square.
//       |  0   |  1   |  2   |        |
//       |      |      |      |        |       larger squares: each word of the block is counted,
//       +------+------+------+-- .. --+       and its count is added to its square's count.
//
// If the view's words are aligned with the grid's words, a block is the grid's own memory.
// Otherwise, and at the board's edges, it is a copy, with dead cells outside the board.
#include <string.h>

#include "base/least.h"
#include "engine/simd/simd_view.h"

enum {
    LOG2_WORD = 6, // squares from this side on are whole words
    BAND_ROWS = 64,
    BLOCK_ROWS = 32,
    BLOCK_WORDS = 128,
    PIECE_SQUARES = 1 << 13, // of 64 cells a side and more: some MiB of the board
};

typedef struct work {
    const lc_view *squares;
    const lc_grid *grid;
    const lc_level *level;
    int64_t first_band; // of the bands that touch the board
} work;

// Rows of words. `copy` is used if they cannot be the grid's own words.
typedef struct block {
    const uint64_t *words;
    size_t pitch_words;
    uint64_t copy[BLOCK_ROWS * BLOCK_WORDS];
} block;

// Sets the block to `length` words from column x, in `rows` rows from row y.
static void look(block *b, const lc_grid *grid, int64_t x, int64_t y, int64_t length, int64_t rows)
{
    if (x % 64 == 0 && x >= 0 && x + length * 64 <= grid->width_cells && y >= 0 &&
        y + rows <= grid->height_cells) {
        b->words = lc_grid_row(grid, y) + x / 64;
        b->pitch_words = grid->pitch_words;
        return;
    }
    b->words = b->copy;
    b->pitch_words = BLOCK_WORDS;
    const int64_t x0 = lc_greatest(x, 0), x1 = lc_least(x + length * 64, grid->width_cells);
    for (int64_t row = 0; row < rows; row++) {
        uint64_t *to = b->copy + row * BLOCK_WORDS;
        const bool outside = y + row < 0 || y + row >= grid->height_cells;
        if (outside || x0 > x || x1 < x + length * 64)
            memset(to, 0, (size_t)length * sizeof *to);
        if (!outside)
            lc_bits_copy(to, x0 - x, lc_grid_row(grid, y + row), x0, x1 - x0);
    }
}

// Squares of up to 32 cells a side ----------------------------------------------------------------

#define INLINE static inline __attribute__((always_inline))

static const uint64_t low_pairs = 0x3333333333333333, low_nibbles = 0x0F0F0F0F0F0F0F0F;
static const uint64_t low_bytes = 0x00FF00FF00FF00FF;

INLINE uint64_t pairs(uint64_t word)
{
    return word - (word >> 1 & UINT64_C(0x5555555555555555));
}

INLINE uint64_t nibbles(uint64_t word)
{
    const uint64_t p = pairs(word);
    return (p & low_pairs) + (p >> 2 & low_pairs);
}

// Returns the live cells of each byte of a word over `rows` rows, an even number.
INLINE uint64_t bytes(const uint64_t *words, size_t pitch, int rows)
{
    uint64_t sum = 0;
    for (int row = 0; row < rows; row += 2, words += 2 * pitch) {
        const uint64_t two = nibbles(words[0]) + nibbles(words[pitch]);
        sum += (two & low_nibbles) + (two >> 4 & low_nibbles);
    }
    return sum;
}

// The destination of a block's squares: counts, or the bytes that stand for counts.
typedef struct row_of_squares {
    uint32_t *counts;
    uint8_t *tones;
    const uint8_t *tone_of_count;
} row_of_squares;

// as_tones, like log2_side below, is a constant at each call that is inlined.
INLINE void put(bool as_tones, const row_of_squares *to, int64_t i, uint32_t count)
{
    if (as_tones)
        to->tones[i] = to->tone_of_count[count];
    else
        to->counts[i] = count;
}

// Stores the counts of 8 * in_turn squares. Each word holds eight counts, one a byte; consecutive
// squares come from the words in turn.
INLINE void spread(bool as_tones, const row_of_squares *to, int64_t at, const uint64_t *words,
                   int in_turn)
{
    for (int byte = 0; byte < 8; byte++)
        for (int i = 0; i < in_turn; i++)
            put(as_tones, to, at + byte * in_turn + i, (uint8_t)(words[i] >> (8 * byte)));
}

// Counts the 64 / side squares of one word; the first one is square `at`.
INLINE void count_word(int log2_side, bool as_tones, const uint64_t *words, size_t pitch,
                       const row_of_squares *to, int64_t at)
{
    if (log2_side == 0) {
        for (int byte = 0; byte < 8; byte++) {
            const uint64_t bit_of_each = UINT64_C(0x8040201008040201);
            const uint64_t copies = (words[0] >> (8 * byte) & 255) * UINT64_C(0x0101010101010101);
            const uint64_t cells = (copies & bit_of_each) + UINT64_C(0x7F7F7F7F7F7F7F7F);
            const uint64_t each = cells >> 7 & UINT64_C(0x0101010101010101);
            spread(as_tones, to, at + 8 * byte, &each, 1);
        }
    } else if (log2_side == 1) {
        const uint64_t above = pairs(words[0]), below = pairs(words[pitch]);
        const uint64_t even = (above & low_pairs) + (below & low_pairs);
        const uint64_t odd = (above >> 2 & low_pairs) + (below >> 2 & low_pairs);
        const uint64_t each[4] = {even & low_nibbles, odd & low_nibbles, even >> 4 & low_nibbles,
                                  odd >> 4 & low_nibbles};
        spread(as_tones, to, at, each, 4);
    } else if (log2_side == 2) {
        const uint64_t above = nibbles(words[0]) + nibbles(words[pitch]);
        const uint64_t below = nibbles(words[2 * pitch]) + nibbles(words[3 * pitch]);
        const uint64_t each[2] = {(above & low_nibbles) + (below & low_nibbles),
                                  (above >> 4 & low_nibbles) + (below >> 4 & low_nibbles)};
        spread(as_tones, to, at, each, 2);
    } else if (log2_side == 3) {
        const uint64_t each = bytes(words, pitch, 8);
        spread(as_tones, to, at, &each, 1);
    } else {
        uint64_t each = 0; // in fields of 16 bits
        for (int row = 0; row < 1 << log2_side; row += 16) {
            const uint64_t sum = bytes(words + (size_t)row * pitch, pitch, 16);
            each += (sum & low_bytes) + (sum >> 8 & low_bytes);
        }
        for (int i = 0; i < 4 && log2_side == 4; i++)
            put(as_tones, to, at + i, (uint16_t)(each >> (16 * i)));
        for (int i = 0; i < 2 && log2_side == 5; i++)
            put(as_tones, to, at + i,
                (uint16_t)(each >> (32 * i)) + (uint32_t)(uint16_t)(each >> (32 * i + 16)));
    }
}

// Counts `squares` squares from the words of a block.
INLINE void count_words(int log2_side, bool as_tones, const block *b, int64_t squares,
                        const row_of_squares *to)
{
    const int64_t in_a_word = 64 >> log2_side;
    const uint64_t *words = b->words;
    int64_t at = 0;
    for (; squares - at >= in_a_word; at += in_a_word)
        count_word(log2_side, as_tones, words++, b->pitch_words, to, at);
    if (at < squares) {
        uint32_t last[64];
        count_word(log2_side, false, words, b->pitch_words, &(row_of_squares){.counts = last}, 0);
        for (int64_t i = 0; at + i < squares; i++)
            put(as_tones, to, at + i, last[i]);
    }
}

INLINE void count_row(int log2_side, bool as_tones, const block *b, int64_t squares,
                      const row_of_squares *to)
{
    switch (log2_side) {
    case 0:
        count_words(0, as_tones, b, squares, to);
        break;
    case 1:
        count_words(1, as_tones, b, squares, to);
        break;
    case 2:
        count_words(2, as_tones, b, squares, to);
        break;
    case 3:
        count_words(3, as_tones, b, squares, to);
        break;
    case 4:
        count_words(4, as_tones, b, squares, to);
        break;
    default:
        count_words(5, as_tones, b, squares, to);
        break;
    }
}

static void look_at_small_squares(void *context, size_t index, int worker)
{
    (void)worker;
    const work *w = context;
    const lc_view *s = w->squares;
    const int64_t band = BAND_ROWS >> s->log2_side, most = BLOCK_WORDS * (64 >> s->log2_side);
    const int64_t end = lc_least(((int64_t)index + 1) * band, s->height);
    block b;
    for (int64_t j = (int64_t)index * band; j < end; j++) {
        for (int64_t i = 0; i < s->width; i += most) {
            const int64_t squares = lc_least(s->width - i, most), at = j * s->width + i;
            look(&b, w->grid, s->x + (i << s->log2_side), s->y + (j << s->log2_side),
                 ((squares << s->log2_side) + 63) / 64, (int64_t)1 << s->log2_side);
            if (s->tones != NULL)
                count_row(s->log2_side, true, &b, squares,
                          &(row_of_squares){.tones = s->tones + at,
                                            .tone_of_count = s->tones_of->of_count});
            else
                count_row(s->log2_side, false, &b, squares,
                          &(row_of_squares){.counts = s->counts + at});
        }
    }
}

// Squares of 64 cells a side and more -------------------------------------------------------------

// Adds the counts of words first .. first + length - 1 of a row of squares. Squares can be higher
// than a band, so other threads may add to the same squares.
static void add_counts(const lc_view *s, int64_t j, int64_t first, int64_t length,
                       const uint16_t *counts)
{
    const int shift = s->log2_side - LOG2_WORD;
    uint32_t *row = s->counts + j * s->width;
    for (int64_t i = 0; i < length;) {
        const int64_t square = (first + i) >> shift;
        const int64_t next = lc_least(((square + 1) << shift) - first, length);
        uint32_t live = 0;
        for (; i < next; i++)
            live += counts[i];
        __atomic_fetch_add(&row[square], live, __ATOMIC_RELAXED);
    }
}

static void count_large_squares(void *context, size_t index, int worker)
{
    (void)worker;
    const work *w = context;
    const lc_view *s = w->squares;
    const int64_t down = (w->first_band + (int64_t)index) * BAND_ROWS; // in the view
    const int64_t y0 = lc_greatest(s->y + down, 0);
    const int64_t y1 = lc_least(s->y + down + BAND_ROWS, w->grid->height_cells);
    // Words of the view that touch the board.
    const int64_t begin = s->x < 0 ? -s->x / 64 : 0;
    const int64_t end = lc_least(s->width << (s->log2_side - LOG2_WORD),
                                 (w->grid->width_cells - s->x + 63) >> LOG2_WORD);
    block b;
    for (int64_t i = begin; i < end;) {
        uint16_t counts[BLOCK_WORDS] = {0};
        const int64_t x = s->x + i * 64;
        // A word that the edge cuts is a block of its own, so that the others need not be copied.
        int64_t length = lc_least(end - i, BLOCK_WORDS);
        if (length > 1 && x + length * 64 > w->grid->width_cells)
            length--;
        if (x < 0)
            length = 1;
        for (int64_t y = y0; y < y1; y += 16) {
            const int64_t rows = lc_least(y1 - y, 16);
            look(&b, w->grid, x, y, length, rows);
            w->level->count(counts, b.words, b.pitch_words, (int)rows, (size_t)length);
        }
        add_counts(s, down >> s->log2_side, i, length, counts);
        i += length;
    }
}

// Counts all squares into s->counts.
static void count_all(const lc_view *s, const lc_grid *grid, const lc_level *level, lc_pool *pool)
{
    work w = {.squares = s, .grid = grid, .level = level};
    memset(s->counts, 0, (size_t)(s->width * s->height) * sizeof *s->counts);
    w.first_band = s->y < 0 ? -s->y / BAND_ROWS : 0;
    const int64_t end = lc_least((s->height << s->log2_side) / BAND_ROWS,
                                 (grid->height_cells - s->y + BAND_ROWS - 1) >> LOG2_WORD);
    if (end > w.first_band)
        lc_pool_run(pool, (size_t)(end - w.first_band), count_large_squares, &w);
}

// Makes grey levels of one piece of the view at a time, so that its counts stay in the caches.
static void make_tones(const lc_view *s, const lc_grid *grid, const lc_level *level, lc_pool *pool)
{
    uint32_t counts[PIECE_SQUARES];
    const int64_t columns = lc_least(s->width, PIECE_SQUARES), rows = PIECE_SQUARES / columns;
    for (int64_t j = 0; j < s->height; j += rows) {
        for (int64_t i = 0; i < s->width; i += columns) {
            const lc_view piece = {.x = s->x + (i << s->log2_side),
                                   .y = s->y + (j << s->log2_side),
                                   .log2_side = s->log2_side,
                                   .width = lc_least(columns, s->width - i),
                                   .height = lc_least(rows, s->height - j),
                                   .counts = counts};
            count_all(&piece, grid, level, pool);
            for (int64_t row = 0; row < piece.height; row++)
                lc_tones_of_counts(s->tones_of, counts + row * piece.width, (size_t)piece.width,
                                   s->tones + (j + row) * s->width + i);
        }
    }
}

void lc_squares_count(const lc_view *s, const lc_grid *grid, const lc_level *level, lc_pool *pool)
{
    if (s->log2_side < LOG2_WORD) {
        work w = {.squares = s, .grid = grid, .level = level};
        const int64_t band = BAND_ROWS >> s->log2_side;
        lc_pool_run(pool, (size_t)((s->height + band - 1) / band), look_at_small_squares, &w);
    } else if (s->tones != NULL) {
        make_tones(s, grid, level, pool);
    } else {
        count_all(s, grid, level, pool);
    }
}
