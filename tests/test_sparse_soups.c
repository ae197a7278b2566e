// The sparse engine against a dense one on the infinite plane: soups of many rules, at all places,
// stepped by any number of generations, and changed in between. Whatever can be seen is the same.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cover/cover.h"
#include "engine/sparse/sparse_thread_choice.h"
#include "support.h"
#include "support_facts.h"
#include "support_pair.h"

#define FAR (INT64_C(1) << 60)

// So many of them are run where a build is slow.
static int64_t share_of(int64_t cases)
{
    const int64_t some = cases / test_slowness() / test_share();
    return some > 1 ? some : 1;
}

static double some_density(dice *d)
{
    return 0.05 + 0.01 * (double)dice_below(d, 91);
}

// Wherever a soup lies: layers of tiles repeat after 32 cells, and one begins 16 after the other.
static void test_places(void **state)
{
    (void)state;
    static const int64_t origins[] = {0, -1, INT64_C(1) << 31, -(INT64_C(1) << 33), FAR, -FAR};
    dice d = dice_from(test_seed(), 31);
    const int64_t step = 64 / share_of(64);
    for (int64_t i = 0; i < 64; i += step) {
        const size_t origin = (size_t)dice_below(&d, sizeof origins / sizeof *origins);
        const int64_t x = origins[origin] + i;
        const int64_t y = origins[dice_below(&d, 6)] + 64 * dice_below(&d, 3) + (i * 37 + 5) % 64;
        pair p = pair_create(&(pair_options){.may_skip = i % 2 == 0});
        pair_soup(&p, x, y, 1 + dice_below(&d, 90), 1 + dice_below(&d, 90), some_density(&d),
                  (uint64_t)i);
        pair_compare(&p, &d, "place", (uint64_t)i);
        for (int steps = 0; steps < 8; steps++) {
            pair_step(&p, pair_some_generations(&d, 200));
            if (dice_below(&d, 3) != 0)
                pair_compare(&p, &d, "place", (uint64_t)i);
        }
        pair_compare(&p, &d, "place", (uint64_t)i);
        pair_destroy(&p);
    }
}

// Life, and others of which each kind of growth is one; most rules explode, and so have small soups
// and few generations.
static void step_rule(const lc_rule *rule, dice *d, int64_t side, uint64_t generations,
                      uint64_t number)
{
    pair p = pair_create(&(pair_options){.rule = rule, .may_skip = dice_below(d, 2) == 0});
    const int64_t x = dice_below(d, 128) - 64, y = dice_below(d, 128) - 64;
    pair_soup(&p, x, y, 1 + dice_below(d, side), 1 + dice_below(d, side), some_density(d), number);
    for (uint64_t done = 0; done < generations;) {
        const uint64_t some = pair_some_generations(d, generations - done);
        pair_step(&p, some);
        done += some;
        if (dice_below(d, 3) == 0)
            pair_edit(&p, d, x, y, side);
        if (dice_below(d, 4) == 0)
            pair_compare(&p, d, "rule", number);
    }
    pair_compare(&p, d, "rule", number);
    pair_destroy(&p);
}

static void test_named_rules(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        uint64_t generations;
    } rules[] = {
        {"B3/S23", 1500},       {"B36/S23", 1500}, // HighLife
        {"B2/S", 150},                             // Seeds
        {"B3678/S34678", 600},                     // Day & Night
        {"B1357/S1357", 150},                      // Replicator
        {"B34/S23", 150},                          // 34 Life
        {"B3/S012345678", 300},                    // Life without Death: nothing ever dies
        {"B/S012345678", 600},                     // nothing changes
        {"B/S", 100},                              // nothing lives
        {"B01/S23", 100},                          // a background that blinks
        {"B03/S238", 150},                         // one that stays alive
        {"B0/S", 100},          {"B012345678/S8", 100},
    };
    dice d = dice_from(test_seed(), 32);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (int64_t k = share_of(3); k > 0; k--)
            step_rule(rule_of(rules[i].rule), &d, 60, rules[i].generations, i);
}

static void test_random_rules(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 33);
    for (int64_t i = share_of(200); i > 0; i--) {
        const uint64_t word = dice_word(&d);
        const lc_rule *rule = rule_of_counts(word & 0x1ff, word >> 16 & 0x1ff);
        step_rule(rule, &d, 24, 64, word & 0x1ff01ff);
    }
}

// One thread or all, whichever is faster: it is found, kept, and left when it is no longer so.
static void test_crew(void **state)
{
    (void)state;
    lc_thread_choice thread_choice;
    lc_thread_choice_begin(&thread_choice);
    assert_false(thread_choice.alone);
    static const struct {
        uint64_t alone_ns, together_ns; // a tile
    } times[] = {{90, 170}, {180, 100}, {90, 170}};
    for (size_t i = 0; i < 3; i++) {
        int alone = 0, wrong_at_end = 0;
        for (int round = 0; round < 40000; round++) {
            const uint64_t tiles = 1000 + (uint64_t)(round % 7) * 500;
            alone += thread_choice.alone;
            wrong_at_end +=
                round >= 20000 && thread_choice.alone != (times[i].alone_ns < times[i].together_ns);
            lc_thread_choice_end_round(
                &thread_choice, tiles,
                tiles * (thread_choice.alone ? times[i].alone_ns : times[i].together_ns));
        }
        assert_in_range(times[i].alone_ns < times[i].together_ns ? 40000 - alone : alone, 0, 4000);
        assert_in_range(wrong_at_end, 1, 400); // trials go on, but are few
    }
}

