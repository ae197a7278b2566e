// Bit strings, the dense rectangle and the soup, against a bit-by-bit reckoning.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/area.h"
#include "base/memory.h"
#include "grid/cell_hash.h"
#include "grid/facts.h"
#include "grid/tones.h"
#include "kernels/tone.h"
#include "support.h"
#include "support_universe.h"

// Bit strings: the words around them are canaries ----------------------------------------------

enum { STRING_WORDS = 40, MIDDLE = 20 }; // strings are addressed from word MIDDLE, both ways

static bool bit_of(const uint64_t *middle, int64_t bit)
{
    int64_t word = bit >= 0 ? bit / 64 : -((63 - bit) / 64);
    return middle[word] >> (bit - word * 64) & 1;
}

static void set_bit(uint64_t *middle, int64_t bit, bool value)
{
    int64_t word = bit >= 0 ? bit / 64 : -((63 - bit) / 64);
    uint64_t mask = (uint64_t)1 << (bit - word * 64);
    middle[word] = value ? middle[word] | mask : middle[word] & ~mask;
}

typedef enum operation { COPY, REVERSE, OR, FILL_0, FILL_1, OPERATIONS } operation;

static void check_strings(operation what, int64_t to, int64_t from, int64_t count, dice *d)
{
    uint64_t source[STRING_WORDS], target[STRING_WORDS], expected[STRING_WORDS];
    for (int i = 0; i < STRING_WORDS; i++) {
        source[i] = dice_word(d);
        target[i] = expected[i] = dice_word(d);
    }
    for (int64_t i = 0; i < count; i++) {
        bool old = bit_of(target + MIDDLE, to + i), bit = false;
        if (what == COPY || what == OR)
            bit = bit_of(source + MIDDLE, from + i) || (what == OR && old);
        else if (what == REVERSE)
            bit = bit_of(source + MIDDLE, from + count - 1 - i);
        else
            bit = what == FILL_1;
        set_bit(expected + MIDDLE, to + i, bit);
    }
    switch (what) {
    case COPY:
        lc_bits_copy(target + MIDDLE, to, source + MIDDLE, from, count);
        break;
    case REVERSE:
        lc_bits_copy_reversed(target + MIDDLE, to, source + MIDDLE, from, count);
        break;
    case OR:
        lc_bits_or(target + MIDDLE, to, source + MIDDLE, from, count);
        break;
    default:
        lc_bits_fill(target + MIDDLE, to, count, what == FILL_1);
    }
    if (memcmp(target, expected, sizeof target) != 0)
        fail_msg("operation %d: %" PRId64 " bits from %" PRId64 " to %" PRId64, (int)what, count,
                 from, to);
}

static void test_bit_strings_at_every_offset(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 1);
    const int64_t counts[] = {0, 1, 2, 31, 63, 64, 65, 127, 128, 129, 191, 300};
    for (int64_t to = 0; to < 64; to++)
        for (int64_t from = 0; from < 64; from++) {
            int64_t count = counts[(size_t)dice_below(&d, 12)];
            for (int what = 0; what < OPERATIONS; what++)
                check_strings((operation)what, to, from, count, &d);
        }
    for (int i = 0; i < 20000 / test_slowness(); i++) {
        int64_t to = dice_below(&d, 1600) - 1200, from = dice_below(&d, 1600) - 1200;
        int64_t count = dice_below(&d, i % 2 ? 70 : 800);
        check_strings((operation)dice_below(&d, OPERATIONS), to, from, count, &d);
    }
}

// Reading or writing one word too many would be found by the address sanitizer.
static void test_bit_strings_touch_no_other_word(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 2);
    for (int64_t offset = 0; offset < 64; offset++)
        for (int64_t count = 1; offset + count <= 192; count++) {
            size_t words = (size_t)(offset + count + 63) / 64;
            size_t tight = (size_t)(count + 63) / 64;
            uint64_t *shifted = malloc(words * 8), *packed = malloc(tight * 8);
            assert_true(shifted != NULL && packed != NULL);
            memset(packed, 0, tight * 8);
            for (size_t i = 0; i < words; i++)
                shifted[i] = dice_word(&d);
            lc_bits_copy(packed, 0, shifted, offset, count);
            for (int64_t i = 0; i < count; i++)
                assert_true(bit_of(packed, i) == bit_of(shifted, offset + i));
            lc_bits_copy_reversed(shifted, offset, packed, 0, count);
            lc_bits_copy_reversed(packed, 0, shifted, offset, count);
            lc_bits_or(shifted, offset, packed, 0, count);
            lc_bits_fill(shifted, offset, count, true);
            lc_bits_copy(packed, 0, shifted, offset, count);
            for (int64_t i = 0; i < count; i++)
                assert_true(bit_of(packed, i));
            free(shifted);
            free(packed);
        }
}

