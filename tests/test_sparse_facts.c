// What the sparse engine keeps of population, box and hash from one look to the next: looks at the
// same moments of a cycle again and again, and what happens in between.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/sparse/sparse.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_pair.h"

static lc_sparse *inside(const pair *p)
{
    return (lc_sparse *)block_of(p->sparse)->engine;
}

static void look(const pair *p, const char *what, uint64_t number)
{
    const lc_facts mine = test_facts(p->sparse, LC_FACT_ALL);
    const lc_facts theirs = test_facts(p->dense, LC_FACT_ALL);
    const lc_box a = mine.box, b = theirs.box;
    if (lc_count_compare(mine.population, theirs.population) != 0 || mine.hash != theirs.hash ||
        a.empty != b.empty || a.x != b.x || a.y != b.y || a.width_cells != b.width_cells ||
        a.height_cells != b.height_cells)
        fail_msg("%s, %d, generation %d: population %g or %g, hash %llx or %llx, box %d x %d at "
                 "(%d, %d) or %d x %d at (%d, %d)",
                 what, (int)number, (int)test_generation(p->sparse),
                 lc_count_to_double(mine.population), lc_count_to_double(theirs.population),
                 (unsigned long long)mine.hash, (unsigned long long)theirs.hash, (int)a.width_cells,
                 (int)a.height_cells, (int)a.x, (int)a.y, (int)b.width_cells, (int)b.height_cells,
                 (int)b.x, (int)b.y);
}

// Statistics of what moves, settles and sleeps: always as many generations apart, and now and then
// not; with changes, and on all kinds of surfaces.
static void test_statistics(void **state)
{
    (void)state;
    static const lc_topology surfaces[] = {
        {.kind = LC_TOPOLOGY_PLANE},
        {LC_TOPOLOGY_TORUS, 330, 250, 0, 0, false, false},
        {LC_TOPOLOGY_PLANE, 200, 0, 0, 0, false, false},
        {LC_TOPOLOGY_KLEIN_BOTTLE, 165, 290, 0, 0, true, false},
        {LC_TOPOLOGY_PLANE, 300, 275, 0, 0, false, false},
    };
    static const uint64_t intervals[] = {1, 4, 10, 15, 16, 30, 32, 60, 100};
    dice d = dice_from(test_seed(), 61);
    int kept = 0;
    for (uint64_t i = 0; i < 60 / (uint64_t)test_slowness(); i++) {
        const lc_rule *rule = i % 4 == 3 ? rule_at((size_t)i, test_seed()) : LIFE;
        const uint64_t interval = intervals[dice_below(&d, sizeof intervals / sizeof *intervals)];
        pair p = pair_create(&(pair_options){
            .rule = rule,
            .topology =
                i % 4 == 3 ? surfaces[0] : surfaces[i % (sizeof surfaces / sizeof *surfaces)],
            .threads = 1 + (int)i % 3});
        pair_soup(&p, 20, 30, 40 + dice_below(&d, 100), 40 + dice_below(&d, 100), 0.35, i);
        pair_load(&p, pair_gun, 120, 150);
        for (int looks = 0; looks < 40; looks++) {
            pair_step(&p, i % 4 == 3 ? 1 + interval % 16 : interval);
            if (dice_below(&d, 6) > 0)
                look(&p, "statistics", i);
            kept += inside(&p)->facts_cache.phase_count > 0;
            if (dice_below(&d, 12) == 0)
                pair_edit(&p, &d, 50, 60, 90);
            if (dice_below(&d, 12) == 0)
                pair_step(&p, (uint64_t)dice_below(&d, 40));
        }
        pair_destroy(&p);
    }
    assert_true(kept > 100);
}

// B0 on a board: no tile is ever dead without a look.
static void test_all_kept(void **state)
{
    (void)state;
    const lc_rule *rule = rule_of("B01/S23");
    const lc_topology board = {LC_TOPOLOGY_TORUS, 100, 130, 0, 0, false, false};
    pair p = pair_create(&(pair_options){.rule = rule, .topology = board});
    pair_soup(&p, 0, 0, 100, 130, 0.4, 1);
    for (uint64_t looks = 0; looks < 40; looks++) {
        pair_step(&p, 6);
        look(&p, "B0", looks);
    }
    pair_destroy(&p);
}

static void add_gliders(const pair *p)
{
    for (int64_t k = 0; k < 8; k++)
        pair_load(p, "x = 3, y = 3\nbob$2bo$3o!\n", 200 + 20 * k, 17 * k);
}

