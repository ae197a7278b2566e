// The objects of a universe, with their places.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/object.h"
#include "support.h"
#include "support_facts.h"
#include "support_pattern.h"
#include "support_universe.h"

// A blinker, a bi-block, a pulsar, a glider, and an R-pentomino at the lower right.
static const char several[] =
    "3o37b3o3b3o$$38bo4bobo4bo$38bo4bobo4bo$10b2o26bo4bobo4bo$10b2o28b3o3b3"
    "o$$10b2o28b3o3b3o$10b2o26bo4bobo4bo$38bo4bobo4bo$38bo4bobo4bo$$40b3o3b"
    "3o$$bo$2bo$3o200$400b2o$399b2o$400bo!";

static lc_census *take(const lc_universe *universe, uint64_t period)
{
    const lc_identify_options options = {.struct_bytes = sizeof options, .generations_max = period};
    lc_census *census;
    lc_message message = {0};
    if (lc_census_take(&census, universe, &options, &message) != LC_OK)
        fail_msg("%s", message.text);
    return census;
}

// Requires an object with its upper left corner there, and no other one.
static void require_object(const lc_census *census, const char *name, int64_t x, int64_t y,
                           int64_t width, int64_t height)
{
    size_t count, found = 0;
    const lc_placed_object *objects = lc_census_get_objects(census, &count);
    for (size_t i = 0; i < count; i++) {
        const lc_box *box = &objects[i].box;
        if (box->x != x || box->y != y)
            continue;
        found++;
        assert_string_equal(objects[i].object.name, name);
        assert_int_equal(box->width_cells, width);
        assert_int_equal(box->height_cells, height);
        assert_int_equal(objects[i].object.count, 1);
    }
    if (found != 1)
        fail_msg("%zu objects are at %lld, %lld", found, (long long)x, (long long)y);
}

static void test_places(void **state)
{
    (void)state;
    lc_universe *universe = test_create_pattern(NULL, several);
    lc_facts facts;
    size_t count;
    assert_int_equal(lc_universe_facts(universe, LC_FACT_BOX, &facts, NULL), LC_OK);
    const int64_t x = facts.box.x, y = facts.box.y;
    lc_census *census = take(universe, 0);
    (void)lc_census_get_objects(census, &count);
    assert_int_equal(count, 5);
    require_object(census, "blinker", x, y, 3, 1);
    require_object(census, "block", x + 10, y + 4, 2, 2);
    require_object(census, "block", x + 10, y + 7, 2, 2);
    require_object(census, "pulsar", x + 38, y, 13, 13);
    require_object(census, "glider", x, y + 14, 3, 3);
    assert_int_equal(lc_census_other_cells(census), 5);
    lc_census_destroy(&census);
    assert_null(census);
    lc_census_destroy(&census);
    // The universe was not stepped.
    assert_int_equal(test_generation(universe), 0);
    // The pulsar's period is above the limit.
    census = take(universe, 2);
    (void)lc_census_get_objects(census, &count);
    assert_int_equal(count, 3); // nor is the glider's within it
    assert_int_equal(lc_census_other_cells(census), 5 + 48 + 5);
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);
}

static void test_limits(void **state)
{
    (void)state;
    const lc_identify_options few = {.struct_bytes = sizeof few, .cells_max = 67};
    const lc_identify_options broken = {.struct_bytes = 1};
    lc_message message = {0};
    lc_census *census;
    size_t count;
    lc_universe *universe = test_create_pattern(NULL, several);
    assert_int_equal(lc_census_take(&census, universe, &few, &message), LC_ERROR_LIMIT);
    assert_null(census);
    assert_int_equal(lc_census_take(&census, universe, &broken, &message), LC_ERROR_ARGUMENT);
    lc_universe_destroy(&universe);
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64};
    universe = test_create("simd", (lc_rule)LC_RULE_LIFE, torus, 0);
    assert_int_equal(lc_census_take(&census, universe, NULL, &message), LC_ERROR_UNSUPPORTED);
    lc_universe_destroy(&universe);
    // No cells have no objects.
    universe =
        test_create("scalar", (lc_rule)LC_RULE_LIFE, (lc_topology){.kind = LC_TOPOLOGY_PLANE}, 0);
    census = take(universe, 0);
    (void)lc_census_get_objects(census, &count);
    assert_int_equal(count, 0);
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);
}

// Every allocation of the library fails once.
static void test_allocations(void **state)
{
    (void)state;
    lc_status status = LC_ERROR_MEMORY;
    lc_universe *universe = test_create_pattern("scalar", "3o15b2o$18b2o$bo$2bo$3o!");
    for (uint64_t n = 1; status != LC_OK; n++) {
        lc_census *census;
        lc_fail_allocation(n);
        status = lc_census_take(&census, universe, NULL, NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK || (status == LC_ERROR_MEMORY && census == NULL));
        lc_census_destroy(&census);
    }
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