// The rectangle ----------------------------------------------------------------------------------

static void fill_grid(lc_grid *grid, int density, dice *d) // 0: empty .. 3: full
{
    for (int64_t y = -grid->margin_rows; y < grid->height_cells + grid->margin_rows; y++)
        for (int64_t x = -grid->left_cells; x < grid->width_cells + grid->right_cells; x++) {
            bool inside = x >= 0 && x < grid->width_cells && y >= 0 && y < grid->height_cells;
            bool alive = density == 3 || (density == 2 && dice_below(d, 2) == 0) ||
                         (density == 1 && dice_below(d, 200) == 0);
            lc_grid_set(grid, x, y, inside ? alive : true); // margins must not be counted
        }
}

static void check_facts(const lc_grid *grid, int64_t y0, int64_t y1)
{
    uint64_t population = 0;
    int64_t left = INT64_MAX, right = -1, top = -1, bottom = -1;
    const size_t row_words = (size_t)(grid->width_cells + 63) / 64;
    uint64_t *words = calloc((size_t)y1 * row_words + 1, sizeof *words);
    assert_non_null(words);
    for (int64_t y = y0; y < y1; y++)
        for (int64_t column = 0; column * 64 < grid->width_cells; column++) {
            uint64_t word = 0;
            for (int64_t x = column * 64; x < column * 64 + 64 && x < grid->width_cells; x++) {
                if (!lc_grid_get(grid, x, y))
                    continue;
                word |= (uint64_t)1 << (x % 64);
                population++;
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = top < 0 ? y : top;
                bottom = y;
            }
            words[(size_t)y * row_words + (size_t)column] = word;
        }
    const lc_facts facts = lc_grid_facts(grid, y0, y1, LC_FACT_ALL);
    assert_int_equal(facts.population.words[0], population);
    assert_int_equal(facts.hash, plain_hash(words, row_words, y1));
    free(words);
    assert_int_equal(lc_grid_facts(grid, y0, y1, LC_FACT_POPULATION).population.words[0],
                     population);
    assert_int_equal(lc_grid_facts(grid, y0, y1, LC_FACT_HASH).hash, facts.hash);
    const lc_box box = lc_grid_facts(grid, y0, y1, LC_FACT_BOX).box;
    assert_true(box.empty == (population == 0));
    if (population != 0) {
        assert_int_equal(box.x, left);
        assert_int_equal(box.y, top);
        assert_int_equal(box.width_cells, right - left + 1);
        assert_int_equal(box.height_cells, bottom - top + 1);
    } else {
        assert_true(box.x == 0 && box.y == 0 && box.width_cells == 0 && box.height_cells == 0);
    }
}

static void test_facts_of_every_width(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 3);
    for (int64_t width = 1; width <= 130; width++)
        for (int density = 0; density <= 3; density++) {
            lc_grid grid;
            int64_t height = 1 + dice_below(&d, 9);
            assert_int_equal(
                lc_grid_init(&grid, NULL, width, height, dice_below(&d, 70), dice_below(&d, 3)),
                LC_OK);
            fill_grid(&grid, density, &d);
            check_facts(&grid, 0, height);
            int64_t y0 = dice_below(&d, height), y1 = y0 + dice_below(&d, height - y0 + 1);
            check_facts(&grid, y0, y1);
            lc_grid_free(&grid);
        }
}

static void test_one_cell_anywhere(void **state)
{
    (void)state;
    const int64_t width = 1500, height = 3;
    lc_grid grid;
    assert_int_equal(lc_grid_init(&grid, NULL, width, height, 1, 1), LC_OK);
    for (int64_t x = 0; x < width; x++) {
        lc_grid_set(&grid, x, 1, true);
        lc_box box = lc_grid_facts(&grid, 0, height, LC_FACT_BOX).box;
        assert_true(!box.empty && box.x == x && box.y == 1 && box.width_cells == 1 &&
                    box.height_cells == 1);
        assert_int_equal(lc_grid_facts(&grid, 0, height, LC_FACT_POPULATION).population.words[0],
                         1);
        lc_grid_set(&grid, x, 1, false);
    }
    assert_true(lc_grid_facts(&grid, 0, height, LC_FACT_BOX).box.empty);
    lc_grid_free(&grid);
}

