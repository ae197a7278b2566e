// What sleeps in the sparse engine and what wakes it: still lifes, oscillators and a gun with its
// stream, at every place of a tile, which are hit by gliders and drawn upon; and long runs whose
// outcome is known without stepping.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/sparse/sparse.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_pair.h"

typedef struct sleeper {
    const char *rle;
    int64_t width, height;
} sleeper;

static const sleeper sleepers[] = {
    {pair_block, 2, 2},           {pair_blinker, 3, 1}, {pair_pulsar, 13, 13},
    {pair_pentadecathlon, 10, 3}, {pair_gun, 36, 9},
};

enum { SLEEPERS = sizeof sleepers / sizeof *sleepers, SIDE = 32 };

// An object, another one not far from it, and after a long sleep something that comes or is drawn.
static void wake(dice *d, int64_t place)
{
    const sleeper *one = &sleepers[dice_below(d, SLEEPERS)];
    const sleeper *other = &sleepers[dice_below(d, SLEEPERS - 1)];
    const int64_t x = place, y = place * 7 % SIDE - SIDE * dice_below(d, 3);
    pair p = pair_create(&(pair_options){.may_skip = dice_below(d, 4) == 0});
    pair_load(&p, one->rle, x, y);
    pair_load(&p, other->rle, x - 30 - dice_below(d, 60), y + 20 + dice_below(d, 60));
    pair_step(&p, 100 + (uint64_t)dice_below(d, 400));
    for (int times = 0; times < 3; times++) {
        pair_compare(&p, d, "asleep at", (uint64_t)place);
        const int64_t far = 5 + dice_below(d, 60);
        if (dice_below(d, 2) == 0)
            pair_load(&p, glider_rle, x - far + dice_below(d, one->width + 6) - 3,
                      y - far + dice_below(d, one->height + 6) - 3);
        else
            pair_edit(&p, d, x + one->width / 2, y + one->height / 2, 8 + dice_below(d, 30));
        for (int steps = 0; steps < 3; steps++) {
            pair_step(&p, pair_some_generations(d, 120));
            if (dice_below(d, 2) == 0)
                pair_compare(&p, d, "woken at", (uint64_t)place);
        }
        pair_step(&p, (uint64_t)dice_below(d, 500));
    }
    pair_compare(&p, d, "woken at", (uint64_t)place);
    pair_destroy(&p);
}

static void test_waking(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 41);
    for (int64_t i = 0; i < 8 * SIDE; i += test_slowness())
        wake(&d, i % SIDE);
}

// A gun with its stream is met by gliders, from the side and in front, and by cells.
static void test_gun(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 42);
    for (int64_t i = 0; i < SIDE; i += test_slowness()) {
        pair p = pair_create(&(pair_options){.threads = 1 + (int)(i % 3)});
        pair_load(&p, pair_gun, i, 3 * i % SIDE);
        pair_step(&p, 700 + (uint64_t)dice_below(&d, 60));
        pair_compare(&p, &d, "gun at", (uint64_t)i);
        for (int times = 0; times < 6; times++) {
            const int64_t along = 25 + dice_below(&d, 130);
            pair_edit(&p, &d, i + along, 3 * i % SIDE + along - 15, 6);
            pair_step(&p, pair_some_generations(&d, 200));
            pair_compare(&p, &d, "gun at", (uint64_t)i);
        }
        pair_destroy(&p);
    }
}

// Gliders that fly the same way, some of them so near to each other that a window has two, and a
// block, near which they come.
static void test_gliders_in_a_row(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 44);
    for (uint64_t i = 0; i < 100; i += (uint64_t)test_slowness()) {
        pair p = pair_create(&(pair_options){.threads = 1 + (int)(i % 3)});
        const int64_t x = dice_below(&d, SIDE), y = dice_below(&d, SIDE);
        for (int64_t k = 0; k < 8; k++) {
            const int64_t along = k / 2 * (20 + dice_below(&d, 30)), across = 10 + k % 2 * 45;
            pair_load(&p, glider_rle, x + along + across, y + along - across);
        }
        pair_load(&p, pair_block, x + 150, y + 150 - dice_below(&d, 60));
        for (int times = 0; times < 4; times++) {
            pair_step(&p, 16 + pair_some_generations(&d, 100));
            pair_compare(&p, &d, "row of gliders", i);
        }
        pair_destroy(&p);
    }
}

