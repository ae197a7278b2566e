// How fast the viewer's universe is to run: what may be stepped when, by a clock of the test's own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer/pace.h"

static const uint64_t second_ns = 1000000000;
static const uint64_t most_at_once = 1 << 20;

static void expect_near(double value, double expected, double most_off)
{
    if (!(fabs(value - expected) <= most_off))
        fail_msg("%g, which should be %g", value, expected);
}

static const lc_count last_generation = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

// What lc_pace_allow says of a generation below 2^64.
static uint64_t allow(lc_pace *pace, uint64_t generation, uint64_t now_ns, uint64_t *wake_ns)
{
    uint64_t allowed;
    assert_true(
        lc_count_to_u64(lc_pace_allow(pace, lc_count_of(generation), now_ns, wake_ns), &allowed));
    return allowed;
}

// Steps whatever is allowed until `until_ns`, and sleeps as long as it is told to. Returns the
// generation then.
static uint64_t run_until(lc_pace *pace, uint64_t generation, uint64_t now_ns, uint64_t until_ns)
{
    while (now_ns < until_ns) {
        uint64_t wake_ns;
        const uint64_t generations = allow(pace, generation, now_ns, &wake_ns);
        generation += generations;
        assert_true((generations == 0) == (wake_ns != UINT64_MAX));
        assert_true(generations > 0 || wake_ns > now_ns);
        now_ns = generations > 0 ? now_ns + 1000 : wake_ns;
    }
    return generation;
}

// So many generations a picture: never others, however late it is; the speed counts pictures, so
// that one of 1,024 generations does not come every half a minute.
static void pieces_are_whole(void **state)
{
    (void)state;
    lc_pace pace;
    uint64_t wake_ns, generation = 0, pieces = 0;
    lc_pace_create(&pace, true, lc_count_of(0), second_ns);
    lc_pace_set_every(&pace, lc_count_of(12), lc_count_of(0), second_ns);
    assert_int_equal(allow(&pace, 0, second_ns, &wake_ns), 12);
    assert_int_equal(allow(&pace, 12, second_ns, &wake_ns), 12); // at full speed at once
    lc_pace_set_speed(&pace, 5, lc_count_of(0), second_ns);
    for (uint64_t now_ns = second_ns; now_ns < 11 * second_ns;) {
        const uint64_t generations = allow(&pace, generation, now_ns, &wake_ns);
        assert_true(generations == 0 || generations == 12);
        generation += generations;
        pieces += generations != 0;
        now_ns = generations > 0 ? now_ns + 1000 : wake_ns;
    }
    assert_in_range(generation, 590, 612);
    assert_in_range(pieces, 49, 51);
    assert_int_equal(allow(&pace, generation, 30 * second_ns, &wake_ns), 12);
    // To a target all at once.
    lc_pace_run_to(&pace, lc_count_of(1000), lc_count_of(0), 30 * second_ns);
    assert_int_equal(allow(&pace, 0, 30 * second_ns, &wake_ns), 1000);
}

static void full_speed_is_pieces_without_a_pause(void **state)
{
    (void)state;
    lc_pace pace;
    uint64_t wake_ns;
    lc_pace_create(&pace, true, lc_count_of(5), second_ns);
    assert_true(pace.running);
    assert_int_equal(allow(&pace, 5, second_ns, &wake_ns), most_at_once);
    assert_int_equal(wake_ns, UINT64_MAX);
    // As far as there are numbers.
    const lc_count near = lc_count_distance(last_generation, lc_count_of(3));
    const lc_count three = lc_pace_allow(&pace, near, second_ns, &wake_ns);
    assert_int_equal(lc_count_compare(three, lc_count_of(3)), 0);
    assert_int_equal(allow(&pace, UINT64_MAX, second_ns, &wake_ns), most_at_once);
    assert_false(lc_pace_is_over(&pace, near));
    assert_true(lc_pace_is_over(&pace, last_generation));
}

