// What is known about well-known patterns, on the infinite plane, as anyone can look it up.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

static const char r_pentomino[] = "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n";
static const char acorn[] = "x = 7, y = 3, rule = B3/S23\nbo$3bo$2o2b3o!\n";
static const char diehard[] = "x = 8, y = 3, rule = B3/S23\n6bo$2o$bo3b3o!\n";
static const char glider[] = "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n";
static const char gosper_gun[] =
    "x = 36, y = 9, rule = B3/S23\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$"
    "2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!\n";
static const char lidka[] = "x = 9, y = 15, rule = B3/S23\nbo$obo$bo8$8bo$6bobo$5b2obo2$4b3o!\n";
static const char pulsar[] =
    "x = 13, y = 13, rule = B3/S23\n2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$"
    "o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!\n";
static const char spaceship[] = "x = 5, y = 4, rule = B3/S23\nbo2bo$o$o3bo$4o!\n"; // to the left
static const char replicator[] = "x = 5, y = 5, rule = B36/S23\n2b3o$bo2bo$o3bo$o2bo$3o!\n";

static void step_to(lc_universe *universe, uint64_t generation)
{
    lc_message message = {0};
    const uint64_t from = test_generation(universe);
    if (lc_universe_step(universe, lc_count_of(generation - from), NULL, NULL, &message) != LC_OK)
        fail_msg("step: %s", message.text);
    assert_int_equal(test_generation(universe), generation);
}

static void assert_population_at(lc_universe *universe, uint64_t generation, uint64_t population)
{
    step_to(universe, generation);
    if (test_population(universe) != population)
        fail_msg("engine %s %s: population %" PRIu64 " at generation %" PRIu64
                 ", which should be %" PRIu64,
                 lc_universe_info_of(universe).engine, lc_universe_info_of(universe).cpu_level,
                 test_population(universe), generation, population);
}

static void assert_box(const lc_universe *universe, int64_t x, int64_t y, int64_t width,
                       int64_t height)
{
    const lc_box box = test_box(universe);
    if (box.empty || box.x != x || box.y != y || box.width_cells != width ||
        box.height_cells != height)
        fail_msg("engine %s: bounding box %" PRId64 ", %" PRId64 ", %" PRId64 " x %" PRId64
                 " at generation %" PRIu64,
                 lc_universe_info_of(universe).engine, box.x, box.y, box.width_cells,
                 box.height_cells, test_generation(universe));
}

#define ENGINES 2
static const char *const engines[ENGINES] = {"simd", "scalar"};

static void test_r_pentomino(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENGINES; i++) {
        lc_universe *universe = test_create_pattern(engines[i], r_pentomino);
        assert_population_at(universe, 0, 5);
        assert_population_at(universe, 1102, 118);
        for (uint64_t generation = 1103; generation <= 1110; generation++)
            assert_population_at(universe, generation, 116);
        if (i == 0)
            assert_population_at(universe, 3001, 116);
        lc_universe_destroy(&universe);
    }
}

static void test_acorn(void **state)
{
    (void)state;
    lc_universe *universe = test_create_pattern("simd", acorn);
    assert_population_at(universe, 0, 7);
    assert_population_at(universe, 5205, 635);
    assert_population_at(universe, 5206, 633);
    lc_universe_destroy(&universe);
}

static void test_diehard(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENGINES; i++) {
        lc_universe *universe = test_create_pattern(engines[i], diehard);
        assert_population_at(universe, 0, 7);
        step_to(universe, 129);
        assert_true(test_population(universe) != 0);
        assert_population_at(universe, 130, 0);
        assert_true(test_box(universe).empty);
        assert_population_at(universe, 1000, 0);
        lc_universe_destroy(&universe);
    }
}

static void test_gosper_gun(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENGINES; i++) {
        lc_universe *universe = test_create_pattern(engines[i], gosper_gun);
        for (uint64_t gliders = 0; gliders <= 20; gliders++)
            assert_population_at(universe, 30 * gliders, 36 + 5 * gliders);
        lc_universe_destroy(&universe);
    }
    lc_universe *universe = test_create_pattern("simd", gosper_gun);
    assert_population_at(universe, 30 * 200, 36 + 5 * 200);
    lc_universe_destroy(&universe);
}

