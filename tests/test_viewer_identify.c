// Identification for the viewer's clients, and the status "settled".
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"
#include "support_universe.h"
#include "viewer_client.h"

static const char gun[] = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4b"
                          "obo$10bo5bo7bo$11bo3bo$12b2o!";

// Puts a pattern on the universe.
static void put(client *c, const char *rle, int x, int y)
{
    send_text(c, "{\"do\":\"clip\",\"rle\":\"x = 0, y = 0, rule = B3/S23\\n%s\",\"id\":90}", rle);
    json_decref(expect(c, "clip"));
    ACCEPTED(c, 91, "{\"do\":\"paste\",\"x\":%d,\"y\":%d,\"id\":91}", x, y);
}

static void require_text(const json_t *object, const char *name, const char *wanted)
{
    const char *text = json_string_value(json_object_get(object, name));
    if (text == NULL || strcmp(text, wanted) != 0)
        fail_msg("%s is %s, not %s", name, text != NULL ? text : "no text", wanted);
}

// Returns the answer to a command. Fails if it is another one than expected.
static json_t *expect_answer(client *c, int id, const char *is)
{
    for (;;) {
        assert_true(receive(c));
        acknowledge(c);
        if (c->binary)
            continue;
        json_t *answer = json_loadb((const char *)c->bytes, c->size_bytes, 0, NULL);
        const json_t *re = json_object_get(answer, "re");
        if (re != NULL && json_integer_value(re) == id) {
            require_text(answer, "is", is);
            return answer;
        }
        json_decref(answer);
    }
}

static void require_refused(client *c, int id, const char *wanted)
{
    json_t *error = expect_answer(c, id, "error");
    const char *text = json_string_value(json_object_get(error, "text"));
    if (strstr(text, wanted) == NULL)
        fail_msg("the server says \"%s\", not \"%s\"", text, wanted);
    json_decref(error);
}

static void test_what_it_is(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":1}");
    send_text(&c, "{\"do\":\"identify\",\"id\":2}");
    require_refused(&c, 2, "no live cells");
    put(&c, gun, 0, 0);
    put(&c, "bo$2bo$3o!", 1000, 1000);
    put(&c, "3o$$2o$2o!", 0, 500);
    // A selection is a pattern of its own.
    send_text(&c, "{\"do\":\"identify\",\"x\":-1,\"y\":-1,\"width\":40,\"height\":20,\"id\":3}");
    json_t *answer = expect_answer(&c, 3, "identity");
    require_text(answer, "kind", "gun");
    require_text(answer, "period", "30");
    require_text(answer, "population", "36");
    const json_t *object = json_array_get(json_object_get(answer, "objects"), 0);
    require_text(object, "name", "glider");
    require_text(object, "apgcode", "xq4_153");
    require_text(object, "speed", "c/4 diagonal");
    json_decref(answer);
    send_text(&c, "{\"do\":\"identify\",\"x\":990,\"y\":990,\"width\":20,\"height\":20,\"id\":4}");
    answer = expect_answer(&c, 4, "identity");
    require_text(answer, "kind", "spaceship");
    require_text(answer, "speed", "c/4 diagonal");
    assert_int_equal(json_integer_value(json_object_get(answer, "dx")), 1);
    json_decref(answer);
    // Of all cells the blinker and the block meet, and settle.
    ACCEPTED(&c, 5,
             "{\"do\":\"clear\",\"x\":-1,\"y\":490,\"width\":40,\"height\":40,\"outside\":true,"
             "\"id\":5}");
    send_text(&c, "{\"do\":\"identify\",\"id\":6}");
    answer = expect_answer(&c, 6, "identity");
    require_text(answer, "kind", "settles");
    json_decref(answer);
    close_client(&c);
    stop_serving(&server);
}

static void test_too_large(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_soup(2048, 2048, 1));
    enter(&c, &server);
    send_text(&c, "{\"do\":\"identify\",\"id\":1}");
    require_refused(&c, 1, "at most 1000000 can be examined");
    send_text(&c, "{\"do\":\"identify\",\"x\":0,\"y\":0,\"width\":2048,\"height\":2048,\"id\":2}");
    require_refused(&c, 2, "at most 1000000 can be examined");
    ACCEPTED(&c, 3, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":3}");
    put(&c, "3o!", 0, 0);
    put(&c, "3o!", 100000, 100000);
    send_text(&c, "{\"do\":\"identify\",\"x\":0,\"y\":0,\"width\":200000,\"height\":200000,"
                  "\"id\":4}");
    require_refused(&c, 4, "at most 2^28 cells");
    send_text(&c, "{\"do\":\"identify\",\"id\":5}"); // but no area has to be copied of all cells
    json_t *answer = expect_answer(&c, 5, "identity");
    require_text(answer, "kind", "oscillator");
    json_decref(answer);
    REFUSED(&c, 6, "{\"do\":\"identify\",\"x\":0,\"width\":9,\"id\":6}");
    close_client(&c);
    stop_serving(&server);
}

