// Censuses that ranks share: the same counts and samples as those of one process.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_census.h"
#include "support_ranks.h"

static int calls_left;

static bool stop_at_last_call(void *user, const lc_soup_census *census)
{
    (void)user;
    (void)census;
    return --calls_left > 0;
}

// The second run begins with what the first one has left.
static void check_shared(int ranks, const lc_soup_census_options *options)
{
    lc_soup_census *want, *got;
    lc_soup_census_options one = *options, shared = *options;
    const lc_soup_census_callbacks callbacks = {.struct_bytes = sizeof callbacks,
                                                .progress = stop_at_last_call};
    one.context = test_context();
    shared.context = test_ranks_context(ranks);
    GOOD(lc_soup_census_create(&want, &one, &why));
    GOOD(lc_soup_census_create(&got, &shared, &why));
    GOOD(lc_soup_census_run(want, NULL, &why));
    calls_left = 2; // the first one is before the first round
    const lc_status status = lc_soup_census_run(got, &callbacks, NULL);
    assert_true(status == LC_OK || status == LC_ERROR_STOPPED);
    GOOD(lc_soup_census_run(got, NULL, &why));
    check_same_census(got, want);
    GOOD(lc_soup_census_want(want, 7000, 300, &why)); // the ranks keep their census
    GOOD(lc_soup_census_want(got, 7000, 300, &why));
    GOOD(lc_soup_census_run(want, NULL, &why));
    GOOD(lc_soup_census_run(got, NULL, &why));
    check_same_census(got, want);
    lc_soup_census_destroy(&want);
    lc_soup_census_destroy(&got);
}

static void shared_censuses(void **state)
{
    (void)state;
    const lc_soup_census_options options = {.struct_bytes = sizeof options,
                                            .rule_text = "B3/S23",
                                            .seed = "l_ranks",
                                            .first_soup = 11,
                                            .soups = 4000};
    check_shared(2, &options);
    check_shared(5, &options);
    const lc_soup_census_options random = {.struct_bytes = sizeof random,
                                           .rule_text = "B3/S2-i34q",
                                           .width_cells = 9,
                                           .height_cells = 12,
                                           .density = 0.4,
                                           .soups = 500};
    check_shared(3, &random); // another census than the ranks have kept
    const lc_soup_census_options few = {.struct_bytes = sizeof few,
                                        .rule_text = "B38/S23",
                                        .seed = "l_ranks",
                                        .symmetry = "D8_1",
                                        .soups = 2};
    check_shared(5, &few);
    // A switch engine, which runs in a universe that ranks cannot share.
    const lc_soup_census_options growing = {.struct_bytes = sizeof growing,
                                            .rule_text = "B3/S23",
                                            .seed = "l_mpi",
                                            .first_soup = 17402,
                                            .soups = 1};
    check_shared(2, &growing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_censuses),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_ranks_end();
    return failed;
}