static void a_target_is_reached_at_once_whatever_the_speed(void **state)
{
    (void)state;
    lc_pace pace;
    uint64_t wake_ns;
    lc_pace_create(&pace, false, lc_count_of(0), 0);
    assert_false(pace.running);
    lc_pace_set_speed(&pace, 2, lc_count_of(100), 0);
    lc_pace_run_to(&pace, lc_count_of(100 + 4 * most_at_once), lc_count_of(100), 0);
    assert_true(pace.running);
    assert_int_equal(allow(&pace, 100, 0, &wake_ns), 4 * most_at_once);
    assert_int_equal(wake_ns, UINT64_MAX);
    assert_false(lc_pace_is_over(&pace, lc_count_of(99 + 4 * most_at_once)));
    assert_true(lc_pace_is_over(&pace, lc_count_of(100 + 4 * most_at_once)));
    // However far it is.
    const lc_count far = {{5, 0, 7, 0}};
    lc_pace_run_to(&pace, far, lc_count_of(5), 0);
    const lc_count way = lc_pace_allow(&pace, lc_count_of(5), 0, &wake_ns);
    assert_int_equal(lc_count_compare(way, (lc_count){{0, 0, 7, 0}}), 0);
    assert_false(lc_pace_is_over(&pace, lc_count_of(5)));
    // Running on forgets it, and so does a pause.
    lc_pace_run(&pace, lc_count_of(100), 0);
    assert_false(lc_pace_is_over(&pace, lc_count_of(100 + 4 * most_at_once)));
    lc_pace_run_to(&pace, lc_count_of(100), lc_count_of(100), 0);
    assert_true(lc_pace_is_over(&pace, lc_count_of(100)));
    lc_pace_pause(&pace);
    assert_false(pace.running);
    assert_false(pace.has_target);
}

static void a_speed_is_kept(void **state)
{
    (void)state;
    static const double speeds[] = {1, 3, 24, 60, 999.5, 250000};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        lc_pace pace;
        lc_pace_create(&pace, true, lc_count_of(0), 0);
        lc_pace_set_speed(&pace, speeds[i], lc_count_of(1000), 7 * second_ns);
        const uint64_t reached = run_until(&pace, 1000, 7 * second_ns, 17 * second_ns);
        expect_near((double)(reached - 1000), 10 * speeds[i], 1.5 + speeds[i] * 1e-3);
    }
}

// The first generation is due at once, the next one a whole interval later.
static void a_slow_pace_waits(void **state)
{
    (void)state;
    lc_pace pace;
    uint64_t wake_ns;
    lc_pace_create(&pace, true, lc_count_of(0), 0);
    lc_pace_set_speed(&pace, 4, lc_count_of(0), 0);
    assert_int_equal(allow(&pace, 0, 0, &wake_ns), 1);
    assert_int_equal(allow(&pace, 1, 0, &wake_ns), 0);
    assert_in_range(wake_ns, second_ns / 4, second_ns / 4 + 10);
    assert_int_equal(allow(&pace, 1, second_ns / 8, &wake_ns), 0);
    assert_in_range(wake_ns, second_ns / 4, second_ns / 4 + 10);
    assert_int_equal(allow(&pace, 1, wake_ns, &wake_ns), 1);
}

static void a_delay_is_not_made_up_for(void **state)
{
    (void)state;
    lc_pace pace;
    uint64_t wake_ns;
    lc_pace_create(&pace, true, lc_count_of(0), 0);
    lc_pace_set_speed(&pace, 100, lc_count_of(0), 0);
    // A minute in which nothing could be stepped: a tenth of a second is, and then as usual.
    assert_int_equal(allow(&pace, 0, 60 * second_ns, &wake_ns), 11);
    const uint64_t reached = run_until(&pace, 11, 60 * second_ns, 61 * second_ns);
    assert_in_range(reached, 99, 113);
}

// What suits a universe counts until somebody chooses a speed, which then holds for all.
static void a_chosen_speed_is_kept(void **state)
{
    (void)state;
    lc_pace pace;
    lc_pace_create(&pace, false, lc_count_of(0), 0);
    lc_pace_suit(&pace, 30, lc_count_of(0), 0);
    expect_near(pace.speed, 30, 0);
    lc_pace_suit(&pace, 0, lc_count_of(0), 0);
    expect_near(pace.speed, 0, 0);
    lc_pace_set_speed(&pace, 7, lc_count_of(0), 0);
    lc_pace_suit(&pace, 30, lc_count_of(0), 0);
    expect_near(pace.speed, 7, 0);
    lc_pace_set_speed(&pace, 0, lc_count_of(0), 0); // full speed is a choice too
    lc_pace_suit(&pace, 30, lc_count_of(0), 0);
    expect_near(pace.speed, 0, 0);
}

static void the_rate_is_that_of_late(void **state)
{
    (void)state;
    lc_pace pace;
    uint64_t generation = 0, now_ns = 0;
    lc_pace_create(&pace, true, lc_count_of(0), 0);
    assert_true(lc_pace_rate(&pace) == 0);
    lc_pace_sample(&pace, lc_count_of(0), 0);
    assert_true(lc_pace_rate(&pace) == 0); // one sample says nothing
    for (int i = 0; i < 40; i++)
        lc_pace_sample(&pace, lc_count_of(generation += 50), now_ns += second_ns / 4);
    expect_near(lc_pace_rate(&pace), 200, 1e-6);
    // Samples that come quickly after one another are not taken, and old ones are dropped.
    for (int i = 0; i < 400; i++)
        lc_pace_sample(&pace, lc_count_of(generation += 10), now_ns += second_ns / 100);
    expect_near(lc_pace_rate(&pace), 1000, 1e-6);
    lc_pace_pause(&pace);
    assert_true(lc_pace_rate(&pace) == 0);
    lc_pace_run(&pace, lc_count_of(generation),
                now_ns); // and what was before a pause no longer counts
    assert_true(lc_pace_rate(&pace) == 0);
}

