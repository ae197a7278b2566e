// Passes that are watched: what a watch sees is the universe before the pass, giving a pass up
// leaves that, and what comes out in the end is what comes out unwatched.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

enum { PICTURE = 24 };

// What a universe looks like, in every way that there is.
typedef struct look {
    uint64_t generation, hash, population;
    lc_box box;
    uint32_t counts[2][PICTURE * PICTURE]; // of squares of 4, and of 64 cells a side
    uint64_t row[8];
} look;

static look look_at(const lc_universe *u)
{
    look l;
    memset(&l, 0, sizeof l); // the gaps too: it is compared as memory
    l.generation = test_generation(u);
    l.hash = test_hash(u);
    l.population = test_population(u);
    const lc_box box = test_box(u);
    l.box.empty = box.empty;
    l.box.x = box.x, l.box.y = box.y;
    l.box.width_cells = box.width_cells, l.box.height_cells = box.height_cells;
    lc_message message = {0};
    if (lc_universe_counts(u, -9, -3, 4, PICTURE, PICTURE, l.counts[0], &message) != LC_OK ||
        lc_universe_counts(u, -64, -70, 64, PICTURE, PICTURE, l.counts[1], &message) != LC_OK)
        fail_msg("%s", message.text);
    assert_int_equal(test_read_row(u, -5, 17, 500, l.row), LC_OK);
    return l;
}

typedef struct watcher {
    const lc_universe *universe;
    look before;
    bool check; // that each call sees `before`
    int calls;
    int give_up_at; // this call; 0: at none
} watcher;

static bool watch(void *context, const lc_universe *universe)
{
    watcher *w = context;
    assert_ptr_equal(universe, w->universe);
    w->calls++;
    if (w->check) {
        const look now = look_at(universe);
        assert_memory_equal(&now, &w->before, sizeof now);
    }
    return w->calls == w->give_up_at;
}

static bool note_generation(void *context, const lc_universe *universe, lc_count done,
                            lc_count total)
{
    (void)done;
    (void)total;
    watcher *w = context;
    w->before = look_at(universe);
    return false;
}

// Each pass is given up at some point, then made; with every level, on every surface.
static void test_giving_up(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 100}, {100, 1}, {200, 200}, {700, 333}, {5000, 64}};
    dice d = dice_from(test_seed(), 1);
    lc_cpu_level_info level;
    for (size_t l = 0; lc_cpu_level_at(l, &level); l++) {
        for (surface kind = 0; kind < SURFACE_COUNT && level.available; kind++) {
            const size_t i = (size_t)dice_below(&d, sizeof sizes / sizeof *sizes);
            lc_topology t;
            const int64_t w = sizes[i][0], h = kind == SURFACE_SPHERE ? w : sizes[i][1];
            if (!topology_of(kind, w, h, &d, &t) || (test_share() > 1 && (l + kind) % 4 != 0))
                continue;
            lc_universe *plain = test_create_soup(&t, LIFE, level.name, 1);
            lc_universe *watched =
                test_create_soup(&t, LIFE, level.name, 1 + (int)dice_below(&d, 4));
            int calls = 0;
            for (int round = 0; round < 6; round++) {
                const uint64_t generations = (uint64_t)(1 + dice_below(&d, 140));
                watcher w_ = {.universe = watched, .before = look_at(watched), .check = true};
                w_.give_up_at = 1 + (int)dice_below(&d, 4);
                lc_universe_set_watch(watched, watch, &w_, 0);
                lc_message message = {0};
                lc_status status = lc_universe_step(watched, lc_count_of(generations),
                                                    note_generation, &w_, &message);
                calls += w_.calls;
                if (status == LC_ERROR_STOPPED) {
                    assert_int_equal(w_.calls, w_.give_up_at);
                    const look now = look_at(watched);
                    assert_memory_equal(&now, &w_.before, sizeof now);
                    assert_non_null(strstr(message.text, "stopped at generation"));
                } else {
                    assert_int_equal(status, LC_OK);
                }
                // The rest of it, watched or not.
                w_.give_up_at = 0;
                if (round % 2)
                    lc_universe_set_watch(watched, NULL, NULL, 0);
                test_step(plain, generations);
                assert_int_equal(
                    lc_universe_step(watched,
                                     lc_count_of(test_generation(plain) - test_generation(watched)),
                                     note_generation, &w_, &message),
                    LC_OK);
                const look expected = look_at(plain), made = look_at(watched);
                assert_memory_equal(&made, &expected, sizeof made);
            }
            assert_true(calls > 6 || w * h < 2000);
            lc_universe_destroy(&plain);
            lc_universe_destroy(&watched);
        }
    }
}

