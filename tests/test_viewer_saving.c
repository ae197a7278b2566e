// Files that the viewer's clients save: what is large is written from a copy, beside everything
// else, so that nobody waits for it.
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/timeline.h"
#include "support.h"
#include "support_facts.h"
#include "support_pattern.h"
#include "support_universe.h"
#include "viewer/saver.h"
#include "viewer_client.h"

enum { SIDE = 8192, FILE_BYTES = 64 << 20 };

static char answer[FILE_BYTES];

// The body of a file that was saved, as a universe.
static lc_universe *fetch(const served *server, json_t *saved)
{
    const char *path = json_string_value(json_object_get(saved, "path"));
    assert_int_equal(
        http_get(lc_viewer_port(server->viewer), path, "localhost", answer, sizeof answer), 200);
    const char *body = http_body(answer);
    const size_t size = (size_t)json_integer_value(json_object_get(saved, "bytes"));
    lc_universe *u;
    lc_pattern *pattern;
    if (strstr(path, ".lcs") != NULL) {
        assert_int_equal(lc_universe_restore_memory(&u, body, size, NULL, NULL), LC_OK);
        return u;
    }
    assert_int_equal(lc_pattern_open_memory(&pattern, body, size, NULL), LC_OK);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    int64_t x, y;
    u = test_create("simd", header->rule, header->topology, 0);
    lc_universe_place(u, header, &x, &y);
    assert_int_equal(lc_universe_load(u, pattern, x, y, NULL), LC_OK);
    lc_pattern_close(&pattern);
    return u;
}

// The same soup, stepped that far.
static void expect_soup(const lc_universe *u, uint64_t seed)
{
    lc_universe *same = viewer_soup(SIDE, SIDE, seed);
    test_step(same, test_generation(u));
    assert_int_equal(test_hash(u), test_hash(same));
    lc_universe_destroy(&same);
}

static void test_nobody_waits(void **state)
{
    (void)state;
    static const char *const formats[] = {"checkpoint", "rle"};
    served server;
    client c;
    start_serving(&server, viewer_soup(SIDE, SIDE, 3));
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"run\",\"id\":1}");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        send_text(&c, "{\"do\":\"save\",\"format\":\"%s\",\"id\":2}", formats[i]);
        json_t *saving = expect(&c, "saving"); // how far it is
        const double share = json_real_value(json_object_get(saving, "share"));
        assert_true(share >= 0 && share <= 1);
        assert_null(json_object_get(saving, "re")); // it is not the answer
        json_decref(saving);
        json_t *saved = expect(&c, "saved");
        assert_int_equal(json_integer_value(json_object_get(saved, "re")), 2);
        assert_true(json_is_true(json_object_get(c.state, "running")));
        lc_universe *u = fetch(&server, saved);
        expect_soup(u, 3);
        lc_universe_destroy(&u);
        json_decref(saved);
    }
    close_client(&c);
    stop_serving(&server);
}

// What is written is what was there when it was asked for.
static void test_the_universe_may_go(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_soup(SIDE, SIDE, 4));
    enter(&c, &server);
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":1}");
    send_text(&c, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":2}");
    json_t *saved = expect(&c, "saved");
    lc_universe *u = fetch(&server, saved);
    expect_soup(u, 4);
    assert_int_equal(test_generation(u), 0);
    lc_universe_destroy(&u);
    json_decref(saved);
    // What was drawn while it was written is in no file.
    ACCEPTED(&c, 3, "{\"do\":\"new\",\"rule\":\"B3/S23:T%d,%d\",\"id\":3}", SIDE, SIDE);
    ACCEPTED(&c, 4, "{\"do\":\"cells\",\"alive\":true,\"stroke\":1,\"runs\":[9,9,3],\"id\":4}");
    wait_for(&c, "unsaved", NULL, true);
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":5}");
    send_text(&c, "{\"do\":\"cells\",\"alive\":true,\"stroke\":2,\"runs\":[19,9,3],\"id\":6}");
    json_decref(expect(&c, "saved"));
    ACCEPTED(&c, 7, "{\"do\":\"follow\",\"on\":true,\"id\":7}");
    wait_for(&c, "unsaved", NULL, true);
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":8}");
    json_decref(expect(&c, "saved"));
    wait_for(&c, "unsaved", NULL, false);
    close_client(&c);
    // And it may all end.
    enter(&c, &server);
    ACCEPTED(&c, 9,
             "{\"do\":\"fill\",\"x\":0,\"y\":0,\"width\":%d,\"height\":%d,\"density\":0.5,"
             "\"seed\":\"1\",\"id\":9}",
             SIDE, SIDE);
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":10}");
    json_decref(expect(&c, "saving"));
    stop_serving(&server);
    close_client(&c);
}

