// Identification on tori and Klein bottles: objects that lie across an edge, spaceships that fly
// round a torus, and what does not move as it does on the plane.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/object.h"
#include "support.h"
#include "support_facts.h"
#include "support_live.h"
#include "support_pattern.h"
#include "support_universe.h"

enum { TEXT = 1000 };

static lc_identity *identify(lc_universe *universe, uint64_t generations_max)
{
    const lc_identify_options options = {.struct_bytes = sizeof options,
                                         .generations_max = generations_max};
    lc_identity *identity;
    lc_message message = {0};
    if (lc_identify(&identity, universe, &options, &message) != LC_OK)
        fail_msg("identify: %s", message.text);
    return identity;
}

// Writes "2 xp2_7, 1 xq4_153".
static void write_objects(const lc_identity *identity, char *text, size_t size)
{
    size_t count, used = 0;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64 " %s", i > 0 ? ", " : "",
                                 objects[i].count, objects[i].code);
}

static lc_topology topology_from(const char *suffix)
{
    char text[100];
    lc_topology topology;
    (void)snprintf(text, sizeof text, "B3/S23:%s", suffix);
    (void)rule_and_topology(text, &topology);
    return topology;
}

// A universe with these cells, moved by (dx, dy).
static lc_universe *create(const lc_rule *rule, lc_topology topology, const lc_live *live,
                           int64_t dx, int64_t dy)
{
    const bool is_large = topology.width_cells == 0 || topology.width_cells > 200;
    lc_universe *universe = test_create(is_large ? "sparse" : "scalar", rule, topology, 0);
    lc_live all = {0};
    assert_true(lc_live_add_all(&all, live));
    live_move(&all, &topology, dx, dy);
    for (size_t i = 0; i < all.count; i++)
        test_set(universe, all.at[i].x, all.at[i].y);
    lc_live_free(&all);
    return universe;
}

static lc_live cells_of(const char *text)
{
    lc_universe *universe = test_create_pattern(NULL, text);
    lc_live live = live_read(universe);
    lc_universe_destroy(&universe);
    return live;
}

#define GLIDER "bo$2bo$3o!"

// A pattern that moves is back after the stated time, and not after a part of it.
static void check_return(const lc_live *live, const lc_rule *rule, lc_topology t,
                         const lc_identity_facts *f)
{
    if (f->returns_after == 0 || f->returns_after > 20000)
        return;
    lc_universe *universe = create(rule, t, live, 0, 0);
    test_step(universe, f->settles);
    const uint64_t hash = test_facts(universe, LC_FACT_HASH).hash;
    for (uint64_t n = f->period; n <= f->returns_after; n += f->period) {
        test_step(universe, f->period);
        assert_int_equal(test_facts(universe, LC_FACT_HASH).hash == hash, n == f->returns_after);
    }
    lc_universe_destroy(&universe);
}

// Wherever the cells lie, the result is the same.
static void test_known(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *cells;
        lc_identity_kind kind;
        uint64_t settles, period;
        int64_t dx, dy;
        const char *objects;
    } known[] = {
        {"T64,64", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T31,17", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T1000,1001", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T30+7,23", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T30-7,23", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T23,30+7", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T23,30-7", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T0,19", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T19,0", GLIDER, LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "1 xq4_153"},
        {"T40,41", "bo2bo$o$o3bo$4o!", LC_IDENTITY_SPACESHIP, 0, 4, -2, 0, "1 xq4_6frc"},
        // Two gliders that go the same way, and two that pass each other.
        {"T20,20", "bo7bo$2bo7bo$3o5b3o!", LC_IDENTITY_SPACESHIP, 0, 4, 1, 1, "2 xq4_153"},
        {"T40,40", "bo$2bo$3o17$21bo$20bo$20b3o!", LC_IDENTITY_OSCILLATOR, 0, 160, 0, 0,
         "2 xq4_153"},
        // A glider passes a block, and is back after 40 cells.
        {"T40,40", "bo$2bo$3o17$2o$2o!", LC_IDENTITY_OSCILLATOR, 0, 160, 0, 0,
         "1 xq4_153, 1 xs4_33"},
        {"K30,31", "bo$2bo$3o!", LC_IDENTITY_OSCILLATOR, 0, 7440, 0, 0, "1 xq4_153"},
        {"K30,31", "bo2bo$o$o3bo$4o12$3o!", LC_IDENTITY_OSCILLATOR, 0, 120, 0, 0,
         "1 xp2_7, 1 xq4_6frc"},
        {"T30,31", "3o!", LC_IDENTITY_OSCILLATOR, 0, 2, 0, 0, "1 xp2_7"},
        {"T30,31", "2o$2o!", LC_IDENTITY_STILL_LIFE, 0, 1, 0, 0, "1 xs4_33"},
        {"T9,9", "bo$obo$o2bo$b2o!", LC_IDENTITY_STILL_LIFE, 0, 1, 0, 0, "1 xs7_2596"},
        // A queen bee needs its blocks.
        {"T40,40", "9bo$7bobo$6bobo$2o3bo2bo11b2o$2o4bobo11b2o$7bobo$9bo!", LC_IDENTITY_OSCILLATOR,
         0, 30, 0, 0, "1 xp30_w33z8kqrqk8zzzw33"},
        // All round the torus there are no objects.
        {"T12,9", "12o3$12o!", LC_IDENTITY_OSCILLATOR, 0, 4, 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const lc_topology t = topology_from(known[i].topology);
        lc_live live = cells_of(known[i].cells);
        for (int64_t n = 0; n < 8; n++) {
            char objects[TEXT];
            const int64_t x = 7 * n * n + 2 * n, y = 5 * n * n + 3 * n;
            lc_universe *universe = create(LIFE, t, &live, t.twist_x ? 0 : x, t.twist_y ? 0 : y);
            lc_identity *identity = identify(universe, 0);
            const lc_identity_facts *f = lc_identity_get_facts(identity);
            write_objects(identity, objects, sizeof objects);
            assert_string_equal(objects, known[i].objects);
            assert_int_equal(f->kind, known[i].kind);
            assert_int_equal(f->settles, known[i].settles);
            assert_int_equal(f->period, known[i].period);
            assert_int_equal(f->dx, known[i].dx);
            assert_int_equal(f->dy, known[i].dy);
            if (n == 0)
                check_return(&live, LIFE, t, f);
            assert_int_equal(f->returns_after != 0, (f->dx != 0 || f->dy != 0) &&
                                                        t.width_cells != 0 && t.height_cells != 0);
            lc_identity_destroy(&identity);
            lc_universe_destroy(&universe);
        }
        lc_live_free(&live);
    }
}