// Identifying takes long, and neither the universe nor other clients wait for it.
static void test_nobody_waits(void **state)
{
    (void)state;
    served server;
    client c, other;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    enter(&other, &server);
    // On so large a torus each generation of an acorn takes milliseconds.
    ACCEPTED(&c, 1, "{\"do\":\"new\",\"rule\":\"B3/S23:T8192,8192\",\"id\":1}");
    put(&c, "bo$3bo$2o2b3o!", 4000, 4000);
    REFUSED(&c, 9, "{\"do\":\"cancel\",\"identification\":true,\"id\":9}");
    send_text(&c, "{\"do\":\"identify\",\"id\":2}");
    json_t *progress = expect(&c, "identifying");
    assert_int_equal(json_integer_value(json_object_get(progress, "limit")), 20);
    json_decref(progress);
    ACCEPTED(&c, 3, "{\"do\":\"step\",\"generations\":\"5\",\"id\":3}");
    wait_for(&c, "generation", "5", false);
    // Another client, which does not steer, is answered meanwhile.
    send_text(&other,
              "{\"do\":\"identify\",\"x\":4000,\"y\":4000,\"width\":9,\"height\":9,\"id\":4}");
    json_decref(expect_answer(&other, 4, "identity"));
    REFUSED(&other, 5, "{\"do\":\"cancel\",\"identification\":true,\"id\":5}"); // it is not its own
    // A new one replaces it.
    send_text(&c, "{\"do\":\"identify\",\"id\":6}");
    require_refused(&c, 2, "cancelled");
    json_decref(expect(&c, "identifying"));
    send_text(&c, "{\"do\":\"cancel\",\"identification\":true}");
    require_refused(&c, 6, "cancelled");
    // It ends with its client and with the server.
    send_text(&other, "{\"do\":\"identify\",\"id\":7}");
    json_decref(expect(&other, "identifying"));
    close_client(&other);
    send_text(&c, "{\"do\":\"identify\",\"id\":8}");
    json_decref(expect(&c, "identifying"));
    stop_serving(&server);
    close_client(&c);
}

// ---- objects in view ----------------------------------------------------------------------------

// Asks for the objects in the rectangle from (-20, -20) to (80, 80).
static json_t *ask_objects(client *c, int id)
{
    send_text(c, "{\"do\":\"objects\",\"x\":-20,\"y\":-20,\"width\":100,\"height\":100,\"id\":%d}",
              id);
    return expect_answer(c, id, "objects");
}

static void test_objects_in_view(void **state)
{
    (void)state;
    served server;
    client c, other;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    enter(&other, &server);
    ACCEPTED(&c, 1, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":1}");
    json_t *answer = ask_objects(&c, 2);
    assert_int_equal(json_array_size(json_object_get(answer, "objects")), 0);
    json_decref(answer);
    put(&c, "3o!", 10, 20);
    put(&c, "2o$2o!", 79, 0); // half of it is in view
    put(&c, "2o$2o!", 90, 0); // not in view
    put(&c, "b2o$2o$bo!", 50, 50);
    answer = ask_objects(&other, 3); // which does not steer
    const json_t *objects = json_object_get(answer, "objects");
    assert_int_equal(json_array_size(objects), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *object = json_array_get(objects, i);
        const bool is_block = json_integer_value(json_object_get(object, "x")) == 79;
        require_text(object, "name", is_block ? "block" : "blinker");
        assert_int_equal(json_integer_value(json_object_get(object, "y")), is_block ? 0 : 20);
        assert_int_equal(json_integer_value(json_object_get(object, "width")), is_block ? 2 : 3);
    }
    ACCEPTED(&c, 4, "{\"do\":\"follow\",\"on\":true,\"id\":4}");
    json_decref(expect(&c, "state"));
    assert_int_equal(json_integer_value(json_object_get(answer, "revision")),
                     json_integer_value(json_object_get(c.state, "revision")));
    json_decref(answer);
    // Objects at the edge of a torus may have neighbours at the opposite edge.
    ACCEPTED(&c, 5, "{\"do\":\"new\",\"rule\":\"B3/S23:T40,40\",\"id\":5}");
    put(&c, "2o$2o!", 2, 10);
    put(&c, "2o$2o!", 20, 10);
    answer = ask_objects(&c, 6);
    objects = json_object_get(answer, "objects");
    assert_int_equal(json_array_size(objects), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(objects, 0), "x")), 20);
    json_decref(answer);
    ACCEPTED(&c, 7, "{\"do\":\"new\",\"rule\":\"B3/S23:T512,512\",\"density\":0.5,\"id\":7}");
    send_text(&c, "{\"do\":\"objects\",\"x\":0,\"y\":0,\"width\":512,\"height\":512,\"id\":8}");
    require_refused(&c, 8, "can be examined; zoom in");
    close_client(&c);
    close_client(&other);
    stop_serving(&server);
}

