// Slabs of GPUs that differ, and of shares that are asked for: how the rows are shared, and that
// the cells are the oracle's on every surface. The GPUs are emulated: the first has twice as many
// multiprocessors as the second, which has twice as many as the third, and that has little memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_board.h"
#include "support_checkpoint.h"
#include "support_facts.h"
#include "support_universe.h"

enum { SHARES_MAX = 8 };

static lc_topology torus(int64_t width, int64_t height)
{
    return (lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = height};
}

// What the plan says behind "shares=", as numbers; their count.
static int shares_of(const lc_universe *u, int64_t shares[SHARES_MAX])
{
    const char *at = strstr(lc_universe_info_of(u).plan, "shares=");
    int count = 0;
    if (at == NULL)
        return 0;
    for (at += strlen("shares=");; at++) {
        char *end;
        shares[count++] = strtol(at, &end, 10);
        at = end;
        if (*at != '+')
            return count;
    }
}

// Shares ------------------------------------------------------------------------------------------

static void expect_plan(const char *engine, int64_t height, const char *part)
{
    lc_universe *u = test_create(engine, LIFE, torus(640, height), 0);
    if (strstr(lc_universe_info_of(u).plan, part) == NULL)
        fail_msg("%s: \"%s\" has no \"%s\"", engine, lc_universe_info_of(u).plan, part);
    lc_universe_destroy(&u);
}

static void test_speeds(void **state)
{
    (void)state;
    expect_plan("cuda:devices=0+1+2", 700, "blocks=3,devices=0+1+2,shares=4+2+1,words=");
    expect_plan("cuda:devices=2+0", 700, "blocks=2,devices=2+0,shares=1+4,words=");
    // Blocks of one GPU take turns.
    expect_plan("cuda:devices=0+1,blocks=3", 700, "blocks=3,devices=0+1,words=");
    // What is asked for is what there is.
    expect_plan("cuda:devices=0+1,shares=1+9", 700, "blocks=2,devices=0+1,shares=1+9");
    expect_plan("cuda:shares=3+1+3", 700, "blocks=3,shares=3+1+3");
}

// Devices that are alike, and shares that make no difference, are no matter of shares.
static void test_alike(void **state)
{
    (void)state;
    static const char *const engines[] = {"cuda:devices=0,blocks=3", "cuda:blocks=3",
                                          "cuda:devices=0+1,shares=5+5"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        int64_t shares[SHARES_MAX];
        lc_universe *u = test_create(engines[i], LIFE, torus(640, 700), 0);
        assert_int_equal(shares_of(u, shares), 0);
        lc_universe_destroy(&u);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *engine, *part;
    } wrong[] = {
        {"cuda:devices=0+1,shares=1",
         "shares= says how 1 slabs share the rows, and this board has 2"},
        {"cuda:blocks=2,shares=1+2+3", "3 slabs share the rows, and this board has 2"},
        {"cuda:shares=0+1", "shares are numbers like 2+1"},
        {"cuda:shares=", "shares are numbers like 2+1"},
        {"cuda:shares=2:1", "2:1: shares are numbers like 2+1"},
        {"cuda:shares=1+2,shares=1+2", "the settings say shares= twice"},
        {"simd:shares=1+", "shares are numbers like 2+1"},
        {"sparse:shares=1+1", "does not step a board in several blocks"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lc_universe *u;
        lc_message why;
        assert_true(test_try_create(&u, wrong[i].engine, torus(640, 700), 0, &why) != LC_OK);
        if (strstr(why.text, wrong[i].part) == NULL)
            fail_msg("%s: %s", wrong[i].engine, why.text);
    }
}

// What a plan says can be given as settings, and makes the same plan.
static void test_plan_text(void **state)
{
    (void)state;
    static const char *const engines[] = {"cuda:devices=0+1+2", "cuda:shares=3+1,in-place=yes",
                                          "cuda:shares=30+1"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        char engine[LC_ENGINE_SETTINGS_BYTES];
        lc_universe *u = test_create(engines[i], LIFE, torus(640, 700), 0);
        snprintf(engine, sizeof engine, "cuda:%s", lc_universe_info_of(u).plan);
        lc_universe_destroy(&u);
        u = test_create(engine, LIFE, torus(640, 700), 0);
        assert_string_equal(lc_universe_info_of(u).plan, engine + 5);
        lc_universe_destroy(&u);
    }
}

// The third GPU has 6 MiB. A seventh of 16,384 x 8,192 cells takes 4.6 MiB twice, so it is stepped
// in place there, and an equal share does not fit at all.
static void test_memory(void **state)
{
    (void)state;
    int64_t shares[SHARES_MAX];
    const lc_topology t = torus(16384, 8192);
    lc_universe *u = test_create("cuda:devices=0+1+2", LIFE, t, 0);
    lc_message why;
    if (shares_of(u, shares) != 3)
        fail_msg("%s", lc_universe_info_of(u).plan);
    const double third = (double)shares[2] / (double)(shares[0] + shares[1] + shares[2]);
    assert_true(third > 0.01 && third < 1.0 / 7);
    const double times = (double)shares[0] / (double)shares[1];
    assert_true(times > 1.9 && times < 2.1);
    assert_int_equal(lc_universe_soup(u, 0, 0, 16384, 8192, 0.3, 4, &why), LC_OK);
    lc_universe_destroy(&u);
    assert_int_equal(test_try_create(&u, "cuda:devices=0+1+2,shares=1+1+1", t, 0, &why),
                     LC_ERROR_LIMIT);
    assert_non_null(strstr(why.text, "the limit is 6.0 MiB"));
    // Alone it is too small for it, and says so.
    assert_int_equal(test_try_create(&u, "cuda:device=2", t, 0, &why), LC_ERROR_LIMIT);
}

// Cells -------------------------------------------------------------------------------------------

static const shape shapes[] = {
    {SURFACE_TORUS, 640, 200},        {SURFACE_TORUS, 357, 131},        {SURFACE_TORUS, 256, 24},
    {SURFACE_TORUS_SHIFT_X, 256, 90}, {SURFACE_TORUS_SHIFT_Y, 130, 97}, {SURFACE_KLEIN_X, 257, 93},
    {SURFACE_KLEIN_Y, 192, 95},       {SURFACE_CROSS, 200, 91},         {SURFACE_SPHERE, 97, 97},
    {SURFACE_PLANE, 161, 150},        {SURFACE_PLANE, 640, 31},
};

static const char *const engines[] = {
    "cuda:devices=0+1+2",
    "cuda:devices=2+1+0,in-place=yes",
    "cuda:devices=0+1,shares=1+12",
    "cuda:shares=1+5+2+9",
    "cuda:shares=7+1+1,in-place=yes,band-rows=9",
    "cuda:devices=1+2,blocks=4,words=1,generations=0,tile-warps=8,tile-rows=5,depth=16",
    "simd:shares=5+1+2",
};

static void test_cells(void **state)
{
    (void)state;
    static const uint64_t steps[] = {8, 1, 41, 16};
    enum { SHAPES = sizeof shapes / sizeof *shapes, ENGINES = sizeof engines / sizeof *engines };
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t e = 0; e < ENGINES; e++) {
            checked_board b;
            lc_message why;
            if (!test_full() && (s + e) % 2 != 0)
                continue;
            if (checked_board_create(&b, engines[e], &shapes[s], LIFE, s * ENGINES + e, &why) !=
                LC_OK)
                fail_msg("%s: %s", engines[e], why.text);
            for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
                checked_board_step(&b, steps[i]);
                checked_board_compare(&b, i % 2 == 0);
                checked_board_edit(&b);
            }
            checked_board_destroy(&b);
        }
}

