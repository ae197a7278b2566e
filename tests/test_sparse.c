// The sparse engine against the simd one, whose block follows life on the same infinite plane: all
// cells are the same however the steps are cut, whatever sleeps and wakes, and whichever cycle it
// has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "engine/sparse/sparse.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_pair.h"

#define FAR INT64_C(1000000000000)

static pair create_pair(const lc_rule *rule, int threads, const char *level)
{
    const pair_options options = {.rule = rule, .threads = threads, .level = level};
    return pair_create(&options);
}

static lc_sparse *inside(lc_universe *universe)
{
    return (lc_sparse *)block_of(universe)->engine;
}

static void compare(const pair *p, dice *d)
{
    const lc_facts alone = test_facts(p->sparse, LC_FACT_POPULATION); // is counted on the way
    const lc_facts dense = test_facts(p->dense, LC_FACT_POPULATION);
    assert_memory_equal(&alone.population, &dense.population, sizeof alone.population);
    pair_compare(p, d, "cycle", (uint64_t)inside(p->sparse)->cycle_generations);
}

// Soups, by rules of all kinds, in steps of all lengths.
static void test_soups(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 41);
    for (int i = 0; i < 60 / test_slowness(); i++) {
        const lc_rule *rule = i % 2 == 0 ? LIFE : rule_at((size_t)i, test_seed());
        pair p = create_pair(rule, 1 + i % 3, NULL);
        pair_soup(&p, dice_below(&d, 90) - 45, dice_below(&d, 90) - 45, 1 + dice_below(&d, 150),
                  1 + dice_below(&d, 100), 0.35, (uint64_t)i);
        for (int steps = 0; steps < 8; steps++) {
            static const int lengths[] = {1, 2, 14, 15, 16, 29, 30, 31, 45, 60, 61};
            const int64_t at = dice_below(&d, 14);
            pair_step(&p, at < 11 ? (uint64_t)lengths[at] : (uint64_t)(1 + dice_below(&d, 100)));
            compare(&p, &d);
        }
        pair_destroy(&p);
    }
}

static void test_random_rules(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 42);
    for (int i = 0; i < 200 / test_slowness(); i++) {
        const unsigned birth = (unsigned)dice_below(&d, 512);
        const lc_rule *rule = rule_of_counts(birth, (unsigned)dice_below(&d, 512));
        pair p = create_pair(rule, 2, NULL);
        if (i % 2 == 0) // rounds of 15 generations: alternating rules change places after each
            assert_int_equal(lc_sparse_set_cycle(inside(p.sparse), 30, NULL), LC_OK);
        pair_soup(&p, -10, 5, 33, 20, 0.4, (uint64_t)i);
        for (int steps = 0; steps < 3; steps++) {
            pair_step(&p, (uint64_t)(1 + dice_below(&d, 25)));
            compare(&p, &d);
        }
        pair_destroy(&p);
    }
}

// Life that dies within a round must not come back with the next cycle.
static void test_dying(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 43);
    for (uint64_t generations = 1; generations < 70; generations++) {
        pair p = create_pair(LIFE, 1, NULL);
        pair_set(&p, 5, 5, true);
        pair_step(&p, generations);
        compare(&p, &d);
        pair_destroy(&p);
    }
}

// Nor may what dies within a round beside something that lives on.
static void test_dying_beside_life(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 40);
    const int64_t apart = test_slowness() > 1 ? 7 : 1;
    for (int64_t i = 0; i < 32; i += apart) {
        pair p = create_pair(LIFE, 1, NULL);
        pair_load(&p, "8bo$2b2o$3bo3b3o10$bob2o$2o$3bo4bo$9bo$8bo$9bo!", 46 + i, 34 + i % 8);
        for (int steps = 0; steps < 10; steps++) {
            pair_step(&p, 8);
            compare(&p, &d);
        }
        pair_step(&p, 16);
        compare(&p, &d);
        pair_destroy(&p);
    }
}

