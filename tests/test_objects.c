// Objects: the next generations of a few cells against a universe, groups, apgcodes in both
// directions, and the objects of settled soups against those that apgsearch found.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/mix.h"
#include "object/objects.h"
#include "object/strip.h"
#include "patterns/pattern_facts.h"
#include "support.h"
#include "support_objects.h"
#include "support_pattern.h"
#include "support_universe.h"
#include "universe/universe_live.h"

static lc_live live_of(const cells *from)
{
    lc_live live = {0};
    for (size_t i = 0; i < from->count; i++)
        assert_true(lc_live_add(&live, from->list[i].x, from->list[i].y));
    lc_live_sort(&live);
    return live;
}

static lc_live live_of_text(const char *text)
{
    cells read = cells_of_text(text);
    const lc_live live = live_of(&read);
    cells_free(&read);
    return live;
}

static lc_universe *universe_of(const lc_live *live, const lc_rule *rule)
{
    lc_universe *universe = test_create("scalar", rule, infinite_plane, 0);
    for (size_t i = 0; i < live->count; i++)
        test_set(universe, live->at[i].x, live->at[i].y);
    return universe;
}

// A field has the cells of a universe, at any place and under any rule without B0.
static void test_fields(void **state)
{
    (void)state;
    static const char *const rules[] = {"B3/S23",       "B36/S23",     "B2/S",
                                        "B3678/S34678", "B1357/S1357", "B3/S2-i34q",
                                        "B2a/S12",      "B2/S34H",     "B13/S024V"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const lc_rule *rule = rule_of(rules[i]);
        cells soup = cells_random(i + 1, -7, (int64_t)i * 13 - 50, 64 + (int64_t)i, 9, 40);
        lc_live live = live_of(&soup), now = {0}, want = {0};
        lc_universe *universe = universe_of(&live, rule);
        lc_field_rule prepared;
        lc_field_rule_set(&prepared, rule);
        lc_field field = lc_field_of(&prepared);
        assert_int_equal(lc_field_set(&field, &live), LC_OK);
        const int generations = i == 0 ? 700 : 70; // until most rows repeat themselves
        for (int generation = 0; generation < generations; generation++) {
            now.count = 0;
            assert_true(lc_field_read(&field, &now));
            assert_int_equal(lc_universe_live(universe, 1 << 20, &want, NULL), LC_OK);
            assert_true(lc_live_equal(&now, &want, 0, 0));
            assert_int_equal(field.population, now.count);
            assert_int_equal(lc_field_step(&field), LC_OK);
            test_step(universe, 1);
        }
        lc_field_free(&field);
        lc_live_free(&live);
        lc_live_free(&now);
        lc_live_free(&want);
        cells_free(&soup);
        lc_universe_destroy(&universe);
    }
}

static bool are_near(lc_live_cell a, lc_live_cell b, bool square)
{
    const int64_t dx = a.x - b.x, dy = a.y - b.y;
    return square ? dx >= -2 && dx <= 2 && dy >= -2 && dy <= 2 : dx * dx + dy * dy <= 5;
}

// Groups against their definition, cell by cell.
static void test_groups(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        cells soup = cells_random(seed, -20, -20, 40, 30, (int)(seed % 12) + 2);
        lc_live live = live_of(&soup);
        const bool square = seed % 2 == 0;
        uint32_t *group = calloc(3 * live.count + 1, sizeof *group), *naive = group + live.count;
        const size_t groups = lc_live_groups(&live, square, group, naive + live.count);
        for (uint32_t i = 0; i < live.count; i++)
            naive[i] = i;
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < live.count; i++)
                for (size_t k = 0; k < live.count; k++)
                    if (are_near(live.at[i], live.at[k], square) && naive[k] < naive[i]) {
                        naive[i] = naive[k];
                        changed = true;
                    }
        }
        size_t count = 0;
        for (uint32_t i = 0; i < live.count; i++) {
            count += naive[i] == i;
            assert_int_equal(group[i], group[naive[i]]);
            assert_true(naive[i] != i || group[i] == count - 1);
        }
        assert_int_equal(groups, count);
        free(group);
        lc_live_free(&live);
        cells_free(&soup);
    }
}

static void transform(lc_live *live, unsigned transformation)
{
    for (size_t i = 0; i < live->count; i++) {
        lc_live_cell *at = &live->at[i];
        if ((transformation & 1) != 0)
            at->x = -at->x;
        if ((transformation & 2) != 0)
            at->y = -at->y;
        if ((transformation & 4) != 0)
            *at = (lc_live_cell){at->y, at->x};
    }
    lc_live_sort(live);
}

