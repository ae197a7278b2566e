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
#include "support.h"
#include "support_checkpoint.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

#define FAR INT64_C(1000000000000)

typedef struct pair {
    lc_universe *sparse, *dense;
} pair;

static lc_universe *create(const char *engine, lc_rule rule, int threads, const char *level,
                           uint64_t max_memory_bytes)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = rule,
                                         .topology = infinite_plane,
                                         .engine = engine,
                                         .cpu_level = level,
                                         .threads = threads,
                                         .max_memory_bytes = max_memory_bytes};
    lc_universe *universe = NULL;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        fail_msg("%s: %s", engine, message.text);
    return universe;
}

static pair create_pair(lc_rule rule, int threads, const char *level)
{
    return (pair){create("sparse", rule, threads, level, 0), create("simd", rule, 2, NULL, 0)};
}

static void destroy(pair *p)
{
    lc_universe_destroy(&p->sparse);
    lc_universe_destroy(&p->dense);
}

static lc_sparse *inside(lc_universe *universe)
{
    return (lc_sparse *)block_of(universe)->engine;
}

static void soup(const pair *p, int64_t x, int64_t y, int64_t width, int64_t height, double density,
                 uint64_t seed)
{
    lc_universe *const both[] = {p->sparse, p->dense};
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_soup(both[i], x, y, width, height, density, seed, NULL),
                         LC_OK);
}

static void step_both(const pair *p, uint64_t generations)
{
    test_step(p->sparse, generations);
    test_step(p->dense, generations);
}

// Facts say all of the cells; a window and a picture at odd places that they can be looked at.
static void compare(const pair *p, dice *d)
{
    const lc_facts sparse = test_facts(p->sparse, LC_FACT_ALL);
    const lc_facts dense = test_facts(p->dense, LC_FACT_ALL);
    if (sparse.hash != dense.hash)
        fail_msg("generation %llu, cycle %d, birth %x survival %x: other cells",
                 (unsigned long long)test_generation(p->dense),
                 inside(p->sparse)->cycle_generations, inside(p->sparse)->config.rule.birth,
                 inside(p->sparse)->config.rule.survival);
    assert_true(sparse.box.empty == dense.box.empty && sparse.box.x == dense.box.x &&
                sparse.box.y == dense.box.y && sparse.box.width_cells == dense.box.width_cells &&
                sparse.box.height_cells == dense.box.height_cells);
    assert_memory_equal(&sparse.population, &dense.population, sizeof sparse.population);
    const lc_facts alone = test_facts(p->sparse, LC_FACT_POPULATION);
    assert_memory_equal(&alone.population, &dense.population, sizeof alone.population);
    if (dense.box.empty)
        return;
    uint64_t words[2][5 * 40];
    uint32_t counts[2][30 * 20];
    const int64_t x = dense.box.x + dice_below(d, dense.box.width_cells) - 100;
    const int64_t y = dense.box.y + dice_below(d, dense.box.height_cells) - 20;
    for (int i = 0; i < 2; i++) {
        const lc_cells window = {.x = x,
                                 .y = y,
                                 .width_cells = 301,
                                 .height_cells = 40,
                                 .planes = 1,
                                 .words = words[i],
                                 .pitch_words = 5};
        const lc_universe *of = i == 0 ? p->sparse : p->dense;
        memset(words[i], 0, sizeof words[i]);
        assert_int_equal(lc_universe_read(of, &window, NULL), LC_OK);
        assert_int_equal(lc_universe_counts(of, x, y, 16, 30, 20, counts[i], NULL), LC_OK);
    }
    test_picture(p->sparse, x, y, 16, 30, 20, counts[1]);
    assert_memory_equal(words[0], words[1], sizeof words[0]);
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
}