// ---- random patterns ---------------------------------------------------------------------------

// Writes all that is known.
static void describe(const lc_identity *identity, char text[TEXT])
{
    const lc_identity_facts *f = lc_identity_get_facts(identity);
    const int used = snprintf(text, TEXT,
                              "%s from %" PRIu64 ", period %" PRIu64 ", moves %" PRId64 " %" PRId64
                              ", %" PRIu64 " cells, %" PRIu64 " to %" PRIu64 ": ",
                              lc_identity_kind_name(f->kind), f->settles, f->period, f->dx, f->dy,
                              f->population, f->population_min, f->population_max);
    write_objects(identity, text + used, TEXT - (size_t)used);
}

static bool is_same_after(const lc_live *live, const lc_rule *rule, lc_topology t, uint64_t from,
                          const lc_identity_facts *f)
{
    lc_universe *universe = create(rule, t, live, 0, 0);
    test_step(universe, from);
    lc_live before = live_read(universe);
    test_step(universe, f->period);
    lc_live after = live_read(universe);
    live_move(&before, &t, f->dx, f->dy);
    const bool same = lc_live_equal(&before, &after, 0, 0);
    lc_live_free(&before);
    lc_live_free(&after);
    lc_universe_destroy(&universe);
    return same;
}

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
    uint64_t multiple = a;
    while (multiple % b != 0)
        multiple += a;
    return multiple;
}

// The objects have as many cells as there are and, at rest, the period of the whole.
static void check_objects(const lc_identity *identity)
{
    const lc_identity_facts *f = lc_identity_get_facts(identity);
    size_t count;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    uint64_t least = 0, most = 0, period = 1;
    bool moves = false;
    for (size_t i = 0; i < count; i++) {
        least += objects[i].count * objects[i].population_min;
        most += objects[i].count * objects[i].population_max;
        period = common_multiple(period, objects[i].period);
        moves |= objects[i].kind == LC_IDENTITY_SPACESHIP;
    }
    if (count == 0)
        return;
    assert_true(least <= f->population_min && most >= f->population_max);
    if (!moves || f->dx != 0 || f->dy != 0)
        assert_int_equal(f->period, period);
}

static lc_live random_live(uint64_t seed)
{
    const bool is_large = seed % 3 == 0; // as large as most boards
    cells soup = cells_random(seed, 0, 0, is_large ? 40 : 3 + (int64_t)(seed % 12),
                              is_large ? 36 : 3 + (int64_t)(seed / 12 % 12), 25 + (int)(seed % 40));
    lc_live live = {0};
    for (size_t i = 0; i < soup.count; i++)
        assert_true(lc_live_add(&live, soup.list[i].x, soup.list[i].y));
    cells_free(&soup);
    lc_live_sort(&live);
    return live;
}

