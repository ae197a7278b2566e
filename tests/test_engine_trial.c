// Universes that change between the sparse engine and HashLife while they run. However a trial
// ends, no cell is lost, and the parked engine has no cells.
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "cover/block/engine_trial.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

static lc_universe *plane(const char *engine, uint64_t max_memory_bytes)
{
    return test_create(engine, LIFE, infinite_plane, max_memory_bytes);
}

static lc_one_block *inside(const lc_universe *u)
{
    return lc_one_block_of(u->cover);
}

static void draw(lc_universe *const both[2], int64_t x, int64_t y, uint64_t seed)
{
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_soup(both[i], x, y, 60, 40, 0.4, seed, NULL), LC_OK);
}

// The one universe goes as far as the other, by its cover alone, has come.
static void follow(lc_universe *const both[2], uint64_t done)
{
    lc_universe_set_generation(both[0], lc_count_of(test_generation(both[0]) + done));
    test_step(both[1], done);
    test_expect_same_facts(both[0], both[1]);
}

// So long, that a trial has all the time that it may want, on any machine.
static const uint64_t long_ns = UINT64_C(1) << 50;

// A trial is made that says what it is wanted to: the engine in hand is said to have been slow.
static void try_leaps(lc_universe *const both[2], lc_engine_trial *l, uint64_t left)
{
    uint64_t done;
    l->policy.trial_ns = 1;
    assert_int_equal(lc_engine_trial_run(inside(both[0]), l, 1, long_ns, left, &done, NULL), LC_OK);
    assert_true(lc_is_hashlife(inside(both[0])) && done > 0 && done <= left);
    assert_false(l->is_parked);
    follow(both, done);
}

// Short steps lead back.
static void return_to_sparse(lc_universe *const both[2], lc_engine_trial *l, uint64_t generations)
{
    for (int i = 0; i < 100 && lc_is_hashlife(inside(both[0])); i++) {
        uint64_t done;
        l->policy.trial_ns = l->policy.busy_ns = long_ns;
        assert_int_equal(
            lc_engine_trial_advance_hashlife(inside(both[0]), l, generations, &done, NULL), LC_OK);
        assert_true(done <= generations);
        follow(both, done);
    }
    assert_false(lc_is_hashlife(inside(both[0])));
}

static void test_back_and_forth(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 90);
    lc_universe *const both[2] = {plane("sparse", 0), plane("sparse", 0)};
    lc_engine_trial l = {0};
    int rested = 0;
    for (int i = 0; i < 12; i++) {
        draw(both, dice_below(&d, 1000) - 500, dice_below(&d, 1000) - 500, (uint64_t)i);
        try_leaps(both, &l, 256 + (uint64_t)dice_below(&d, 4000));
        draw(both, dice_below(&d, 1000) - 500, dice_below(&d, 1000) - 500, 100 + (uint64_t)i);
        return_to_sparse(both, &l, 1 + (uint64_t)dice_below(&d, 255));
        rested += l.is_parked;
        // No trial: what is parked stays as long as there is memory for it.
        uint64_t done;
        assert_int_equal(lc_engine_trial_run(inside(both[0]), &l, 0, 0, 0, &done, NULL), LC_OK);
        assert_int_equal(done, 0);
        assert_true(l.is_parked);
    }
    assert_int_equal(rested, 12); // what is so small is kept
    lc_engine_trial_drop(&l);
    for (int i = 0; i < 2; i++)
        lc_universe_destroy((lc_universe *[1]){both[i]});
}

// A long way is begun by leaps, if there are few cells.
static void test_beginning(void **state)
{
    (void)state;
    lc_universe *const both[2] = {plane("sparse", 0), plane("sparse", 0)};
    lc_engine_trial l = {0};
    draw(both, 0, 0, 1);
    lc_engine_trial_start_hashlife(inside(both[0]), &l, 1000);
    assert_false(lc_is_hashlife(inside(both[0])) || l.policy.was_long);
    lc_engine_trial_start_hashlife(inside(both[0]), &l, 100000);
    assert_true(lc_is_hashlife(inside(both[0])) && l.policy.was_long);
    for (uint64_t made = 0, done; made < 20000; made += done) {
        assert_int_equal(
            lc_engine_trial_advance_hashlife(inside(both[0]), &l, 20000 - made, &done, NULL),
            LC_OK);
        follow(both, done);
        if (!lc_is_hashlife(inside(both[0]))) // the other is faster
            break;
    }
    lc_engine_trial_drop(&l);
    lc_universe *large = plane("sparse", 0);
    assert_int_equal(lc_universe_soup(large, 0, 0, 1000, 800, 0.5, 1, NULL), LC_OK);
    l = (lc_engine_trial){0};
    lc_engine_trial_start_hashlife(inside(large), &l, 100000);
    assert_false(lc_is_hashlife(inside(large))); // copying them would take too long
    lc_universe_destroy(&large);
    for (int i = 0; i < 2; i++)
        lc_universe_destroy((lc_universe *[1]){both[i]});
}

static bool stop_at(void *context)
{
    int *left = context;
    return --*left < 0;
}

