// Which densities a soup can have, and that it has them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_universe.h"

enum { SIDE = 2048 };

static lc_universe *board(void)
{
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = SIDE, .height_cells = SIDE};
    return test_create("simd", LIFE, torus, 0);
}

// What a density would become that is far from each multiple of 2^-16, it is not made.
static void test_refused(void **state)
{
    (void)state;
    static const double refused[] = {1e-6,    1e-5,     1e-300,   7e-6, 0.0001, 0.5 / 65536,
                                     0.99999, 0.999999, 1 - 1e-9, -0.1, 1.1,    NAN};
    lc_universe *universe = board();
    test_set(universe, 5, 7);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        lc_message message = {0};
        lc_status status = lc_universe_soup(universe, 0, 0, SIDE, SIDE, refused[i], 1, &message);
        if (status != LC_ERROR_ARGUMENT || message.text[0] == '\0')
            fail_msg("density %g: status %d, '%s'", refused[i], (int)status, message.text);
    }
    lc_message message = {0};
    assert_int_equal(lc_universe_soup(universe, 0, 0, 0, 0, 1e-6, 1, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "between 0 and 1.525878906e-05"));
    assert_int_equal(test_population(universe), 1);
    lc_universe_destroy(&universe);
}

// All others are made, and within six standard deviations of what was asked for.
static void test_made(void **state)
{
    (void)state;
    static const double made[] = {
        0,   1.0 / 65536, 1.525878906e-05, 2.0 / 65536,    0.0002, 0.001, 0.01, 0.3,
        0.5, 0.7,         0.999,           1 - 1. / 65536, 1,
    };
    const double cells = (double)(SIDE * SIDE);
    lc_universe *universe = board();
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        lc_message message = {0};
        lc_status status = lc_universe_soup(universe, 0, 0, SIDE, SIDE, made[i], 42, &message);
        if (status != LC_OK)
            fail_msg("density %g: '%s'", made[i], message.text);
        const double rounded = round(made[i] * 65536) / 65536;
        const double off = (double)test_population(universe) - rounded * cells;
        if (fabs(off) > 6 * sqrt(cells * rounded * (1 - rounded)))
            fail_msg("density %g: %g cells too many", made[i], off);
        const double rare = fmin(made[i], 1 - made[i]);
        assert_true(fabs(rounded - made[i]) <= 0.01 * rare);
    }
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