// Blocks that are made anew as life spreads, and rules that take turns.
static void test_growing_universes(void **state)
{
    (void)state;
    const lc_topology shapes[] = {infinite_plane, {.kind = LC_TOPOLOGY_TORUS, .height_cells = 60}};
    for (size_t i = 0; i < 2; i++) {
        lc_universe *plain = test_create_soup(&shapes[i], LIFE, "auto", 2);
        lc_universe *watched = test_create_soup(&shapes[i], LIFE, "auto", 2);
        watcher w = {.universe = watched};
        lc_universe_set_watch(watched, watch, &w, 0);
        const lc_engine *block = block_of(watched)->engine;
        int changes = 0;
        for (int round = 0; round < 40; round++) {
            const int before = w.calls;
            w.give_up_at = w.calls + 1 + round % 3;
            lc_status status = lc_universe_step(watched, lc_count_of(50), NULL, NULL, NULL);
            assert_true(status == LC_OK || status == LC_ERROR_STOPPED);
            assert_true(w.calls > before);
            test_step(plain, test_generation(watched) - test_generation(plain));
            assert_int_equal(test_hash(watched), test_hash(plain));
            w.give_up_at = 0;
            test_step(watched, 60);
            test_step(plain, 60);
            assert_int_equal(test_hash(watched), test_hash(plain));
            changes += block != block_of(watched)->engine;
            block = block_of(watched)->engine;
        }
        assert_true(changes > 0);
        lc_universe_destroy(&plain);
        lc_universe_destroy(&watched);
    }
}

enum { KNOWN = 400 }; // generations
static const char r_pentomino[] = "b2o$2o$bo!";

typedef struct history {
    uint64_t populations[KNOWN + 1];
    int calls, stop_at; // 0: at none
} history;

static bool sees_the_generation(void *context, const lc_universe *universe)
{
    history *h = context;
    const uint64_t generation = test_generation(universe);
    assert_true(generation <= KNOWN);
    assert_int_equal(test_population(universe), h->populations[generation]);
    return ++h->calls == h->stop_at;
}

static void watch_generations(history *h, const char *engine)
{
    static const uint64_t steps[] = {15, 100, 255, KNOWN};
    const size_t lengths = test_slowness() > 1 ? 2 : sizeof steps / sizeof *steps;
    for (size_t i = 0; i < 4 * lengths; i++) {
        lc_universe *u = NULL;
        if (test_try_create(&u, engine, infinite_plane, 0, NULL) != LC_OK)
            return; // it knows no plane
        assert_int_equal(test_load(u, r_pentomino, 0, 0, NULL), LC_OK);
        h->calls = 0;
        h->stop_at = (int)(i % 4) * 3;
        lc_universe_set_watch(u, sees_the_generation, h, 0);
        const lc_status status = lc_universe_step(u, lc_count_of(steps[i / 4]), NULL, NULL, NULL);
        const bool is_stopped = h->stop_at > 0 && h->calls >= h->stop_at;
        assert_int_equal(status, is_stopped ? LC_ERROR_STOPPED : LC_OK);
        assert_true(is_stopped || test_generation(u) == steps[i / 4]);
        assert_int_equal(test_population(u), h->populations[test_generation(u)]);
        lc_universe_destroy(&u);
    }
}