// Soups, by rules of all kinds, in steps of all lengths.
static void test_soups(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 41);
    for (int i = 0; i < 60 / test_slowness(); i++) {
        const lc_rule rule = i % 2 == 0 ? LIFE : rule_at((size_t)i, test_seed());
        pair p = create_pair(rule, 1 + i % 3, NULL);
        soup(&p, dice_below(&d, 90) - 45, dice_below(&d, 90) - 45, 1 + dice_below(&d, 150),
             1 + dice_below(&d, 100), 0.35, (uint64_t)i);
        for (int steps = 0; steps < 8; steps++) {
            static const int lengths[] = {1, 2, 14, 15, 16, 29, 30, 31, 45, 60, 61};
            const int64_t at = dice_below(&d, 14);
            step_both(&p, at < 11 ? (uint64_t)lengths[at] : (uint64_t)(1 + dice_below(&d, 100)));
            compare(&p, &d);
        }
        destroy(&p);
    }
}

static void test_random_rules(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 42);
    for (int i = 0; i < 200 / test_slowness(); i++) {
        const lc_rule rule =
            LC_RULE_TOTALISTIC((uint16_t)dice_below(&d, 512), (uint16_t)dice_below(&d, 512));
        pair p = create_pair(rule, 2, NULL);
        soup(&p, -10, 5, 33, 20, 0.4, (uint64_t)i);
        for (int steps = 0; steps < 3; steps++) {
            step_both(&p, (uint64_t)(1 + dice_below(&d, 25)));
            compare(&p, &d);
        }
        destroy(&p);
    }
}

// Life that dies within a round must not come back with the next cycle.
static void test_dying(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 43);
    for (uint64_t generations = 1; generations < 70; generations++) {
        pair p = create_pair(LIFE, 1, NULL);
        test_set(p.sparse, 5, 5);
        test_set(p.dense, 5, 5);
        step_both(&p, generations);
        compare(&p, &d);
        destroy(&p);
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
        soup(&p, -40, -40, 120, 90, 0.3, i);
        assert_int_equal(lc_sparse_set_cycle(inside(p.sparse), cycles[i], NULL), LC_OK);
        for (int steps = 0; steps < 12; steps++) {
            step_both(&p, (uint64_t)(1 + dice_below(&d, 200)));
            compare(&p, &d);
            if (steps % 4 == 3)
                assert_int_equal(
                    lc_sparse_set_cycle(inside(p.sparse), cycles[dice_below(&d, 13)], NULL), LC_OK);
        }
        destroy(&p);
    }
}

static const char gun_rle[] = "x = 36, y = 9, rule = B3/S23\n"
                              "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o"
                              "4bobo$10bo5bo7bo$11bo3bo$12b2o!\n";

static void load_both(const pair *p, const char *text, int64_t x, int64_t y)
{
    lc_message message = {0};
    assert_int_equal(test_load(p->sparse, text, x, y, &message), LC_OK);
    assert_int_equal(test_load(p->dense, text, x, y, &message), LC_OK);
}

// A gun at every place in a tile sleeps with its stream, and is woken by cells that are written.
static void test_waking(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 45);
    for (int i = 0; i < 64 / test_slowness(); i++) {
        pair p = create_pair(LIFE, 1 + i % 2, NULL);
        load_both(&p, gun_rle, i % 32 + dice_below(&d, 2) * 16, i * 5 % 32);
        step_both(&p, (uint64_t)(300 + dice_below(&d, 60)));
        const lc_facts facts = test_facts(p.dense, LC_FACT_BOX);
        for (int edits = 0; edits < 6; edits++) {
            for (int64_t k = dice_below(&d, 5); k >= 0; k--) {
                const int64_t x = facts.box.x + dice_below(&d, facts.box.width_cells);
                const int64_t y = facts.box.y + dice_below(&d, facts.box.height_cells);
                const bool alive = dice_below(&d, 2) != 0;
                assert_int_equal(lc_universe_set(p.sparse, x, y, alive, NULL), LC_OK);
                assert_int_equal(lc_universe_set(p.dense, x, y, alive, NULL), LC_OK);
            }
            compare(&p, &d);
            step_both(&p, (uint64_t)(1 + dice_below(&d, 90)));
            compare(&p, &d);
        }
        destroy(&p);
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
        soup(&p, FAR - 1000, -FAR, 200, 200, 0.4, i);
        step_both(&p, 500);
        compare(&p, &d);
        destroy(&p);
    }
}

