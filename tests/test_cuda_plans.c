// Plans: every way of cutting a board up must give the same cells. Whole boards are compared with
// the oracle, on the emulated GPU.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/cuda/cuda_plan_choice.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_board.h"
#include "support_universe.h"

static const char *const plans[] = {
    "words=4,generations=8,strip-warps=8,runs=2,tile-warps=8,tile-rows=5,depth=8",
    "words=4,generations=8,strip-warps=3,runs=3,tile-warps=4,tile-rows=9,depth=7",
    "words=4,generations=7,strip-warps=8,runs=0,tile-warps=8,tile-rows=5,depth=6",
    "words=2,generations=8,strip-warps=8,runs=4,tile-warps=8,tile-rows=6,depth=8",
    "words=2,generations=11,strip-warps=2,runs=2,tile-warps=8,tile-rows=6,depth=10",
    "words=1,generations=8,strip-warps=8,runs=5,tile-warps=8,tile-rows=6,depth=8",
    "words=1,generations=5,strip-warps=4,runs=2,tile-warps=2,tile-rows=10,depth=4",
    "words=1,generations=0,tile-warps=8,tile-rows=5,depth=16",
    "words=1,generations=0,tile-warps=1,tile-rows=21,depth=10",
    "words=2,generations=0,tile-warps=8,tile-rows=9,depth=16",
    "words=4,generations=0,tile-warps=16,tile-rows=3,depth=5",
};

// What kernels are compiled for differs: shapes that drift, that have a halo, that have a fence.
static const shape drifting[] = {
    {SURFACE_TORUS, 128, 41},  // one segment of four words, or four of one
    {SURFACE_TORUS, 640, 61},  // five of four
    {SURFACE_TORUS, 4224, 24}, // more than one window of lanes
};
static const shape halos[] = {
    {SURFACE_TORUS, 357, 44},         // ends inside a segment
    {SURFACE_TORUS_SHIFT_X, 256, 40}, // whole segments, but may not drift
    {SURFACE_TORUS_SHIFT_Y, 130, 37}, {SURFACE_KLEIN_X, 257, 33}, {SURFACE_KLEIN_Y, 192, 45},
    {SURFACE_CROSS, 200, 31},         {SURFACE_SPHERE, 77, 77},   {SURFACE_SPHERE, 128, 128},
};
static const shape fences[] = {
    {SURFACE_PLANE, 128, 41},  // the fence stands in the segment beyond
    {SURFACE_PLANE, 161, 50},  // ... in word 1 of 4, in word 1 of 2
    {SURFACE_PLANE, 4227, 30}, // ... in word 3
    {SURFACE_PLANE, 33, 29},   // ... in the last segment's first lane
};

// False: the plan does not fit this board, which test_refusals is about.
static bool test_shape(const char *plan, const shape *s, const lc_rule *rule, uint64_t number)
{
    static const uint64_t steps[] = {1, 8, 3, 29};
    char engine[LC_ENGINE_SETTINGS_BYTES];
    checked_board b;
    lc_message why;
    snprintf(engine, sizeof engine, "cuda:%s", plan);
    const lc_status status = checked_board_create(&b, engine, s, rule, number, &why);
    if (status == LC_ERROR_ARGUMENT) {
        print_message("%lld x %lld: %s\n", (long long)s->width, (long long)s->height, why.text);
        return false;
    }
    if (status != LC_OK)
        fail_msg("%s: %s", plan, why.text);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        checked_board_step(&b, steps[i]);
        checked_board_compare(&b, false);
    }
    checked_board_destroy(&b);
    return true;
}

enum { PLANS = sizeof plans / sizeof *plans, SHAPES_MOST = 8 };

// Every plan on some of these shapes and every shape by some of the plans, each at least twice; or
// all by all. A plan keeps to its rule, for which its kernels are compiled.
static void test_group(const shape *shapes, size_t shape_count)
{
    int met_plan[PLANS] = {0}, met_shape[SHAPES_MOST] = {0};
    assert_true(shape_count <= SHAPES_MOST);
    for (size_t s = 0; s < shape_count; s++)
        for (size_t p = 0; p < PLANS; p++) {
            const size_t apart = (p + shape_count * PLANS - s) % shape_count;
            if (!test_full() && apart > 1)
                continue;
            const lc_rule *rule = rule_at(p % 3 == 0 ? 0 : p + 3, test_seed());
            const bool fits = test_shape(plans[p], &shapes[s], rule, s * PLANS + p);
            met_plan[p] += fits;
            met_shape[s] += fits;
        }
    for (size_t p = 0; p < PLANS; p++)
        assert_true(met_plan[p] >= 2);
    for (size_t s = 0; s < shape_count; s++)
        assert_true(met_shape[s] >= 2);
}

static void test_plans_that_drift(void **state)
{
    (void)state;
    test_group(drifting, sizeof drifting / sizeof *drifting);
}

