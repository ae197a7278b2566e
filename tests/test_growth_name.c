// Names of cells that do not repeat themselves, against names that apgsearch gave, and the counts
// of live cells that the names stand on.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "census/cell_counts.h"
#include "census/growth_name.h"
#include "lightcone/pattern.h"
#include "support.h"
#include "support_live.h"
#include "support_universe.h"

static const char replicator[] = "2b3o$bo2bo$o3bo$o2bo$3o!"; // of HighLife

static lc_live live_of_text(const char *text)
{
    lc_universe *universe = test_create_pattern("scalar", text);
    const lc_live live = live_read(universe);
    lc_universe_destroy(&universe);
    return live;
}

static const char *built_in(const char *name)
{
    const lc_built_in_pattern *pattern = lc_built_in_patterns();
    while (strcmp(pattern->name, name) != 0)
        pattern++;
    return pattern->text;
}

static void expect_name(const char *text, const char *rule, const char *want)
{
    lc_live live = live_of_text(text);
    char *name;
    assert_int_equal(lc_growth_name(&name, &live, rule_of(rule), test_context(), NULL), LC_OK);
    assert_string_equal(name, want);
    lc_free(name);
    lc_live_free(&live);
}

static void test_names(void **state)
{
    (void)state;
    expect_name(built_in("block-laying-switch-engine.rle"), "B3/S23",
                "yl144_1_16_afb5f3db909e60548f086e22ee3353ac");
    expect_name(replicator, "B36/S23", "zz_LINEAR");
    expect_name("o!", "B1/S", "zz_EXPLOSIVE"); // Sierpinski's triangle
    expect_name("3o!", "B3/S23", "PATHOLOGICAL");
    expect_name("b2o$2o$bo!", "B3/S23", "PATHOLOGICAL");
    expect_name("!", "B3/S23", "PATHOLOGICAL");
}

// The name is computed from the gun's first 31 populations, found by plain stepping. The gun grows
// by 5 cells in each period of 30 generations.
static void test_guns(void **state)
{
    (void)state;
    expect_name(built_in("gosper-glider-gun.rle"), "B3/S23",
                "yl30_1_5_74055a5f5e513fd2e62fb8d6117d3f03");
}

static lc_counting counting_of(const char *engine, uint64_t step)
{
    return (lc_counting){.rule = rule_of("B36/S23"),
                         .context = test_context(),
                         .engine = engine,
                         .cells_max = UINT64_MAX,
                         .nodes_max = UINT64_MAX,
                         .step = step};
}

static void test_counts(void **state)
{
    (void)state;
    enum { COUNTS = 100 };
    static const char *const engines[] = {"sparse", "hashlife"};
    static const uint64_t steps[] = {1, 7, 128};
    lc_live live = live_of_text(replicator);
    for (size_t i = 0; i < 6; i++) {
        const lc_counting counting = counting_of(engines[i % 2], steps[i / 2]);
        lc_universe *universe = test_create("simd", rule_of("B36/S23"), infinite_plane, 0);
        lc_facts facts;
        uint64_t counts[COUNTS];
        size_t counted;
        assert_int_equal(test_load(universe, replicator, 0, 0, NULL), LC_OK);
        assert_int_equal(lc_cells_count(counts, COUNTS, &counted, &counting, &live, NULL), LC_OK);
        assert_int_equal(counted, COUNTS);
        for (size_t k = 0; k < COUNTS; k++) {
            assert_int_equal(lc_universe_facts(universe, LC_FACT_POPULATION, &facts, NULL), LC_OK);
            assert_int_equal(lc_count_compare(facts.population, lc_count_of(counts[k])), 0);
            test_step(universe, steps[i / 2]);
        }
        lc_universe_destroy(&universe);
    }
    lc_live_free(&live);
}

// A limit ends the counting, and the counts until then are right.
static void test_limits(void **state)
{
    (void)state;
    enum { COUNTS = 2000 };
    lc_live live = live_of_text(replicator);
    uint64_t *all = calloc(2 * COUNTS, sizeof *all), *some = all + COUNTS;
    size_t counted;
    lc_counting counting = counting_of("hashlife", 1);
    assert_int_equal(lc_cells_count(all, COUNTS, &counted, &counting, &live, NULL), LC_OK);
    size_t many = 0;
    while (all[many] <= 200)
        many++;
    for (unsigned limit = 0; limit < 2; limit++) {
        counting = counting_of(limit == 0 ? "sparse" : "hashlife", 1);
        counting.cells_max = limit == 0 ? 200 : UINT64_MAX;
        counting.nodes_max = limit == 1 ? 20000 : UINT64_MAX;
        const lc_status status = lc_cells_count(some, COUNTS, &counted, &counting, &live, NULL);
        assert_int_equal(status, LC_OK);
        assert_in_range(counted, 2, COUNTS - 1);
        assert_memory_equal(all, some, counted * sizeof *all);
        if (limit == 0)
            assert_int_equal(counted, many);
    }
    lc_live_free(&live);
    live = live_of_text("bo$bo$3o2b2o$b2obo!");
    counting = counting_of("sparse", 1);
    counting.rule = rule_of("B2/S");
    counting.max_memory_bytes = 2 << 20;
    assert_int_equal(lc_cells_count(some, COUNTS, &counted, &counting, &live, NULL), LC_OK);
    assert_in_range(counted, 2, COUNTS - 1);
    free(all);
    lc_live_free(&live);
}

static bool gives_up(void *context)
{
    (void)context;
    return true;
}

static void test_errors(void **state)
{
    (void)state;
    lc_live live = live_of_text("3o!");
    char *name = NULL;
    lc_set_give_up(gives_up, NULL);
    assert_int_equal(lc_growth_name(&name, &live, LIFE, test_context(), NULL), LC_ERROR_STOPPED);
    assert_null(name);
    lc_set_give_up(NULL, NULL);
    size_t failures = 0;
    for (uint64_t n = 1;; n++) {
        lc_fail_allocation(n);
        const lc_status status = lc_growth_name(&name, &live, LIFE, test_context(), NULL);
        lc_fail_allocation(0);
        if (status == LC_OK)
            break;
        assert_int_equal(status, LC_ERROR_MEMORY);
        assert_null(name);
        failures++;
    }
    assert_true(failures > 10);
    assert_string_equal(name, "PATHOLOGICAL");
    lc_free(name);
    lc_live_free(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),  cmocka_unit_test(test_guns),   cmocka_unit_test(test_counts),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
