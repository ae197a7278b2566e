// The commands of the page's tools over a real socket: what they do to cells, what they answer,
// what they refuse, and that those who watch are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"
#include "support_facts.h"
#include "support_universe.h"
#include "viewer/command.h"
#include "viewer_client.h"

enum { HEAD_BYTES = 72, STILL = 4 };

// An empty torus of 40 x 30, and a client that steers it.
static void enter_torus(client *c, served *server)
{
    start_serving(server, viewer_glider());
    enter(c, server);
    ACCEPTED(c, 1, "{\"do\":\"new\",\"rule\":\"B3/S23:T40,30\",\"id\":1}");
    wait_for(c, "population", "0", false);
}

// The live cells of the torus, row by row.
static void require_rows(client *c, int x, int y, int width, int height, const char *rle)
{
    send_text(c, "{\"do\":\"copy\",\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d}", x, y, width,
              height);
    json_t *clip = expect(c, "clip");
    const char *text = strchr(json_string_value(json_object_get(clip, "rle")), '\n');
    assert_non_null(text);
    if (strncmp(text + 1, rle, strlen(rle)) != 0)
        fail_msg("%s, not %s", text + 1, rle);
    json_decref(clip);
}

// A stroke that was not meant is taken back by its number, and nothing before it is.
static void test_undo_of_a_stroke(void **state)
{
    (void)state;
    served server;
    client c;
    enter_torus(&c, &server);
    ACCEPTED(&c, 2, "{\"do\":\"cells\",\"alive\":true,\"stroke\":7,\"runs\":[5,5,3],\"id\":2}");
    // This one changes nothing.
    ACCEPTED(&c, 3, "{\"do\":\"cells\",\"alive\":false,\"stroke\":8,\"runs\":[9,9,1],\"id\":3}");
    REFUSED(&c, 4, "{\"do\":\"undo\",\"stroke\":8,\"id\":4}");
    REFUSED(&c, 5, "{\"do\":\"undo\",\"stroke\":6,\"id\":5}");
    REFUSED(&c, 6, "{\"do\":\"undo\",\"stroke\":-1,\"id\":6}");
    REFUSED(&c, 7, "{\"do\":\"undo\",\"stroke\":\"7\",\"id\":7}");
    require_rows(&c, 5, 5, 3, 1, "3o!");
    ACCEPTED(&c, 8, "{\"do\":\"undo\",\"stroke\":7,\"id\":8}");
    wait_for(&c, "population", "0", false);
    REFUSED(&c, 9, "{\"do\":\"undo\",\"stroke\":7,\"id\":9}");
    ACCEPTED(&c, 10, "{\"do\":\"redo\",\"id\":10}");
    wait_for(&c, "population", "3", false);
    // Nor does it go back in time, or to another universe.
    ACCEPTED(&c, 11, "{\"do\":\"step\",\"generations\":3,\"id\":11}");
    wait_for(&c, "generation", "3", false);
    ACCEPTED(&c, 12, "{\"do\":\"cells\",\"alive\":false,\"stroke\":9,\"runs\":[9,9,1],\"id\":12}");
    REFUSED(&c, 13, "{\"do\":\"undo\",\"stroke\":9,\"id\":13}");
    ACCEPTED(&c, 14, "{\"do\":\"cells\",\"alive\":true,\"stroke\":10,\"runs\":[9,9,1],\"id\":14}");
    wait_for(&c, "population", "4", false);
    ACCEPTED(&c, 15, "{\"do\":\"undo\",\"stroke\":10,\"id\":15}");
    wait_for(&c, "population", "3", false);
    wait_for(&c, "generation", "3", false);
    ACCEPTED(&c, 16, "{\"do\":\"rule\",\"rule\":\"B36/S23\",\"id\":16}");
    REFUSED(&c, 17, "{\"do\":\"undo\",\"stroke\":10,\"id\":17}");
    close_client(&c);
    lc_universe *universe = end_serving(&server);
    assert_int_equal(test_population(universe), 3);
    lc_universe_destroy(&universe);
}