// Things that move, cross tiles and layers, and what they leave; with every length of a cycle.
static void test_cycles(void **state)
{
    (void)state;
    static const int cycles[] = {2, 6, 30, 32, 34, 46, 60, 64, 90, 96, 160, 480, 2048};
    dice d = dice_from(test_seed(), 44);
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        pair p = create_pair(LIFE, 1 + (int)i % 2, NULL);
        pair_soup(&p, -40, -40, 120, 90, 0.3, i);
        assert_int_equal(lc_sparse_set_cycle(inside(p.sparse), cycles[i], NULL), LC_OK);
        for (int steps = 0; steps < 12; steps++) {
            pair_step(&p, (uint64_t)(1 + dice_below(&d, 200)));
            compare(&p, &d);
            if (steps % 4 == 3)
                assert_int_equal(
                    lc_sparse_set_cycle(inside(p.sparse), cycles[dice_below(&d, 13)], NULL), LC_OK);
        }
        pair_destroy(&p);
    }
}

// A gun at every place in a tile sleeps with its stream, and is woken by cells that are written.
static void test_waking(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 45);
    for (int i = 0; i < 64 / test_slowness(); i++) {
        pair p = create_pair(LIFE, 1 + i % 2, NULL);
        pair_load(&p, pair_gun, i % 32 + dice_below(&d, 2) * 16, i * 5 % 32);
        pair_step(&p, (uint64_t)(300 + dice_below(&d, 60)));
        const lc_facts facts = test_facts(p.dense, LC_FACT_BOX);
        for (int edits = 0; edits < 6; edits++) {
            for (int64_t k = dice_below(&d, 5); k >= 0; k--) {
                const int64_t x = facts.box.x + dice_below(&d, facts.box.width_cells);
                const int64_t y = facts.box.y + dice_below(&d, facts.box.height_cells);
                const bool alive = dice_below(&d, 2) != 0;
                pair_set(&p, x, y, alive);
            }
            compare(&p, &d);
            pair_step(&p, (uint64_t)(1 + dice_below(&d, 90)));
            compare(&p, &d);
        }
        pair_destroy(&p);
    }
}

// By every level of the CPU, far from the origin.
static void test_levels_and_far_places(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 46);
    lc_cpu_level_info level;
    for (size_t i = 0; lc_cpu_level_at(i, &level); i++) {
        if (!level.available)
            continue;
        pair p = create_pair(LIFE, 2, level.name);
        pair_soup(&p, FAR - 1000, -FAR, 200, 200, 0.4, i);
        pair_step(&p, 500);
        compare(&p, &d);
        pair_destroy(&p);
    }
}

// All live cells are found in order, as far from (0, 0) as they may be.
static void test_seeks(void **state)
{
    (void)state;
    enum { WIDTH = 150, HEIGHT = 70 };
    const int64_t places[] = {-FAR, 0, FAR};
    lc_universe *u = test_create("sparse", LIFE, (lc_topology){0}, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(lc_universe_soup(u, places[i], FAR, WIDTH, HEIGHT, 0.4, 1, NULL), LC_OK);
    const lc_facts facts = test_facts(u, LC_FACT_ALL);
    const lc_area within = lc_area_of_box(&facts.box);
    const lc_block *block = block_of(u);
    lc_cells at = {.x = within.x0, .y = within.y0, .height_cells = 1};
    uint64_t found = 0, row[WIDTH / 64 + 2];
    for (int64_t behind = at.x, y = at.y;; at.x = behind) {
        assert_int_equal(block->vtable->plane->seek(block->engine, &within, &at, NULL), LC_OK);
        if (at.width_cells == 0)
            break;
        assert_true(at.y > y || (at.y == y && at.x >= behind));
        assert_in_range(at.width_cells, 1, WIDTH + 64);
        assert_int_equal(test_read_row(u, at.x, at.y, at.width_cells, row), LC_OK);
        for (int64_t i = 0; i < (at.width_cells + 63) / 64; i++)
            found += (uint64_t)__builtin_popcountll(row[i]);
        y = at.y;
        behind = at.x + at.width_cells;
    }
    assert_int_equal(found, facts.population.words[0]);
    lc_universe_destroy(&u);
}

// What repeats takes no time, and is right at any generation.
static void test_long_runs(void **state)
{
    (void)state;
    lc_universe *gun = test_create("sparse", LIFE, infinite_plane, 0),
                *still = test_create("sparse", LIFE, infinite_plane, 0);
    lc_message message = {0};
    assert_int_equal(test_load(gun, pair_gun, 0, 0, &message), LC_OK);
    test_step(gun, 990);
    const uint64_t before = test_population(gun);
    test_step(gun, 30000);
    assert_int_equal(test_population(gun), before + 5 * 1000);
    lc_universe_destroy(&gun);
    assert_int_equal(lc_universe_soup(still, 0, 0, 2, 2, 1, 1, NULL), LC_OK);   // a block
    assert_int_equal(lc_universe_soup(still, 50, 50, 3, 1, 1, 1, NULL), LC_OK); // a blinker
    const uint64_t hash = test_hash(still);
    test_step(still, 1000000000000000);
    assert_int_equal(test_hash(still), hash);
    test_step(still, 1000000000000001);
    assert_int_not_equal(test_hash(still), hash);
    assert_int_equal(test_population(still), 7);
    lc_universe_destroy(&still);
    lc_universe *glider = test_create("sparse", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(glider, glider_rle, 3, 4, &message), LC_OK);
    test_step(glider, 1000000);
    const lc_facts facts = test_facts(glider, LC_FACT_BOX);
    assert_int_equal(facts.box.x, 250003);
    assert_int_equal(facts.box.y, 250004);
    lc_universe_destroy(&glider);
}

// Memory that runs out ends a step, and the universe is whole.
static void test_limits(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 47);
    const pair_options options = {.rule = rule_of("B2/S"), .max_memory_bytes = 3 << 20};
    pair p = pair_create(&options);
    pair_soup(&p, 0, 0, 30, 30, 0.3, 1);
    lc_message message = {0};
    assert_int_equal(lc_universe_step(p.sparse, lc_count_of(100000), NULL, NULL, &message),
                     LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "limit"));
    assert_in_range(test_generation(p.sparse), 100, 99999);
    test_step(p.dense, test_generation(p.sparse));
    compare(&p, &d);
    pair_destroy(&p);
}

