// The inner functions of each CPU level of the simd engine, alone: combing a row into vectors and
// back, and one generation of bands, for every number of vectors in a strip and against plain
// arithmetic on bytes. The whole engine is compared in test_engines.c, with the numbers of vectors
// that its planner likes; here are all of them, and a wrong one is named.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/context_resources.h"
#include "base/memory.h"
#include "level/code.h"
#include "level/level.h"
#include "logic/network.h"
#include "support.h"

#define LEVELS_MAX 8
#define VECTORS_MAX 64
#define CELLS_MAX (VECTORS_MAX * LC_VECTOR_BYTES_MAX * 8)
#define STRING_BYTES (CELLS_MAX / 8 + LC_COMB_SLACK_BYTES)
#define CANARY 0x5A

static const lc_level *levels[LEVELS_MAX];
static size_t level_count;

// Room for the largest strip of any level.
static struct {
    uint8_t cells[LC_BAND_ROWS * STRING_BYTES];
    uint8_t back[LC_BAND_ROWS * STRING_BYTES + 64];
    uint8_t *in, *out, *saved;  // bands, aligned
    uint8_t rows[3][CELLS_MAX]; // one byte a cell: two rows above, then the one that comes in
} room;

#define BAND_BYTES ((size_t)VECTORS_MAX * LC_BAND_ROWS * LC_VECTOR_BYTES_MAX)

static int find_levels(void **state)
{
    (void)state;
    lc_cpu_level_info info;
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        if (!info.available)
            continue;
        const lc_level *level = lc_level_find(info.name, NULL);
        if (level == NULL || level_count == LEVELS_MAX || level->vectors_max > VECTORS_MAX ||
            level->vector_bits != info.vector_bits)
            return -1;
        levels[level_count++] = level;
    }
    room.in = lc_alloc_pages(BAND_BYTES);
    room.out = lc_alloc_pages(BAND_BYTES);
    room.saved = lc_alloc_pages(BAND_BYTES);
    return level_count == 0 || room.in == NULL || room.out == NULL || room.saved == NULL ? -1 : 0;
}

static int free_room(void **state)
{
    (void)state;
    lc_free_pages(room.in, BAND_BYTES);
    lc_free_pages(room.out, BAND_BYTES);
    lc_free_pages(room.saved, BAND_BYTES);
    return 0;
}

static bool string_bit(const uint8_t *cells, size_t at)
{
    return cells[at / 8] >> (at % 8) & 1;
}

// Bit b of vector k in row `row` of a band is the string's cell b * K + k.
static bool band_bit(const lc_level *level, const uint8_t *band, int row, int vectors, size_t cell)
{
    const size_t vector_bytes = (size_t)level->vector_bits / 8;
    const size_t k = cell % (size_t)vectors, bit = cell / (size_t)vectors;
    return string_bit(band + (k * LC_BAND_ROWS + (size_t)row) * vector_bytes, bit);
}

// Some rows of a band at a time, from strings with something else behind them.
static void check_combing(const lc_level *level, int vectors, int row, int rows, dice *d)
{
    const size_t bits = (size_t)vectors * (size_t)level->vector_bits;
    const size_t pitch = bits / 8 + LC_COMB_SLACK_BYTES;
    const size_t vector_bytes = (size_t)level->vector_bits / 8;
    const size_t band_bytes = bits / 8 * LC_BAND_ROWS;
    for (size_t k = 0; k < (size_t)rows * pitch; k++)
        room.cells[k] = (uint8_t)dice_word(d);
    memset(room.in, CANARY, band_bytes + 64);
    memset(room.back, CANARY, sizeof room.back);
    level->comb(room.in, row, rows, vectors, room.cells, pitch);
    level->uncomb(room.back, pitch, room.in, row, rows, vectors);
    for (int r = 0; r < rows; r++) {
        const size_t at = (size_t)r * pitch;
        for (size_t cell = 0; cell < bits; cell++)
            if (band_bit(level, room.in, row + r, vectors, cell) !=
                string_bit(room.cells + at, cell))
                fail_msg("level %s, %d vectors, row %d of %d .. %d: cell %zu is combed wrong",
                         level->name, vectors, row + r, row, row + rows - 1, cell);
        if (memcmp(room.back + at, room.cells + at, bits / 8) != 0)
            fail_msg("level %s, %d vectors, row %d of %d .. %d: uncombed wrong", level->name,
                     vectors, row + r, row, row + rows - 1);
    }
    for (size_t k = (size_t)rows * pitch; k < sizeof room.back; k++)
        assert_int_equal(room.back[k], CANARY);
    for (size_t k = 0; k < band_bytes + 64; k++) {
        const int in_row = (int)(k / vector_bytes % LC_BAND_ROWS);
        if (k >= band_bytes || in_row < row || in_row >= row + rows)
            assert_int_equal(room.in[k], CANARY);
    }
}