// The universe's own watch ends copying, a trial or a leap: the cells are those of a generation.
static void test_stopped(void **state)
{
    (void)state;
    lc_universe *const both[2] = {plane("sparse", 0), plane("sparse", 0)};
    lc_engine_trial l = {0};
    int stops = 0, changes = 0, left;
    const lc_engine_watch watch = {.call = stop_at, .context = &left, .interval_ns = 0};
    lc_one_block *s = inside(both[0]);
    s->base.asked.watch = &watch;
    for (int i = 0; i < 40; i++) {
        const bool was_on = lc_is_hashlife(s);
        uint64_t done = 0;
        if (i % 8 == 0)
            draw(both, i * 50, 0, (uint64_t)i);
        left = i % 4 == 3 ? INT_MAX : 3 * (i % 4);
        l.policy.trial_ns = 1;
        if (was_on)
            l.policy.trial_ns = l.policy.busy_ns = long_ns;
        const lc_status status =
            was_on ? lc_engine_trial_advance_hashlife(s, &l, i % 3 == 0 ? 100 : 3000, &done, NULL)
                   : lc_engine_trial_run(s, &l, 1, long_ns, 3000, &done, NULL);
        assert_true(status == LC_OK || (status == LC_ERROR_STOPPED && done == 0));
        stops += status == LC_ERROR_STOPPED;
        changes += lc_is_hashlife(s) != was_on;
        left = INT_MAX;
        follow(both, done);
    }
    assert_true(stops > 0 && changes > 0);
    // Tiles that leaping made stop, too, and go on.
    return_to_sparse(both, &l, 100);
    for (int i = 0; i < 2; i++) {
        uint64_t done = 0;
        left = i == 0 ? 0 : INT_MAX;
        lc_engine_trial_start_hashlife(s, &l, 1000);
        const uint64_t generations = i == 0 ? 100000 : 1000;
        const lc_status status = lc_one_block_advance(&s->base, generations, &done, NULL);
        assert_int_equal(status, i == 0 && done == 0 ? LC_ERROR_STOPPED : LC_OK);
        left = INT_MAX;
        follow(both, done);
        assert_true(i == 0 ? done < generations : done > 0);
    }
    lc_engine_trial_drop(&l);
    for (int i = 0; i < 2; i++)
        lc_universe_destroy((lc_universe *[1]){both[i]});
}

// A trial ends even where next to nothing happens, which never takes long.
static void test_endless_way(void **state)
{
    (void)state;
    lc_universe *const both[2] = {plane("sparse", 0), plane("sparse", 0)};
    lc_engine_trial l = {0};
    lc_one_block *s = inside(both[0]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(test_load(both[i], glider_rle, 0, 0, NULL), LC_OK);
    lc_engine_trial_start_hashlife(s, &l, UINT64_MAX);
    for (int i = 0; i < 10; i++) {
        uint64_t done;
        l.policy.trial_ns = 1;
        assert_true(lc_is_hashlife(s));
        assert_int_equal(lc_engine_trial_advance_hashlife(s, &l, UINT64_MAX, &done, NULL), LC_OK);
        assert_true(done > 0 && done < UINT64_C(1) << 62);
        follow(both, done);
    }
    lc_engine_trial_drop(&l);
    for (int i = 0; i < 2; i++)
        lc_universe_destroy((lc_universe *[1]){both[i]});
}

// An allocation that fails ends a trial or leads back to tiles; nothing is lost either way.
static void test_no_memory(void **state)
{
    (void)state;
    lc_universe *const both[2] = {plane("sparse", 0), plane("sparse", 0)};
    lc_engine_trial l = {0};
    int kept = 0, changes = 0;
    for (uint64_t n = 1; n < 60; n++) {
        lc_one_block *s = inside(both[0]);
        const bool was_on = lc_is_hashlife(s);
        uint64_t done = 0;
        draw(both, (int64_t)n * 10, 0, n);
        l.policy.trial_ns = 1;
        if (was_on)
            l.policy.trial_ns = l.policy.busy_ns = long_ns;
        lc_fail_allocation(n % 30 + 1);
        const lc_status status =
            was_on ? lc_engine_trial_advance_hashlife(s, &l, n % 2 == 0 ? 200 : 1024, &done, NULL)
                   : lc_engine_trial_run(s, &l, 1, long_ns, 5000, &done, NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK || (was_on && status == LC_ERROR_MEMORY && done == 0));
        changes += lc_is_hashlife(s) != was_on;
        kept += lc_is_hashlife(s) == was_on;
        follow(both, done);
    }
    assert_true(changes > 0 && kept > 0);
    lc_engine_trial_drop(&l);
    for (int i = 0; i < 2; i++)
        lc_universe_destroy((lc_universe *[1]){both[i]});
}

// Of one that chooses by itself, in steps of all lengths and with edits between.
static void test_all_lengths(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 91);
    lc_universe *const both[2] = {plane("auto", 0), plane("sparse", 0)};
    for (int i = 0; i < 40; i++) {
        if (i % 5 == 0)
            draw(both, dice_below(&d, 400), dice_below(&d, 400), (uint64_t)i);
        const int log2 = (int)dice_below(&d, 15);
        const uint64_t generations = 1 + (uint64_t)dice_below(&d, INT64_C(1) << log2);
        for (int k = 0; k < 2; k++)
            test_step(both[k], generations);
        test_expect_same_facts(both[0], both[1]);
        assert_true(lc_universe_info_of(both[0]).engine_reason[0] != '\0');
    }
    assert_string_equal(lc_universe_info_of(both[1]).engine_reason, ""); // it was asked for
    for (int i = 0; i < 2; i++)
        lc_universe_destroy((lc_universe *[1]){both[i]});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_back_and_forth), cmocka_unit_test(test_beginning),
        cmocka_unit_test(test_stopped),        cmocka_unit_test(test_endless_way),
        cmocka_unit_test(test_no_memory),      cmocka_unit_test(test_all_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