// The cells repeat as stated, from that generation on, and the result does not depend on where the
// edges of the torus are.
static void test_random(void **state)
{
    (void)state;
    static const char *const rules[] = {"B3/S23", "B36/S23", "B3/S2-i34q", "B38/S23",  "B368/S245",
                                        "B2/S",   "B3/S12",  "B34/S34",    "B2-a/S12", "B2/S34H"};
    static const char *const topologies[] = {"T31,37", "T53,29", "T33+8,41", "T41,33-8",
                                             "T64,61", "T0,23",  "T101,97",  "T13,12",
                                             "K41,38", "K37*,40"};
    const uint64_t seeds = test_full() ? 4000 : 100 / (uint64_t)test_slowness() + 1;
    size_t with_objects = 0, moving = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const lc_topology t = topology_from(topologies[seed % 10]);
        const uint64_t symmetric = t.kind == LC_TOPOLOGY_KLEIN_BOTTLE ? 9 : 10; // rules
        const lc_rule *rule = rule_of(rules[seed / 10 % symmetric]);
        char text[TEXT], other_text[TEXT];
        lc_live live = random_live(seed);
        lc_universe *universe = create(rule, t, &live, 0, 0);
        // On a Klein bottle, all cells can be moved alike across the twisted edge only.
        lc_universe *elsewhere = create(rule, t, &live, t.twist_x ? 0 : (int64_t)(seed % 29),
                                        t.twist_y ? 0 : (int64_t)(seed % 23));
        lc_identity *identity = identify(universe, 3000), *again = identify(elsewhere, 3000);
        const lc_identity_facts *f = lc_identity_get_facts(identity);
        size_t count;
        (void)lc_identity_get_objects(identity, &count);
        describe(identity, text);
        describe(again, other_text);
        assert_string_equal(text, other_text);
        check_return(&live, rule, t, f);
        if (f->kind != LC_IDENTITY_UNDECIDED) {
            assert_true(is_same_after(&live, rule, t, f->settles, f));
            if (f->settles != 0)
                assert_false(is_same_after(&live, rule, t, f->settles - 1, f));
        }
        check_objects(identity);
        with_objects += count != 0;
        moving += f->dx != 0 || f->dy != 0;
        lc_identity_destroy(&identity);
        lc_identity_destroy(&again);
        lc_universe_destroy(&universe);
        lc_universe_destroy(&elsewhere);
        lc_live_free(&live);
    }
    assert_true(test_slowness() > 1 || (with_objects > seeds / 4 && moving > 0)); // few seeds
}

// Without spaceships, patterns on a large torus become the same objects as on the plane.
static void test_plane(void **state)
{
    (void)state;
    const lc_topology torus = topology_from("T501,499");
    const uint64_t seeds = test_full() ? 300 : 8 / (uint64_t)test_slowness() + 4;
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        lc_live live = random_live(seed);
        lc_universe *plane = create(LIFE, infinite_plane, &live, 0, 0);
        lc_universe *board = create(LIFE, torus, &live, 495, 490);
        lc_identity *wanted = identify(plane, 0), *found = identify(board, 0);
        const lc_identity_facts *f = lc_identity_get_facts(wanted);
        char on_plane[TEXT], on_board[TEXT];
        write_objects(wanted, on_plane, TEXT);
        write_objects(found, on_board, TEXT);
        if (strstr(on_plane, "xq") == NULL) {
            assert_string_equal(on_board, on_plane);
            assert_int_equal(lc_identity_get_facts(found)->settles, f->settles);
            assert_int_equal(lc_identity_get_facts(found)->period, f->period);
            compared += on_plane[0] != '\0';
        }
        lc_identity_destroy(&wanted);
        lc_identity_destroy(&found);
        lc_universe_destroy(&plane);
        lc_universe_destroy(&board);
        lc_live_free(&live);
    }
    assert_true(test_slowness() > 1 || compared > seeds / 4);
}

// ---- failures ----------------------------------------------------------------------------------

// Every allocation of the library fails once. A result that is given all the same is right.
static void test_allocations(void **state)
{
    (void)state;
    static const char *const suffixes[] = {"T24,20", "T24+5,20", "K24,20"};
    lc_live live = cells_of("bo2bo$o$o3bo$4o6$3o!");
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const lc_topology t = topology_from(suffixes[i]);
        char wanted[TEXT] = "";
        for (uint64_t n = 0; n < 2000; n++) {
            char text[TEXT];
            lc_universe *universe = create(LIFE, t, &live, -3, 0);
            lc_identity *identity;
            lc_fail_allocation(n);
            const lc_status status = lc_identify(&identity, universe, NULL, NULL);
            lc_fail_allocation(0);
            assert_true(status == LC_OK || (n != 0 && status == LC_ERROR_MEMORY));
            if (status == LC_OK)
                describe(identity, n == 0 ? wanted : text);
            if (status == LC_OK && n != 0)
                assert_string_equal(text, wanted);
            lc_identity_destroy(&identity);
            lc_universe_destroy(&universe);
            if (status == LC_OK && n != 0)
                break;
        }
        assert_non_null(strstr(wanted, "1 xp2_7, 1 xq4_6frc"));
    }
    lc_live_free(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests_name("identify_boards", tests, NULL, NULL);
}