// The same with any number of threads, on each level; enough tiles to be shared out.
static void test_threads_and_levels(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 5};
    static const char *const rules[] = {"B3/S23", "B36/S23"};
    lc_cpu_level_info level;
    dice d = dice_from(test_seed(), 34);
    for (size_t l = 0; lc_cpu_level_at(l, &level); l++) {
        for (size_t i = 0; i < 4 && level.available; i++) {
            if (test_slowness() > 1 && (l + i) % 2 != 0)
                continue;
            pair p = pair_create(&(pair_options){
                .rule = rule_of(rules[(l + i) % 2]), .level = level.name, .threads = threads[i]});
            pair_soup(&p, -333, 77, 900, 700, 0.35, i);
            for (int steps = 0; steps < 6; steps++) {
                pair_step(&p, pair_some_generations(&d, 60));
                pair_edit(&p, &d, 0, 400, 300);
                pair_compare(&p, &d, level.name, (uint64_t)threads[i]);
            }
            pair_destroy(&p);
        }
    }
}

// So many windows that code is made for the rule in the midst of it; the last ones take turns.
static void test_code(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "B36/S23",      // HighLife
        "B3678/S34678", // Day & Night
        "B023/S2",
    };
    dice d = dice_from(test_seed(), 37);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        pair p = pair_create(&(pair_options){
            .rule = rule_of(rules[i]),
            .topology =
                i == 1 && getenv("LC_TEST_ENGINE") == NULL // others step planes only
                    ? (lc_topology){LC_TOPOLOGY_PLANE, .width_cells = 700, .height_cells = 600}
                    : (lc_topology){0}});
        pair_soup(&p, 0, 0, 700, 600, 0.5, i);
        for (uint64_t done = 0; done < 400;) {
            const uint64_t some = 1 + (uint64_t)dice_below(&d, 200);
            pair_step(&p, some);
            done += some;
            pair_compare(&p, &d, "code", i);
        }
        pair_destroy(&p);
    }
}

// Takes away what has flown far, in both: the dense engine steps all that lies between.
static void clear_beyond(const pair *p, lc_area all)
{
    const int64_t far = 300;
    const lc_box box = test_box(p->dense);
    if (box.empty || (box.x > all.x0 - far && box.x + box.width_cells < all.x1 + far &&
                      box.y > all.y0 - far && box.y + box.height_cells < all.y1 + far))
        return;
    const int64_t end_x = box.x + box.width_cells, end_y = box.y + box.height_cells;
    if (box.y < all.y0)
        pair_clear(p, box.x, box.y, box.width_cells, all.y0 - box.y);
    if (end_y > all.y1)
        pair_clear(p, box.x, all.y1, box.width_cells, end_y - all.y1);
    if (box.x < all.x0)
        pair_clear(p, box.x, box.y, all.x0 - box.x, box.height_cells);
    if (end_x > all.x1)
        pair_clear(p, all.x1, box.y, end_x - all.x1, box.height_cells);
}

// A soup that settles is listened to, and its cycles become longer and shorter: see rhythm.c. The
// spaceships of the first fly on.
static void test_long_runs(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 35);
    for (int64_t i = share_of(3); i > 0; i--) {
        pair p = pair_create(&(pair_options){.may_skip = false});
        pair_soup(&p, 5, -900, 250, 250, 0.4, (uint64_t)i);
        for (uint64_t done = 0; done < 12000 / (uint64_t)test_slowness();) {
            const uint64_t some = 1 + (uint64_t)dice_below(&d, 700);
            pair_step(&p, some);
            done += some;
            if (dice_below(&d, 6) == 0)
                pair_edit(&p, &d, 130, -775, 250);
            if (dice_below(&d, 4) == 0)
                pair_compare(&p, &d, "long run", (uint64_t)i);
            if (i > 1 || test_share() > 1)
                clear_beyond(&p, (lc_area){-300, -1200, 555, -350});
        }
        pair_compare(&p, &d, "long run", (uint64_t)i);
        pair_destroy(&p);
    }
}

// Many small changes between steps, also of cells that nothing was near to.
static void test_edits(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 36);
    for (int64_t i = share_of(24); i > 0; i--) {
        const int64_t x = dice_below(&d, 3) * FAR / 2 - FAR / 2 + dice_below(&d, 64);
        pair p = pair_create(&(pair_options){.threads = 1 + (int)dice_below(&d, 3)});
        for (int k = 0; k < 60; k++) {
            for (int64_t edits = dice_below(&d, 4); edits > 0; edits--)
                pair_edit(&p, &d, x, -x, 20 + dice_below(&d, 200));
            if (dice_below(&d, 4) == 0)
                pair_compare(&p, &d, "edits", (uint64_t)i);
            if (dice_below(&d, 4) != 0)
                pair_step(&p, pair_some_generations(&d, 100));
        }
        pair_compare(&p, &d, "edits", (uint64_t)i);
        pair_destroy(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),       cmocka_unit_test(test_named_rules),
        cmocka_unit_test(test_random_rules), cmocka_unit_test(test_threads_and_levels),
        cmocka_unit_test(test_crew),         cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_edits),        cmocka_unit_test(test_code),
    };
    return cmocka_run_group_tests_name("sparse_soups", tests, NULL, NULL);
}
