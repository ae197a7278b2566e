// Pictures of ages over the socket: their bytes, when they begin anew, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_universe.h"
#include "viewer_client.h"

enum { WIDTH = 150, HEIGHT = 90, HEADER = 72 };

// As docs/viewer-protocol.md says it.
static int index_of(int code, int tone)
{
    if (code < 128)
        return code == 127 ? 63 : (code + 1) / 2;
    return 64 + 4 * ((code - 128) * 3 / 8) + tone / 64;
}

static void look(client *c, unsigned number, int scale)
{
    send_text(c,
              "{\"do\":\"look\",\"look\":%u,\"x\":0,\"y\":0,\"scale\":%d,\"width\":%d,"
              "\"height\":%d,\"ages\":true,\"deflate\":\"never\"}",
              number, scale, WIDTH >> scale, HEIGHT >> scale);
    expect_frame(c, number);
    assert_int_equal(number_at(c, 2, 1), 8);
    assert_int_equal(number_at(c, 36, 1), 1);
    assert_int_equal(c->size_bytes, HEADER + (WIDTH >> scale) * (HEIGHT >> scale));
}

static void compare(const client *c, lc_ages *ages, const lc_universe *same, int scale)
{
    static uint8_t codes[WIDTH * HEIGHT], tones[WIDTH * HEIGHT];
    const int pixels = (WIDTH >> scale) * (HEIGHT >> scale);
    assert_int_equal(lc_ages_picture(ages, same, 0, 0, scale, WIDTH >> scale, HEIGHT >> scale,
                                     codes, tones, NULL),
                     LC_OK);
    for (int i = 0; i < pixels; i++)
        assert_int_equal(c->bytes[HEADER + i], index_of(codes[i], tones[i]));
}

static void step(client *c)
{
    ACCEPTED(c, 9, "{\"do\":\"step\",\"generations\":1,\"id\":9}");
}

static void test_pictures(void **state)
{
    (void)state;
    served server;
    client c;
    lc_universe *same = viewer_soup(WIDTH, HEIGHT, 3);
    lc_ages *ages;
    assert_int_equal(lc_ages_create(&ages, NULL), LC_OK);
    start_serving(&server, viewer_soup(WIDTH, HEIGHT, 3));
    enter(&c, &server);
    look(&c, 1, 0);
    compare(&c, ages, same, 0);
    for (int i = 0; i < 30; i++) {
        test_step(same, 1);
        step(&c);
        do
            expect_frame(&c, 1);
        while (number_at(&c, 40, 8) != (uint64_t)i + 1);
        compare(&c, ages, same, 0);
    }
    look(&c, 2, 2);
    compare(&c, ages, same, 2);
    look(&c, 3, 0);
    compare(&c, ages, same, 0);
    // Plain pictures are what they were.
    send_text(&c, "{\"do\":\"look\",\"look\":4,\"x\":0,\"y\":0,\"scale\":0,\"width\":64,"
                  "\"height\":64,\"ages\":false}");
    expect_frame(&c, 4);
    assert_int_equal(number_at(&c, 2, 1), 1);
    assert_int_equal(number_at(&c, 36, 1), 0);
    close_client(&c);
    stop_serving(&server);
    lc_ages_destroy(&ages);
    lc_universe_destroy(&same);
}

// Going back to the start is another life: nothing is older than its first generation, and there
// are no trails. Cells that are drawn are new.
static void test_beginning_anew(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_soup(WIDTH, HEIGHT, 3));
    enter(&c, &server);
    look(&c, 1, 0);
    for (int i = 0; i < 3; i++) {
        step(&c);
        expect_frame(&c, 1);
    }
    ACCEPTED(&c, 5, "{\"do\":\"reset\",\"id\":5}");
    do
        expect_frame(&c, 1);
    while (number_at(&c, 40, 8) != 0);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int index = c.bytes[HEADER + i];
        assert_true(index == 0 || index == 64 + 3);
    }
    const bool alive = c.bytes[HEADER] != 0;
    ACCEPTED(&c, 6, "{\"do\":\"cells\",\"alive\":%s,\"runs\":[0,0,1],\"id\":6}",
             alive ? "false" : "true");
    look(&c, 2, 0);
    assert_int_equal(c.bytes[HEADER], alive ? 63 : 64 + 3);
    close_client(&c);
    stop_serving(&server);
}

static void test_refusals(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    REFUSED(&c, 1,
            "{\"do\":\"look\",\"x\":1,\"y\":0,\"scale\":1,\"width\":9,\"height\":9,"
            "\"ages\":true,\"id\":1}");
    REFUSED(&c, 2,
            "{\"do\":\"look\",\"x\":0,\"y\":0,\"scale\":1,\"width\":9,\"height\":9,"
            "\"ages\":1,\"id\":2}");
    ACCEPTED(&c, 3,
             "{\"do\":\"look\",\"x\":-3,\"y\":1,\"scale\":200,\"width\":9,\"height\":9,"
             "\"ages\":true,\"id\":3}");
    ACCEPTED(&c, 4,
             "{\"do\":\"look\",\"x\":-1,\"y\":5,\"scale\":0,\"width\":9,\"height\":9,"
             "\"ages\":true,\"id\":4}");
    close_client(&c);
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_beginning_anew),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