// Each allocation of a step fails once: an error, and then it is made as if nothing had been.
static void test_no_memory(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 48);
    for (uint64_t n = 1; n < 60; n++) {
        pair p = create_pair(LIFE, 1, NULL);
        pair_soup(&p, 0, 0, 200, 200, 0.4, n);
        lc_fail_allocation(n);
        for (int steps = 0; steps < 4; steps++) {
            lc_message message = {0};
            const lc_status status =
                lc_universe_step(p.sparse, lc_count_of(37), NULL, NULL, &message);
            if (status != LC_OK)
                assert_int_equal(status, LC_ERROR_MEMORY);
            lc_facts facts;
            (void)lc_universe_facts(p.sparse, LC_FACT_ALL, &facts, NULL);
        }
        lc_fail_allocation(0);
        test_step(p.dense, test_generation(p.sparse));
        compare(&p, &d);
        pair_step(&p, 100);
        compare(&p, &d);
        pair_destroy(&p);
    }
}

typedef struct stopper {
    dice *dice;
    int calls;
} stopper;

static bool stop(void *context, const lc_universe *universe)
{
    stopper *w = context;
    (void)universe;
    w->calls++;
    return dice_below(w->dice, 3) == 0;
}

// A watch that stops rounds in the middle: no cell changes, and what was made of them is no loss.
static void test_stopping(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 49);
    pair p = create_pair(LIFE, 2, NULL);
    stopper w = {&d, 0};
    pair_soup(&p, 0, 0, 3000, 700, 0.4, 1);
    lc_universe_set_watch(p.sparse, stop, &w, 0);
    int stopped = 0;
    for (int i = 0; i < 40; i++) {
        lc_message message = {0};
        const lc_status status = lc_universe_step(p.sparse, lc_count_of(20), NULL, NULL, &message);
        stopped += status == LC_ERROR_STOPPED;
        assert_true(status == LC_OK || status == LC_ERROR_STOPPED);
        if (i % 5 == 0) {
            const int64_t x = dice_below(&d, 3000), y = dice_below(&d, 700);
            test_step(p.dense, test_generation(p.sparse) - test_generation(p.dense));
            compare(&p, &d);
            pair_set(&p, x, y, true);
        }
    }
    assert_true(stopped > 5 && w.calls > 20);
    test_step(p.dense, test_generation(p.sparse) - test_generation(p.dense));
    compare(&p, &d);
    pair_destroy(&p);
}