// The object is what its code says, in every phase and orientation.
static void check_code(const char *code, lc_fates *fates)
{
    lc_live start = live_of_text(code);
    const lc_fate *fate;
    assert_int_equal(lc_fate_find(&fate, fates, &start, 1000), LC_OK);
    const uint64_t period = fate->period;
    const uint64_t number = strtoull(code + 2, NULL, 10);
    assert_int_equal(number, code[1] == 's' ? start.count : period);
    assert_int_equal(code[1] == 'q', fate->dx != 0 || fate->dy != 0);
    lc_field field = lc_field_of(&fates->rule);
    assert_int_equal(lc_field_set(&field, &start), LC_OK);
    for (uint64_t t = 0; t < period; t++) {
        for (unsigned transformation = 0; transformation < 8; transformation++) {
            lc_live phase = {0};
            assert_true(lc_field_read(&field, &phase));
            transform(&phase, transformation);
            assert_int_equal(lc_fate_find(&fate, fates, &phase, 1000), LC_OK);
            assert_int_equal(fate->part_count, 0);
            assert_string_equal(fate->code, code);
            lc_live_free(&phase);
        }
        assert_int_equal(lc_field_step(&field), LC_OK);
    }
    lc_field_free(&field);
    lc_live_free(&start);
}

static void test_codes(void **state)
{
    (void)state;
    lc_fates fates = {0};
    assert_int_equal(lc_fates_init(&fates, LIFE, NULL), LC_OK);
    for (size_t i = 0; known_codes[i] != NULL; i++)
        check_code(known_codes[i], &fates);
    lc_fates_free(&fates);
}

// Two blocks beside each other are two objects, at any distance. Two tables are one, since each
// alone would not last. A gun does not repeat itself, so it is not an object.
static void test_parts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t objects;
    } sets[] = {
        {"2o$2o2$2o$2o!", 2},
        {"2ob2o$2ob2o!", 2},
        {"2o2b2o$2o2b2o!", 2},
        {"3o3b3o!", 2},
        {"o2bo$4o2$4o$o2bo!", 1},
        {"bob$2bo$3o20$20b3o$20bo$21bo!", 2},
        {"24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$"
         "11bo3bo$12b2o!",
         1},
        // Two rakes whose gliders destroy each other: together they are a spaceship.
        {"22b4o$21bo3bo12bo2bo$25bo16bo$21bo2bo13bo3bo$39b4o$16bo$17bo$15b3o$32bo4b2o$29b4o3"
         "b2ob2o$11bo16b5o4bo2bo$12bo14bo9bo2bo$10b3o15b2o8b2o$29bo2$6bo24b2o5bo2bo$7bo22b4o"
         "8bo$5b3o22b2ob2o3bo3bo$32b2o5b4o2$bo$2bo$3o4$2b3o$4bo$3bo2$34b2o5b4o$7b3o22b2ob2o3"
         "bo3bo$9bo22b4o8bo$8bo24b2o5bo2bo2$31bo$12b3o15b2o8b2o$14bo14bo9bo2bo$13bo16b5o4bo2"
         "bo$31b4o3b2ob2o$34bo4b2o$17b3o$19bo$18bo$41b4o$23bo2bo13bo3bo$27bo16bo$23bo3bo12bo"
         "2bo$24b4o!",
         1},
    };
    lc_fates fates = {0};
    lc_objects objects = {0};
    assert_int_equal(lc_fates_init(&fates, LIFE, NULL), LC_OK);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        lc_live start = live_of_text(sets[i].text);
        assert_int_equal(lc_objects_find(&objects, &fates, &start, 60), LC_OK);
        assert_int_equal(objects.count + (objects.active.count != 0), sets[i].objects);
        lc_live_free(&start);
    }
    lc_objects_free(&objects);
    lc_fates_free(&fates);
}

// Two gliders that come towards each other meet; two that go apart, or pass at a distance, do not.
static void test_meeting(void **state)
{
    (void)state;
    static const struct {
        int64_t x, y; // of the second, which flies up and left; the first flies down and right
        bool meets;
    } pairs[] = {
        {40, 40, true}, {-40, -40, false}, {60, 40, false}, {44, 40, true}, {40, 60, false},
    };
    lc_fates fates = {0};
    assert_int_equal(lc_fates_init(&fates, LIFE, NULL), LC_OK);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        lc_live first = live_of_text("bob$2bo$3o!"), second = live_of_text("3o$o2b$bo!");
        lc_objects objects = {0};
        for (size_t k = 0; k < second.count; k++)
            assert_true(
                lc_live_add(&first, second.at[k].x + pairs[i].x, second.at[k].y + pairs[i].y));
        lc_live_sort(&first);
        assert_int_equal(lc_objects_find(&objects, &fates, &first, 60), LC_OK);
        assert_int_equal(objects.count, 2);
        assert_int_equal(lc_objects_will_meet(&objects), pairs[i].meets);
        lc_objects_free(&objects);
        lc_live_free(&first);
        lc_live_free(&second);
    }
    lc_fates_free(&fates);
}