// In a pass that takes long: how far it should be by now.
static void a_long_pass_is_seen_ahead(void **state)
{
    (void)state;
    lc_pace pace;
    lc_pace_create(&pace, true, lc_count_of(0), second_ns);
    lc_pace_begin_pass(&pace, lc_count_of(0), lc_count_of(1000), second_ns);
    assert_int_equal(lc_pace_ahead(&pace, 2 * second_ns), 0); // nothing is known yet
    lc_pace_passed(&pace, lc_count_of(100), 2 * second_ns);
    assert_int_equal(lc_pace_ahead(&pace, 2 * second_ns), 0);
    assert_int_equal(lc_pace_ahead(&pace, 2 * second_ns + second_ns / 2), 50);
    pace.every = lc_count_of(7); // and then nothing between is to be seen
    assert_int_equal(lc_pace_ahead(&pace, 2 * second_ns + second_ns / 2), 0);
    pace.every = lc_count_of(0);
    assert_int_equal(lc_pace_ahead(&pace, 9 * second_ns), 99); // the last one is the universe's own
    lc_pace_end_passes(&pace);
    assert_int_equal(lc_pace_ahead(&pace, 9 * second_ns), 0);
    // A pass that is to make fewer.
    lc_pace_begin_pass(&pace, lc_count_of(100), lc_count_of(110), 10 * second_ns);
    assert_int_equal(lc_pace_ahead(&pace, 11 * second_ns), 9);
    lc_pace_begin_pass(&pace, lc_count_of(100), lc_count_of(101), 10 * second_ns);
    assert_int_equal(lc_pace_ahead(&pace, 11 * second_ns), 0);
    // One that is short, or leaps.
    lc_pace_begin_pass(&pace, lc_count_of(100), lc_count_of(1000), 10 * second_ns);
    lc_pace_passed(&pace, lc_count_of(200), 10 * second_ns + second_ns / 100);
    assert_int_equal(lc_pace_ahead(&pace, 11 * second_ns), 0);
    lc_pace_begin_pass(&pace, lc_count_of(200), last_generation, 20 * second_ns);
    lc_pace_passed(&pace, lc_count_of(200 + 4096), 21 * second_ns);
    assert_int_equal(lc_pace_ahead(&pace, 22 * second_ns), 0);
}

// What somebody has seen is reached before it pauses, unless that takes long.
static void a_pause_does_not_go_back(void **state)
{
    (void)state;
    lc_pace pace;
    uint64_t wake_ns;
    lc_pace_create(&pace, true, lc_count_of(0), second_ns);
    lc_pace_begin_pass(&pace, lc_count_of(0), lc_count_of(1000), second_ns);
    lc_pace_passed(&pace, lc_count_of(100), second_ns + second_ns / 2);
    lc_pace_pause_at(&pace, lc_count_of(130), lc_count_of(100), 2 * second_ns);
    assert_true(pace.running && pace.pauses);
    assert_int_equal(allow(&pace, 100, 2 * second_ns, &wake_ns), 30);
    assert_true(lc_pace_is_over(&pace, lc_count_of(130)));
    lc_pace_pause(&pace);
    assert_false(pace.running || pace.pauses);
    lc_pace_run(&pace, lc_count_of(130), 2 * second_ns);
    assert_false(pace.pauses);
    lc_pace_pause_at(&pace, lc_count_of(130), lc_count_of(130), 2 * second_ns);
    assert_false(pace.running);
    lc_pace_run(&pace, lc_count_of(130), 2 * second_ns);
    lc_pace_begin_pass(&pace, lc_count_of(130), lc_count_of(1000), 2 * second_ns);
    lc_pace_passed(&pace, lc_count_of(230), 5 * second_ns);
    lc_pace_pause_at(&pace, lc_count_of(250), lc_count_of(230), 5 * second_ns);
    assert_false(pace.running);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_whole),
        cmocka_unit_test(full_speed_is_pieces_without_a_pause),
        cmocka_unit_test(a_target_is_reached_at_once_whatever_the_speed),
        cmocka_unit_test(a_speed_is_kept),
        cmocka_unit_test(a_slow_pace_waits),
        cmocka_unit_test(a_delay_is_not_made_up_for),
        cmocka_unit_test(a_chosen_speed_is_kept),
        cmocka_unit_test(the_rate_is_that_of_late),
        cmocka_unit_test(a_long_pass_is_seen_ahead),
        cmocka_unit_test(a_pause_does_not_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