static void test_layout(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 4);
    for (int i = 0; i < 300; i++) {
        int64_t width = 1 + dice_below(&d, 70000), height = 1 + dice_below(&d, 20);
        int64_t columns = dice_below(&d, 300), rows = dice_below(&d, 20);
        lc_grid grid;
        assert_int_equal(lc_grid_init(&grid, NULL, width, height, columns, rows), LC_OK);
        uint64_t bytes;
        assert_true(lc_grid_bytes(width, height, columns, rows, &bytes));
        assert_int_equal(bytes, grid.size_bytes);
        assert_true(grid.left_cells >= columns && grid.left_cells % 64 == 0);
        assert_true(grid.right_cells >= columns && grid.margin_rows == rows);
        assert_int_equal(grid.left_cells + width + grid.right_cells,
                         (int64_t)grid.pitch_words * 64);
        assert_true(grid.pitch_words % 512 != 0); // rows 4 KiB apart share their cache sets
        uint64_t *end = lc_grid_row(&grid, height + rows) - grid.left_cells / 64;
        assert_true((uint64_t)((uint8_t *)end - (uint8_t *)grid.words) + 1024 <= grid.size_bytes);
        for (size_t word = 0; word < grid.size_bytes / 8; word++)
            assert_int_equal(grid.words[word], 0);
        lc_grid_free(&grid);
        assert_null(grid.words);
        lc_grid_free(&grid);
    }
}

