// The viewer's server under clients that want too much: what is kept for them has bounds, and the
// others go on seeing and steering. Also what happens when there is no room on the disk.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_universe.h"
#include "viewer_client.h"

static lc_universe *soup(int64_t side)
{
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = side, .height_cells = side};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, side, side, 0.3, 1, NULL), LC_OK);
    return u;
}

static void start(served *server, lc_universe *universe)
{
    const lc_viewer_options usual = {.name = "test",
                                     .creation = {.threads = 2, .max_memory_bytes = 64 << 20}};
    serve(server, &usual, universe);
}

static void end(served *server)
{
    lc_universe *universe = end_serving(server);
    lc_universe_destroy(&universe);
}

static void enter(client *c, const served *server)
{
    assert_int_equal(connect_client(c, lc_viewer_port(server->viewer), "/socket", NULL), 101);
    json_decref(expect(c, "state"));
}

// The answer to the question with that id, whose text begins with its "do".
static json_t *ask(client *c, int id, const char *question)
{
    send_text(c, "{\"id\":%d,\"do\":%s}", id, question);
    while (receive(c)) {
        if (c->binary) {
            acknowledge(c);
            continue;
        }
        json_t *object = json_loadb((const char *)c->bytes, c->size_bytes, 0, NULL);
        const json_t *re = json_object_get(object, "re");
        if (json_is_integer(re) && json_integer_value(re) == id)
            return object;
        json_decref(object);
    }
    fail_msg("question %d was not answered", id);
    return NULL;
}

static bool is(const json_t *object, const char *what)
{
    return strcmp(json_string_value(json_object_get(object, "is")), what) == 0;
}

static void check_answer(client *c, int id, const char *question, const char *what)
{
    json_t *answer = ask(c, id, question);
    assert_true(is(answer, what));
    json_decref(answer);
}

static void wait_for_generation(client *c, const char *generation)
{
    for (bool there = false; !there;) {
        json_t *state = expect(c, "state");
        there = strcmp(json_string_value(json_object_get(state, "generation")), generation) == 0;
        json_decref(state);
    }
}

// ---- the beginning -----------------------------------------------------------------------------

// A universe that cannot be made anew is kept before it is stepped, and here there is no room to.
static void test_a_beginning_that_could_not_be_kept(void **state)
{
    (void)state;
    served server;
    client c;
    const char *folder = getenv("TMPDIR");
    char *before = folder != NULL ? strdup(folder) : NULL;
    setenv("TMPDIR", "/no folder of that name", 1);
    start(&server, soup(64));
    enter(&c, &server);
    check_answer(&c, 1, "\"step\",\"generations\":3", "done");
    wait_for_generation(&c, "3");
    check_answer(&c, 2, "\"reset\"", "error");
    check_answer(&c, 3, "\"keep\"", "error");
    check_answer(&c, 4, "\"save\",\"format\":\"rle\"", "error");
    check_answer(&c, 5, "\"step\",\"generations\":1", "done");
    wait_for_generation(&c, "4");
    close_client(&c);
    end(&server);
    if (before != NULL)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}

// What was drawn at the beginning belongs to it, also if a moment is gone back to before the first step.
static void test_edits_of_the_beginning_outlive_a_moment(void **state)
{
    (void)state;
    served server;
    client c;
    start(&server, test_create("simd", LIFE, infinite_plane, 64 << 20));
    enter(&c, &server);
    check_answer(&c, 1, "\"keep\"", "done");
    check_answer(&c, 2, "\"cells\",\"alive\":true,\"runs\":[0,0,3]", "done");
    check_answer(&c, 3, "\"return\",\"moment\":1", "done");
    check_answer(&c, 4, "\"reset\"", "done");
    json_t *answer = ask(&c, 5, "\"box\"");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(answer, "box"), "width")),
                     3);
    json_decref(answer);
    close_client(&c);
    end(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_beginning_that_could_not_be_kept),
        cmocka_unit_test(test_edits_of_the_beginning_outlive_a_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
