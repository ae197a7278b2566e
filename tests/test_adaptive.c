// Boards that change their engine in mid-run: all cells go with them, and nobody can tell but by
// the engine's name.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

static const char pulsar[] = "x = 13, y = 13\n2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$"
                             "2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!\n";

static lc_universe *create(const char *engine, lc_topology topology, uint64_t max_memory_bytes)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = topology,
                                         .engine = engine,
                                         .threads = 2,
                                         .max_memory_bytes = max_memory_bytes,
                                         .every_generation = true};
    lc_universe *u = NULL;
    assert_int_equal(lc_universe_create(&u, &options, NULL), LC_OK);
    return u;
}

static bool is_sparse(const lc_universe *u)
{
    return strcmp(lc_universe_info_of(u).engine, "sparse") == 0;
}

// Back and forth on every surface, at any generation, with edits between.
static void test_engine_changes(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 61);
    for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
        lc_topology t;
        const int64_t w = 1025 + dice_below(&d, 30), h = 1024 + dice_below(&d, 30);
        if (!topology_of(kind, w, h, &d, &t) && !topology_of(kind, w + 1, w + 1, &d, &t) &&
            !topology_of(kind, w, w, &d, &t))
            fail_msg("no surface %d", (int)kind);
        lc_universe *both[] = {create("auto", t, 0), create("simd", t, 0)};
        assert_false(is_sparse(both[0]));
        for (int i = 0; i < 2; i++) {
            assert_int_equal(lc_universe_soup(both[i], 0, 0, t.width_cells, 100, 0.4, 1, NULL),
                             LC_OK);
            assert_int_equal(lc_universe_soup(both[i], 1000, 0, 24, t.height_cells, 0.4, 2, NULL),
                             LC_OK);
        }
        for (int turns = 0; turns < 5; turns++) {
            const uint64_t generations = 1 + (uint64_t)dice_below(&d, 70);
            const int64_t x = dice_below(&d, t.width_cells), y = dice_below(&d, t.height_cells);
            const bool was_sparse = is_sparse(both[0]);
            assert_int_equal(lc_adaptive_change(both[0]->cover, NULL), LC_OK);
            assert_int_equal(is_sparse(both[0]), !was_sparse);
            for (int i = 0; i < 2; i++) {
                test_step(both[i], generations);
                assert_int_equal(lc_universe_set(both[i], x, y, turns % 2, NULL), LC_OK);
            }
            assert_int_equal(test_population(both[0]), test_population(both[1]));
            assert_int_equal(test_hash(both[0]), test_hash(both[1]));
        }
        for (int i = 0; i < 2; i++)
            lc_universe_destroy(&both[i]);
    }
}

static const lc_topology board = {LC_TOPOLOGY_TORUS, 3000, 2500, 0, 0, false, false};

// Where nearly all sleeps it becomes sparse, and dense again under a soup.
static void test_noticing(void **state)
{
    (void)state;
    lc_universe *u = create("auto", board, 0), *dense = create("simd", board, 0);
    lc_universe *const both[] = {u, dense};
    for (int i = 0; i < 2; i++)
        assert_int_equal(test_load(both[i], pulsar, 2000, 2480, NULL), LC_OK);
    uint64_t made = 0;
    for (; made < 400000 && !is_sparse(u); made += 1000)
        test_step(u, 1000);
    assert_true(is_sparse(u));
    assert_true(lc_universe_info_of(u).memory_bytes < lc_universe_info_of(dense).memory_bytes);
    test_step(dense, made % 3);
    assert_int_equal(test_hash(u), test_hash(dense));
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_soup(both[i], 0, 0, 3000, 2500, 0.5, 7, NULL), LC_OK);
    for (int i = 0; i < 3; i++) // it may be dense again, or not
        for (int k = 0; k < 2; k++)
            test_step(both[k], 400);
    assert_int_equal(test_hash(u), test_hash(dense));
    assert_int_equal(test_population(u), test_population(dense));
    lc_universe_destroy(&u);
    lc_universe_destroy(&dense);
}