// A cell that is drawn, and dies at once, does not come back, whatever else sleeps; in steps that
// end within a round, and in long ones that pass over much.
static void test_drawn_cells_stay_dead(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 43);
    for (uint64_t i = 0; i < 200; i++) {
        pair p = pair_create(&(pair_options){.may_skip = false});
        if (i % 2 == 0)
            pair_load(&p, i % 4 == 0 ? pair_block : pair_pulsar, 7, 7);
        pair_step(&p, pair_some_generations(&d, 300));
        pair_set(&p, 40 + dice_below(&d, 40), 5 + dice_below(&d, 40), true);
        if (dice_below(&d, 2) == 0)
            pair_step(&p, pair_some_generations(&d, 40));
        pair_step(&p, 30 * (1 + (uint64_t)dice_below(&d, 100)));
        pair_compare(&p, &d, "drawn cell", i);
        pair_step(&p, pair_some_generations(&d, 40));
        pair_compare(&p, &d, "drawn cell", i);
        pair_destroy(&p);
    }
}

// A gun makes a glider of 5 cells each 30 generations, and the first has moved on by 7.5 cells.
static void test_gun_for_long(void **state)
{
    (void)state;
    lc_universe *u = test_create("sparse", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(u, pair_gun, -17, 9, NULL), LC_OK);
    test_step(u, 600);
    const lc_box early = test_box(u);
    const uint64_t some = test_population(u);
    assert_int_equal(some, 36 + 5 * 20);
    const uint64_t pairs = (uint64_t)(1650 / test_slowness()); // of periods
    test_step(u, 60 * pairs);
    lc_box box = test_box(u);
    assert_int_equal(test_population(u), some + 10 * pairs);
    assert_true(box.x == early.x && box.y == early.y);
    assert_int_equal(box.width_cells, early.width_cells + 15 * (int64_t)pairs);
    assert_int_equal(box.height_cells, early.height_cells + 15 * (int64_t)pairs);
    for (int i = 1; i <= 60; i++) { // generation by generation
        test_step(u, 1);
        if (i % 30 == 0)
            assert_int_equal(test_population(u), some + 10 * pairs + (uint64_t)i / 6);
    }
    // Where the gun is, and somewhere in the stream, cells are what they were 30 generations ago.
    uint64_t rows[2][2][8];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(test_read_row(u, -17, 11, 500, rows[i][0]), LC_OK);
        assert_int_equal(test_read_row(u, 3000, 3000, 500, rows[i][1]), LC_OK);
        if (i == 0)
            test_step(u, 30);
    }
    assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
    lc_universe_destroy(&u);
}

static void test_glider_for_long(void **state)
{
    (void)state;
    lc_universe *u = test_create("sparse", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(u, glider_rle, -7, 12, NULL), LC_OK);
    const lc_facts begin = test_facts(u, LC_FACT_ALL);
    for (uint64_t done = 0; done < 1000000;) {
        const uint64_t some = done == 0 ? 999996 : 4;
        test_step(u, some);
        done += some;
        const lc_facts now = test_facts(u, LC_FACT_ALL);
        const int64_t moved = (int64_t)(done / 4);
        assert_int_equal(now.population.words[0], 5);
        assert_true(now.box.x == -7 + moved && now.box.y == 12 + moved);
        assert_int_equal(now.hash, lc_hash_moved(begin.hash, moved, moved));
    }
    assert_in_range(lc_universe_info_of(u).memory_bytes, 1,
                    1 << 24); // what it leaves is given back
    lc_universe_destroy(&u);
}