// An engine may make several leaps in a pass. A watch never sees a leap that the universe's
// generation does not count yet, and it can stop each of them.
static void test_generation_of_the_cells(void **state)
{
    (void)state;
    history h = {0};
    lc_universe *known = test_create("scalar", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(known, r_pentomino, 0, 0, NULL), LC_OK);
    for (int i = 0; i <= KNOWN; i++) {
        h.populations[i] = test_population(known);
        test_step(known, 1);
    }
    lc_universe_destroy(&known);
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        watch_generations(&h, info.name);
    }
    watch_generations(&h, "hashlife");
    watch_generations(&h, "hashlife:streams=7");
}

enum { AGES = 300 }; // pixels a side, so many that ages are worked out by all threads

typedef struct old {
    lc_ages *ages;
    int calls;
} old;

static bool looks_with_threads(void *context, const lc_universe *universe)
{
    static uint8_t codes[AGES * AGES];
    old *o = context;
    assert_int_equal(
        lc_ages_picture(o->ages, universe, -AGES / 2, -AGES / 2, 0, AGES, AGES, codes, NULL, NULL),
        LC_OK);
    lc_facts facts;
    assert_int_equal(lc_universe_facts(universe, LC_FACT_ALL, &facts, NULL), LC_OK);
    return ++o->calls == 20;
}

// A watch may be called while the engine's threads are at work, and what it looks at is looked at
// by the same threads.
static void test_looks_with_threads(void **state)
{
    (void)state;
    static const char *const engines[] = {"hashlife:part=1", "hashlife", "sparse", "simd"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        const lc_universe_options options = {
            .struct_bytes = sizeof options, .rule = LIFE, .engine = engines[i], .threads = 4};
        lc_universe *u = NULL;
        old o = {0};
        assert_int_equal(lc_universe_create(&u, &options, NULL), LC_OK);
        assert_int_equal(lc_universe_soup(u, -200, -200, 400, 400, 0.4, 7, NULL), LC_OK);
        assert_int_equal(lc_ages_create(&o.ages, NULL), LC_OK);
        lc_universe_set_watch(u, looks_with_threads, &o, 0);
        const lc_status status = lc_universe_step(u, lc_count_of(2000), NULL, NULL, NULL);
        assert_int_equal(status, o.calls < 20 ? LC_OK : LC_ERROR_STOPPED);
        lc_ages_destroy(&o.ages);
        lc_universe_destroy(&u);
    }
}

static int refused;

// Everything that would change what is being stepped, with a universe that promises not to be.
static bool tries_to_change(void *context, const lc_universe *universe)
{
    lc_universe *u = context;
    assert_ptr_equal(u, universe);
    uint64_t word = 1;
    const lc_cells cell = lc_row_cells(0, 0, 1, &word);
    lc_pattern *pattern;
    assert_int_equal(lc_pattern_open_memory(&pattern, "3o!", 3, NULL), LC_OK);
    lc_message message = {0};
    const lc_status all[] = {lc_universe_step(u, lc_count_of(1), NULL, NULL, &message),
                             lc_universe_write(u, &cell, &message),
                             lc_universe_set(u, 7, 7, true, &message),
                             lc_universe_soup(u, 0, 0, 50, 50, 0.5, 1, &message),
                             lc_universe_reserve(u, 0, 0, 90, 90, &message),
                             lc_universe_load(u, pattern, 0, 0, &message)};
    lc_pattern_close(&pattern);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == LC_ERROR_ARGUMENT && strstr(message.text, "being stepped") != NULL)
            refused++;
    return true;
}

static bool tries_in_between(void *context, const lc_universe *universe, lc_count done,
                             lc_count total)
{
    (void)done;
    (void)total;
    return tries_to_change(context, universe);
}

// What a watch or a callback of progress tries to change is refused, and the step goes on as if
// nobody had tried; afterwards all of it is allowed again.
static void test_changes_are_refused(void **state)
{
    (void)state;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        lc_universe *u = test_create(info.name, LIFE, infinite_plane, 0);
        test_set(u, 7, 7);
        test_set(u, 8, 7);
        test_set(u, 9, 7);
        for (int in_a_pass = 0; in_a_pass < 2; in_a_pass++) {
            refused = 0;
            lc_universe_set_watch(u, in_a_pass ? tries_to_change : NULL, u, 0);
            const lc_status status =
                lc_universe_step(u, lc_count_of(300), in_a_pass ? NULL : tries_in_between, u, NULL);
            assert_true(status == LC_ERROR_STOPPED || (status == LC_OK && in_a_pass));
            assert_int_equal(refused, status == LC_ERROR_STOPPED ? 6 : 0);
            assert_int_equal(test_population(u), 3);
        }
        lc_universe_set_watch(u, NULL, NULL, 0);
        test_step(u, 2);
        assert_int_equal(lc_universe_set(u, 70, 70, true, NULL), LC_OK);
        lc_universe_destroy(&u);
    }
}

