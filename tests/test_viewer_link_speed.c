// How large a picture may be on a connection, by a clock of the test's own; and the coarser looks
// that follow from that.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer/link_speed.h"
#include "viewer/picture_message.h"

static const uint64_t ms_ns = 1000000;

// A connection of so many bytes a second, and pictures of so many bytes, two at a time.
typedef struct line {
    uint64_t latency_ns, bytes_a_second;
    uint64_t now_ns, free_ns;
    uint32_t frames;
} line;

static void send(lc_link_speed *link, line *l, size_t size_bytes)
{
    lc_link_speed_sent(link, ++l->frames, size_bytes, l->now_ns);
    const uint64_t begin_ns = l->free_ns > l->now_ns ? l->free_ns : l->now_ns;
    l->free_ns = begin_ns + size_bytes * 1000 * ms_ns / l->bytes_a_second;
    l->now_ns = l->free_ns + l->latency_ns;
    lc_link_speed_arrived(link, l->frames, 0, l->now_ns);
}

static void what_is_quick_has_no_bound(void **state)
{
    (void)state;
    lc_link_speed link = {0};
    line l = {.latency_ns = 2 * ms_ns, .bytes_a_second = 10000000, .now_ns = ms_ns};
    assert_false(lc_link_speed_is_known(&link));
    assert_in_range(lc_link_speed_limit_bytes(&link), 10000, 13000); // it may be one of 1 Mbit/s
    assert_false(lc_link_speed_compresses(&link, 50000));
    assert_true(lc_link_speed_compresses(&link, 400000));
    for (int i = 0; i < 20; i++)
        send(&link, &l, 259200);
    assert_true(lc_link_speed_is_known(&link));
    assert_int_equal(lc_link_speed_limit_bytes(&link), SIZE_MAX);
    assert_false(lc_link_speed_compresses(&link, 400000));
}

// Two of those pictures take a fifth of a second.
static void what_is_slow_has_one(void **state)
{
    (void)state;
    lc_link_speed link = {0};
    line l = {.latency_ns = 150 * ms_ns, .bytes_a_second = 125000, .now_ns = ms_ns};
    for (int i = 0; i < 4; i++)
        send(&link, &l, 500);
    for (int i = 0; i < 20; i++)
        send(&link, &l, 40000);
    assert_in_range(lc_link_speed_limit_bytes(&link), 11000, 14000);
    assert_true(lc_link_speed_compresses(&link, 40000));
    assert_false(lc_link_speed_compresses(&link, 4000));
    // It gets faster, and that is seen also by pictures of the size that it had room for.
    l.bytes_a_second = 5000000;
    for (int i = 0; i < 40; i++)
        send(&link, &l, 12000);
    assert_int_equal(lc_link_speed_limit_bytes(&link), SIZE_MAX);
    // And slower than anything.
    l.bytes_a_second = 100;
    for (int i = 0; i < 40; i++)
        send(&link, &l, 12000);
    assert_int_equal(lc_link_speed_limit_bytes(&link), 1024);
}

static void a_second_one_waits_for_the_first(void **state)
{
    (void)state;
    lc_link_speed link = {0};
    uint64_t now_ns = 1000 * ms_ns;
    for (uint32_t i = 1; i < 40; i += 2, now_ns += 1000 * ms_ns) {
        lc_link_speed_sent(&link, i, 20000, now_ns);
        lc_link_speed_sent(&link, i + 1, 20000, now_ns);
        lc_link_speed_arrived(&link, i, 0, now_ns + 200 * ms_ns);
        lc_link_speed_arrived(&link, i + 1, 0, now_ns + 400 * ms_ns);
        lc_link_speed_arrived(&link, i + 1, 0, now_ns + 900 * ms_ns); // says it again
    }
    assert_in_range(lc_link_speed_limit_bytes(&link), 9900, 10300);
}