// Rules with B0 have no objects; cells that are too far apart for a field have no fate.
static void test_limits(void **state)
{
    (void)state;
    lc_fates fates = {0};
    lc_message message;
    const lc_fate *fate;
    lc_live far = {0};
    const lc_rule *rule = rule_of("B03/S23");
    assert_int_equal(lc_fates_init(&fates, rule, &message), LC_ERROR_UNSUPPORTED);
    lc_fates_free(&fates);
    assert_int_equal(lc_fates_init(&fates, LIFE, NULL), LC_OK);
    assert_true(lc_live_add(&far, -LC_UNIVERSE_REACH, 0) &&
                lc_live_add(&far, LC_UNIVERSE_REACH, 1));
    assert_int_equal(lc_fate_find(&fate, &fates, &far, 10), LC_ERROR_LIMIT);
    assert_null(fate);
    lc_live_free(&far);
    lc_fates_free(&fates);
}

// ---- strips -------------------------------------------------------------------------------------

// The least and greatest cells of a strip in a generation, rounded outwards.
static bool is_near(const lc_strip *a, int64_t t_a, int64_t dx, int64_t dy, const lc_strip *b,
                    int64_t t_b)
{
    const lc_wide moves_a[] = {a->dx, a->dy}, moves_b[] = {b->dx, b->dy}, off[] = {dx, dy};
    for (size_t axis = 0; axis < 2; axis++) {
        const lc_wide scale = (lc_wide)a->period * b->period;
        const lc_wide a_low = (a->low[axis] + moves_a[axis] * t_a) * b->period - off[axis] * scale;
        const lc_wide a_high =
            (a->high[axis] + moves_a[axis] * t_a) * b->period - off[axis] * scale;
        const lc_wide b_low = (b->low[axis] + moves_b[axis] * t_b) * a->period;
        const lc_wide b_high = (b->high[axis] + moves_b[axis] * t_b) * a->period;
        if (b_low > a_high + LC_NEAR * scale || a_low > b_high + LC_NEAR * scale)
            return false;
    }
    return true;
}

static int64_t below(uint64_t *random, uint64_t most)
{
    *random = lc_mixed(*random + 1);
    return (int64_t)(*random % most);
}

static lc_strip random_strip(uint64_t *random)
{
    lc_strip strip = {.period = 1 + below(random, 6)};
    strip.dx = below(random, 5) - 2;
    strip.dy = below(random, 5) - 2;
    for (size_t axis = 0; axis < 2; axis++) {
        strip.low[axis] = strip.period * (below(random, 60) - 30);
        strip.high[axis] = strip.low[axis] + strip.period * below(random, 5);
    }
    return strip;
}

// If two strips are near each other in some generation, after some repeats, they meet.
static void test_strips(void **state)
{
    (void)state;
    uint64_t random = 1;
    size_t met = 0, apart = 0;
    for (int i = 0; i < 3000; i++) {
        const lc_strip a = random_strip(&random), b = random_strip(&random);
        const size_t count = (size_t)i % 3;
        lc_strip_repeat repeats[2];
        for (size_t k = 0; k < 2; k++)
            repeats[k] =
                (lc_strip_repeat){below(&random, 20), below(&random, 9) - 4, below(&random, 9) - 4};
        bool near = false;
        for (int64_t m = 0; m < (count > 0 ? 12 : 1); m++)
            for (int64_t n = 0; n < (count > 1 ? 12 : 1); n++)
                for (int64_t t = 0; t < 200 && !near; t++)
                    near = is_near(&a, t + m * repeats[0].generations + n * repeats[1].generations,
                                   m * repeats[0].dx + n * repeats[1].dx,
                                   m * repeats[0].dy + n * repeats[1].dy, &b, t);
        const bool meets = lc_strips_will_meet(&a, &b, repeats, count);
        assert_true(meets || !near);
        met += near;
        apart += !meets;
    }
    assert_true(met > 500 && apart > 500);
    // Far away or fast: not computed, and so taken to meet.
    lc_strip far = random_strip(&random), here = random_strip(&random);
    far.low[0] = far.high[0] = (lc_wide)1 << 70;
    assert_true(lc_strips_will_meet(&far, &here, NULL, 0));
}