static void test_combing(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 40);
    for (size_t i = 0; i < level_count; i++) {
        for (int vectors = 1; vectors <= levels[i]->vectors_max; vectors++) {
            check_combing(levels[i], vectors, 0, LC_BAND_ROWS, &d);
            for (int n = 0; n < 5; n++) {
                const int row = (int)dice_below(&d, LC_BAND_ROWS);
                const int rows = 1 + (int)dice_below(&d, LC_BAND_ROWS - row);
                check_combing(levels[i], vectors, row, rows, &d);
            }
        }
    }
}

static bool next_cell(lc_counts counts, size_t x)
{
    int neighbours = 0;
    for (int row = 0; row < 3; row++)
        for (size_t at = x - 1; at <= x + 1; at++)
            neighbours += row == 1 && at == x ? 0 : room.rows[row][at];
    return (room.rows[1][x] ? counts.survival : counts.birth) >> neighbours & 1;
}

// A level's ways to step a band.
typedef enum kernel { KERNEL_LIFE, KERNEL_ANY, KERNEL_CODE, KERNEL_COUNT } kernel;

static const char *const kernel_names[KERNEL_COUNT] = {"step_life", "step_any", "step_code"};

// What a kernel needs to know of a rule. False if this kernel cannot run it here.
typedef struct ready {
    void (*step)(const lc_band *band);
    uint64_t selectors[LC_ANY_WORDS];
    lc_code code;
} ready;

static bool make_ready(ready *r, const lc_level *level, kernel by, const lc_rule *rule)
{
    memset(r, 0, sizeof *r);
    lc_any_rule(counts_of(rule), r->selectors);
    r->step = by == KERNEL_LIFE ? level->step_life : level->step_any;
    if (by != KERNEL_CODE)
        return true;
    r->step = level->step_code;
    lc_network network;
    lc_network_build(&network, counts_of(rule), lc_context_cache(NULL));
    if (r->step == NULL)
        return false;
    const lc_status status = lc_code_create(&r->code, level->code_target, &network);
    if (status == LC_ERROR_LIMIT)
        fail_msg("level %s has too few registers for %s", level->name, lc_rule_traits(rule)->text);
    return status == LC_OK;
}

static void run_band(const ready *r, int vectors)
{
    const lc_band band = {.vectors = vectors,
                          .in = room.in,
                          .saved = room.saved,
                          .out = room.out,
                          .any = r->selectors,
                          .code = &r->code};
    r->step(&band);
}

// Three bands one below the other, each stepped with what the one above has left in `saved`. All
// but the strip's outermost columns must be right; the two rows above the first band are dead.
static void check_bands(const lc_level *level, int vectors, const lc_rule *rule, kernel by,
                        int density, dice *d)
{
    const size_t bits = (size_t)vectors * (size_t)level->vector_bits;
    const size_t pitch = bits / 8 + LC_COMB_SLACK_BYTES;
    const lc_counts counts = counts_of(rule);
    ready r;
    if (!make_ready(&r, level, by, rule))
        return;
    memset(room.saved, 0, bits / 8 * 2);
    memset(room.rows, 0, sizeof room.rows);
    for (int n = 0; n < 3; n++) {
        for (size_t k = 0; k < LC_BAND_ROWS * pitch; k++) {
            uint64_t word = dice_word(d);
            for (int thin = 0; thin < density; thin++)
                word &= dice_word(d);
            room.cells[k] = (uint8_t)(density < 0 ? 0xFF : word);
        }
        level->comb(room.in, 0, LC_BAND_ROWS, vectors, room.cells, pitch);
        run_band(&r, vectors);
        for (int row = 0; row < LC_BAND_ROWS; row++) {
            memmove(room.rows[0], room.rows[1], sizeof room.rows[0]);
            memmove(room.rows[1], room.rows[2], sizeof room.rows[0]);
            for (size_t x = 0; x < bits; x++)
                room.rows[2][x] = string_bit(room.cells + (size_t)row * pitch, x);
            for (size_t x = 1; x + 1 < bits; x++)
                if (band_bit(level, room.out, row, vectors, x) != next_cell(counts, x))
                    fail_msg("level %s, %d vectors, %s, %s: band %d, row "
                             "%d, column %zu of %zu is wrong",
                             level->name, vectors, kernel_names[by], lc_rule_traits(rule)->text, n,
                             row, x, bits);
        }
    }
    lc_code_free(&r.code);
}

