// The objects of a generation and their places: they are all that is alive, and move as they say.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/object.h"
#include "support.h"
#include "support_pattern.h"
#include "support_universe.h"

static lc_census *census_of(const lc_universe *universe, uint64_t period_max)
{
    const lc_census_options options = {.struct_bytes = sizeof options, .period_max = period_max};
    lc_census *census;
    lc_message message = {0};
    if (lc_census_create(&census, universe, &options, &message) != LC_OK)
        fail_msg("census: %s", message.text);
    return census;
}

static void step(lc_universe *universe, uint64_t generations)
{
    assert_int_equal(lc_universe_step(universe, lc_count_of(generations), NULL, NULL, NULL), LC_OK);
}

static const char *built_in(const char *name)
{
    const lc_built_in_pattern *pattern = lc_built_in_patterns();
    while (strcmp(pattern->name, name) != 0)
        pattern++;
    return pattern->text;
}

// How many objects have a code.
static uint64_t count_code(const lc_placed_object *objects, size_t count, const char *code)
{
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += strcmp(objects[i].code, code) == 0;
    return found;
}

static uint64_t population_of(const lc_placed_object *objects, size_t count)
{
    uint64_t population = 0;
    for (size_t i = 0; i < count; i++)
        population += objects[i].population;
    return population;
}

// The R-pentomino when it settles. The census agrees with lc_identify, the objects are all that is
// alive, and after a period each lies where its displacement says.
static void test_places(void **state)
{
    (void)state;
    enum { SETTLES = 1103, PERIOD = 4 };
    lc_universe *universe = test_create_pattern(NULL, "b2o$2o$bo!");
    lc_universe *start = test_create_pattern(NULL, "b2o$2o$bo!");
    lc_identity *identity;
    lc_facts facts;
    size_t count, kinds, later_count;
    assert_int_equal(lc_identify(&identity, start, NULL, NULL), LC_OK);
    const lc_object *known = lc_identity_get_objects(identity, &kinds);
    step(universe, SETTLES);
    lc_census *census = census_of(universe, 0);
    const lc_placed_object *objects = lc_census_get_objects(census, &count);
    assert_int_equal(count, 25);
    assert_int_equal(lc_census_active_cells(census), 0);
    assert_false(lc_census_will_meet(census));
    assert_int_equal(lc_universe_facts(universe, LC_FACT_POPULATION, &facts, NULL), LC_OK);
    assert_true(lc_count_compare(facts.population, lc_count_of(population_of(objects, count))) ==
                0);
    for (size_t i = 0; i < kinds; i++)
        assert_int_equal(count_code(objects, count, known[i].code), known[i].count);

    step(universe, PERIOD);
    lc_census *later = census_of(universe, 0);
    const lc_placed_object *moved = lc_census_get_objects(later, &later_count);
    assert_int_equal(later_count, count);
    for (size_t i = 0; i < count; i++) {
        const lc_placed_object *one = &objects[i];
        const int64_t periods = PERIOD / (int64_t)one->period;
        size_t k = 0;
        while (k < count && (moved[k].box.x != one->box.x + periods * one->dx ||
                             moved[k].box.y != one->box.y + periods * one->dy))
            k++;
        assert_true(k < count);
        assert_string_equal(moved[k].code, one->code);
        assert_string_equal(moved[k].name, one->name);
        assert_int_equal(moved[k].population, one->population);
        assert_int_equal(one->kind == LC_IDENTITY_SPACESHIP, one->dx != 0 || one->dy != 0);
    }
    lc_census_destroy(&later);
    lc_census_destroy(&census);
    lc_identity_destroy(&identity);
    lc_universe_destroy(&universe);
    lc_universe_destroy(&start);
}

// Each cell of a soup belongs to one object or is active, and each box has the cells of its object.
static void test_soups(void **state)
{
    (void)state;
    static const char *const rules[] = {"B3/S23", "B36/S23", "B3/S012345678", "B2/S",
                                        "B3678/S34678"};
    for (uint64_t i = 0; i < (test_full() ? 1000 : 50); i++) {
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .rule_text = rules[i % (sizeof rules / sizeof *rules)],
                                             .threads = 1};
        lc_universe *universe;
        lc_facts facts;
        uint64_t population;
        size_t count;
        assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
        assert_int_equal(lc_universe_soup(universe, 0, 0, 24, 24, 0.3, test_seed() + i, NULL),
                         LC_OK);
        step(universe, i % 40);
        assert_int_equal(lc_universe_facts(universe, LC_FACT_POPULATION, &facts, NULL), LC_OK);
        assert_true(lc_count_to_u64(facts.population, &population));
        lc_census *census = census_of(universe, 16);
        const lc_placed_object *objects = lc_census_get_objects(census, &count);
        assert_int_equal(population_of(objects, count) + lc_census_active_cells(census),
                         population);
        for (size_t k = 0; k < count; k++) {
            const lc_box *box = &objects[k].box;
            uint64_t words[1], alive = 0;
            assert_true(box->width_cells <= 64);
            for (int64_t y = 0; y < box->height_cells; y++) {
                const lc_cells at = lc_row_cells(box->x, box->y + y, box->width_cells, words);
                assert_int_equal(lc_universe_read(universe, &at, NULL), LC_OK);
                alive += (uint64_t)__builtin_popcountll(words[0]);
            }
            assert_true(alive >= objects[k].population);
        }
        lc_census_destroy(&census);
        lc_universe_destroy(&universe);
    }
}