static void test_it_can_be_cancelled(void **state)
{
    (void)state;
    served server;
    client c, other;
    start_serving(&server, viewer_soup(SIDE, SIDE, 5));
    enter(&c, &server);
    enter(&other, &server);
    REFUSED(&c, 1, "{\"do\":\"cancel\",\"id\":1}");
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":2}");
    json_decref(expect(&c, "saving"));
    REFUSED(&other, 3, "{\"do\":\"save\",\"format\":\"rle\",\"id\":3}"); // one at a time
    REFUSED(&other, 4, "{\"do\":\"cancel\",\"id\":4}");                  // it is not its own
    send_text(&c, "{\"do\":\"cancel\",\"id\":5}");
    json_t *error = expect(&c, "error"); // the answer to the save
    assert_int_equal(json_integer_value(json_object_get(error, "re")), 2);
    assert_non_null(strstr(json_string_value(json_object_get(error, "text")), "stopped"));
    json_decref(error);
    // Who leaves needs no file; and the next one can be saved.
    json_t *saved = NULL;
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":6}");
    json_decref(expect(&c, "saving"));
    close_client(&c);
    for (int id = 7; saved == NULL; id++) {
        send_text(&other, "{\"do\":\"save\",\"format\":\"checkpoint\",\"id\":%d}", id);
        for (bool answered = false; !answered;) {
            assert_true(receive(&other));
            json_t *object = json_loadb((const char *)other.bytes, other.size_bytes, 0, NULL);
            answered = json_integer_value(json_object_get(object, "re")) == id;
            if (answered && json_object_get(object, "path") != NULL)
                saved = json_incref(object);
            json_decref(object);
        }
    }
    json_decref(saved);
    close_client(&other);
    stop_serving(&server);
}

// What would keep all waiting is for the one who steers.
static void test_onlookers_keep_nobody_waiting(void **state)
{
    (void)state;
    served server;
    client c, other;
    const lc_topology shape = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 4 * SIDE, .height_cells = 4 * SIDE};
    start_serving(&server, test_create("simd", LIFE, shape, 0));
    enter(&c, &server);
    enter(&other, &server);
    REFUSED(&other, 1, "{\"do\":\"save\",\"format\":\"checkpoint\",\"id\":1}");
    ACCEPTED(&other, 2,
             "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":16385,\"height\":4097,\"id\":2}");
    REFUSED(&other, 3, "{\"do\":\"turn\",\"how\":\"flip-y\",\"id\":3}");
    ACCEPTED(&other, 4, "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":1638,\"height\":409,\"id\":4}");
    ACCEPTED(&other, 5, "{\"do\":\"turn\",\"how\":\"flip-y\",\"id\":5}");
    // There is no memory for a copy that could be looked at: the one who steers is told that it
    // waits, and has its file.
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":6}");
    json_t *note = expect(&c, "error");
    assert_null(json_object_get(note, "re"));
    assert_non_null(strstr(json_string_value(json_object_get(note, "text")), "waits"));
    json_decref(note);
    json_decref(expect(&c, "saved"));
    // As a checkpoint it needs none.
    send_text(&c, "{\"do\":\"save\",\"format\":\"checkpoint\",\"id\":7}");
    json_decref(expect(&c, "saving"));
    json_decref(expect(&c, "saved"));
    close_client(&c);
    close_client(&other);
    stop_serving(&server);
}

