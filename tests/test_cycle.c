// Universes that repeat themselves: what is skipped changes nothing, and a cell that is written
// ends it; boards that are only a few cells wide or high, which have a layout of their own.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_universe.h"

// A universe with a soup in it, and one that makes each generation.
typedef struct pair {
    lc_universe *skips, *steps;
} pair;

static lc_universe *create(const lc_universe_options *options, uint64_t seed)
{
    lc_universe *u;
    lc_message message = {0};
    const lc_topology *t = &options->topology;
    if (lc_universe_create(&u, options, &message) != LC_OK)
        fail_msg("%s", message.text);
    assert_int_equal(lc_universe_soup(u, 0, 0, t->width_cells != 0 ? t->width_cells : 20,
                                      t->height_cells != 0 ? t->height_cells : 20, 0.4, seed,
                                      &message),
                     LC_OK);
    return u;
}

static pair create_pair(const char *rule, const char *engine, uint64_t seed)
{
    lc_universe_options options = {
        .struct_bytes = sizeof options, .context = test_context(), .engine = engine, .threads = 2};
    lc_message message;
    assert_int_equal(lc_rule_parse(rule, &options.rule, &options.topology, &message), LC_OK);
    pair p = {.skips = create(&options, seed)};
    options.every_generation = true;
    p.steps = create(&options, seed);
    return p;
}

static void destroy_pair(pair *p)
{
    lc_universe_destroy(&p->skips);
    lc_universe_destroy(&p->steps);
}

static void step_both(const pair *p, uint64_t generations, const char *name)
{
    test_step(p->skips, generations);
    test_step(p->steps, generations);
    assert_int_equal(lc_universe_generation(p->skips), lc_universe_generation(p->steps));
    assert_int_equal(lc_universe_skipped_generations(p->steps), 0);
    if (test_hash(p->skips) != test_hash(p->steps) ||
        lc_universe_background(p->skips) != lc_universe_background(p->steps) ||
        test_population(p->skips) != test_population(p->steps))
        fail_msg("%s: generation %" PRIu64 " is wrong, %" PRIu64 " were skipped", name,
                 lc_universe_generation(p->skips), lc_universe_skipped_generations(p->skips));
}

static const char *const small[] = {
    "B3/S23:T3,3",          "B3/S23:T1,1",  "B3/S23:T17,16",      "B3/S23:P20,9",
    "B36/S23:K12*,9",       "B3/S23:C8,8",  "B3/S23:S10",         "B1357/S1357:T9",
    "B0123478/S34678:T8,5", "B3/S23:T64,1", "B1/S:T1,40",         "B01/S0:P1,30",
    "B3/S23:T24+5,20",      "B3/S23",       "B0123478/S01234678", "B3/S2378:T31,29",
};

static void test_what_is_skipped_changes_nothing(void **state)
{
    (void)state;
    size_t skipped = 0, pairs = 0;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        for (int scalar = 0; scalar <= (i % 4 == 0); scalar++) {
            pair p = create_pair(small[i], scalar ? "scalar" : "simd", 3 + i);
            for (uint64_t n = 1; n < (scalar ? 500 : 40000); n = n * 20 + i)
                step_both(&p, n, small[i]);
            skipped += lc_universe_skipped_generations(p.skips) != 0;
            pairs++;
            destroy_pair(&p);
        }
    }
    assert_in_range(skipped, pairs / 2, pairs);
}

// As far as generations go, in no time.
static void test_the_last_generation(void **state)
{
    (void)state;
    pair p = create_pair("B3/S23:T12,7", "auto", 1);
    test_step(p.skips, UINT64_MAX);
    assert_int_equal(lc_universe_generation(p.skips), UINT64_MAX);
    const uint64_t made = UINT64_MAX - lc_universe_skipped_generations(p.skips);
    test_step(p.steps, made);
    assert_int_equal(test_hash(p.skips), test_hash(p.steps));
    destroy_pair(&p);
}

static void test_a_written_cell_ends_it(void **state)
{
    (void)state;
    pair p = create_pair("B3/S23:T30,20", "simd", 5);
    step_both(&p, 12000, "before");
    const uint64_t skipped = lc_universe_skipped_generations(p.skips);
    assert_int_not_equal(skipped, 0);
    lc_message message;
    assert_int_equal(lc_universe_soup(p.skips, 3, 4, 9, 9, 0.5, 1, &message), LC_OK);
    assert_int_equal(lc_universe_soup(p.steps, 3, 4, 9, 9, 0.5, 1, &message), LC_OK);
    for (int i = 0; i < 40; i++)
        step_both(&p, 7, "after");
    assert_int_equal(lc_universe_skipped_generations(p.skips), skipped);
    step_both(&p, 12000, "later");
    assert_true(lc_universe_skipped_generations(p.skips) > skipped);
    const bool alive = test_get(p.skips, 0, 0); // the same in one cell
    assert_int_equal(lc_universe_set(p.skips, 0, 0, !alive, &message), LC_OK);
    assert_int_equal(lc_universe_set(p.steps, 0, 0, !alive, &message), LC_OK);
    for (int i = 0; i < 40; i++)
        step_both(&p, 1, "after a cell");
    destroy_pair(&p);
}

// What leaves never comes back: nothing is skipped.
static void test_spaceships_do_not_repeat(void **state)
{
    (void)state;
    lc_message message;
    lc_universe *u = test_create("simd", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(u, glider_rle, 0, 0, &message), LC_OK);
    test_step(u, 100000);
    assert_int_equal(lc_universe_skipped_generations(u), 0);
    assert_int_equal(test_box(u).x, 25000);
    lc_universe_destroy(&u);
}

// A board of 10^9 cells takes about as much memory as its cells, whichever side is the long one.
static void test_thin_boards_are_small(void **state)
{
    (void)state;
    static const char *const boards[] = {"T1073741824,1", "T1,1073741824", "P2,536870912",
                                         "K16,67108864*", "C1,1073741824", "T1,1073741824+5"};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        lc_universe_options options = {.struct_bytes = sizeof options,
                                       .context = test_context(),
                                       .rule = LIFE,
                                       .engine = "simd",
                                       .threads = 1};
        lc_universe_needs needs;
        lc_message message;
        assert_int_equal(lc_topology_parse(boards[i], &options.topology, &message), LC_OK);
        assert_int_equal(lc_universe_check(&options, &needs, &message), LC_OK);
        assert_in_range(needs.memory_bytes, UINT64_C(1) << 28, UINT64_C(1) << 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_skipped_changes_nothing),
        cmocka_unit_test(test_the_last_generation),
        cmocka_unit_test(test_a_written_cell_ends_it),
        cmocka_unit_test(test_spaceships_do_not_repeat),
        cmocka_unit_test(test_thin_boards_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