// Finds the objects of cells that have an R-pentomino 1,000 columns to their right, so that all
// together do not repeat. Returns whether the other cells are objects with that hash.
static bool are_objects_in_company(lc_fates *fates, const lc_live *live, uint64_t limit,
                                   uint64_t hash)
{
    static const int64_t pentomino[][2] = {{1, 0}, {2, 0}, {0, 1}, {1, 1}, {1, 2}};
    lc_live all = {0};
    lc_objects objects = {0}, near = {0};
    assert_true(lc_live_add_all(&all, live));
    for (size_t i = 0; i < 5; i++)
        assert_true(lc_live_add(&all, pentomino[i][0] + 1000, pentomino[i][1]));
    lc_live_sort(&all);
    assert_int_equal(lc_objects_find(&objects, fates, &all, limit), LC_OK);
    bool active = false;
    for (size_t i = 0; i < objects.active.count; i++)
        active |= objects.active.at[i].x < 500;
    for (size_t i = 0; i < objects.count; i++) {
        const lc_objects one = {.at = &objects.at[i], .count = 1};
        if (objects.at[i].x < 500)
            assert_true(lc_objects_add_all(&near, &one));
    }
    const bool same = !active && lc_objects_hash(&near, 0) == hash;
    lc_objects_free(&objects);
    lc_objects_free(&near);
    lc_live_free(&all);
    return same;
}

// Every phase of a spaceship is divided into what the first one is, sparks included.
static void test_phases_of_spaceships(void **state)
{
    (void)state;
    size_t tried = 0;
    for (const lc_built_in_pattern *p = lc_built_in_patterns(); p->name != NULL; p++) {
        lc_pattern_facts stated;
        (void)lc_pattern_facts_read(&stated, p->text);
        if (stated.kind != LC_PATTERN_SPACESHIP || stated.period > 40)
            continue;
        lc_universe *universe = test_create_pattern("sparse", p->text);
        lc_live live = {0};
        lc_fates fates = {0};
        lc_objects first = {0}, objects = {0};
        assert_int_equal(lc_universe_live(universe, 1 << 20, &live, NULL), LC_OK);
        if (live.count < 300 && lc_fates_init(&fates, lc_universe_rule(universe), NULL) == LC_OK) {
            assert_int_equal(lc_objects_find(&first, &fates, &live, stated.period), LC_OK);
            for (uint64_t t = 1; t < stated.period; t++) {
                test_step(universe, 1);
                assert_int_equal(lc_universe_live(universe, 1 << 20, &live, NULL), LC_OK);
                assert_int_equal(lc_objects_find(&objects, &fates, &live, stated.period), LC_OK);
                const uint64_t hash = lc_objects_hash(&first, (int64_t)t);
                if (objects.active.count != 0 || objects.count != first.count ||
                    lc_objects_hash(&objects, 0) != hash ||
                    !are_objects_in_company(&fates, &live, stated.period, hash))
                    fail_msg("%s in generation %d: %d objects, %d cells in none", p->name, (int)t,
                             (int)objects.count, (int)objects.active.count);
            }
            tried++;
        }
        lc_objects_free(&first);
        lc_objects_free(&objects);
        lc_live_free(&live);
        lc_fates_free(&fates);
        lc_universe_destroy(&universe);
    }
    assert_true(tried > 40);
}

// Every allocation fails once: nothing is lost, and the next try succeeds.
static void test_allocations(void **state)
{
    (void)state;
    lc_live start =
        live_of_text("2o$2o2$2o$2o20$20b3o$20bo$21bo10$bo$bo$obo$bo$bo$bo$bo$obo$bo$bo!");
    for (uint64_t n = 1;; n++) {
        lc_fates fates = {0};
        lc_objects objects = {0};
        lc_fail_allocation(0);
        assert_int_equal(lc_fates_init(&fates, LIFE, NULL), LC_OK);
        lc_fail_allocation(n);
        const lc_status status = lc_objects_find(&objects, &fates, &start, 60);
        lc_fail_allocation(0);
        assert_true(status == LC_OK || status == LC_ERROR_MEMORY);
        lc_status again = lc_objects_find(&objects, &fates, &start, 60);
        assert_int_equal(again, LC_OK);
        assert_int_equal(objects.count, 4);
        assert_int_equal(objects.active.count, 0);
        lc_objects_free(&objects);
        lc_fates_free(&fates);
        if (status == LC_OK)
            break;
    }
    lc_live_free(&start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),      cmocka_unit_test(test_groups),
        cmocka_unit_test(test_codes),       cmocka_unit_test(test_parts),
        cmocka_unit_test(test_meeting),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_strips),      cmocka_unit_test(test_phases_of_spaceships),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