// Stripes of live cells, 2^log2 x 2^log2 of them, as squares of which each level has one.
static lc_universe *stripes(int log2)
{
    char text[4000];
    int length = snprintf(text, sizeof text, "[M2] (stripes)\n#R B3/S23\n");
    for (int row = 0; row < 8; row++)
        length += snprintf(text + length, sizeof text - (size_t)length, "*.*.*.*.$");
    length += snprintf(text + length, sizeof text - (size_t)length, "\n");
    for (int k = 4, line = 1; k <= log2; k++, line++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%d %d %d %d %d\n", k, line,
                           line, line, line);
    return test_create_pattern("hashlife", text);
}

// Few squares may be more cells than any disk holds: their size is known before, those who only
// watch get no large file, and the squares themselves may be saved.
static void test_squares_of_many_cells(void **state)
{
    (void)state;
    static const char *const lists[] = {"rle", "life106"};
    served server;
    client c, other;
    start_serving(&server, stripes(40));
    enter(&c, &server);
    enter(&other, &server);
    for (size_t i = 0; i < 2; i++) {
        send_text(&c, "{\"do\":\"save\",\"format\":\"%s\",\"id\":1}", lists[i]);
        json_t *error = expect(&c, "error");
        assert_int_equal(json_integer_value(json_object_get(error, "re")), 1);
        assert_non_null(strstr(json_string_value(json_object_get(error, "text")), "or more"));
        json_decref(error);
        REFUSED(&other, 2, "{\"do\":\"save\",\"format\":\"%s\",\"id\":2}", lists[i]);
    }
    send_text(&other, "{\"do\":\"save\",\"format\":\"macrocell\",\"id\":3}");
    json_t *saved = expect(&other, "saved");
    assert_true(json_integer_value(json_object_get(saved, "bytes")) < 2000);
    json_decref(saved);
    close_client(&c);
    close_client(&other);
    stop_serving(&server);

    start_serving(&server, stripes(13)); // 2^25 live cells
    enter(&c, &server);
    enter(&other, &server);
    REFUSED(&other, 4, "{\"do\":\"save\",\"format\":\"rle\",\"id\":4}");
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":5}");
    json_decref(expect(&c, "saving")); // beside everything else
    ACCEPTED(&c, 6, "{\"do\":\"cancel\",\"id\":6}");
    json_t *error = expect(&c, "error");
    assert_int_equal(json_integer_value(json_object_get(error, "re")), 5);
    json_decref(error);
    close_client(&c);
    close_client(&other);
    stop_serving(&server);
}

// ---- timelines ---------------------------------------------------------------------------------

