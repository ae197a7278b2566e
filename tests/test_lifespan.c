// Lifespans of soups: those that are known, of soups that die, and none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "census/lifespan.h"
#include "support.h"
#include "support_live.h"
#include "support_universe.h"

static lc_live live_of_text(const char *text)
{
    lc_universe *universe = test_create_pattern("scalar", text);
    const lc_live live = live_read(universe);
    lc_universe_destroy(&universe);
    return live;
}

static void test_known(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        uint64_t settled_at, lifespan;
    } soups[] = {
        {"R-pentomino", "b2o$2o$bo!", 1104, 1103},
        {"the same, found later", "b2o$2o$bo!", 1500, 1103},
        {"acorn", "bo$3bo$2o2b3o!", 5300, 5206},
        {"diehard", "6bo$2o$bo3b3o!", 150, 130},
        {"two cells", "2o!", 2, 0}, // generation 0 is not looked at
        {"block", "2o$2o!", 0, 0},
        {"blinker", "3o!", 0, 0},
        {"R-pentomino, not settled", "b2o$2o$bo!", 0, 0},
        // The population of the block-laying switch engine never repeats itself.
        {"switch engine", "6bobo$5bo$6bo2bo$8b3o!", 2000, 0},
        {"nothing", "!", 5, 0},
    };
    for (size_t i = 0; i < sizeof soups / sizeof *soups; i++) {
        lc_live live = live_of_text(soups[i].text);
        uint64_t lifespan = 7;
        assert_int_equal(
            lc_soup_lifespan(&lifespan, &live, LIFE, soups[i].settled_at, test_context(), NULL),
            LC_OK);
        if (lifespan != soups[i].lifespan)
            fail_msg("%s: %d and not %d", soups[i].name, (int)lifespan, (int)soups[i].lifespan);
        lc_live_free(&live);
    }
}

static bool gives_up(void *context)
{
    (void)context;
    return true;
}

static void test_errors(void **state)
{
    (void)state;
    lc_live live = live_of_text("3o!");
    lc_message message;
    uint64_t lifespan;
    assert_int_equal(lc_soup_lifespan(&lifespan, &live, LIFE, LC_LIFESPAN_SETTLED_MAX + 1,
                                      test_context(), &message),
                     LC_ERROR_LIMIT);
    assert_string_equal(message.text,
                        "a soup settles after more than 16777216 generations: its lifespan is not "
                        "counted");
    lc_set_give_up(gives_up, NULL);
    assert_int_equal(lc_soup_lifespan(&lifespan, &live, LIFE, 9, test_context(), NULL),
                     LC_ERROR_STOPPED);
    lc_set_give_up(NULL, NULL);
    lc_fail_allocation(1);
    assert_int_equal(lc_soup_lifespan(&lifespan, &live, LIFE, 9, test_context(), NULL),
                     LC_ERROR_MEMORY);
    lc_fail_allocation(0);
    assert_int_equal(lifespan, 0);
    lc_live_free(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
