// Universes whose engine is unbounded by itself (src/cover/block/self_covering.c), with an engine
// of the tests: the same as the growing block, however the cells are asked for; and with life so
// far apart that no block could hold it.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"
#include "support_checkpoint.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_listed.h"
#include "support_universe.h"

#define FAR INT64_C(1000000000)

// Two universes of the same rule, the listed engine's and the scalar one's.
typedef struct pair {
    lc_universe *own, *dense;
} pair;

static pair pair_of(const lc_rule *rule)
{
    return (pair){test_create_with(&test_engine_listed, rule, infinite_plane, 0),
                  test_create("scalar", rule, infinite_plane, 0)};
}

static void destroy(pair *p)
{
    lc_universe_destroy(&p->own);
    lc_universe_destroy(&p->dense);
}

// All facts, windows at odd places, and a view, are the same.
static void compare(const pair *p)
{
    const lc_facts own = test_facts(p->own, LC_FACT_ALL);
    const lc_facts dense = test_facts(p->dense, LC_FACT_ALL);
    uint64_t a[8 * 50], b[8 * 50];
    uint32_t of_own[40 * 30], of_dense[40 * 30];
    assert_int_equal(lc_universe_background(p->own), lc_universe_background(p->dense));
    assert_memory_equal(&own.population, &dense.population, sizeof own.population);
    assert_true(own.box.empty == dense.box.empty && own.box.x == dense.box.x &&
                own.box.y == dense.box.y && own.box.width_cells == dense.box.width_cells &&
                own.box.height_cells == dense.box.height_cells);
    assert_int_equal(own.hash, dense.hash);
    for (int64_t x = -70; x < 70; x += 9) {
        const lc_cells window = {.x = x,
                                 .y = x / 2,
                                 .width_cells = 440 + x,
                                 .height_cells = 50,
                                 .planes = 1,
                                 .words = a,
                                 .pitch_words = 8};
        lc_cells other = window;
        other.words = b;
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        assert_int_equal(lc_universe_read(p->own, &window, NULL), LC_OK);
        assert_int_equal(lc_universe_read(p->dense, &other, NULL), LC_OK);
        assert_memory_equal(a, b, sizeof a);
    }
    for (int64_t side = 1; side <= 64; side *= 8) {
        assert_int_equal(lc_universe_counts(p->own, -33, -5, side, 40, 30, of_own, NULL), LC_OK);
        assert_int_equal(lc_universe_counts(p->dense, -33, -5, side, 40, 30, of_dense, NULL),
                         LC_OK);
        assert_memory_equal(of_own, of_dense, sizeof of_own);
        test_picture(p->own, -33, -5, side, 40, 30, of_dense);
    }
}

static void soup(const pair *p, uint64_t seed)
{
    assert_int_equal(lc_universe_soup(p->own, -20, 3, 77, 40, 0.4, seed, NULL), LC_OK);
    assert_int_equal(lc_universe_soup(p->dense, -20, 3, 77, 40, 0.4, seed, NULL), LC_OK);
}

static void test_same_as_a_block(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "B3/S23",   "B36/S23",
        "B01/S23",  // a background that blinks
        "B03/S238", // one that stays alive
        "B2/S",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        pair p = pair_of(rule_of(rules[i]));
        compare(&p);
        soup(&p, i);
        compare(&p);
        for (int steps = 0; steps < 5; steps++) {
            test_step(p.own, (uint64_t)(1 + steps * 2));
            test_step(p.dense, (uint64_t)(1 + steps * 2));
            compare(&p);
        }
        destroy(&p);
    }
}

// An engine that can step two alternating rules makes all generations in one pass.
static void test_alternating_rules(void **state)
{
    (void)state;
    const lc_rule *blinks = rule_of("B01/S23");
    lc_universe *u = test_create("sparse", blinks, infinite_plane, 0);
    assert_int_equal(lc_universe_soup(u, -20, 3, 77, 40, 0.4, 1, NULL), LC_OK);
    test_step(u, 101);
    assert_true(lc_one_block_of(u->cover)->alternates);
    lc_universe_destroy(&u);
}

