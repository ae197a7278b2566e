// Tori that the hashlife engine steps, against a dense engine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_universe.h"

static lc_topology torus(int64_t width, int64_t height)
{
    return (lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = height};
}

// Every cell.
static void expect_same(const lc_universe *a, const lc_universe *b)
{
    const lc_topology *t = lc_universe_topology(a);
    const size_t words = (size_t)(t->width_cells / 64);
    uint64_t *rows = malloc(2 * words * sizeof *rows);
    assert_non_null(rows);
    test_expect_same_facts(a, b);
    for (int64_t y = 0; y < t->height_cells; y++) {
        assert_int_equal(test_read_row(a, 0, y, t->width_cells, rows), LC_OK);
        assert_int_equal(test_read_row(b, 0, y, t->width_cells, rows + words), LC_OK);
        assert_memory_equal(rows, rows + words, words * sizeof *rows);
    }
    free(rows);
}

static void test_soups(void **state)
{
    (void)state;
    static const char *const engines[] = {"hashlife", "hashlife:part=1"};
    dice d = dice_from(test_seed(), 114);
    const int rounds = test_slowness() > 1 ? 8 : 40;
    for (int round = 0; round < rounds; round++) {
        const int64_t width = INT64_C(64) << dice_below(&d, 5);
        const int64_t height = INT64_C(64) << dice_below(&d, 5);
        const lc_rule *rule = LIFE;
        if (round % 2 != 0) {
            const unsigned birth = (unsigned)dice_below(&d, 512) & ~1u;
            rule = rule_of_counts(birth, (unsigned)dice_below(&d, 512));
        }
        lc_universe *u = test_create(engines[round % 2], rule, torus(width, height), 0);
        lc_universe *dense = test_create("simd", rule, torus(width, height), 0);
        lc_universe *const both[2] = {u, dense};
        for (int i = 0; i < 2; i++)
            assert_int_equal(
                lc_universe_soup(both[i], 0, 0, width, height, 0.3, (uint64_t)round, NULL), LC_OK);
        for (int i = 0; i < 6; i++) {
            const uint64_t generations = (uint64_t)dice_below(&d, i % 2 == 0 ? 40 : 3000);
            test_step(u, generations);
            test_step(dense, generations);
            expect_same(u, dense);
            const int64_t x = dice_below(&d, width);
            const int64_t y = dice_below(&d, height);
            const bool alive = test_get(dense, x, y);
            for (int k = 0; k < 2; k++)
                assert_int_equal(lc_universe_set(both[k], x, y, !alive, NULL), LC_OK);
            expect_same(u, dense);
        }
        lc_universe_destroy(&u);
        lc_universe_destroy(&dense);
    }
}

// A glider comes round, on boards that no dense engine could hold, whichever side is the longer
// one.
static void test_large(void **state)
{
    (void)state;
    static const int logs[][2] = {{40, 40}, {61, 61}, {61, 45}, {30, 50}, {20, 6}, {6, 26}};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        const int64_t width = INT64_C(1) << logs[i][0], height = INT64_C(1) << logs[i][1];
        const int64_t longer = width > height ? width : height;
        lc_count generations, left;
        lc_universe *u = test_create("hashlife", LIFE, torus(width, height), 0);
        assert_int_equal(test_load(u, glider_rle, 17, 50, NULL), LC_OK);
        const lc_facts before = test_facts(u, LC_FACT_ALL);
        assert_true(lc_count_shift_left(lc_count_of((uint64_t)longer), 2, &generations));
        assert_int_equal(lc_universe_step(u, lc_count_of(52), NULL, NULL, NULL), LC_OK);
        const lc_facts some = test_facts(u, LC_FACT_ALL);
        assert_int_equal(some.population.words[0], 5);
        assert_int_not_equal(some.hash, before.hash);
        assert_true(lc_count_subtract(generations, lc_count_of(52), &left));
        assert_int_equal(lc_universe_step(u, left, NULL, NULL, NULL), LC_OK);
        const lc_facts after = test_facts(u, LC_FACT_ALL);
        assert_int_equal(after.hash, before.hash);
        assert_int_equal(after.box.x, before.box.x);
        assert_int_equal(after.box.y, before.box.y);
        lc_universe_destroy(&u);
    }
}

static void test_refused(void **state)
{
    (void)state;
    lc_message message;
    lc_universe_needs needs;
    lc_universe *u;
    static const char *const wrong[] = {
        "B3/S23:T100,128",          "B3/S23:T128,32",    "B3/S23:T128,0",    "B3/S23:T128,0",
        "B3/S23:T1099511627776,64", "B3/S23:T128+3,128", "B3/S23:K128*,128", "B3/S23:P128,128",
        "B3/S23:C128,128",          "B3/S23:S128",       "B03/S23:T128,128",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lc_universe_options options = {.struct_bytes = sizeof options,
                                       .context = test_context(),
                                       .rule_text = wrong[i],
                                       .engine = "hashlife"};
        assert_int_equal(lc_universe_create(&u, &options, &message), LC_ERROR_UNSUPPORTED);
        assert_null(u);
        assert_int_equal(lc_universe_check(&options, &needs, &message), LC_ERROR_UNSUPPORTED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_soups), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests_name("tori of hashlife", tests, NULL, NULL);
}