// A plane without life has facts, pictures and files like any other.
static void test_nothing(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 50);
    pair p = create_pair(LIFE, 1, NULL);
    compare(&p, &d);
    assert_int_equal(lc_universe_save(p.sparse, "/dev/null", LC_FORMAT_RLE, NULL), LC_OK);
    pair_step(&p, 40);
    compare(&p, &d);
    pair_destroy(&p);
}

// If a window were taken for another one, that would be found out, and end the universe.
static void test_wrong_windows(void **state)
{
    (void)state;
    lc_universe *u = test_create("sparse", LIFE, infinite_plane, 0);
    lc_message message = {0};
    assert_int_equal(test_load(u, pair_gun, 0, 0, &message), LC_OK);
    assert_int_equal(lc_sparse_set_cycle(inside(u), 32, NULL), LC_OK); // so that it keeps awake
    inside(u)->period_search.wakes_at = UINT64_MAX;
    test_step(u, 16 * 400);
    lc_memo *memo = &inside(u)->memos[0];
    assert_non_null(memo->entries);
    for (size_t i = 0; i < LC_MEMO_ENTRIES; i++)
        memo->entries[i].cells[i % LC_TILE_WORDS] ^= 1;
    lc_status status = LC_OK;
    for (int i = 0; i < 20000 && status == LC_OK; i++)
        status = lc_universe_step(u, lc_count_of(16), NULL, NULL, &message);
    assert_int_equal(status, LC_ERROR_MISMATCH);
    assert_non_null(strstr(message.text, "one window for another"));
    assert_int_equal(lc_universe_failure(u, &message), LC_ERROR_MISMATCH);
    assert_int_equal(lc_universe_save(u, "never.rle", LC_FORMAT_AUTO, &message), LC_ERROR_MISMATCH);
    lc_universe_destroy(&u);
}

// Steps oscillators of period 7, which no cycle of 30 or 32 generations holds, until the engine
// samples some of their tiles. Then it gives up samples of tiles that are others by now. Returns
// whether it takes a cycle that holds 7.
static bool finds_period_7(void)
{
    static const char oscillator[] =
        "x = 10, y = 11\n4b2o$5bo$4bo$3bob3o$3bobo2bo$2obo3bobo$2obo4bo$4b4o2$4b2o$4b2o!";
    enum { ACROSS = 12, APART = 50, MOST = 4000, ROUND = 16 };
    // With two threads it depends on their order which tiles the engine samples.
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .engine = "sparse", .threads = 1};
    lc_universe *u;
    assert_int_equal(lc_universe_create(&u, &options, NULL), LC_OK);
    for (int64_t i = 0; i < ACROSS * ACROSS; i++)
        assert_int_equal(test_load(u, oscillator, APART * (i % ACROSS), APART * (i / ACROSS), NULL),
                         LC_OK);
    lc_sparse *s = inside(u);
    for (int i = 0; i < MOST && s->period_search.state != LC_PERIOD_SEARCH_LISTENS; i++)
        test_step(u, ROUND);
    assert_int_equal(s->period_search.state, LC_PERIOD_SEARCH_LISTENS);
    lc_period_search_sample *samples = s->period_search.samples;
    for (int i = 0; i < 3; i++)
        assert_true(samples[i].index != 0);
    samples[0].x++;
    samples[1].y++;
    samples[2].index = 0; // number 0 is no tile
    test_step(u, 2 * ROUND);
    assert_ptr_equal(s->period_search.samples, samples);
    for (int i = 0; i < LC_PERIOD_SEARCH_AWAKE; i++)
        assert_int_equal(samples[i].index != 0, i >= 3);
    for (int i = 0; i < MOST && s->cycle_generations % 7 != 0; i++)
        test_step(u, ROUND);
    const bool found = s->cycle_generations % 7 == 0;
    lc_universe_destroy(&u);
    return found;
}

// The order of tiles has a secret, drawn anew for each plane, so that in one plane of ten too few
// samples show the period. Five planes in turn without it are a fault.
static void test_period_search(void **state)
{
    (void)state;
    int planes = 1;
    while (!finds_period_7())
        assert_true(planes++ < 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soups),
        cmocka_unit_test(test_random_rules),
        cmocka_unit_test(test_dying),
        cmocka_unit_test(test_dying_beside_life),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_waking),
        cmocka_unit_test(test_levels_and_far_places),
        cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_seeks),
        cmocka_unit_test(test_period_search),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_wrong_windows),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