static void test_sizes_that_overflow(void **state)
{
    (void)state;
    const int64_t bad[][4] = {{0, 1, 0, 0},
                              {1, 0, 0, 0},
                              {-5, 1, 0, 0},
                              {1, 1, -1, 0},
                              {1, 1, 0, -1},
                              {INT64_MAX, 1, 0, 0},
                              {1, INT64_MAX, 0, 0},
                              {INT64_C(1) << 40, INT64_C(1) << 40, 0, 0},
                              {1, 1, INT64_MAX, 0},
                              {1, 1, 0, INT64_MAX},
                              {INT64_C(1) << 34, INT64_C(1) << 32, 0, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t bytes;
        lc_grid grid;
        assert_false(lc_grid_bytes(bad[i][0], bad[i][1], bad[i][2], bad[i][3], &bytes));
        assert_int_equal(lc_grid_init(&grid, NULL, bad[i][0], bad[i][1], bad[i][2], bad[i][3]),
                         LC_ERROR_LIMIT);
        assert_null(grid.words);
    }
    lc_grid grid;
    lc_fail_allocation(1);
    assert_int_equal(lc_grid_init(&grid, NULL, 100, 100, 1, 1), LC_ERROR_MEMORY);
    assert_null(grid.words);
    lc_fail_allocation(0);
}

static void test_box_union(void **state)
{
    (void)state;
    lc_box none = {.empty = true};
    lc_box a = {.x = -5, .y = 2, .width_cells = 3, .height_cells = 4};
    lc_box b = {.x = 7, .y = -1, .width_cells = 1, .height_cells = 2};
    lc_box both = lc_box_union(a, b);
    assert_true(both.x == -5 && both.y == -1 && both.width_cells == 13 && both.height_cells == 7);
    assert_true(lc_box_union(none, none).empty);
    both = lc_box_union(a, none);
    assert_true(!both.empty && both.x == -5 && both.height_cells == 4);
    both = lc_box_union(none, a);
    assert_true(!both.empty && both.x == -5 && both.height_cells == 4);
}

// Hash and soup ----------------------------------------------------------------------------------

// Checkpoints store hashes and people publish seeds: both are fixed for ever. The values were
// reckoned by another program.
static void test_fixed_values(void **state)
{
    (void)state;
    const uint64_t one = 1, words[] = {0x0123456789abcdefu, 0, 1};
    assert_int_equal(lc_hash_words(NULL, 0, 0), 0);
    assert_int_equal(lc_hash_words(&one, 1, 0), 1);
    assert_int_equal(lc_hash_words(words, 3, 0), 0x0123456789ccbb78u);
    assert_int_equal(lc_hash_moved(1, 63, 0), UINT64_C(1) << 63);
    assert_int_equal(lc_hash_moved(1, 0, 1), 0x8ecd3869f8956240u);
    assert_int_equal(lc_hash_moved(1, -1, -1), 0x9eeca3a2aa79e4d8u);
    assert_int_equal(lc_hash_moved(1, INT64_C(1) << 61, -(INT64_C(1) << 62)), 0x785fc265d2790e04u);
    assert_int_equal(lc_hash_moved(1, INT64_MIN, INT64_MAX), 0xddb49a6bf25f9ab8u);
    assert_int_equal(lc_soup_word(42, 32768, 0, 0), 0x32251108080e4c3du);
    assert_int_equal(lc_soup_word(42, 32768, -1, 5), 0x7fb57c32f78264bau);
    assert_int_equal(lc_soup_word(1, 19661, 12, 34), 0x1120050404838292u);
    assert_int_equal(lc_soup_word(UINT64_MAX, 65536, 9, 9), UINT64_MAX);
    assert_int_equal(lc_soup_word(UINT64_MAX, 0, 9, 9), 0);
}

static void test_soup_rows_are_words(void **state)
{
    (void)state;
    const uint32_t densities[] = {0, 1, 32768, 32769, 49152, 65535, 65536};
    for (size_t i = 0; i < sizeof densities / sizeof densities[0]; i++) {
        uint64_t row[10] = {0};
        lc_soup_row(77, densities[i], -4, -9, row, 9);
        for (int64_t column = 0; column < 9; column++)
            assert_int_equal(row[column], lc_soup_word(77, densities[i], column - 4, -9));
        assert_int_equal(row[9], 0);
    }
}

static int compare_words(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

// Single cells, and pairs of neighbours, at all places of a large square: no two alike.
static void test_hashes_differ(void **state)
{
    (void)state;
    enum { SIDE = 1024, PLACES = SIDE * SIDE };
    uint64_t *hashes = malloc(PLACES * sizeof *hashes);
    assert_non_null(hashes);
    size_t count = 0;
    for (int64_t y = -SIDE / 2; y < SIDE / 2; y++)
        for (int64_t x = -SIDE / 2; x < SIDE / 2; x++) {
            const uint64_t cell = lc_hash_moved(1, x, y);
            hashes[count++] = x % 2 ? cell : lc_hash_joined(cell, lc_hash_moved(1, x, y + 1));
        }
    qsort(hashes, count, sizeof *hashes, compare_words);
    for (size_t i = 1; i < count; i++)
        assert_true(hashes[i] != hashes[i - 1]);
    free(hashes);
}

// Moving twice is moving once, back is back, and parts moved are the whole moved.
static void test_hashes_compose(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 12);
    const uint64_t p = UINT64_MAX - 1468;
    for (int i = 0; i < 20000; i++) {
        const uint64_t a = dice_word(&d) % p,
                       b = i % 7 == 0 ? p - 1 - (uint64_t)i : dice_word(&d) % p;
        const int shift = (int)dice_below(&d, 63) + 1; // sums stay inside 64 bits
        const int64_t x = (int64_t)dice_word(&d) >> shift, y = (int64_t)dice_word(&d) >> shift;
        const int64_t u = (int64_t)dice_word(&d) >> shift, v = (int64_t)dice_word(&d) >> shift;
        const uint64_t moved = lc_hash_moved(a, x, y), joined = lc_hash_joined(a, b);
        assert_int_equal(lc_hash_moved(moved, u, v), lc_hash_moved(a, x + u, y + v));
        assert_int_equal(lc_hash_moved(moved, -x, -y), a);
        assert_int_equal(lc_hash_joined(moved, lc_hash_moved(b, x, y)),
                         lc_hash_moved(joined, x, y));
        assert_true(moved < p && joined < p);
        assert_int_equal(lc_hash_joined(b, a), joined);
        assert_int_equal(lc_hash_joined(a, 0), a);
    }
}

static void test_soups_have_their_density(void **state)
{
    (void)state;
    const uint32_t densities[] = {1, 2, 100, 9830, 16384, 24576, 32768, 32769, 52429, 65535};
    const int64_t side = 512; // words and rows: 2^24 cells
    for (size_t i = 0; i < sizeof densities / sizeof densities[0]; i++) {
        uint64_t alive = 0, beside = 0;
        for (int64_t y = 0; y < side; y++)
            for (int64_t column = 0; column < side; column++) {
                uint64_t word = lc_soup_word(i, densities[i], column - 100, y - 100);
                uint64_t below = lc_soup_word(i, densities[i], column - 100, y - 99);
                alive += (uint64_t)__builtin_popcountll(word);
                beside += (uint64_t)__builtin_popcountll(word & below);
            }
        const double cells = (double)side * (double)side * 64, p = densities[i] / 65536.0;
        // Six standard deviations of the binomial, for cells and for pairs one above the other.
        double error = ((double)alive - cells * p) * ((double)alive - cells * p);
        assert_true(error < 36 * cells * p * (1 - p) + 36);
        error = ((double)beside - cells * p * p) * ((double)beside - cells * p * p);
        assert_true(error < 36 * 3 * cells * p * p * (1 - p * p) + 36);
    }
}

// Every bit of a word, and words of neighbouring places and seeds, agree in half of their bits.
static void test_soup_words_are_independent(void **state)
{
    (void)state;
    enum { WORDS = 20000 };
    int ones[64] = {0};
    int64_t agree[4] = {0};
    for (int64_t i = 0; i < WORDS; i++) {
        uint64_t word = lc_soup_word(7, 32768, i, -i);
        for (int bit = 0; bit < 64; bit++)
            ones[bit] += (int)(word >> bit & 1);
        agree[0] += __builtin_popcountll(word ^ lc_soup_word(7, 32768, i + 1, -i));
        agree[1] += __builtin_popcountll(word ^ lc_soup_word(7, 32768, i, -i + 1));
        agree[2] += __builtin_popcountll(word ^ lc_soup_word(8, 32768, i, -i));
        agree[3] += __builtin_popcountll(word ^ lc_soup_word(7, 32768, -i, i + 5));
    }
    for (int bit = 0; bit < 64; bit++)
        assert_in_range(ones[bit], WORDS / 2 - 430, WORDS / 2 + 430); // 6 sigma = 424
    for (int i = 0; i < 4; i++)
        assert_in_range(agree[i], WORDS * 32 - 3400, WORDS * 32 + 3400); // 6 sigma = 3394
}

// Tones of pictures ------------------------------------------------------------------------------

static void check_tone(const lc_tones *tones, uint32_t count, int log2_side)
{
    uint8_t tone = 0;
    lc_tones_of_counts(tones, &count, 1, &tone);
    const int expected = test_tone(count, INT64_C(1) << log2_side);
    const int of_kernels = lc_tone(count, log2_side);
    if (tone != expected || of_kernels != expected)
        fail_msg(
            "%u cells of squares of 2^%d a side: %d by the tables, %d as kernels have it, not %d",
            count, log2_side, tone, of_kernels, expected);
}

// All counts of the smaller squares; of the others those where tones begin, and some.
static void test_tones(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 7);
    lc_tones tones;
    for (int log2_side = 0; log2_side <= LC_TONE_SIDE_MAX; log2_side++) {
        const uint32_t cells = (uint32_t)1 << 2 * log2_side;
        memset(&tones, 0xA5, sizeof tones);
        lc_tones_prepare(&tones, log2_side);
        for (uint32_t count = 0; count <= cells && count <= 1 << 18; count++)
            check_tone(&tones, count, log2_side);
        for (int tone = 1; tone < 256; tone++) {
            check_tone(&tones, tones.least[tone] - 1, log2_side);
            check_tone(&tones, tones.least[tone], log2_side);
            for (int i = 0; i < 100; i++)
                check_tone(&tones, (uint32_t)dice_below(&d, (int64_t)cells + 1), log2_side);
        }
        check_tone(&tones, cells, log2_side);
        assert_int_equal(tones.of_count[0], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bit_strings_at_every_offset),
        cmocka_unit_test(test_bit_strings_touch_no_other_word),
        cmocka_unit_test(test_facts_of_every_width),
        cmocka_unit_test(test_one_cell_anywhere),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_sizes_that_overflow),
        cmocka_unit_test(test_box_union),
        cmocka_unit_test(test_fixed_values),
        cmocka_unit_test(test_soup_rows_are_words),
        cmocka_unit_test(test_hashes_differ),
        cmocka_unit_test(test_hashes_compose),
        cmocka_unit_test(test_soups_have_their_density),
        cmocka_unit_test(test_soup_words_are_independent),
        cmocka_unit_test(test_tones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