// How many files of timelines lie in the folders of viewers.
static size_t count_timelines(void)
{
    const lc_viewer_options options = viewer_options();
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/lightcone-view-*/*.lct*",
             options.temporary_folder != NULL ? options.temporary_folder : "/tmp");
    const bool any = glob(pattern, 0, NULL, &found) == 0;
    const size_t count = any ? found.gl_pathc : 0;
    if (any)
        globfree(&found);
    return count;
}

// A timeline that was saved has these generations, `every` apart, of a universe that is stepped
// here by another engine.
static void expect_timeline(const served *server, json_t *saved, lc_universe *same, uint64_t frames,
                            uint64_t every)
{
    const char *path = json_string_value(json_object_get(saved, "path"));
    lc_pattern *pattern, *frame;
    lc_timeline *timeline;
    int64_t x, y;
    assert_non_null(strstr(path, ".lct"));
    assert_int_equal(
        http_get(lc_viewer_port(server->viewer), path, "localhost", answer, sizeof answer), 200);
    const size_t size = (size_t)json_integer_value(json_object_get(saved, "bytes"));
    assert_int_equal(lc_pattern_open_memory(&pattern, http_body(answer), size, NULL), LC_OK);
    assert_int_equal(lc_timeline_read(&timeline, pattern, 0, NULL), LC_OK);
    lc_pattern_close(&pattern);
    const lc_timeline_info *info = lc_timeline_get_info(timeline);
    assert_int_equal(info->frames, frames);
    assert_false(info->is_cut);
    assert_int_equal(lc_count_compare(info->every, lc_count_of(every)), 0);
    for (uint64_t i = 0; i < frames; i++) {
        assert_int_equal(
            lc_count_compare(lc_timeline_generation(timeline, i), lc_universe_generation(same)), 0);
        assert_int_equal(lc_timeline_open_frame(&frame, timeline, i, NULL), LC_OK);
        const lc_pattern_header *header = lc_pattern_get_header(frame);
        lc_universe *u = test_create("simd", header->rule, header->topology, 0);
        lc_universe_place(u, header, &x, &y);
        assert_int_equal(lc_universe_load(u, frame, x, y, NULL), LC_OK);
        assert_int_equal(test_hash(u), test_hash(same));
        lc_universe_destroy(&u);
        lc_pattern_close(&frame);
        test_step(same, every);
    }
    lc_timeline_destroy(&timeline);
}

// Every frame holds the cells of its generation, beginning with the current one, and the universe
// does not move.
static void test_timelines(void **state)
{
    (void)state;
    static const char methuselah[] = "x=3,y=3\nb2o$2ob$bo!";
    served server;
    client c;
    const lc_topology shapes[] = {
        infinite_plane,
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 70, .height_cells = 31},
    };
    for (size_t i = 0; i < 2; i++) {
        lc_universe *u = test_create("simd", LIFE, shapes[i], 64 << 20);
        lc_universe *same = test_create("scalar", LIFE, shapes[i], 0);
        assert_int_equal(test_load(u, methuselah, 20, 15, NULL), LC_OK);
        assert_int_equal(test_load(same, methuselah, 20, 15, NULL), LC_OK);
        test_step(u, 5);
        test_step(same, 5);
        start_serving(&server, u);
        enter(&c, &server);
        send_text(&c, "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":\"102\","
                      "\"every\":\"10\",\"id\":1}");
        json_decref(expect(&c, "saving"));
        json_t *saved = expect(&c, "saved");
        assert_int_equal(json_integer_value(json_object_get(saved, "re")), 1);
        expect_timeline(&server, saved, same, 11, 10);
        json_decref(saved);
        assert_string_equal(json_string_value(json_object_get(c.state, "generation")), "5");
        close_client(&c);
        stop_serving(&server);
        lc_universe_destroy(&same);
    }
    // Each generation, where nothing is said; the file's bytes are those that are said.
    lc_universe *same = viewer_soup(100, 90, 2);
    start_serving(&server, viewer_soup(100, 90, 2));
    enter(&c, &server);
    send_text(&c, "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":3,\"id\":1}");
    json_t *saved = expect(&c, "saved");
    expect_timeline(&server, saved, same, 4, 1);
    json_decref(saved);
    close_client(&c);
    stop_serving(&server);
    lc_universe_destroy(&same);
}

// Ends a timeline that would take for ever, once its file is there, and expects no file after it.
static void expect_cancelled(client *c, int id)
{
    send_text(c,
              "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":\"10000000\","
              "\"every\":\"%d\",\"id\":%d}",
              id == 2 ? 1 : 10000000, id);
    json_t *saving;
    do {
        saving = expect(c, "saving");
        assert_true(json_real_value(json_object_get(saving, "share")) < 0.5);
        json_decref(saving);
    } while (count_timelines() == 0);
    send_text(c, "{\"do\":\"cancel\"}");
    json_t *error = expect(c, "error");
    assert_int_equal(json_integer_value(json_object_get(error, "re")), id);
    assert_non_null(strstr(json_string_value(json_object_get(error, "text")), "stopped"));
    json_decref(error);
    assert_int_equal(count_timelines(), 0);
}

static void test_timelines_are_cancelled(void **state)
{
    (void)state;
    served server;
    client c, other;
    assert_int_equal(count_timelines(), 0);
    lc_universe *same = viewer_soup(2048, 2048, 5);
    start_serving(&server, viewer_soup(2048, 2048, 5));
    enter(&c, &server);
    enter(&other, &server);
    ACCEPTED(&c, 1, "{\"do\":\"cells\",\"alive\":true,\"stroke\":1,\"runs\":[9,9,3],\"id\":1}");
    wait_for(&c, "unsaved", NULL, true);
    expect_cancelled(&c, 2); // between frames
    expect_cancelled(&c, 3); // on the way to the second frame
    // The universe is as it was, and the drawing still counts as unsaved.
    ACCEPTED(&c, 4, "{\"do\":\"undo\",\"id\":4}");
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":5}");
    json_t *saved = expect(&c, "saved");
    lc_universe *u = fetch(&server, saved);
    assert_int_equal(test_hash(u), test_hash(same));
    lc_universe_destroy(&u);
    json_decref(saved);
    // Watching clients may not save one, and bad arguments are refused.
    REFUSED(&other, 6, "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":5,\"id\":6}");
    REFUSED(&c, 7, "{\"do\":\"save\",\"format\":\"timeline\",\"id\":7}");
    REFUSED(&c, 8, "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":0,\"id\":8}");
    REFUSED(&c, 9,
            "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":5,\"every\":0,\"id\":9}");
    REFUSED(&c, 10,
            "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":5,\"every\":6,\"id\":10}");
    // A client that left gets no file, and the saver may end within one.
    send_text(&c, "{\"do\":\"save\",\"format\":\"timeline\",\"generations\":\"10000000\"}");
    json_decref(expect(&c, "saving"));
    close_client(&c);
    close_client(&other);
    stop_serving(&server);
    assert_int_equal(count_timelines(), 0);
    lc_universe_destroy(&same);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

static void say_nothing(void *context, const char *doing)
{
    (void)context;
    (void)doing;
}

// The last thing that the hub has to say to a client.
static void hear_last(lc_hub *hub, lc_client who, char *text, size_t size)
{
    for (lc_outgoing *said; (said = lc_hub_next(hub, who)) != NULL;) {
        snprintf(text, size, "%.*s", (int)said->size_bytes, lc_outgoing_bytes(said));
        lc_hub_sent(hub, who, said);
    }
}

// The memory for all of it is what the viewer may take; and a file that becomes too large is gone
// when that is said.
static void test_timelines_have_bounds(void **state)
{
    (void)state;
    static lc_hub hub;
    static lc_session session;
    const lc_viewer_options options = viewer_options();
    const lc_session_calls calls = {never, never, say_nothing, NULL};
    lc_saver saver;
    lc_message message = {0};
    char last[256] = "";
    assert_int_equal(lc_hub_create(&hub, &message), LC_OK);
    assert_int_equal(
        lc_session_create(&session, &options, &calls, viewer_soup(128, 128, 3), &message), LC_OK);
    lc_saver_create(&saver, &hub);
    lc_save_job job = {.client = lc_hub_join(&hub, true, NULL),
                       .format = LC_FORMAT_TIMELINE,
                       .generations = lc_count_of(1000),
                       .every = lc_count_of(1),
                       .most_bytes = 4000};
    assert_int_equal(lc_session_name_file(&session, ".lct", job.path, &message), LC_OK);
    assert_int_equal(lc_saver_copy(&job, &session, &message), LC_OK);
    assert_true(job.recorder_bytes > 0 && job.options.max_memory_bytes > 0);
    assert_true(job.size_bytes + job.recorder_bytes + job.options.max_memory_bytes <=
                options.creation.max_memory_bytes);
    assert_int_equal(lc_saver_start(&saver, &job, &message), LC_OK);
    pthread_join(saver.thread, NULL);
    saver.started = false;
    hear_last(&hub, job.client, last, sizeof last);
    assert_non_null(strstr(last, "\"error\""));
    assert_non_null(strstr(last, "larger than 0.0 MiB at generation"));
    assert_int_equal(count_timelines(), 0);
    lc_universe *u = lc_session_close(&session);
    lc_universe_destroy(&u);
    lc_saver_close(&saver);
    lc_hub_destroy(&hub);
}

// The suffix of a saved file names its format.
static void test_endings(void **state)
{
    (void)state;
    lc_format_info info;
    for (size_t i = 0; lc_format_at(i, &info); i++)
        assert_string_equal(lc_saver_ending(info.format), info.suffix);
    assert_string_equal(lc_saver_ending(LC_FORMAT_LIFE_106), ".life");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_nobody_waits),
        cmocka_unit_test(test_the_universe_may_go),
        cmocka_unit_test(test_it_can_be_cancelled),
        cmocka_unit_test(test_onlookers_keep_nobody_waiting),
        cmocka_unit_test(test_squares_of_many_cells),
        cmocka_unit_test(test_timelines),
        cmocka_unit_test(test_timelines_are_cancelled),
        cmocka_unit_test(test_timelines_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
