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
    if (lc_universe_create(&u, options, &message) != LC_OK)
        fail_msg("%s", message.text);
    const lc_topology *t = lc_universe_topology(u);
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
    options.rule = rule_and_topology(rule, &options.topology);
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

static bool has_skipped(const lc_universe *u)
{
    return lc_count_compare(lc_universe_info_of(u).skipped_generations, lc_count_of(0)) != 0;
}

static void step_both(const pair *p, uint64_t generations, const char *name)
{
    test_step(p->skips, generations);
    test_step(p->steps, generations);
    assert_int_equal(test_generation(p->skips), test_generation(p->steps));
    assert_false(has_skipped(p->steps));
    if (test_hash(p->skips) != test_hash(p->steps) ||
        lc_universe_background(p->skips) != lc_universe_background(p->steps) ||
        test_population(p->skips) != test_population(p->steps))
        fail_msg("%s: generation %" PRIu64 " is wrong", name, test_generation(p->skips));
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
            skipped += has_skipped(p.skips);
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
    const lc_count last = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    lc_message message;
    assert_int_equal(lc_universe_step(p.skips, last, NULL, NULL, &message), LC_OK);
    const lc_count reached = lc_universe_generation(p.skips);
    assert_int_equal(lc_count_compare(reached, last), 0);
    assert_int_equal(lc_universe_step(p.skips, lc_count_of(1), NULL, NULL, &message),
                     LC_ERROR_ARGUMENT);
    uint64_t made;
    assert_true(lc_count_to_u64(
        lc_count_distance(last, lc_universe_info_of(p.skips).skipped_generations), &made));
    test_step(p.steps, made);
    assert_int_equal(test_hash(p.skips), test_hash(p.steps));
    destroy_pair(&p);
}

// What is left of so many generations when whole periods are taken off, by arithmetic of the test's
// own: in decimal digits, as on paper.
static uint64_t remainder_of(const char *digits, uint64_t period)
{
    uint64_t rest = 0;
    for (; *digits != '\0'; digits++)
        rest = (rest * 10 + (uint64_t)(*digits - '0')) % period;
    return rest;
}

// Far beyond 64 bits, in no time: oscillators of several periods are in the right phase.
static void test_phases_after_very_many_generations(void **state)
{
    (void)state;
    static const struct {
        const char *rle;
        uint64_t period;
    } oscillators[] = {
        {"x = 3, y = 1\n3o!", 2},
        {"x = 13, y = 13\n2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$"
         "o4bobo4bo$o4bobo4bo2$2b3o3b3o!",
         3},
        {"x = 10, y = 1\n10o!", 15},
        {"x = 3, y = 3\nbob$2bo$3o!", 4 * 64}, // round the torus
    };
    static const char *const distances[] = {
        "1000000000000000000000000000000",
        "1000000000000000000000000000001",
        "6000000000000000000000000007",
        "18446744073709551616",
        "340282366920938463463374607431768211455",
        "99999999999999999999999999999999999999999999999999999999999999999999999999999",
    };
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64};
    lc_engine_info info;
    lc_message message;
    FOR_EACH_ENGINE(info)
    {
        if (info.on_gpu) // nothing is skipped there
            continue;
        for (size_t i = 0; i < sizeof oscillators / sizeof *oscillators; i++)
            for (size_t j = 0; j < sizeof distances / sizeof *distances; j++) {
                lc_universe *far = test_create(info.name, LIFE, torus, 0);
                lc_universe *near = test_create(info.name, LIFE, torus, 0);
                assert_int_equal(test_load(far, oscillators[i].rle, 20, 20, &message), LC_OK);
                assert_int_equal(test_load(near, oscillators[i].rle, 20, 20, &message), LC_OK);
                const uint64_t settling = oscillators[i].period == 15 ? 15 * 20 : 0;
                lc_count distance;
                assert_int_equal(lc_count_parse(distances[j], NULL, &distance, NULL), LC_OK);
                assert_int_equal(lc_universe_step(far, distance, NULL, NULL, &message), LC_OK);
                assert_int_equal(lc_count_compare(lc_universe_generation(far), distance), 0);
                test_step(near, settling + remainder_of(distances[j], oscillators[i].period));
                if (test_hash(far) != test_hash(near))
                    fail_msg("%s: oscillator %zu is out of phase after %s", info.name, i,
                             distances[j]);
                lc_universe_destroy(&far);
                lc_universe_destroy(&near);
            }
    }
}

static void test_a_written_cell_ends_it(void **state)
{
    (void)state;
    pair p = create_pair("B3/S23:T30,20", "simd", 5);
    step_both(&p, 12000, "before");
    const lc_count skipped = lc_universe_info_of(p.skips).skipped_generations;
    assert_true(has_skipped(p.skips));
    lc_message message;
    assert_int_equal(lc_universe_soup(p.skips, 3, 4, 9, 9, 0.5, 1, &message), LC_OK);
    assert_int_equal(lc_universe_soup(p.steps, 3, 4, 9, 9, 0.5, 1, &message), LC_OK);
    for (int i = 0; i < 40; i++)
        step_both(&p, 7, "after");
    assert_int_equal(lc_count_compare(lc_universe_info_of(p.skips).skipped_generations, skipped),
                     0);
    step_both(&p, 12000, "later");
    assert_true(lc_count_compare(lc_universe_info_of(p.skips).skipped_generations, skipped) > 0);
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
    assert_false(has_skipped(u));
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
        cmocka_unit_test(test_phases_after_very_many_generations),
        cmocka_unit_test(test_a_written_cell_ends_it),
        cmocka_unit_test(test_spaceships_do_not_repeat),
        cmocka_unit_test(test_thin_boards_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