static void test_plans_with_halos(void **state)
{
    (void)state;
    test_group(halos, sizeof halos / sizeof *halos);
}

static void test_plans_with_fences(void **state)
{
    (void)state;
    test_group(fences, sizeof fences / sizeof *fences);
}

static lc_device_facts h200(void)
{
    return (lc_device_facts){.architecture = 90, .multiprocessors = 132, .cooperative = true};
}

static lc_frame bounded(int64_t width, int64_t height, lc_edge edges)
{
    return (lc_frame){width, height, edges, edges, edges, edges, false};
}

static lc_frame torus(int64_t width, int64_t height)
{
    return bounded(width, height, LC_EDGE_JOINED);
}

// Whatever the size, a plan comes out that the kernels can work by.
static void test_guesses(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 1);
    for (int i = 0; i < 20000; i++) {
        lc_device_facts facts = h200();
        facts.multiprocessors = 1 + (int)dice_below(&d, 200);
        const int64_t width = 1 + dice_below(&d, (int64_t)1 << dice_below(&d, 21));
        const int64_t height = 1 + dice_below(&d, (int64_t)1 << dice_below(&d, 21));
        const lc_frame t = bounded(width, height, (lc_edge)dice_below(&d, 3));
        lc_message why;
        const lc_cuda_plan plan = lc_cuda_plan_guess(&facts, &t);
        if (lc_cuda_plan_check(&plan, &t, &why) != LC_OK)
            fail_msg("%lld x %lld: %s", (long long)t.width_cells, (long long)t.height_cells,
                     why.text);
        if (plan.generations > 0) {
            const uint32_t runs =
                lc_cuda_plan_runs(&t, plan.words, plan.generations, facts.multiprocessors * 8);
            const int64_t rows = lc_cuda_plan_run_rows(&t, runs);
            assert_true(runs >= 1 && rows <= t.height_cells);
            assert_true((int64_t)runs * rows >= t.height_cells);
            assert_true((int64_t)(runs - 1) * rows < t.height_cells);
        }
    }
}

// What was found best by measuring.
static void test_guess_for_h200(void **state)
{
    (void)state;
    const lc_device_facts facts = h200();
    const lc_frame large = torus(65536, 65536), small = torus(1024, 1024);
    lc_cuda_plan plan = lc_cuda_plan_guess(&facts, &large);
    assert_int_equal(plan.words, 4);
    assert_int_equal(plan.generations, 8);
    // One wave of long runs: 63 of 1,044 rows.
    const uint32_t runs = lc_cuda_plan_runs(&large, 4, 8, 132 * 8);
    assert_int_equal(runs, 63);
    assert_int_equal(lc_cuda_plan_run_rows(&large, runs), 1044);
    plan = lc_cuda_plan_guess(&facts, &small);
    assert_int_equal(plan.generations, 0);
    assert_int_equal(plan.words, 1);
}

static void test_refusals(void **state)
{
    (void)state;
    const lc_frame t = torus(1024, 40);
    const lc_device_facts facts = h200();
    const lc_cuda_plan guess = lc_cuda_plan_guess(&facts, &t);
    const char *const malformed[] = {"words",    "words=",  "words=4,,depth=8",
                                     "word=4",   "depth=x", "words=4 depth=8",
                                     "words=-1", "=",       "words=99999999999"};
    const char *const impossible[] = {"words=3",
                                      "depth=17",
                                      "depth=0",
                                      "tile-rows=2",
                                      "tile-rows=999",
                                      "tile-warps=33",
                                      "tile-warps=0",
                                      "generations=17",
                                      "generations=8,strip-warps=0",
                                      "generations=8,runs=41,strip-warps=8"};
    lc_message why;
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        lc_cuda_plan plan = guess;
        assert_int_equal(lc_cuda_plan_parse(&plan, malformed[i], &why), LC_ERROR_ARGUMENT);
        assert_memory_equal(&plan, &guess, sizeof plan);
    }
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        lc_cuda_plan plan;
        lc_cuda_settings settings;
        assert_int_equal(lc_cuda_settings_parse(&settings, impossible[i], &why), LC_OK);
        if (lc_cuda_plan_choose(&plan, &settings, NULL, &facts, &t, LIFE, &why) !=
            LC_ERROR_ARGUMENT)
            fail_msg("%s was taken", impossible[i]);
    }
}

static void test_limits(void **state)
{
    (void)state;
    const lc_device_facts facts = h200();
    const lc_frame boards[] = {torus(64, INT64_C(1) << 31), torus(INT64_C(1) << 36, 64)};
    const lc_cuda_settings settings = {.device = -1};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        lc_cuda_plan plan;
        lc_message why;
        assert_int_equal(
            lc_cuda_plan_choose(&plan, &settings, NULL, &facts, &boards[i], LIFE, &why),
            LC_ERROR_LIMIT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans_that_drift),
        cmocka_unit_test(test_plans_with_halos),
        cmocka_unit_test(test_plans_with_fences),
        cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_guess_for_h200),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