// A pass that takes some milliseconds is seen; one that is shorter than the interval is not.
static void test_interval(void **state)
{
    (void)state;
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 8192};
    lc_universe *universe = test_create_soup(&t, LIFE, "auto", 2);
    watcher w = {.universe = universe};
    lc_universe_set_watch(universe, watch, &w, 500 * 1000);
    test_step(universe, 128);
    assert_true(w.calls > 0);
    w.calls = 0;
    lc_universe_set_watch(universe, watch, &w, UINT64_MAX);
    test_step(universe, 128);
    lc_universe_set_watch(universe, watch, &w, (uint64_t)3600 * 1000000000);
    test_step(universe, 128);
    assert_int_equal(w.calls, 0);
    lc_universe_destroy(&universe);
}

// The audit of a pass that is given up says nothing, and the next one is right again.
static void test_audits(void **state)
{
    (void)state;
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 400},
        .engine = "simd",
        .threads = 2,
        .audit_generations = 1};
    lc_universe *universe;
    assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
    assert_int_equal(lc_universe_soup(universe, 0, 0, 300, 400, 0.4, 7, NULL), LC_OK);
    watcher w = {.universe = universe};
    lc_universe_set_watch(universe, watch, &w, 0);
    for (int round = 0; round < 30; round++) {
        w.give_up_at = w.calls + 1 + round % 4;
        const lc_status status = lc_universe_step(universe, lc_count_of(64), NULL, NULL, NULL);
        assert_true(status == LC_OK || status == LC_ERROR_STOPPED);
        assert_int_equal(lc_universe_failure(universe, NULL), LC_OK);
        w.give_up_at = 0;
        const uint64_t audits = universe->audits;
        test_step(universe, 5);
        assert_true(universe->audits > audits);
    }
    assert_true(w.calls > 30);
    lc_universe_destroy(&universe);
}

// On a board in several blocks the interval is the board's: it ends between blocks too, of engines
// that do not look themselves.
static void test_blocks(void **state)
{
    (void)state;
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 90, .height_cells = 70},
        .engine = "scalar:blocks=5",
        .every_generation = true,
        .context = test_context()};
    lc_universe *universe = NULL;
    assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
    assert_int_equal(lc_universe_soup(universe, 0, 0, 90, 70, 0.4, 1, NULL), LC_OK);
    watcher w = {.universe = universe, .before = look_at(universe), .check = true};
    lc_universe_set_watch(universe, watch, &w, 0);
    for (w.give_up_at = 1; w.give_up_at <= 4; w.give_up_at++) {
        w.calls = 0;
        assert_int_equal(lc_universe_step(universe, lc_count_of(1), NULL, NULL, NULL),
                         LC_ERROR_STOPPED);
        const look now = look_at(universe);
        assert_memory_equal(&now, &w.before, sizeof now);
    }
    w.calls = 0;
    assert_int_equal(lc_universe_step(universe, lc_count_of(1), NULL, NULL, NULL), LC_OK);
    assert_int_equal(w.calls, 4);
    assert_int_equal(test_generation(universe), 1);
    w = (watcher){.universe = universe};
    lc_universe_set_watch(universe, watch, &w, UINT64_MAX);
    test_step(universe, 3);
    assert_int_equal(w.calls, 0);
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_giving_up),          cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_growing_universes),  cmocka_unit_test(test_generation_of_the_cells),
        cmocka_unit_test(test_interval),           cmocka_unit_test(test_audits),
        cmocka_unit_test(test_looks_with_threads), cmocka_unit_test(test_changes_are_refused),
    };
    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