// What a sparse board may hold is what a dense one leaves; if that is too little, it turns back.
static void test_memory(void **state)
{
    (void)state;
    lc_universe *dense = create("simd", board, 0);
    const uint64_t limit = lc_universe_info_of(dense).memory_bytes + (3 << 19);
    lc_universe *u = create("auto", board, limit);
    assert_int_equal(test_load(u, pulsar, 100, 100, NULL), LC_OK);
    assert_int_equal(lc_adaptive_change(u->cover, NULL), LC_OK);
    assert_true(is_sparse(u));
    test_step(u, 100);
    assert_true(lc_universe_info_of(u).memory_bytes <= limit);
    assert_int_equal(test_load(dense, pulsar, 100, 100, NULL), LC_OK);
    test_step(dense, 100);
    // More tiles than there is memory for: some that spread, then all at once.
    lc_universe *const both[] = {u, dense};
    for (int i = 0; i < 2; i++)
        for (int64_t x = 0; x < 2900; x += 80)
            for (int64_t y = 0; y < 2400; y += 80)
                assert_int_equal(lc_universe_soup(both[i], x, y, 15, 15, 0.4, 7, NULL), LC_OK);
    for (int steps = 0; steps < 90 && is_sparse(u); steps++) {
        test_step(u, 10);
        test_step(dense, 10);
    }
    assert_false(is_sparse(u));
    assert_int_equal(test_hash(u), test_hash(dense));
    test_step(u, 1);
    test_step(dense, 1);
    const lc_cells nothing = {.width_cells = 3000,
                              .height_cells = 2500,
                              .planes = 1,
                              .words = calloc(47 * 2500, sizeof(uint64_t)),
                              .pitch_words = 47};
    assert_non_null(nothing.words);
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_write(both[i], &nothing, NULL), LC_OK);
    free(nothing.words);
    assert_int_equal(lc_adaptive_change(u->cover, NULL), LC_OK);
    assert_true(is_sparse(u));
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_soup(both[i], 0, 0, 3000, 2500, 0.5, 7, NULL), LC_OK);
    assert_false(is_sparse(u));
    assert_int_equal(test_hash(u), test_hash(dense));
    assert_true(lc_universe_info_of(u).memory_bytes <= limit);
    // And there is none at all to become sparse.
    const uint64_t hash = test_hash(u);
    lc_message message = {0};
    assert_int_equal(lc_adaptive_change(u->cover, &message), LC_ERROR_LIMIT);
    assert_false(is_sparse(u));
    assert_int_equal(test_hash(u), hash);
    lc_universe_destroy(&u);
    lc_universe_destroy(&dense);
}

// An allocation that fails leaves it as it was.
static void test_no_memory(void **state)
{
    (void)state;
    lc_universe *u = create("auto", board, 0);
    assert_int_equal(lc_universe_soup(u, 500, 500, 300, 300, 0.5, 7, NULL), LC_OK);
    const uint64_t hash = test_hash(u);
    int failed = 0;
    for (uint64_t n = 1; n < 200; n++) {
        const bool was_sparse = is_sparse(u);
        lc_fail_allocation(n);
        const lc_status status = lc_adaptive_change(u->cover, NULL);
        lc_fail_allocation(0);
        assert_int_equal(is_sparse(u), status == LC_OK ? !was_sparse : was_sparse);
        assert_int_equal(test_hash(u), hash);
        failed += status != LC_OK;
    }
    assert_true(failed > 5);
    lc_universe_destroy(&u);
}