// ---- settled ------------------------------------------------------------------------------------

// Waits until the state says that the universe has settled, or that it has not.
static const json_t *wait_settled(client *c, bool wanted)
{
    for (;;) {
        const json_t *settled = json_object_get(c->state, "settled");
        if (settled != NULL && json_is_object(settled) == wanted)
            return settled;
        assert_true(receive(c));
        acknowledge(c);
    }
}

static void begin_anew(client *c, const char *rle)
{
    ACCEPTED(c, 80, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":80}");
    put(c, rle, 0, 0);
    wait_settled(c, false);
    ACCEPTED(c, 81, "{\"do\":\"run\",\"id\":81}");
}

static void test_settled(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"speed\",\"generations_per_second\":null,\"id\":1}");
    begin_anew(&c, "3o$$8b2o$8b2o!");
    const json_t *settled = wait_settled(&c, true);
    require_text(settled, "period", "2");
    require_text(settled, "spaceships", "0");
    assert_true(json_is_false(json_object_get(settled, "dead")));
    // An edit ends it, until more is known.
    ACCEPTED(&c, 2, "{\"do\":\"pause\",\"id\":2}");
    put(&c, "bo$2bo$3o!", 100, 100);
    wait_settled(&c, false);
    require_text(wait_settled(&c, true), "spaceships", "1");
    require_text(wait_settled(&c, true), "period", "4");
    ACCEPTED(&c, 3, "{\"do\":\"reset\",\"id\":3}");
    wait_settled(&c, false);
    // In the generation in which it settles, and not before.
    begin_anew(&c, "b2o$2o$bo!");
    ACCEPTED(&c, 4, "{\"do\":\"reset\",\"id\":4}");
    for (int generation = 1102; generation <= 1103; generation++) {
        ACCEPTED(&c, 5, "{\"do\":\"step\",\"generations\":\"%d\",\"id\":5}",
                 generation == 1102 ? 1102 : 1);
        wait_for(&c, "generation", generation == 1102 ? "1102" : "1103", false);
        assert_true(generation == 1103 || json_is_null(json_object_get(c.state, "settled")));
    }
    settled = wait_settled(&c, true);
    require_text(settled, "from", "1103");
    require_text(settled, "spaceships", "6");
    // When all cells have died.
    begin_anew(&c, "o!");
    assert_true(json_is_true(json_object_get(wait_settled(&c, true), "dead")));
    close_client(&c);
    stop_serving(&server);
}

static uint64_t number_of(const json_t *object, const char *name)
{
    return strtoull(json_string_value(json_object_get(object, name)), NULL, 10);
}

// Patterns that grow for ever, or whose spaceships will meet, have not settled.
static void test_not_settled(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"speed\",\"generations_per_second\":60,\"id\":1}");
    begin_anew(&c, gun);
    while (number_of(c.state, "generation") < 150) {
        json_decref(expect(&c, "state"));
        assert_true(json_is_null(json_object_get(c.state, "settled")));
    }
    begin_anew(&c, "bo$2bo$3o58$60b3o$60bo$61bo!");
    const json_t *settled = wait_settled(&c, true);
    const uint64_t from = number_of(settled, "from");
    if (from < 100 || number_of(c.state, "generation") < from)
        fail_msg("settled from %llu on, in generation %llu", (unsigned long long)from,
                 (unsigned long long)number_of(c.state, "generation"));
    close_client(&c);
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_is),   cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_nobody_waits), cmocka_unit_test(test_objects_in_view),
        cmocka_unit_test(test_settled),      cmocka_unit_test(test_not_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