// Edits between steps, also of cells that nothing was near to.
static void test_edits(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 21);
    pair p = pair_of(LIFE);
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 20; k++) {
            const int64_t x = dice_below(&d, 200) - 100, y = dice_below(&d, 60) - 30;
            const bool alive = dice_below(&d, 3) != 0;
            assert_int_equal(lc_universe_set(p.own, x, y, alive, NULL), LC_OK);
            assert_int_equal(lc_universe_set(p.dense, x, y, alive, NULL), LC_OK);
        }
        if (i % 3 == 0)
            compare(&p);
        test_step(p.own, 1);
        test_step(p.dense, 1);
    }
    compare(&p);
    destroy(&p);
}

static lc_universe *two_gliders(void)
{
    lc_universe *u = test_create_with(&test_engine_listed, LIFE, infinite_plane, 0);
    lc_message message = {0};
    assert_int_equal(test_load(u, glider_rle, -FAR, -FAR, &message), LC_OK);
    assert_int_equal(test_load(u, glider_rle, FAR, FAR, &message), LC_OK);
    return u;
}

// Files of gliders far apart are as short as what they hold, and come back as they were.
static void test_far_apart(void **state)
{
    (void)state;
    static const char *const names[] = {"own.rle", "own.lif", "own.lcs"};
    lc_universe *u = two_gliders();
    test_step(u, 40);
    const lc_facts facts = test_facts(u, LC_FACT_ALL);
    assert_int_equal(facts.box.width_cells, 2 * FAR + 3);
    for (size_t i = 0; i < 3; i++) {
        lc_message message = {0};
        char path[160];
        (void)snprintf(path, sizeof path, "%s/%s", test_folder, names[i]);
        if (lc_universe_save(u, path, LC_FORMAT_AUTO, &message) != LC_OK)
            fail_msg("%s: %s", names[i], message.text);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        assert_int_equal(fseek(file, 0, SEEK_END), 0);
        assert_in_range(ftell(file), 40, 600);
        assert_int_equal(fclose(file), 0);
        if (i == 2) { // the library's own engine of this kind reads it
            lc_universe *restored;
            assert_int_equal(lc_universe_restore(&restored, path, NULL, &message), LC_OK);
            assert_int_equal(test_hash(restored), facts.hash);
            assert_int_equal(remove(path), 0);
            lc_universe_destroy(&restored);
            continue;
        }
        lc_universe *again = test_create_with(&test_engine_listed, LIFE, infinite_plane, 0);
        lc_pattern *pattern;
        assert_int_equal(lc_pattern_open(&pattern, path, &message), LC_OK);
        int64_t x, y;
        lc_universe_place(again, lc_pattern_get_header(pattern), &x, &y);
        if (lc_universe_load(again, pattern, x, y, &message) != LC_OK)
            fail_msg("%s: %s", names[i], message.text);
        lc_pattern_close(&pattern);
        assert_int_equal(remove(path), 0);
        assert_int_equal(test_hash(again), facts.hash);
        lc_universe_destroy(&again);
    }
    lc_universe_destroy(&u);
}

// Audits look where something lives, and see one wrong cell.
static void test_audited(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_universe *u = test_create_with(&test_engine_listed, LIFE, infinite_plane, 1);
    assert_int_equal(lc_universe_soup(u, FAR, -FAR, 60, 60, 0.4, 1, NULL), LC_OK);
    test_step(u, 50);
    test_listed_spoil(u);
    assert_int_equal(lc_universe_step(u, lc_count_of(1), NULL, NULL, &message), LC_ERROR_MISMATCH);
    lc_universe_destroy(&u);
}

// A universe in which nothing lives comes to any generation at once, and is not stepped.
static void test_nothing_lives(void **state)
{
    (void)state;
    lc_universe *u = test_create_with(&test_engine_listed, LIFE, infinite_plane, 0);
    test_step(u, UINT64_C(1) << 60);
    test_set(u, 5, 5);
    test_step(u, UINT64_C(1) << 60);
    assert_int_equal(test_population(u), 0);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_a_block),   cmocka_unit_test(test_edits),
        cmocka_unit_test(test_alternating_rules), cmocka_unit_test(test_far_apart),
        cmocka_unit_test(test_audited),           cmocka_unit_test(test_nothing_lives),
    };
    return cmocka_run_group_tests_name("own", tests, test_checkpoint_set_up,
                                       test_checkpoint_tear_down);
}