// Still lifes and oscillators come to any generation at once.
static void test_sleepers_for_long(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {1000000000000000, 999999999999989, UINT64_C(1) << 62};
    dice d = dice_from(test_seed(), 44);
    for (size_t i = 0; i < 6; i++) {
        pair p = pair_create(&(pair_options){.may_skip = i % 2 == 0});
        for (size_t k = 0; k < SLEEPERS - 1; k++)
            pair_load(&p, sleepers[k].rle, 3 + (int64_t)k * 40, (int64_t)k * 21);
        test_step(p.sparse, numbers[i / 2]);
        test_step(p.dense, numbers[i / 2] % 30); // all of their periods divide it
        lc_universe_set_generation(p.dense, lc_universe_generation(p.sparse));
        pair_compare(&p, &d, "long sleep", i);
        pair_destroy(&p);
    }
}

// Whether nothing ever sleeps, or everything as soon as it may (in cycles of two rounds, tiles that
// are what they were two rounds ago), the cells are the same.
static void test_awake_or_asleep(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 46);
    for (uint64_t i = 0; i < 24 / (uint64_t)test_slowness(); i++) {
        lc_universe *universes[2];
        lc_sparse *engines[2];
        for (int k = 0; k < 2; k++) {
            universes[k] = test_create("sparse", LIFE, (lc_topology){0}, 0);
            engines[k] = (lc_sparse *)block_of(universes[k])->engine;
            assert_int_equal(lc_universe_soup(universes[k], 0, 0, 300, 200, 0.3, i, NULL), LC_OK);
            assert_int_equal(test_load(universes[k], pair_gun, 400, 17 * (int64_t)i, NULL), LC_OK);
        }
        assert_int_equal(lc_sparse_set_cycle(engines[1], 30, NULL), LC_OK);
        for (int steps = 0; steps < 100; steps++) {
            const uint64_t generations = 15 + (uint64_t)dice_below(&d, 40);
            assert_int_equal(lc_sparse_forget(engines[0], NULL), LC_OK);
            test_step(universes[0], generations);
            test_step(universes[1], generations);
            assert_int_equal(test_hash(universes[0]), test_hash(universes[1]));
            assert_int_equal(test_population(universes[0]), test_population(universes[1]));
        }
        assert_true(engines[0]->visits > engines[1]->visits); // one did sleep
        for (int k = 0; k < 2; k++)
            lc_universe_destroy(&universes[k]);
    }
}

static void test_dies_out(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 45);
    for (uint64_t i = 0; i < 20; i++) {
        pair p = pair_create(&(pair_options){.may_skip = i % 2 == 0});
        pair_load(&p, "x = 3, y = 2, rule = B3/S23\n3o$bo!\n", 30, -2); // a T: settles
        pair_load(&p, "x = 2, y = 1, rule = B3/S23\n2o!\n", 31, 40);
        pair_clear(&p, 20, -12, 22, 22);
        test_step(p.sparse, UINT64_C(1) << 60);
        assert_int_equal(test_population(p.sparse), 0);
        test_step(p.dense, 1);
        lc_universe_set_generation(p.dense, lc_universe_generation(p.sparse));
        pair_edit(&p, &d, 31, 20, 50);
        pair_step(&p, pair_some_generations(&d, 100));
        pair_compare(&p, &d, "after death", i);
        pair_destroy(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waking),
        cmocka_unit_test(test_gun),
        cmocka_unit_test(test_gliders_in_a_row),
        cmocka_unit_test(test_drawn_cells_stay_dead),
        cmocka_unit_test(test_gun_for_long),
        cmocka_unit_test(test_glider_for_long),
        cmocka_unit_test(test_sleepers_for_long),
        cmocka_unit_test(test_awake_or_asleep),
        cmocka_unit_test(test_dies_out),
    };
    return cmocka_run_group_tests_name("sparse_sleep", tests, NULL, NULL);
}
