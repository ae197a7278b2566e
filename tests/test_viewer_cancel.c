// An edit that a client cancels, or that ends with its client or the viewer: no cell has changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support.h"
#include "support_facts.h"
#include "support_universe.h"
#include "viewer_client.h"

// An edit that takes minutes, and little memory.
static const char endless[] = "{\"do\":\"invert\",\"x\":-9,\"y\":-9,\"width\":1048576,"
                              "\"height\":1048576,\"id\":%d}";

static void begin_endless(client *c, served *server)
{
    lc_universe *u = test_create("hashlife", LIFE, infinite_plane, 0);
    test_set(u, 5, 5);
    start_serving(server, u);
    enter(c, server);
    ACCEPTED(c, 1, "{\"do\":\"cells\",\"alive\":true,\"stroke\":1,\"runs\":[9,9,3],\"id\":1}");
    send_text(c, endless, 2);
    wait_for(c, "busy", "changing cells", true);
}

static void expect_four_cells(served *server)
{
    lc_universe *u = end_serving(server);
    assert_int_equal(test_population(u), 4);
    assert_int_equal(test_generation(u), 0);
    lc_universe_destroy(&u);
}

static void test_cancelling(void **state)
{
    (void)state;
    served server;
    client c;
    begin_endless(&c, &server);
    assert_true(json_is_true(json_object_get(c.state, "may_cancel")));
    send_text(&c, "{\"do\":\"cancel\",\"id\":3}");
    assert_false(is_refused(&c, 3));
    assert_true(is_refused(&c, 2));
    // Undoing takes back what was done before it, and nothing else.
    ACCEPTED(&c, 4, "{\"do\":\"undo\",\"id\":4}");
    REFUSED(&c, 5, "{\"do\":\"undo\",\"id\":5}");
    ACCEPTED(&c, 6, "{\"do\":\"redo\",\"id\":6}");
    REFUSED(&c, 7, "{\"do\":\"cancel\",\"id\":7}"); // there is nothing left
    close_client(&c);
    expect_four_cells(&server);
}

// Who steers and leaves gives it up: then another one may go on.
static void test_leaving(void **state)
{
    (void)state;
    served server;
    client c, other;
    begin_endless(&c, &server);
    assert_int_equal(connect_client(&other, lc_viewer_port(server.viewer), "/socket", NULL), 101);
    close_client(&c);
    json_decref(expect(&other, "hello"));
    wait_for(&other, "editor", NULL, true);
    ACCEPTED(&other, 8, "{\"do\":\"undo\",\"id\":8}");
    ACCEPTED(&other, 9, "{\"do\":\"redo\",\"id\":9}");
    close_client(&other);
    expect_four_cells(&server);
}

static void test_ending(void **state)
{
    (void)state;
    served server;
    client c;
    begin_endless(&c, &server);
    expect_four_cells(&server);
    close_client(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