// A board that no dense engine has room for gets one that keeps what lives; a rule under which
// nothing stays empty, and a soup that has no room there either, are refused at once.
static void test_too_large(void **state)
{
    (void)state;
    static const struct {
        int64_t width_cells, height_cells;
        const char *engine;
    } boards[] = {
        {INT64_C(1) << 40, INT64_C(1) << 40, "hashlife"},
        {INT64_C(1) << 14, INT64_C(1) << 13, "hashlife"}, // 16 MiB, and there are 8
        {100000, 3000000000, "sparse"},
        {INT64_C(1) << 30, INT64_C(1) << 60, "sparse"}, // hashlife does not step such a torus
    };
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        const int64_t w = boards[i].width_cells, h = boards[i].height_cells;
        const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = w, .height_cells = h};
        lc_universe *u = create("auto", torus, 8 << 20);
        assert_string_equal(lc_universe_info_of(u).engine, boards[i].engine);
        assert_true(lc_universe_info_of(u).engine_reason[0] != '\0');
        // Over the corner: a glider that goes down and to the right by a cell in 4 generations.
        assert_int_equal(test_load(u, "x = 3, y = 3\nbob$2bo$3o!\n", w - 4, h - 4, NULL), LC_OK);
        test_step(u, 40);
        uint64_t row = 0;
        const lc_cells middle = {.x = 7,
                                 .y = 6,
                                 .width_cells = 1,
                                 .height_cells = 1,
                                 .planes = 1,
                                 .words = &row,
                                 .pitch_words = 1};
        assert_int_equal(lc_universe_read(u, &middle, NULL), LC_OK);
        assert_int_equal(row, 1);
        assert_int_equal(test_population(u), 5);
        lc_message message = {0};
        assert_int_equal(
            lc_universe_soup(u, 0, 0, lc_least(w, 1 << 15), lc_least(h, 1 << 15), 0.5, 1, &message),
            LC_ERROR_LIMIT);
        lc_universe_destroy(&u);
    }
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .context = test_context(),
                                   .rule = rule_of("B03/S23"),
                                   .topology = {.kind = LC_TOPOLOGY_TORUS,
                                                .width_cells = boards[0].width_cells,
                                                .height_cells = boards[0].height_cells}};
    lc_universe_needs needs;
    lc_universe *u = NULL;
    assert_int_equal(lc_universe_check(&options, &needs, NULL), LC_ERROR_LIMIT);
    assert_int_equal(lc_universe_create(&u, &options, NULL), LC_ERROR_LIMIT);
    options.rule = LIFE;
    assert_int_equal(lc_universe_check(&options, &needs, NULL), LC_OK);
    assert_string_equal(needs.engine, "hashlife");
}

// A large soup that is a plane's first cells is never put into tiles.
static void test_first_soup(void **state)
{
    (void)state;
    const lc_topology plane = {.kind = LC_TOPOLOGY_PLANE};
    const struct {
        double density;
        bool is_dense;
    } cases[] = {{0.5, true}, {0.03, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lc_universe *both[] = {create("auto", plane, 0), create("simd", plane, 0)};
        for (int k = 0; k < 2; k++)
            assert_int_equal(
                lc_universe_soup(both[k], -700, 30, 1500, 1400, cases[i].density, 5, NULL), LC_OK);
        assert_int_equal(is_sparse(both[0]), !cases[i].is_dense);
        for (int steps = 0; steps < 3; steps++) {
            assert_int_equal(test_hash(both[0]), test_hash(both[1]));
            test_step(both[0], 11);
            test_step(both[1], 11);
        }
        lc_universe_destroy(&both[0]);
        lc_universe_destroy(&both[1]);
    }
    // Not the first cells.
    lc_universe *u = create("auto", plane, 0);
    test_set(u, 5, 5);
    assert_int_equal(lc_universe_soup(u, 0, 0, 1500, 1400, 0.5, 5, NULL), LC_OK);
    assert_true(is_sparse(u));
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_changes), cmocka_unit_test(test_noticing),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_too_large),      cmocka_unit_test(test_first_soup),
    };
    return cmocka_run_group_tests_name("adaptive", tests, NULL, NULL);
}