// A page that draws two of them at once says of both at the same moment that they are drawn: the
// second one has not come in no time. And of one that comes quickly by chance little is believed.
static void two_that_are_drawn_at_once_are_not_quick(void **state)
{
    (void)state;
    lc_link_speed link = {0};
    uint64_t now_ns = 1000 * ms_ns;
    for (uint32_t i = 1; i < 40; i += 2, now_ns += 1000 * ms_ns) {
        lc_link_speed_sent(&link, i, 10000, now_ns);
        lc_link_speed_sent(&link, i + 1, 10000, now_ns);
        lc_link_speed_arrived(&link, i, 0, now_ns + 200 * ms_ns);
        lc_link_speed_arrived(&link, i + 1, 0, now_ns + 200 * ms_ns + ms_ns / 2);
        assert_true(lc_link_speed_limit_bytes(&link) < 12500);
    }
    assert_in_range(lc_link_speed_limit_bytes(&link), 5000, 10100);
    lc_link_speed_sent(&link, 41, 10000, now_ns);
    lc_link_speed_arrived(&link, 41, 0, now_ns + 2 * ms_ns);
    assert_in_range(lc_link_speed_limit_bytes(&link), 5000, 13000);
}

// A page that draws slowly, and says so, is not behind a slow line.
static void slow_drawing_is_no_slow_line(void **state)
{
    (void)state;
    lc_link_speed slow = {0}, said = {0};
    uint64_t now_ns = 1000 * ms_ns;
    for (uint32_t i = 1; i < 20; i++, now_ns += 1000 * ms_ns) {
        lc_link_speed_sent(&slow, i, 12000, now_ns);
        lc_link_speed_arrived(&slow, i, 0, now_ns + 400 * ms_ns);
        lc_link_speed_sent(&said, i, 12000, now_ns);
        lc_link_speed_arrived(&said, i, 398 * ms_ns, now_ns + 400 * ms_ns);
    }
    assert_true(lc_link_speed_limit_bytes(&slow) < 12000);
    assert_int_equal(lc_link_speed_limit_bytes(&said), SIZE_MAX);
    // What cannot be changes nothing but its own weight.
    lc_link_speed_sent(&said, 20, 12000, now_ns);
    lc_link_speed_arrived(&said, 20, 60000 * ms_ns, now_ns + ms_ns);
    assert_int_equal(lc_link_speed_limit_bytes(&said), SIZE_MAX);
}

// All that the look shows, in squares that begin where such squares do.
static void check_coarser(lc_look look, int scales)
{
    const lc_look c = lc_look_coarser(&look, scales);
    assert_int_equal(c.scale, look.scale + scales);
    const int side = look.scale > LC_VIEW_NEAR_SCALE_MAX ? 0 : look.scale;
    const int coarse = c.scale > LC_VIEW_NEAR_SCALE_MAX ? c.scale - (look.scale - side) : c.scale;
    const bool in_squares = c.scale > LC_VIEW_NEAR_SCALE_MAX;
    const int64_t unit = (int64_t)1 << coarse, x = in_squares ? c.x * unit : c.x;
    const int64_t y = in_squares ? c.y * unit : c.y;
    const int64_t right = look.x + ((int64_t)look.width << side);
    const int64_t bottom = look.y + ((int64_t)look.height << side);
    assert_true(x % unit == 0 && y % unit == 0);
    assert_true(x <= look.x && look.x - x < unit && y <= look.y && look.y - y < unit);
    assert_true(x + c.width * unit >= right && x + c.width * unit - right < unit);
    assert_true(y + c.height * unit >= bottom && y + c.height * unit - bottom < unit);
}

static void coarser_looks_show_the_same(void **state)
{
    (void)state;
    for (int scales = 1; scales <= 5; scales++)
        for (int64_t x = -70; x < 70; x += 7) {
            check_coarser((lc_look){.x = x, .y = 3 * x, .width = 99, .height = 64}, scales);
            check_coarser((lc_look){.x = x * 8, .y = x, .scale = 3, .width = 64, .height = 7},
                          scales);
            check_coarser((lc_look){.x = x * (1 << 14), .scale = 14, .width = 99, .height = 1},
                          scales);
            check_coarser((lc_look){.x = x, .y = -x, .scale = 20, .width = 99, .height = 5},
                          scales);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_quick_has_no_bound),
        cmocka_unit_test(what_is_slow_has_one),
        cmocka_unit_test(a_second_one_waits_for_the_first),
        cmocka_unit_test(two_that_are_drawn_at_once_are_not_quick),
        cmocka_unit_test(slow_drawing_is_no_slow_line),
        cmocka_unit_test(coarser_looks_show_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