// Boxes and their order: a blinker above a block, and a glider to the right of the block.
static void test_boxes(void **state)
{
    (void)state;
    lc_universe *universe = test_create_pattern(NULL, "3o10$2o20bo$2o21bo$21b3o!");
    static const struct {
        const char *name;
        lc_box box;
        int64_t dx, dy;
    } known[] = {
        {"blinker", {false, 0, 0, 3, 1}, 0, 0},
        {"block", {false, 0, 10, 2, 2}, 0, 0},
        {"glider", {false, 21, 10, 3, 3}, 1, 1},
    };
    size_t count;
    lc_census *census = census_of(universe, 0);
    const lc_placed_object *objects = lc_census_get_objects(census, &count);
    assert_int_equal(count, 3);
    const int64_t x = objects[0].box.x, y = objects[0].box.y;
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(objects[i].name, known[i].name);
        assert_int_equal(objects[i].box.x - x, known[i].box.x);
        assert_int_equal(objects[i].box.y - y, known[i].box.y);
        assert_int_equal(objects[i].box.width_cells, known[i].box.width_cells);
        assert_int_equal(objects[i].box.height_cells, known[i].box.height_cells);
        assert_int_equal(objects[i].dx, known[i].dx);
        assert_int_equal(objects[i].dy, known[i].dy);
    }
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);
}

// Cells that are no object yet, objects that will meet, and periods above the limit.
static void test_active(void **state)
{
    (void)state;
    size_t count;
    lc_universe *universe = test_create_pattern(NULL, "b2o$2o$bo!");
    lc_census *census = census_of(universe, 0);
    (void)lc_census_get_objects(census, &count);
    assert_int_equal(count, 0);
    assert_int_equal(lc_census_active_cells(census), 5);
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);

    universe = test_create_pattern(NULL, "bo$2bo$3o20$23b2o$23b2o!"); // the glider hits the block
    census = census_of(universe, 0);
    assert_int_equal(lc_census_active_cells(census), 0);
    assert_true(lc_census_will_meet(census));
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);

    universe = test_create_pattern(NULL, built_in("centinal.rle")); // its period is 100
    census = census_of(universe, 0);
    (void)lc_census_get_objects(census, &count);
    assert_int_not_equal(lc_census_active_cells(census), 0);
    lc_census_destroy(&census);
    census = census_of(universe, 100);
    const lc_placed_object *objects = lc_census_get_objects(census, &count);
    assert_int_equal(count, 1);
    assert_int_equal(objects[0].period, 100);
    assert_int_equal(lc_census_active_cells(census), 0);
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);

    universe = test_create_pattern(NULL, "x = 0, y = 0, rule = B3/S23\n!");
    census = census_of(universe, 0);
    (void)lc_census_get_objects(census, &count);
    assert_int_equal(count, 0);
    assert_int_equal(lc_census_active_cells(census), 0);
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);
}

static bool stop_at_once(void *context)
{
    (void)context;
    return true;
}

static void refuses(const lc_universe *universe, const lc_census_options *options, lc_status status)
{
    lc_message message = {0};
    lc_census *census = (lc_census *)&message; // anything but NULL
    assert_int_equal(lc_census_create(&census, universe, options, &message), status);
    assert_null(census);
    assert_true(message.text[0] != '\0');
}

static void test_errors(void **state)
{
    (void)state;
    lc_census *census = NULL;
    lc_universe *universe = test_create_pattern(NULL, "b2o$2o$bo!");
    refuses(NULL, NULL, LC_ERROR_ARGUMENT);
    refuses(universe, &(lc_census_options){.struct_bytes = 0}, LC_ERROR_ARGUMENT);
    refuses(universe,
            &(lc_census_options){.struct_bytes = sizeof(lc_census_options), .cells_max = 4},
            LC_ERROR_LIMIT);
    lc_set_give_up(stop_at_once, NULL);
    refuses(universe, NULL, LC_ERROR_STOPPED);
    lc_set_give_up(NULL, NULL);
    lc_universe_destroy(&universe);
    universe = test_create_pattern(NULL, "x = 3, y = 1, rule = B3/S23:T30,20\n3o!");
    refuses(universe, NULL, LC_ERROR_UNSUPPORTED);
    lc_universe_destroy(&universe);
    universe = test_create_pattern(NULL, "x = 3, y = 1, rule = B03/S23\n3o!");
    refuses(universe, NULL, LC_ERROR_UNSUPPORTED);
    lc_universe_destroy(&universe);
    lc_census_destroy(&census);
    lc_census_destroy(NULL);
}

// Every allocation of the library fails once.
static void test_allocations(void **state)
{
    (void)state;
    lc_status status = LC_ERROR_MEMORY;
    lc_universe *universe = test_create_pattern("scalar", "3o15b2o$18b2o20$bo$2bo$3o!");
    for (uint64_t n = 1; status != LC_OK; n++) {
        lc_census *census;
        lc_fail_allocation(n);
        status = lc_census_create(&census, universe, NULL, NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK || (status == LC_ERROR_MEMORY && census == NULL));
        lc_census_destroy(&census);
    }
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places), cmocka_unit_test(test_soups),
        cmocka_unit_test(test_boxes),  cmocka_unit_test(test_active),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