// Down and to the right by one cell every four generations, in every direction of the sheet's
// coordinates, and far: the plane has no edge to notice.
static void test_glider(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENGINES; i++) {
        lc_universe *universe = test_create_pattern(engines[i], glider);
        static const uint64_t generations[] = {0, 4, 8, 40, 256, 260, 1024, 4096};
        for (size_t k = 0; k < sizeof generations / sizeof generations[0]; k++) {
            if (i == 1 && generations[k] > 300)
                break;
            assert_population_at(universe, generations[k], 5);
            const int64_t moved = (int64_t)(generations[k] / 4);
            assert_box(universe, moved, moved, 3, 3);
            for (int64_t y = -1; y <= 3; y++) {
                for (int64_t x = -1; x <= 3; x++) {
                    static const char rows[] = ".o...oooo";
                    const bool inside = x >= 0 && x < 3 && y >= 0 && y < 3;
                    assert_int_equal(test_get(universe, moved + x, moved + y),
                                     inside && rows[3 * y + x] == 'o');
                }
            }
        }
        lc_universe_destroy(&universe);
    }
}

static void test_spaceship(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENGINES; i++) {
        lc_universe *universe = test_create_pattern(engines[i], spaceship);
        for (uint64_t generation = 0; generation <= 120; generation += 4) {
            assert_population_at(universe, generation, 9);
            assert_box(universe, -(int64_t)generation / 2, 0, 5, 4);
        }
        lc_universe_destroy(&universe);
    }
}

static void test_pulsar(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENGINES; i++) {
        lc_universe *universe = test_create_pattern(engines[i], pulsar);
        static const uint64_t populations[3] = {48, 56, 72};
        const uint64_t hash = test_hash(universe);
        for (uint64_t generation = 0; generation <= 99; generation++) {
            assert_population_at(universe, generation, populations[generation % 3]);
            assert_int_equal(test_hash(universe) == hash, generation % 3 == 0);
        }
        lc_universe_destroy(&universe);
    }
}

// HighLife's replicator: twelve generations make two of one, and it acts as rule 90 does: after 12
// n generations there are 2 to the number of ones in n of them.
static void test_replicator(void **state)
{
    (void)state;
    for (size_t i = 0; i < ENGINES; i++) {
        lc_universe *universe = test_create_pattern(engines[i], replicator);
        const uint64_t one = test_population(universe);
        for (uint64_t n = 0; n <= 20; n++)
            assert_population_at(universe, 12 * n, one << __builtin_popcountll(n));
        lc_universe_destroy(&universe);
    }
}

// It settles at generation 29055; what is left has 1623 cells in even generations and 1625 in odd
// ones, so that 29055 itself has 1625. The simd engine, whose block grows and moves as in the tests
// above, takes a minute for what the others do in a moment: it has its turn in the night.
static void test_lidka(void **state)
{
    (void)state;
    static const char *const by[] = {"sparse", "hashlife", "simd"};
    const size_t count = test_full() ? 3 : 2;
    for (size_t i = 0; i < count; i++) {
        lc_universe *universe = test_create_pattern(by[i], lidka);
        assert_population_at(universe, 0, 13);
        assert_population_at(universe, 29053, 1628);
        for (uint64_t generation = 29054; generation <= 29070; generation++)
            assert_population_at(universe, generation,
                                 generation % 2 == 0 && generation > 29055 ? 1623 : 1625);
        lc_universe_destroy(&universe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_r_pentomino), cmocka_unit_test(test_acorn),
        cmocka_unit_test(test_diehard),     cmocka_unit_test(test_gosper_gun),
        cmocka_unit_test(test_glider),      cmocka_unit_test(test_spaceship),
        cmocka_unit_test(test_pulsar),      cmocka_unit_test(test_replicator),
        cmocka_unit_test(test_lidka),
    };
    return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
