// The sparse engine on boards and tubes: what lies beyond their edges is seen through the surface.
// Against the simd engine, after any edits, steps and cycles; test_engines.c has it against the
// oracle, on boards of all sizes.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/sparse/sparse.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_pair.h"

static lc_sparse *inside(const lc_universe *universe)
{
    return (lc_sparse *)block_of(universe)->engine;
}

static int64_t some_of(dice *d, int64_t side)
{
    return side == 0 ? dice_below(d, 200) - 100 : dice_below(d, side);
}

// Cells or a soup, as far as the board reaches.
static void edit(const pair *p, const lc_topology *t, dice *d)
{
    const int64_t x = some_of(d, t->width_cells), y = some_of(d, t->height_cells);
    const int64_t most_x = t->width_cells == 0 ? 60 : t->width_cells - x;
    const int64_t most_y = t->height_cells == 0 ? 60 : t->height_cells - y;
    const int64_t width = 1 + dice_below(d, most_x), height = 1 + dice_below(d, most_y);
    switch (dice_below(d, 3)) {
    case 0:
        pair_soup(p, x, y, width, height, 0.1 * (double)(1 + dice_below(d, 9)), dice_word(d));
        break;
    case 1:
        pair_clear(p, x, y, width, height);
        break;
    default:
        pair_set(p, x, y, dice_below(d, 2) != 0);
    }
}

// Any surface, with sides from less than a window to several tiles, or a side that has no end.
static lc_topology some_surface(dice *d, int i)
{
    lc_topology t;
    while (!topology_of((surface)(i % SURFACE_COUNT), 1 + dice_below(d, 260),
                        1 + dice_below(d, 260), d, &t)) {
        const int64_t side = 1 + dice_below(d, 200);
        if (i % SURFACE_COUNT == SURFACE_SPHERE && topology_of(SURFACE_SPHERE, side, side, d, &t))
            break;
    }
    const bool may_be_tube = (t.kind == LC_TOPOLOGY_PLANE || t.kind == LC_TOPOLOGY_TORUS) &&
                             t.shift_x_cells == 0 && t.shift_y_cells == 0;
    if (may_be_tube && dice_below(d, 2) == 0)
        *(dice_below(d, 2) == 0 ? &t.width_cells : &t.height_cells) = 0;
    return t;
}

static void test_edits_and_steps(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 51);
    for (int i = 0; i < 8 * SURFACE_COUNT / test_slowness(); i++) {
        static const int cycles[] = {2, 6, 30, 32, 46, 60, 96, 160};
        const pair_options options = {.topology = some_surface(&d, i),
                                      .rule = i % 3 == 0 ? rule_at((size_t)i, test_seed()) : LIFE,
                                      .threads = 1 + i % 3,
                                      .may_skip = i % 2 == 0};
        const bool is_bounded =
            options.topology.width_cells != 0 && options.topology.height_cells != 0;
        const bool has_b0 = is_bounded && lc_rule_next(options.rule, 0);
        pair p = pair_create(&options);
        for (int steps = 0; steps < 12; steps++) {
            edit(&p, &options.topology, &d);
            if (dice_below(&d, 4) == 0 && !has_b0)
                assert_int_equal(
                    lc_sparse_set_cycle(inside(p.sparse), cycles[dice_below(&d, 8)], NULL), LC_OK);
            pair_step(&p, pair_some_generations(&d, is_bounded ? 300 : 60));
            if (dice_below(&d, 2) == 0)
                pair_compare(&p, &d, "surface", (uint64_t)i);
        }
        pair_compare(&p, &d, "surface", (uint64_t)i);
        pair_destroy(&p);
    }
}

// What sleeps on both sides of a seam, and gliders that come through it.
static void test_sleep_at_seams(void **state)
{
    (void)state;
    static const char *const objects[] = {pair_block, pair_blinker, pair_pulsar,
                                          pair_pentadecathlon};
    dice d = dice_from(test_seed(), 52);
    for (int i = 0; i < 5 * SURFACE_COUNT / test_slowness(); i++) {
        pair_options options = {.threads = 1 + i % 2};
        const int64_t side = 100 + dice_below(&d, 100);
        if (!topology_of((surface)(i % SURFACE_COUNT), side, side, &d, &options.topology) &&
            !topology_of((surface)(i % SURFACE_COUNT), side + 1, side + 1, &d, &options.topology))
            continue;
        pair p = pair_create(&options);
        for (int n = 0; n < 6; n++) // along the edges
            pair_load(&p, objects[dice_below(&d, 4)],
                      n % 2 == 0 ? 0 : side - 13 - dice_below(&d, 9), n * (side - 13) / 6);
        for (int n = 0; n < 4; n++) {
            pair_step(&p, 500 + (uint64_t)dice_below(&d, 500));
            pair_compare(&p, &d, "asleep, surface", (uint64_t)(i % SURFACE_COUNT));
            pair_load(&p, glider_rle, dice_below(&d, side - 3), side - 3 - dice_below(&d, 40));
            for (int steps = 0; steps < 3; steps++) {
                pair_step(&p, pair_some_generations(&d, 200));
                pair_compare(&p, &d, "woken, surface", (uint64_t)(i % SURFACE_COUNT));
            }
        }
        pair_destroy(&p);
    }
}