static void test_bands(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 41);
    for (size_t i = 0; i < level_count; i++) {
        for (int vectors = 1; vectors <= levels[i]->vectors_max; vectors++) {
            const lc_rule *other = rule_at((size_t)dice_below(&d, 60), test_seed());
            check_bands(levels[i], vectors, LIFE, KERNEL_LIFE, vectors % 3, &d);
            check_bands(levels[i], vectors, other, KERNEL_ANY, vectors % 2, &d);
            check_bands(levels[i], vectors, other, KERNEL_CODE, vectors % 2, &d);
        }
    }
}

// All rules that one count of neighbours makes, and random ones, on strips of a few vectors.
static void test_rules(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 42);
    for (size_t i = 0; i < level_count; i++) {
        for (kernel by = KERNEL_ANY; by <= KERNEL_CODE; by++) {
            for (int n = 0; n <= 8; n++) {
                const lc_rule *birth = rule_of_counts(1u << n, 0);
                const lc_rule *survival = rule_of_counts(0, 1u << n);
                for (int density = -1; density <= 1; density++) {
                    check_bands(levels[i], 2, birth, by, density, &d);
                    check_bands(levels[i], 2, survival, by, density, &d);
                }
            }
            for (size_t n = 0; n < 120; n++) {
                const lc_rule *rule = rule_at(n, test_seed());
                check_bands(levels[i], 1 + (int)(n % 3), rule, by, (int)(n % 2), &d);
            }
        }
    }
}

// Every one of the 512 neighbourhoods of B3/S23, by each kernel.
static void check_neighbourhood(const lc_level *level, const ready *r, kernel by, unsigned pattern)
{
    const int vectors = 3;
    const size_t bits = (size_t)vectors * (size_t)level->vector_bits;
    const size_t x = 1 + pattern % (bits - 2);
    memset(room.saved, 0, bits / 8 * 2);
    memset(room.in, 0, bits / 8 * LC_BAND_ROWS);
    for (int row = 0; row < 3; row++) {
        memset(room.cells, 0, STRING_BYTES);
        for (size_t at = 0; at < 3; at++) {
            const uint8_t cell = pattern >> (3 * (unsigned)row + at) & 1;
            room.rows[row][x - 1 + at] = cell;
            room.cells[(x - 1 + at) / 8] |= (uint8_t)(cell << ((x - 1 + at) % 8));
        }
        level->comb(room.in, row, 1, vectors, room.cells, STRING_BYTES);
    }
    run_band(r, vectors);
    if (band_bit(level, room.out, 2, vectors, x) != next_cell(counts_of(LIFE), x))
        fail_msg("level %s, %s: neighbourhood %03o at column %zu", level->name, kernel_names[by],
                 pattern, x);
}

static void test_neighbourhoods(void **state)
{
    (void)state;
    for (size_t i = 0; i < level_count; i++) {
        for (kernel by = 0; by < KERNEL_COUNT; by++) {
            ready r;
            if (!make_ready(&r, levels[i], by, LIFE))
                continue;
            for (unsigned pattern = 0; pattern < 512; pattern++)
                check_neighbourhood(levels[i], &r, by, pattern);
            lc_code_free(&r.code);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_combing),
        cmocka_unit_test(test_neighbourhoods),
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests_name("levels", tests, find_levels, free_room);
}