// What repeats takes no time, and is right at any generation.
static void test_long_runs(void **state)
{
    (void)state;
    lc_universe *gun = create("sparse", LIFE, 1, NULL, 0),
                *still = create("sparse", LIFE, 1, NULL, 0);
    lc_message message = {0};
    assert_int_equal(test_load(gun, gun_rle, 0, 0, &message), LC_OK);
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
    lc_universe *glider = create("sparse", LIFE, 1, NULL, 0);
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
    const lc_rule seeds = LC_RULE_TOTALISTIC(0x4, 0);
    pair p = {create("sparse", seeds, 2, NULL, 3 << 20), create("simd", seeds, 2, NULL, 0)};
    soup(&p, 0, 0, 30, 30, 0.3, 1);
    lc_message message = {0};
    assert_int_equal(lc_universe_step(p.sparse, lc_count_of(100000), NULL, NULL, &message),
                     LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "limit"));
    assert_in_range(test_generation(p.sparse), 100, 99999);
    test_step(p.dense, test_generation(p.sparse));
    compare(&p, &d);
    destroy(&p);
}

// Each allocation of a step fails once: an error, and then it is made as if nothing had been.
static void test_no_memory(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 48);
    for (uint64_t n = 1; n < 60; n++) {
        pair p = create_pair(LIFE, 1, NULL);
        soup(&p, 0, 0, 200, 200, 0.4, n);
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
        step_both(&p, 100);
        compare(&p, &d);
        destroy(&p);
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
    soup(&p, 0, 0, 3000, 700, 0.4, 1);
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
            test_set(p.sparse, x, y);
            test_set(p.dense, x, y);
        }
    }
    assert_true(stopped > 5 && w.calls > 20);
    test_step(p.dense, test_generation(p.sparse) - test_generation(p.dense));
    compare(&p, &d);
    destroy(&p);
}

// A plane without life has facts, pictures and files like any other.
static void test_nothing(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 50);
    pair p = create_pair(LIFE, 1, NULL);
    compare(&p, &d);
    assert_int_equal(lc_universe_save(p.sparse, "/dev/null", LC_FORMAT_RLE, NULL), LC_OK);
    step_both(&p, 40);
    compare(&p, &d);
    destroy(&p);
}

// If a window were taken for another one, that would be found out, and end the universe.
static void test_wrong_windows(void **state)
{
    (void)state;
    lc_universe *u = create("sparse", LIFE, 1, NULL, 0);
    lc_message message = {0};
    assert_int_equal(test_load(u, gun_rle, 0, 0, &message), LC_OK);
    assert_int_equal(lc_sparse_set_cycle(inside(u), 32, NULL), LC_OK); // so that it keeps awake
    test_step(u, 16 * 400);
    lc_memo *memo = &inside(u)->memos[0];
    assert_non_null(memo->entries);
    for (size_t i = 0; i < LC_MEMO_ENTRIES; i++)
        memo->entries[i].cells[i % LC_TILE_WORDS] ^= 1;
    lc_status status = LC_OK;
    for (int i = 0; i < 400 && status == LC_OK; i++)
        status = lc_universe_step(u, lc_count_of(16), NULL, NULL, &message);
    assert_int_equal(status, LC_ERROR_MISMATCH);
    assert_non_null(strstr(message.text, "one window for another"));
    assert_int_equal(lc_universe_failure(u, &message), LC_ERROR_MISMATCH);
    assert_int_equal(lc_universe_save(u, "never.rle", LC_FORMAT_AUTO, &message), LC_ERROR_MISMATCH);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soups),         cmocka_unit_test(test_random_rules),
        cmocka_unit_test(test_dying),         cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_waking),        cmocka_unit_test(test_levels_and_far_places),
        cmocka_unit_test(test_long_runs),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_memory),     cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_wrong_windows), cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
