// The dense engine of support_dense.c, on every surface; and what the traits of engines promise.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support_cover.h"
#include "support_universe.h"

static void expect_same_as_scalar(const lc_topology *topology, const lc_rule *rule, uint64_t seed)
{
    lc_universe *dense = test_create_with(&test_engine_dense, rule, *topology, 0);
    lc_universe *scalar = test_create("scalar", rule, *topology, 0);
    const int64_t w = topology->width_cells != 0 ? topology->width_cells : 50;
    const int64_t h = topology->height_cells != 0 ? topology->height_cells : 40;
    lc_universe *const both[] = {dense, scalar};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lc_universe_soup(both[i], 0, 0, w, h, 0.5, seed, NULL), LC_OK);
        test_step(both[i], 30);
    }
    test_expect_same_facts(dense, scalar);
    lc_universe_destroy(&dense);
    lc_universe_destroy(&scalar);
}

static void test_every_surface(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 35);
    int cases = 0;
    for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
        for (int n = 0; n < 12; n++) {
            const int64_t w = 2 * (1 + dice_below(&d, 60));
            const int64_t h = kind == SURFACE_SPHERE ? w : 2 + 2 * dice_below(&d, 20);
            lc_topology topology;
            if (!topology_of(kind, w, h, &d, &topology))
                continue;
            expect_same_as_scalar(&topology, rule_at((size_t)dice_below(&d, 30), test_seed()),
                                  dice_word(&d));
            cases++;
        }
    }
    assert_true(cases > 60);
}

static void test_planes_and_tubes(void **state)
{
    (void)state;
    const lc_topology across = {.kind = LC_TOPOLOGY_TORUS, .height_cells = 40};
    const lc_topology down = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 50};
    expect_same_as_scalar(&infinite_plane, lc_rule_life(), 1);
    expect_same_as_scalar(&across, lc_rule_life(), 2);
    expect_same_as_scalar(&down, lc_rule_life(), 3);
}

// An engine steps only rules within its traits.
static void test_traits(void **state)
{
    (void)state;
    lc_traits rule = *lc_rule_traits(lc_rule_life());
    lc_engine_vtable engine = test_engine_dense;
    assert_true(lc_engine_has_traits(&engine, &rule));
    rule.reach = 2;
    assert_false(lc_engine_has_traits(&engine, &rule));
    engine.traits.reach_max = 2;
    assert_true(lc_engine_has_traits(&engine, &rule));
    rule.states = 3;
    assert_false(lc_engine_has_traits(&engine, &rule));
    engine.traits.states_max = 4;
    assert_true(lc_engine_has_traits(&engine, &rule));
    rule.planes = 2;
    assert_false(lc_engine_has_traits(&engine, &rule));
    engine.traits.planes_max = 2;
    assert_true(lc_engine_has_traits(&engine, &rule));
    engine.traits.families = LC_FAMILY_BIT(LC_FAMILY_MAP);
    assert_false(lc_engine_has_traits(&engine, &rule));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_surface),
        cmocka_unit_test(test_planes_and_tubes),
        cmocka_unit_test(test_traits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