// Round boards that no memory could hold as a whole: a glider comes back to where it began.
static void test_round_trips(void **state)
{
    (void)state;
    static const struct {
        lc_topology topology;
        uint64_t generations;
        int64_t x, y;
    } trips[] = {
        {{LC_TOPOLOGY_TORUS, 10007, 10007, 0, 0, false, false}, 4 * 10007, 5000, 9990},
        // Once round a tube, a hundred rows further down.
        {{LC_TOPOLOGY_TORUS, 100, 0, 0, 0, false, false}, 4 * 100, 99, -7},
        // From the last row, through the seam, to the other side of the world.
        {{LC_TOPOLOGY_TORUS, INT64_C(1) << 60, 1000, 0, 0, false, false}, 4 * 1000, 0, 990},
    };
    for (size_t i = 0; i < sizeof trips / sizeof *trips; i++) {
        lc_universe *u = test_create("sparse", LIFE, trips[i].topology, 0);
        const int64_t width = trips[i].topology.width_cells;
        const int64_t height = trips[i].topology.height_cells;
        static const int cells[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
        for (size_t k = 0; k < 5; k++) {
            const int64_t x = trips[i].x + cells[k][0], y = trips[i].y + cells[k][1];
            test_set(u, width == 0 ? x : x % width, height == 0 ? y : y % height);
        }
        test_step(u, trips[i].generations);
        const int64_t moved = (int64_t)trips[i].generations / 4;
        for (size_t k = 0; k < 5; k++) {
            int64_t x = trips[i].x + cells[k][0] + moved, y = trips[i].y + cells[k][1] + moved;
            x = width == 0 ? x : x % width;
            y = height == 0 ? y : y % height;
            uint64_t word;
            assert_int_equal(test_read_row(u, x, y, 1, &word), LC_OK);
            assert_int_equal(word & 1, 1);
        }
        assert_int_equal(test_population(u), 5);
        lc_universe_destroy(&u);
    }
}

// With B0 all of a board is kept: that takes memory, or is refused.
static void test_life_from_nothing(void **state)
{
    (void)state;
    const lc_rule *rule = rule_of("B0/S012345678");
    const lc_topology torus = {LC_TOPOLOGY_TORUS, 20000, 20000, 0, 0, false, false};
    lc_universe *u = test_create("sparse", rule, torus, 4 << 20);
    lc_message message = {0};
    test_set(u, 100, 100);
    assert_int_equal(lc_universe_step(u, lc_count_of(3), NULL, NULL, &message), LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "limit"));
    assert_int_equal(test_population(u), 1);
    assert_int_equal(test_generation(u), 0);
    lc_universe_destroy(&u);
    u = test_create("sparse", rule, (lc_topology){LC_TOPOLOGY_TORUS, 300, 200, 0, 0, false, false},
                    4 << 20);
    test_step(u, 1); // nothing lives, and everything will
    assert_int_equal(test_population(u), 300 * 200);
    test_step(u, UINT64_C(1) << 60);
    assert_int_equal(test_population(u), 300 * 200);
    lc_universe_destroy(&u);
}

// What is kept for looks from far away is what there is: after rounds, edits, and when all has been
// forgotten.
static void test_far_view(void **state)
{
    (void)state;
    enum { WIDE = 11, HIGH = 9 };
    dice d = dice_from(test_seed(), 53);
    for (int i = 0; i < 6; i++) {
        const lc_topology t = {LC_TOPOLOGY_TORUS, 650 + i, 500 + 7 * i, 0, 0, false, false};
        pair p = pair_create(&(pair_options){.topology = t, .threads = 1 + i % 3});
        lc_sparse *s = inside(p.sparse);
        pair_soup(&p, 50, 60, 500, 300, 0.4, (uint64_t)i);
        pair_step(&p, (uint64_t)dice_below(&d, 40));
        for (int steps = 0; steps < 12; steps++) {
            pair_step(&p, (uint64_t)(lc_sparse_generations(s) - s->offset));
            assert_int_equal(s->offset, 0);
            if (s->view_counts.counts[0] == NULL)
                assert_true(lc_view_counts_begin(&s->view_counts, &s->plane));
            for (int log2_side = LC_VIEW_COUNTS_LOG2; log2_side < 9; log2_side++) {
                uint32_t kept[WIDE * HIGH], counts[WIDE * HIGH];
                const int64_t x = dice_below(&d, 8) - 4, y = dice_below(&d, 8) - 4;
                lc_view_counts_sum(&s->view_counts, lc_sparse_layer(s), x, y, log2_side, WIDE, HIGH,
                                   kept);
                assert_int_equal(lc_universe_counts(p.dense, x * (1 << LC_VIEW_COUNTS_LOG2),
                                                    y * (1 << LC_VIEW_COUNTS_LOG2),
                                                    INT64_C(1) << log2_side, WIDE, HIGH, counts,
                                                    NULL),
                                 LC_OK);
                assert_memory_equal(kept, counts, sizeof kept);
            }
            if (steps % 3 == 0)
                edit(&p, &t, &d);
            if (steps % 5 == 4)
                pair_step(&p, (uint64_t)dice_below(&d, 100));
        }
        pair_destroy(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits_and_steps), cmocka_unit_test(test_sleep_at_seams),
        cmocka_unit_test(test_round_trips),     cmocka_unit_test(test_life_from_nothing),
        cmocka_unit_test(test_far_view),
    };
    return cmocka_run_group_tests_name("sparse_surfaces", tests, NULL, NULL);
}