// Views, facts and audits.
static void test_looks(void **state)
{
    (void)state;
    enum { SIDE = 16, COLUMNS = 25, ROWS = 19 };
    const lc_topology t = torus(400, 300);
    lc_message why;
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = t,
                                         .engine = "cuda:devices=0+1+2",
                                         .audit_generations = 10};
    lc_universe *u, *plain = test_create("simd", LIFE, t, 0);
    if (lc_universe_create(&u, &options, &why) != LC_OK)
        fail_msg("%s", why.text);
    lc_universe *const both[] = {u, plain};
    uint8_t pictures[2][COLUMNS * ROWS];
    lc_facts facts[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lc_universe_soup(both[i], 0, 0, 400, 300, 0.4, 7, &why), LC_OK);
        test_step(both[i], 100);
        assert_int_equal(lc_universe_picture(both[i], 0, 0, SIDE, COLUMNS, ROWS, pictures[i], &why),
                         LC_OK);
        assert_int_equal(lc_universe_facts(both[i], LC_FACT_ALL, &facts[i], &why), LC_OK);
    }
    assert_memory_equal(pictures[0], pictures[1], sizeof pictures[0]);
    test_expect_same_facts(u, plain);
    lc_universe_destroy(&u);
    lc_universe_destroy(&plain);
}

// A checkpoint knows nothing of slabs.
static void test_checkpoints(void **state)
{
    (void)state;
    static const char *const others[] = {"cuda:devices=2+0", "cuda:shares=1+6+1,in-place=yes",
                                         "cuda:devices=0+1,shares=1+1", "simd:shares=9+1", "simd"};
    const lc_topology t = torus(400, 300);
    lc_message why;
    lc_universe *u = test_create("cuda:devices=0+1+2", LIFE, t, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, 400, 300, 0.4, 11, &why), LC_OK);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        lc_universe *restored;
        test_step(u, 31);
        test_checkpoint_write(u);
        if (test_checkpoint_restore(&restored, others[i], 0, &why) != LC_OK)
            fail_msg("%s: %s", others[i], why.text);
        test_checkpoint_same(u, restored);
        test_step(u, 17);
        test_step(restored, 17);
        test_checkpoint_same(u, restored);
        lc_universe_destroy(&u);
        u = restored;
    }
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_plan_text),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_looks),
        cmocka_unit_test_setup_teardown(test_checkpoints, test_checkpoint_set_up,
                                        test_checkpoint_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