static void test_drawing(void **state)
{
    (void)state;
    served server;
    client c;
    enter_torus(&c, &server);
    // The pencil: its first cell decides for the stroke.
    ACCEPTED(&c, 2,
             "{\"do\":\"cells\",\"alive\":\"pencil\",\"stroke\":7,\"runs\":[5,5,1],\"id\":2}");
    ACCEPTED(&c, 3,
             "{\"do\":\"cells\",\"alive\":\"pencil\",\"stroke\":7,\"runs\":[6,5,2],\"id\":3}");
    wait_for(&c, "population", "3", false);
    ACCEPTED(
        &c, 4,
        "{\"do\":\"cells\",\"alive\":\"pencil\",\"stroke\":8,\"runs\":[7,5,1,0,0,2],\"id\":4}");
    wait_for(&c, "population", "2", false);
    ACCEPTED(&c, 5, "{\"do\":\"undo\",\"id\":5}");
    ACCEPTED(&c, 6, "{\"do\":\"undo\",\"id\":6}");
    wait_for(&c, "population", "0", false);
    // Symmetries, and the seam.
    ACCEPTED(&c, 7,
             "{\"do\":\"cells\",\"alive\":true,\"runs\":[12,10,2],\"symmetry\":\"all\","
             "\"about\":[21,21],\"id\":7}");
    wait_for(&c, "population", "8", false);
    require_rows(&c, 7, 7, 7, 7, "3bo$3bo2$2o3b2o2$3bo$3bo!");
    ACCEPTED(&c, 8, "{\"do\":\"undo\",\"id\":8}");
    ACCEPTED(&c, 9, "{\"do\":\"cells\",\"alive\":true,\"runs\":[38,3,4],\"wrap\":true,\"id\":9}");
    require_rows(&c, 0, 3, 40, 1, "2o36b2o!");
    ACCEPTED(&c, 10, "{\"do\":\"undo\",\"id\":10}");
    ACCEPTED(&c, 11, "{\"do\":\"cells\",\"alive\":true,\"runs\":[38,3,4],\"id\":11}");
    wait_for(&c, "population", "2", false);
    ACCEPTED(&c, 12, "{\"do\":\"undo\",\"id\":12}");
    ACCEPTED(&c, 13,
             "{\"do\":\"shape\",\"shape\":\"ellipse\",\"x\":3,\"y\":3,\"width\":5,\"height\":5,"
             "\"thickness\":1,\"alive\":true,\"id\":13}");
    require_rows(&c, 3, 3, 5, 5, "b3o$o3bo$o3bo$o3bo$b3o!");
    // Up to its border, from outside round the torus.
    send_text(&c, "{\"do\":\"flood\",\"at_x\":39,\"at_y\":0,\"id\":14}");
    json_t *done = expect(&c, "done");
    assert_string_equal(json_string_value(json_object_get(done, "cells")), "1179");
    json_decref(done);
    wait_for(&c, "population", "1191", false);
    ACCEPTED(&c, 15,
             "{\"do\":\"shape\",\"shape\":\"rectangle\",\"x\":-5,\"y\":-5,\"width\":60,"
             "\"height\":60,\"alive\":false,\"wrap\":true,\"id\":15}");
    wait_for(&c, "population", "0", false);
    static const char *const bad[] = {
        "{\"do\":\"cells\",\"alive\":\"pen\",\"runs\":[5,5,1],\"id\":16}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[5,5,1],\"symmetry\":\"x\",\"id\":16}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[5,5,1],\"symmetry\":3,\"id\":16}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[5,5,1],\"symmetry\":\"all\",\"about\":[1,2],"
        "\"id\":16}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[5,5,1],\"symmetry\":\"x\",\"about\":[1],"
        "\"id\":16}",
        "{\"do\":\"shape\",\"shape\":\"star\",\"x\":3,\"y\":3,\"width\":5,\"height\":5,"
        "\"alive\":true,\"id\":16}",
        "{\"do\":\"shape\",\"shape\":\"ellipse\",\"x\":3,\"y\":3,\"width\":0,\"height\":5,"
        "\"alive\":true,\"id\":16}",
        "{\"do\":\"shape\",\"shape\":\"ellipse\",\"x\":3,\"y\":3,\"width\":9,\"height\":1000000,"
        "\"alive\":true,\"id\":16}",
        "{\"do\":\"shape\",\"shape\":\"ellipse\",\"x\":3,\"y\":3,\"width\":9,\"height\":9,"
        "\"thickness\":-1,\"alive\":true,\"id\":16}",
        "{\"do\":\"flood\",\"at_x\":40,\"at_y\":0,\"id\":16}",
        "{\"do\":\"flood\",\"id\":16}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        REFUSED(&c, 16, "%s", bad[i]);
    close_client(&c);
    lc_universe *universe = end_serving(&server);
    assert_int_equal(test_population(universe), 0);
    lc_universe_destroy(&universe);
}

static void require_box(client *c, int x, int y, int width, int height)
{
    json_t *answer = expect(c, "box");
    json_t *box = json_object_get(answer, "box");
    assert_int_equal(json_integer_value(json_object_get(box, "x")), x);
    assert_int_equal(json_integer_value(json_object_get(box, "y")), y);
    assert_int_equal(json_integer_value(json_object_get(box, "width")), width);
    assert_int_equal(json_integer_value(json_object_get(box, "height")), height);
    json_decref(answer);
}

static void test_selections(void **state)
{
    (void)state;
    served server;
    client c;
    enter_torus(&c, &server);
    // A glider, over the seam, turned there, and back.
    ACCEPTED(&c, 2, "{\"do\":\"cells\",\"alive\":true,\"runs\":[1,0,1,2,1,1,0,2,3],\"id\":2}");
    ACCEPTED(&c, 3,
             "{\"do\":\"move\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"right\":-1,\"down\":-2,"
             "\"id\":3}");
    require_rows(&c, -1, -2, 3, 3, "bo$2bo$3o!");
    send_text(&c, "{\"do\":\"turn-cells\",\"x\":-1,\"y\":-2,\"width\":3,\"height\":3,"
                  "\"how\":\"right\",\"id\":4}");
    require_box(&c, -1, -2, 3, 3);
    require_rows(&c, -1, -2, 3, 3, "o$obo$2o!");
    ACCEPTED(&c, 5, "{\"do\":\"undo\",\"id\":5}");
    ACCEPTED(&c, 6, "{\"do\":\"undo\",\"id\":6}");
    require_rows(&c, 0, 0, 3, 3, "bo$2bo$3o!");
    // A generation of it alone.
    ACCEPTED(&c, 7,
             "{\"do\":\"advance\",\"x\":0,\"y\":0,\"width\":3,\"height\":4,\"outside\":false,"
             "\"id\":7}");
    require_rows(&c, 0, 0, 3, 4, "$obo$b2o$bo!");
    wait_for(&c, "generation", "0", false);
    ACCEPTED(&c, 8, "{\"do\":\"undo\",\"id\":8}");
    ACCEPTED(&c, 9,
             "{\"do\":\"advance\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"outside\":true,"
             "\"id\":9}");
    require_rows(&c, 0, 0, 3, 4, "bo$2bo$3o$bo!");
    ACCEPTED(&c, 10, "{\"do\":\"undo\",\"id\":10}");
    ACCEPTED(&c, 11, "{\"do\":\"invert\",\"x\":-1,\"y\":0,\"width\":4,\"height\":3,\"id\":11}");
    require_rows(&c, -1, 0, 4, 3, "2obo$3o$o!");
    send_text(&c, "{\"do\":\"shrink\",\"x\":-5,\"y\":-5,\"width\":20,\"height\":20,\"id\":12}");
    require_box(&c, -1, 0, 4, 3);
    ACCEPTED(&c, 13,
             "{\"do\":\"clear\",\"x\":-1,\"y\":0,\"width\":4,\"height\":3,\"outside\":false,"
             "\"id\":13}");
    wait_for(&c, "population", "0", false);
    send_text(&c, "{\"do\":\"shrink\",\"x\":0,\"y\":0,\"width\":20,\"height\":20,\"id\":14}");
    json_t *nothing = expect(&c, "box");
    assert_true(json_is_null(json_object_get(nothing, "box")));
    json_decref(nothing);
    ACCEPTED(&c, 15,
             "{\"do\":\"fill\",\"x\":-4,\"y\":-4,\"width\":8,\"height\":8,\"density\":1,"
             "\"symmetry\":\"turn-4\",\"id\":15}");
    wait_for(&c, "population", "64", false);
    REFUSED(&c, 16,
            "{\"do\":\"fill\",\"x\":-4,\"y\":-4,\"width\":8,\"height\":9,\"density\":1,"
            "\"symmetry\":\"turn-4\",\"id\":16}");
    REFUSED(&c, 17, "{\"do\":\"move\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"id\":17}");
    REFUSED(&c, 18, "{\"do\":\"turn-cells\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"id\":18}");
    close_client(&c);
    // What a move loses beyond an edge is said.
    enter(&c, &server);
    ACCEPTED(&c, 19, "{\"do\":\"new\",\"rule\":\"B3/S23:P20,20\",\"id\":19}");
    ACCEPTED(&c, 20, "{\"do\":\"cells\",\"alive\":true,\"runs\":[5,5,3],\"id\":20}");
    send_text(&c, "{\"do\":\"move\",\"x\":5,\"y\":5,\"width\":3,\"height\":1,\"right\":13,"
                  "\"down\":0,\"id\":21}");
    json_t *done = expect(&c, "done");
    assert_string_equal(json_string_value(json_object_get(done, "lost")), "1");
    json_decref(done);
    close_client(&c);
    stop_serving(&server);
}

// A picture that is asked for by itself: at once, or when the universe has come to rest.
static void test_stills(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    send_text(&c, "{\"do\":\"picture\",\"x\":0,\"y\":0,\"scale\":0,\"width\":3,\"height\":3,"
                  "\"id\":2}");
    json_t *answer = expect(&c, "picture");
    assert_string_equal(json_string_value(json_object_get(answer, "generation")), "0");
    json_decref(answer);
    while (receive(&c) && !(c.binary && c.bytes[0] == STILL))
        ;
    const unsigned char cells[] = {2, 4, 7};
    assert_int_equal(c.size_bytes, HEAD_BYTES + 3);
    assert_memory_equal(c.bytes + HEAD_BYTES, cells, 3);
    // Each picture is of the generation that was asked for.
    for (int i = 1; i <= 8; i++) {
        char digits[8];
        snprintf(digits, sizeof digits, "%d", 4 * i);
        ACCEPTED(&c, 3, "{\"do\":\"step\",\"generations\":4,\"id\":3}");
        send_text(&c,
                  "{\"do\":\"picture\",\"x\":%d,\"y\":%d,\"scale\":0,\"width\":3,"
                  "\"height\":3,\"rest\":true,\"id\":4}",
                  i, i);
        answer = expect(&c, "picture");
        assert_string_equal(json_string_value(json_object_get(answer, "generation")), digits);
        json_decref(answer);
        while (receive(&c) && !(c.binary && c.bytes[0] == STILL))
            ;
        assert_memory_equal(c.bytes + HEAD_BYTES, cells, 3);
        assert_int_equal(number_at(&c, 40, 8), 4 * i);
    }
    // One at a time is waited for.
    ACCEPTED(&c, 5, "{\"do\":\"run\",\"id\":5}");
    wait_for(&c, "running", NULL, true);
    send_text(&c, "{\"do\":\"picture\",\"x\":0,\"y\":0,\"scale\":3,\"width\":3,\"height\":3,"
                  "\"rest\":true,\"id\":6}");
    REFUSED(&c, 7,
            "{\"do\":\"picture\",\"x\":0,\"y\":0,\"scale\":3,\"width\":3,\"height\":3,\"id\":7}");
    ACCEPTED(&c, 8, "{\"do\":\"pause\",\"id\":8}");
    json_decref(expect(&c, "picture"));
    REFUSED(
        &c, 9,
        "{\"do\":\"picture\",\"x\":0,\"y\":0,\"scale\":3,\"width\":9000,\"height\":3,\"id\":9}");
    close_client(&c);
    stop_serving(&server);
}

static void test_those_who_watch(void **state)
{
    (void)state;
    served server;
    client first, second;
    start_serving(&server, viewer_glider());
    enter(&first, &server);
    enter(&second, &server);
    static const char *const edits[] = {
        "\"do\":\"shape\",\"shape\":\"ellipse\",\"alive\":true",
        "\"do\":\"flood\",\"at_x\":1,\"at_y\":1",
        "\"do\":\"invert\"",
        "\"do\":\"move\",\"right\":1,\"down\":1",
        "\"do\":\"turn-cells\",\"how\":\"left\"",
        "\"do\":\"advance\"",
        "\"do\":\"fill\",\"density\":1,\"symmetry\":\"x\"",
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
        REFUSED(&second, 2, "{%s,\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"id\":2}", edits[i]);
    send_text(&second, "{\"do\":\"shrink\",\"x\":-9,\"y\":-9,\"width\":30,\"height\":30,\"id\":3}");
    require_box(&second, 0, 0, 3, 3);
    close_client(&first);
    close_client(&second);
    lc_universe *universe = end_serving(&server);
    assert_int_equal(test_population(universe), 5);
    lc_universe_destroy(&universe);
}

// What leaves all cells as they are is no edit: undoing goes back to before what was one.
static void test_what_changes_nothing(void **state)
{
    (void)state;
    served server;
    client c;
    enter_torus(&c, &server);
    ACCEPTED(&c, 1,
             "{\"do\":\"shape\",\"shape\":\"rectangle\",\"x\":5,\"y\":5,\"width\":2,"
             "\"height\":2,\"alive\":true,\"id\":1}");
    ACCEPTED(&c, 2, "{\"do\":\"step\",\"generations\":\"3\",\"id\":2}");
    wait_for(&c, "generation", "3", false);
    send_text(&c, "{\"do\":\"turn-cells\",\"x\":4,\"y\":4,\"width\":4,\"height\":4,"
                  "\"how\":\"right\",\"id\":3}");
    require_box(&c, 4, 4, 4, 4);
    ACCEPTED(&c, 4, "{\"do\":\"clear\",\"x\":20,\"y\":4,\"width\":4,\"height\":4,\"id\":4}");
    ACCEPTED(&c, 5, "{\"do\":\"step\",\"generations\":\"3\",\"id\":5}");
    wait_for(&c, "generation", "6", false);
    ACCEPTED(&c, 6, "{\"do\":\"undo\",\"id\":6}");
    wait_for(&c, "generation", "0", false);
    close_client(&c);
    stop_serving(&server);
}

static void require_member(const json_t *object, const char *name, const char *wanted)
{
    const json_t *member = json_object_get(object, name);
    char *text = json_dumps(member, JSON_ENCODE_ANY);
    if (text == NULL || strcmp(text, wanted) != 0)
        fail_msg("%s is %s, not %s", name, text, wanted);
    free(text);
}

// Where JavaScript's numbers are not exact, the server says and understands strings of digits.
static void test_far_from_0(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":1}");
    ACCEPTED(&c, 2,
             "{\"do\":\"cells\",\"alive\":true,\"id\":2,\"runs\":[\"4611686018427387903\",-5,1,"
             "\"-9007199254740991\",\"-9007199254740993\",1]}");
    send_text(&c, "{\"do\":\"box\",\"id\":3}");
    json_t *answer = expect(&c, "box");
    const json_t *box = json_object_get(answer, "box");
    require_member(box, "x", "-9007199254740991");
    require_member(box, "y", "\"-9007199254740993\"");
    require_member(box, "width", "\"4620693217682128895\"");
    require_member(box, "height", "9007199254740989");
    json_decref(answer);
    send_text(&c, "{\"do\":\"shrink\",\"x\":\"4611686018427387900\",\"y\":\"-9\",\"width\":\"4\","
                  "\"height\":9,\"id\":4}");
    answer = expect(&c, "box");
    box = json_object_get(answer, "box");
    require_member(box, "x", "\"4611686018427387903\"");
    require_member(box, "y", "-5");
    json_decref(answer);
    // Images about the middle of a cell 2^61 to the left and 2^61 down, turned by quarters.
    ACCEPTED(&c, 5,
             "{\"do\":\"cells\",\"alive\":true,\"id\":5,\"symmetry\":\"turn-4\","
             "\"about\":[\"-4611686018427387905\",\"4611686018427387907\"],"
             "\"runs\":[\"-2305843009213693950\",\"2305843009213693953\",1]}");
    wait_for(&c, "population", "6", false);
    send_text(&c, "{\"do\":\"copy\",\"x\":\"-2305843009213693956\",\"y\":\"2305843009213693950\","
                  "\"width\":7,\"height\":7,\"id\":6}");
    answer = expect(&c, "clip");
    const char *text = json_string_value(json_object_get(answer, "rle"));
    assert_non_null(strstr(text, "\n3bo3$o5bo3$3bo!"));
    json_decref(answer);
    close_client(&c);
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawing),    cmocka_unit_test(test_undo_of_a_stroke),
        cmocka_unit_test(test_selections), cmocka_unit_test(test_what_changes_nothing),
        cmocka_unit_test(test_stills),     cmocka_unit_test(test_those_who_watch),
        cmocka_unit_test(test_far_from_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