// Where most sleeps few tiles change, and what is written at the beginning of a round shows within
// it.
static void test_gliders_over_a_field(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 62);
    for (uint64_t i = 0; i < 6; i++) {
        const lc_topology board = {LC_TOPOLOGY_TORUS, 700, 650, 0, 0, false, false};
        pair p = pair_create(&(pair_options){.topology = i % 3 == 2 ? board : (lc_topology){0},
                                             .threads = 1 + (int)i % 2});
        for (int64_t k = 0; k < 400; k++)
            pair_load(&p, k % 2 == 0 ? pair_blinker : pair_block, 30 * (k % 20), 30 * (k / 20));
        pair_step(&p, 300);
        add_gliders(&p);
        for (int looks = 0; looks < 120; looks++) {
            pair_step(&p, 5 + i);
            look(&p, "over a field", i);
        }
        const lc_sparse *s = inside(&p);
        for (int looks = 0; looks < 60; looks++) {
            pair_step(&p, (uint64_t)(lc_sparse_generations(s) - s->offset));
            if (looks % 2 != 0)
                pair_load(&p, pair_blinker, dice_below(&d, 600), dice_below(&d, 600));
            pair_step(&p, 5 + i);
            look(&p, "within rounds", i);
        }
        pair_destroy(&p);
    }
}

// Tiles are given back and become others: what was known of them must be forgotten.
static void test_tiles_change_hands(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 8; i++) {
        pair p = pair_create(&(pair_options){.threads = 1 + (int)i % 2});
        lc_sparse *s = inside(&p);
        pair_soup(&p, 0, 0, 100, 100, 0.4, i);
        add_gliders(&p);
        for (int looks = 0; looks < 50; looks++) {
            for (int rounds = 0; rounds < (looks % 4 == 3 ? 8 : 1); rounds++) {
                s->sweep_at = looks % 4 == 3 ? 0 : UINT64_MAX;
                pair_step(&p, 30);
            }
            look(&p, "given back", i);
            if (looks % 5 == 4)
                (void)lc_sparse_make_room(s);
            if (looks % 11 == 10) {
                pair_clear(&p, 150, -10, 500, 700);
                pair_soup(&p, -200 - 9 * looks, 300, 20, 20, 0.4, i + (uint64_t)looks);
            }
            look(&p, "given back, at once", i);
        }
        pair_destroy(&p);
    }
}

// While all sleeps a look finds what was kept, and computes nothing.
static void test_sleep_costs_nothing(void **state)
{
    (void)state;
    pair p = pair_create(&(pair_options){.threads = 1});
    lc_sparse *s = inside(&p);
    for (int64_t i = 0; i < 30; i++)
        pair_load(&p, i % 2 == 0 ? pair_pulsar : pair_pentadecathlon, 40 * i, 25 * (i % 7));
    for (int cycle = 0; cycle < 200 && s->changed.count + s->touched.count > 0; cycle++)
        pair_step(&p, 7);
    for (uint64_t i = 0; i < 100; i++) {
        pair_step(&p, 7);
        look(&p, "asleep", i);
    }
    assert_true(s->facts_cache.phase_count > 1);
    for (int i = 0; i < s->facts_cache.phase_count; i++) {
        lc_facts_phase *m = &s->facts_cache.phases[i];
        m->facts.hash ^= 1; // this is what it finds if it believes what it knows
    }
    for (int i = 0; i < 20; i++) {
        pair_step(&p, 7);
        assert_int_equal(test_hash(p.sparse), test_hash(p.dense) ^ 1);
    }
    pair_destroy(&p);
}

// Memory for it has an end, and so has the number of moments: facts are right all the same. When
// nobody looks any more it goes.
static void test_limits(void **state)
{
    (void)state;
    pair p = pair_create(&(pair_options){.threads = 1});
    lc_sparse *s = inside(&p);
    pair_soup(&p, 0, 0, 150, 150, 0.4, 1);
    assert_int_equal(lc_sparse_set_cycle(s, 92, NULL), LC_OK);
    lc_period_search_stop(s);
    s->period_search.wakes_at = UINT64_MAX;
    for (uint64_t i = 0; i < 3 * 92; i++) {
        pair_step(&p, 1);
        look(&p, "many moments", i);
    }
    assert_int_equal(s->facts_cache.phase_count, LC_FACTS_PHASES_MAX);
    const uint64_t rounds = s->round + LC_FACTS_IDLE_ROUNDS + 1;
    while (s->round <= rounds)
        test_step(p.sparse, 90);
    assert_int_equal(s->facts_cache.phase_count, 0);
    pair_destroy(&p);

    p = pair_create(&(pair_options){.threads = 1, .max_memory_bytes = 5 << 18});
    s = inside(&p);
    pair_soup(&p, 0, 0, 150, 150, 0.4, 1);
    for (uint64_t i = 0; i < 40; i++) {
        pair_step(&p, 10);
        look(&p, "little memory", i);
        assert_in_range(s->facts_cache.held_bytes, 0, (5 << 18) / LC_FACTS_MEMORY_DIVISOR);
        assert_in_range(lc_universe_info_of(p.sparse).memory_bytes, 1, 5 << 18);
    }
    pair_destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics),           cmocka_unit_test(test_all_kept),
        cmocka_unit_test(test_gliders_over_a_field), cmocka_unit_test(test_tiles_change_hands),
        cmocka_unit_test(test_sleep_costs_nothing),  cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
