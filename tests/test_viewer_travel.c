// Going to other generations through the protocol: back, ahead, backwards as a film, so many
// generations a picture; and only for the one who steers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"
#include "viewer_client.h"

static json_t *wait_until(client *c, bool (*holds)(const json_t *state))
{
    while (c->state == NULL || !holds(c->state)) {
        assert_true(receive(c));
        acknowledge(c);
    }
    return c->state;
}

static const char *generation_of(const json_t *state)
{
    return json_string_value(json_object_get(state, "generation"));
}

static const json_t *past_of(const json_t *state, const char *name)
{
    return json_object_get(json_object_get(state, "past"), name);
}

static void wait_for_generation(client *c, const char *generation)
{
    for (;;) {
        if (c->state != NULL && strcmp(generation_of(c->state), generation) == 0 &&
            json_is_null(past_of(c->state, "to")))
            return;
        assert_true(receive(c));
        acknowledge(c);
    }
}

static void back_and_ahead(void **state)
{
    (void)state;
    served server;
    client c, other;
    start_serving(&server, viewer_soup(200, 200, 3));
    enter(&c, &server);
    REFUSED(&c, 1, "{\"do\":\"back\",\"generations\":\"1\",\"id\":1}"); // it is the first one
    REFUSED(&c, 2, "{\"do\":\"rewind\",\"id\":2}");
    ACCEPTED(&c, 3, "{\"do\":\"step\",\"generations\":\"300\",\"id\":3}");
    wait_for_generation(&c, "300");
    ACCEPTED(&c, 4, "{\"do\":\"back\",\"generations\":\"1\",\"id\":4}");
    wait_for_generation(&c, "299");
    assert_string_equal(json_string_value(past_of(c.state, "first")), "0");
    assert_string_equal(json_string_value(past_of(c.state, "last")), "300");
    // As many at once as are asked for.
    for (int i = 0; i < 20; i++)
        send_text(&c, "{\"do\":\"back\",\"generations\":\"2\"}");
    wait_for_generation(&c, "259");
    ACCEPTED(&c, 5, "{\"do\":\"go\",\"generation\":\"290\",\"id\":5}");
    wait_for_generation(&c, "290");
    ACCEPTED(&c, 6, "{\"do\":\"go\",\"generation\":\"100000\",\"id\":6}"); // as far as it has been
    wait_for_generation(&c, "300");
    ACCEPTED(&c, 7, "{\"do\":\"back\",\"generations\":\"100000\",\"id\":7}");
    wait_for_generation(&c, "0");
    ACCEPTED(&c, 8, "{\"do\":\"go\",\"generation\":\"77\",\"id\":8}");
    wait_for_generation(&c, "77");
    REFUSED(&c, 9, "{\"do\":\"go\",\"generation\":-1,\"id\":9}");
    REFUSED(&c, 10, "{\"do\":\"go\",\"id\":10}");
    REFUSED(&c, 11, "{\"do\":\"back\",\"generations\":0,\"id\":11}");
    // Who only looks may ask what there is, and nothing else.
    enter(&other, &server);
    REFUSED(&other, 1, "{\"do\":\"back\",\"generations\":\"1\",\"id\":1}");
    REFUSED(&other, 2, "{\"do\":\"go\",\"generation\":\"1\",\"id\":2}");
    REFUSED(&other, 3, "{\"do\":\"rewind\",\"id\":3}");
    REFUSED(&other, 4, "{\"do\":\"pictures\",\"generations\":\"2\",\"id\":4}");
    for (size_t count = 0; count < 4;) { // soon it has been counted twice
        send_text(&other, "{\"do\":\"past\",\"id\":5}");
        json_t *past = expect(&other, "past");
        count = json_array_size(json_object_get(past, "points"));
        assert_int_equal(count % 2, 0);
        json_decref(past);
        acknowledge(&c);
    }
    close_client(&other);
    close_client(&c);
    lc_universe *universe = end_serving(&server), *fresh = viewer_soup(200, 200, 3);
    assert_int_equal(lc_universe_step(fresh, lc_count_of(77), NULL, NULL, NULL), LC_OK);
    assert_int_equal(test_hash(universe), test_hash(fresh));
    lc_universe_destroy(&fresh);
    lc_universe_destroy(&universe);
}

static bool is_paused(const json_t *s)
{
    return json_is_false(json_object_get(s, "running"));
}

// Every picture is so many generations after the one before, and back.
static void so_many_generations_a_picture(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_soup(200, 200, 3));
    enter(&c, &server);
    send_text(&c, "{\"do\":\"look\",\"look\":1,\"x\":0,\"y\":0,\"scale\":0,\"width\":200,"
                  "\"height\":200,\"frames\":240}");
    expect_frame(&c, 1);
    ACCEPTED(&c, 1, "{\"do\":\"pictures\",\"generations\":\"8\",\"id\":1}");
    send_text(&c, "{\"do\":\"run\"}");
    for (uint64_t i = 0; i <= 320; i += 8) {
        if (i > 0) {
            expect_frame(&c, 1);
            assert_int_equal(number_at(&c, 40, 8), i);
        }
    }
    // Not by ACCEPTED, which does not say that pictures were drawn.
    send_text(&c, "{\"do\":\"pause\"}");
    wait_until(&c, is_paused);
    const uint64_t end = strtoull(generation_of(c.state), NULL, 10);
    assert_true(end >= 320 && end % 8 == 0);
    send_text(&c, "{\"do\":\"rewind\"}");
    for (uint64_t before = end; before > 0;) {
        expect_frame(&c, 1);
        const uint64_t now = number_at(&c, 40, 8);
        assert_true(now == before || now == before - 8);
        before = now;
    }
    wait_for_generation(&c, "0");
    ACCEPTED(&c, 4, "{\"do\":\"pictures\",\"generations\":null,\"id\":4}");
    wait_for_generation(&c, "0");
    close_client(&c);
    stop_serving(&server);
}

static bool goes(const json_t *s)
{
    return json_is_string(past_of(s, "to"));
}

static bool rests(const json_t *s)
{
    return !goes(s) && !json_is_true(past_of(s, "playing"));
}

static bool plays(const json_t *s)
{
    return json_is_true(past_of(s, "playing"));
}

// What takes long can be given up, and whoever asks for something else meanwhile gets it.
static void it_can_be_given_up(void **state)
{
    (void)state;
    served server;
    client c;
    lc_viewer_options options = viewer_options();
    options.creation.max_memory_bytes = (uint64_t)512 << 20;
    serve(&server, &options, viewer_soup(8192, 8192, 3));
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"step\",\"generations\":\"400\",\"id\":1}");
    wait_for_generation(&c, "400");
    for (int id = 2; id < 6; id++) {
        // A generation from which much has to be computed again, whatever was kept.
        ACCEPTED(&c, id, "{\"do\":\"go\",\"generation\":\"%d\",\"id\":%d}", 230 - id, id);
        wait_until(&c, goes);
        ACCEPTED(&c, id + 10, "{\"do\":\"pause\",\"id\":%d}", id + 10);
        wait_until(&c, rests);
        if (strcmp(generation_of(c.state), "400") == 0)
            break; // it was given up; otherwise it was quick
    }
    ACCEPTED(&c, 20, "{\"do\":\"rewind\",\"id\":20}");
    wait_until(&c, plays);
    ACCEPTED(&c, 21, "{\"do\":\"run\",\"id\":21}");
    wait_for(&c, "running", NULL, true);
    assert_true(rests(c.state));
    close_client(&c);
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(back_and_ahead),
        cmocka_unit_test(so_many_generations_a_picture),
        cmocka_unit_test(it_can_be_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
