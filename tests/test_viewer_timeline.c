// Timelines in the viewer: when which frame is shown, that it is the universe that was recorded,
// how it is left and come back to, and what clients see of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_pattern.h"
#include "support_universe.h"
#include "viewer/player.h"
#include "viewer/session.h"
#include "viewer_client.h"

enum { FRAMES = 9, EVERY = 3 };

static const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 90, .height_cells = 70};

// ---- which frame is due -------------------------------------------------------------------------

static void test_player(void **state)
{
    (void)state;
    const uint64_t ms = 1000000;
    uint64_t next, wake_ns;
    lc_player p;
    lc_player_create(&p);
    assert_false(lc_player_next(&p, 0, 5, 1000 * ms, &next, &wake_ns)); // it does not play
    assert_int_equal(wake_ns, UINT64_MAX);
    lc_player_play(&p, 1, 1000 * ms); // ten a second
    assert_false(lc_player_next(&p, 3, 5, 1000 * ms, &next, &wake_ns));
    assert_int_equal(wake_ns, 1100 * ms);
    assert_false(lc_player_next(&p, 3, 5, 1100 * ms - 1, &next, &wake_ns));
    assert_true(lc_player_next(&p, 3, 5, 1140 * ms, &next, &wake_ns));
    assert_int_equal(next, 4);
    assert_false(lc_player_next(&p, 4, 5, 1140 * ms, &next, &wake_ns));
    assert_int_equal(wake_ns, 1200 * ms); // not a tenth of a second after it came late
    // It ends with the last frame, and begins again with the first one if it loops.
    assert_true(lc_player_is_over(&p, 1, 4, 5));
    assert_false(lc_player_is_over(&p, 1, 3, 5));
    assert_true(lc_player_is_over(&p, -1, 0, 5));
    assert_false(lc_player_is_over(&p, -1, 4, 5));
    lc_player_set_loops(&p, true);
    assert_false(lc_player_is_over(&p, 1, 4, 5));
    assert_true(lc_player_is_over(&p, 1, 0, 1)); // there is no other one
    assert_true(lc_player_next(&p, 4, 5, 1200 * ms, &next, &wake_ns));
    assert_int_equal(next, 0);
    lc_player_play(&p, -1, 2000 * ms);
    lc_player_set_speed(&p, 50, 2000 * ms);
    assert_true(lc_player_next(&p, 0, 5, 2020 * ms, &next, &wake_ns));
    assert_int_equal(next, 4);
    assert_true(lc_player_next(&p, 4, 5, 9000 * ms, &next, &wake_ns));
    assert_int_equal(next, 3);
    // A long delay is not made up for: one frame at once, no more.
    assert_true(lc_player_next(&p, 3, 5, 9000 * ms, &next, &wake_ns));
    assert_false(lc_player_next(&p, 2, 5, 9000 * ms, &next, &wake_ns));
    assert_int_equal(wake_ns, 9020 * ms);
    lc_player_pause(&p);
    assert_false(lc_player_next(&p, 2, 5, 99000 * ms, &next, &wake_ns));
}

// ---- a recording --------------------------------------------------------------------------------

typedef struct recording {
    char path[256];
    uint64_t hashes[FRAMES];      // of each frame,
    uint64_t populations[FRAMES]; // by the oracle's engine
    lc_timeline *timeline;
} recording;

static lc_universe *soup(const char *engine, lc_topology topology)
{
    lc_universe *u = test_create(engine, LIFE, topology, 0);
    assert_int_equal(lc_universe_soup(u, 2, 1, 60, 50, 0.4, 77, NULL), LC_OK);
    return u;
}

static lc_timeline *read_timeline(const char *path)
{
    lc_pattern *pattern;
    lc_timeline *timeline;
    assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
    assert_int_equal(lc_timeline_read(&timeline, pattern, 0, NULL), LC_OK);
    lc_pattern_close(&pattern);
    return timeline;
}

static void record(recording *r, lc_topology topology)
{
    snprintf(r->path, sizeof r->path, "%s", test_path("viewed.lct"));
    const lc_recorder_options options = {
        .struct_bytes = sizeof options, .every = lc_count_of(EVERY), .threads = 1};
    lc_universe *u = soup("simd", topology), *other = soup("scalar", topology);
    lc_recorder *recorder;
    assert_int_equal(lc_recorder_create(&recorder, r->path, u, &options, NULL), LC_OK);
    for (int i = 0; i < FRAMES; i++) {
        assert_int_equal(lc_recorder_add(recorder, u, NULL), LC_OK);
        r->hashes[i] = test_hash(other);
        r->populations[i] = test_population(other);
        test_step(u, EVERY);
        test_step(other, EVERY);
    }
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_universe_destroy(&u);
    lc_universe_destroy(&other);
    r->timeline = read_timeline(r->path);
}

static void forget(recording *r)
{
    lc_timeline_destroy(&r->timeline);
    unlink(r->path);
}

// The universe of a frame, as the command makes it.
static lc_universe *universe_of(const recording *r, uint64_t frame)
{
    lc_pattern *pattern;
    int64_t x, y;
    assert_int_equal(lc_timeline_open_frame(&pattern, r->timeline, frame, NULL), LC_OK);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    lc_universe *u = test_create("simd", header->rule, header->topology, 0);
    lc_universe_place(u, header, &x, &y);
    assert_int_equal(lc_universe_load(u, pattern, x, y, NULL), LC_OK);
    lc_pattern_close(&pattern);
    return u;
}

// ---- the session
// ----------------------------------------------------------------------------------

static bool never(void *context)
{
    (void)context;
    return false;
}

static void hear_nothing(void *context, const char *doing)
{
    (void)context;
    (void)doing;
}

static void expect_frame_on(const lc_session *session, const recording *r, uint64_t frame)
{
    assert_int_equal(session->place.frame, frame);
    assert_int_equal(test_hash(session->universe), r->hashes[frame]);
    assert_int_equal(test_population(session->universe), r->populations[frame]);
    assert_int_equal(test_generation(session->universe), frame * EVERY);
    assert_true(lc_session_is_frame(session));
    assert_false(lc_edits_can_undo(session->edits)); // what was drawn before may come back
}

static void edit(lc_session *session)
{
    const int64_t at = lc_universe_topology(session->universe)->width_cells == 0 ? -9 : 9;
    const lc_rectangle row = {at, at, 3, 1};
    assert_int_equal(
        lc_edits_paint(session->edits, session->universe, LC_PAINT_ALIVE, 0, &row, 1, false, NULL),
        LC_OK);
    lc_session_edited(session, 0);
}

static void check_session(lc_topology topology)
{
    recording r;
    record(&r, topology);
    const lc_session_calls calls = {.passed = never, .in_a_pass = never, .busy = hear_nothing};
    lc_viewer_options options = viewer_options();
    options.timeline = r.timeline;
    options.frame = 2;
    lc_session session;
    lc_message message = {0};
    assert_int_equal(lc_session_create(&session, &options, &calls, universe_of(&r, 2), NULL),
                     LC_OK);
    expect_frame_on(&session, &r, 2);
    for (int i = FRAMES; i-- > 0;) {
        const uint64_t revision = session.revision;
        assert_int_equal(lc_session_show_frame(&session, (uint64_t)i, NULL), LC_OK);
        assert_true(session.revision > revision);
        expect_frame_on(&session, &r, (uint64_t)i);
    }
    assert_int_equal(lc_session_show_frame(&session, FRAMES, &message), LC_ERROR_ARGUMENT);
    assert_string_not_equal(message.text, "");
    expect_frame_on(&session, &r, 0);
    // Whoever steps on leaves the timeline, and a reset leads back to the frame.
    assert_int_equal(lc_session_show_frame(&session, 4, NULL), LC_OK);
    assert_int_equal(lc_session_keep_origin(&session, NULL), LC_OK);
    assert_int_equal(lc_session_step(&session, lc_count_of(EVERY), NULL), LC_OK);
    assert_false(lc_session_is_frame(&session));
    assert_int_equal(session.place.frame, 4);
    assert_int_equal(test_hash(session.universe),
                     r.hashes[5]); // it goes on as the recorded one did
    assert_int_equal(lc_session_take_snapshot(&session, NULL), LC_OK);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    expect_frame_on(&session, &r, 4);
    // So does whoever edits. The timeline itself does not change.
    edit(&session);
    assert_false(lc_session_is_frame(&session));
    const uint64_t edited = test_hash(session.universe);
    assert_int_equal(lc_session_keep_origin(&session, NULL), LC_OK);
    assert_int_equal(lc_session_step(&session, lc_count_of(2), NULL), LC_OK);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), edited);
    assert_false(lc_session_is_frame(&session));
    assert_int_equal(lc_session_show_frame(&session, 4, NULL), LC_OK);
    expect_frame_on(&session, &r, 4);
    // A snapshot is not a frame, even if the cells are the same.
    assert_int_equal(lc_session_return(&session, &session.snapshots[0], NULL), LC_OK);
    assert_false(lc_session_is_frame(&session));
    assert_int_equal(lc_session_show_frame(&session, 8, NULL), LC_OK);
    expect_frame_on(&session, &r, 8);
    lc_universe *universe = lc_session_close(&session);
    lc_universe_destroy(&universe);
    forget(&r);
}

static void test_session(void **state)
{
    (void)state;
    check_session(infinite_plane);
    check_session(torus);
}

// ---- what clients see ---------------------------------------------------------------------------

typedef struct shown {
    recording r;
    served server;
    client c;
} shown;

static void open_shown(shown *s)
{
    record(&s->r, torus);
    lc_viewer_options options = viewer_options();
    options.timeline = s->r.timeline;
    serve(&s->server, &options, universe_of(&s->r, 0));
    assert_int_equal(connect_client(&s->c, lc_viewer_port(s->server.viewer), "/socket", NULL), 101);
    json_decref(expect(&s->c, "hello"));
}

static void close_shown(shown *s)
{
    close_client(&s->c);
    stop_serving(&s->server);
    forget(&s->r);
}

static const char *string_in(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

// What the last state says of the timeline.
static json_int_t frame_in(const client *c)
{
    return json_integer_value(json_object_get(json_object_get(c->state, "timeline"), "frame"));
}

static const char *way_in(const client *c)
{
    return string_in(json_object_get(c->state, "timeline"), "playing");
}

static bool has_left(const client *c)
{
    return json_is_true(json_object_get(json_object_get(c->state, "timeline"), "left"));
}

// Waits for a state with that frame and way of playing, whose numbers are the frame's.
static void wait_for_frame(client *c, const recording *r, json_int_t frame, const char *way)
{
    char population[24], generation[24];
    snprintf(population, sizeof population, "%llu", (unsigned long long)r->populations[frame]);
    snprintf(generation, sizeof generation, "%lld", (long long)frame * EVERY);
    while (c->state == NULL || frame_in(c) != frame || has_left(c) || strcmp(way_in(c), way) != 0)
        json_decref(expect(c, "state"));
    wait_for(c, "population", population, false);
    wait_for(c, "population_at", generation, false);
    assert_string_equal(string_in(c->state, "generation"), generation);
    assert_string_equal(string_in(json_object_get(c->state, "timeline"), "generation"), generation);
    assert_int_equal(frame_in(c), frame);
    assert_false(has_left(c));
}

static void test_what_is_said(void **state)
{
    (void)state;
    shown s;
    open_shown(&s);
    json_t *universe = expect(&s.c, "universe");
    json_t *wanted = json_pack("{s:i, s:s, s:s, s:s, s:n}", "frames", FRAMES, "every", "3", "first",
                               "0", "last", "24", "cut");
    assert_true(json_equal(json_object_get(universe, "timeline"), wanted));
    json_decref(universe);
    json_decref(wanted);
    wait_for_frame(&s.c, &s.r, 0, "no");
    ACCEPTED(&s.c, 1, "{\"do\":\"frame\",\"frame\":7,\"id\":1}");
    wait_for_frame(&s.c, &s.r, 7, "no");
    ACCEPTED(&s.c, 2, "{\"do\":\"frame\",\"frame\":\"3\",\"id\":2}");
    wait_for_frame(&s.c, &s.r, 3, "no");
    REFUSED(&s.c, 3, "{\"do\":\"frame\",\"frame\":9,\"id\":3}");
    REFUSED(&s.c, 4, "{\"do\":\"frame\",\"frame\":\"99999999999999999999\",\"id\":4}");
    REFUSED(&s.c, 5, "{\"do\":\"frame\",\"frame\":-1,\"id\":5}");
    REFUSED(&s.c, 6, "{\"do\":\"player\",\"frames_per_second\":0,\"id\":6}");
    REFUSED(&s.c, 7, "{\"do\":\"player\",\"loop\":1,\"id\":7}");
    wait_for_frame(&s.c, &s.r, 3, "no");
    // An onlooker sees the same, and may not change it.
    client other;
    enter(&other, &s.server);
    REFUSED(&other, 1, "{\"do\":\"frame\",\"frame\":1,\"id\":1}");
    REFUSED(&other, 2, "{\"do\":\"play\",\"id\":2}");
    ACCEPTED(&s.c, 8, "{\"do\":\"frame\",\"frame\":5,\"id\":8}");
    wait_for_frame(&other, &s.r, 5, "no");
    close_client(&other);
    // Another universe has no timeline, and says so.
    ACCEPTED(&s.c, 9, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":9}");
    while (!json_is_null(json_object_get(s.c.state, "timeline")))
        json_decref(expect(&s.c, "state"));
    REFUSED(&s.c, 10, "{\"do\":\"frame\",\"frame\":0,\"id\":10}");
    REFUSED(&s.c, 11, "{\"do\":\"play\",\"id\":11}");
    close_shown(&s);
}

static void test_playing(void **state)
{
    (void)state;
    shown s;
    open_shown(&s);
    ACCEPTED(&s.c, 1, "{\"do\":\"player\",\"frames_per_second\":240,\"id\":1}");
    ACCEPTED(&s.c, 2, "{\"do\":\"play\",\"id\":2}");
    wait_for_frame(&s.c, &s.r, FRAMES - 1, "no"); // and pauses there
    ACCEPTED(&s.c, 3, "{\"do\":\"play\",\"backwards\":true,\"id\":3}");
    wait_for_frame(&s.c, &s.r, 0, "no");
    // From the end it begins again at the other one.
    ACCEPTED(&s.c, 4, "{\"do\":\"player\",\"frames_per_second\":0.01,\"id\":4}");
    ACCEPTED(&s.c, 5, "{\"do\":\"play\",\"backwards\":true,\"id\":5}");
    wait_for_frame(&s.c, &s.r, FRAMES - 1, "backwards");
    ACCEPTED(&s.c, 6, "{\"do\":\"pause\",\"id\":6}");
    wait_for_frame(&s.c, &s.r, FRAMES - 1, "no");
    // Round and round, it passes the end, and goes on.
    ACCEPTED(&s.c, 7, "{\"do\":\"player\",\"frames_per_second\":240,\"loop\":true,\"id\":7}");
    ACCEPTED(&s.c, 8, "{\"do\":\"play\",\"id\":8}");
    while (frame_in(&s.c) == FRAMES - 1)
        json_decref(expect(&s.c, "state"));
    assert_string_equal(way_in(&s.c), "forwards");
    // A frame that is asked for pauses it.
    ACCEPTED(&s.c, 9, "{\"do\":\"frame\",\"frame\":4,\"id\":9}");
    wait_for_frame(&s.c, &s.r, 4, "no");
    close_shown(&s);
}

// From any frame the universe can go on. Playing leads back to the frame that was left.
static void test_leaving(void **state)
{
    (void)state;
    shown s;
    open_shown(&s);
    ACCEPTED(&s.c, 1, "{\"do\":\"player\",\"frames_per_second\":0.01,\"id\":1}");
    ACCEPTED(&s.c, 2, "{\"do\":\"frame\",\"frame\":4,\"id\":2}");
    ACCEPTED(&s.c, 3, "{\"do\":\"play\",\"id\":3}");
    wait_for_frame(&s.c, &s.r, 4, "forwards");
    ACCEPTED(&s.c, 4, "{\"do\":\"step\",\"generations\":\"1\",\"id\":4}");
    wait_for(&s.c, "generation", "13", false);
    assert_true(has_left(&s.c));
    assert_string_equal(way_in(&s.c), "no");
    assert_int_equal(frame_in(&s.c), 4);
    ACCEPTED(&s.c, 5, "{\"do\":\"reset\",\"id\":5}");
    wait_for_frame(&s.c, &s.r, 4, "no");
    // Whoever asks for the frame that is there wants to stay at it.
    send_text(&s.c, "{\"do\":\"run\",\"id\":61}");
    ACCEPTED(&s.c, 62, "{\"do\":\"frame\",\"frame\":4,\"id\":62}");
    wait_for(&s.c, "running", NULL, false);
    wait_for_frame(&s.c, &s.r, 4, "no");
    ACCEPTED(&s.c, 6, "{\"do\":\"run\",\"id\":6}");
    ACCEPTED(&s.c, 7, "{\"do\":\"play\",\"id\":7}");
    wait_for_frame(&s.c, &s.r, 4, "forwards");
    assert_true(json_is_false(json_object_get(s.c.state, "running")));
    ACCEPTED(&s.c, 8, "{\"do\":\"cells\",\"alive\":true,\"runs\":[1,1,60],\"id\":8}");
    while (!has_left(&s.c))
        json_decref(expect(&s.c, "state"));
    assert_string_equal(way_in(&s.c), "no"); // what was drawn stays
    ACCEPTED(&s.c, 9, "{\"do\":\"frame\",\"frame\":4,\"id\":9}");
    wait_for_frame(&s.c, &s.r, 4, "no");
    // And it comes back.
    assert_true(json_is_true(json_object_get(s.c.state, "can_undo")));
    ACCEPTED(&s.c, 10, "{\"do\":\"undo\",\"id\":10}");
    wait_for(&s.c, "unsaved", NULL, true);
    assert_true(has_left(&s.c));
    close_shown(&s);
}

// Asked for a hundred frames at once, the server answers each question and ends with the last.
static void test_moving_along(void **state)
{
    (void)state;
    shown s;
    open_shown(&s);
    for (int i = 0; i < 100; i++)
        send_text(&s.c, "{\"do\":\"frame\",\"frame\":%d,\"id\":%d}", i % FRAMES, i + 1);
    bool answered[101] = {false};
    for (int answers = 0; answers < 100;) { // those of frames that were left out may come first
        assert_true(receive(&s.c));
        json_t *object = json_loadb((const char *)s.c.bytes, s.c.size_bytes, 0, NULL);
        const json_t *re = json_object_get(object, "re");
        if (re != NULL) {
            assert_string_equal(json_string_value(json_object_get(object, "is")), "done");
            assert_false(answered[json_integer_value(re)]);
            answered[json_integer_value(re)] = true;
            answers++;
        }
        json_decref(object);
    }
    wait_for_frame(&s.c, &s.r, 99 % FRAMES, "no");
    close_shown(&s);
}

// ---- files that clients send --------------------------------------------------------------------

static void send_file(client *c, int id, const void *bytes, size_t size_bytes)
{
    send_text(c, "{\"do\":\"open\",\"name\":\"sent.lct\",\"bytes\":%zu,\"id\":%d}", size_bytes, id);
    send_bytes(c, true, bytes, size_bytes);
}

static void test_files(void **state)
{
    (void)state;
    recording r;
    served server;
    client c;
    record(&r, torus);
    char *bytes;
    FILE *file = fopen(r.path, "rb");
    assert_non_null(file);
    bytes = malloc(1 << 20);
    assert_non_null(bytes);
    const size_t size = fread(bytes, 1, 1 << 20, file);
    assert_true(size > 100 && size < 1 << 20);
    assert_int_equal(fclose(file), 0);
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    assert_true(json_is_null(json_object_get(c.state, "timeline")));
    send_file(&c, 1, bytes, size);
    json_t *universe = expect(&c, "universe");
    const json_t *timeline = json_object_get(universe, "timeline");
    assert_string_equal(string_in(universe, "name"), "sent.lct");
    assert_int_equal(json_integer_value(json_object_get(timeline, "frames")), FRAMES);
    assert_true(json_is_null(json_object_get(timeline, "cut")));
    json_decref(universe);
    wait_for_frame(&c, &r, 0, "no"); // it begins at the beginning
    // As a killed recorder leaves it: the whole frames are there, and why there are no more.
    send_file(&c, 2, bytes, size - size / 4);
    universe = expect(&c, "universe");
    timeline = json_object_get(universe, "timeline");
    const json_int_t whole = json_integer_value(json_object_get(timeline, "frames"));
    assert_in_range(whole, 1, FRAMES - 1);
    assert_true(strlen(string_in(timeline, "cut")) > 3);
    json_decref(universe);
    ACCEPTED(&c, 3, "{\"do\":\"frame\",\"frame\":%d,\"id\":3}", (int)whole - 1);
    wait_for_frame(&c, &r, whole - 1, "no");
    // What is no timeline is refused, and what was there stays.
    static const char bad[] = "[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 3 1\n";
    send_file(&c, 4, bad, strlen(bad));
    json_t *error = expect(&c, "error");
    assert_string_equal(string_in(error, "text"),
                        "sent.lct, line 4: frames must come one after the other");
    json_decref(error);
    ACCEPTED(&c, 8, "{\"do\":\"frame\",\"frame\":0,\"id\":8}");
    wait_for_frame(&c, &r, 0, "no");
    close_client(&c);
    stop_serving(&server);
    free(bytes);
    forget(&r);
}

// Golly's timelines, with more cells than 64 bits count, further away than they reach.
static void test_far_away(void **state)
{
    (void)state;
    char text[2048];
    served server;
    client c;
    int used = snprintf(text, sizeof text,
                        "[M2]\n#R B3/S23\n#FRAMES 3 0 10^30\n*$\n#FRAME 0 1\n4 1 1 1 1\n");
    for (int line = 2; line < 70; line++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%d %d %d %d %d\n", line + 3,
                         line, line, line, line);
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "#FRAME 1 70\n#G 20000000000000000000000000000000\n#FRAME 2 0\n");
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    send_file(&c, 1, text, (size_t)used);
    json_t *universe = expect(&c, "universe");
    const json_t *timeline = json_object_get(universe, "timeline");
    assert_string_equal(string_in(timeline, "every"), "1000000000000000000000000000000");
    assert_string_equal(string_in(timeline, "last"), "20000000000000000000000000000000");
    json_decref(universe);
    ACCEPTED(&c, 2, "{\"do\":\"frame\",\"frame\":1,\"id\":2}");
    wait_for(&c, "generation", "1000000000000000000000000000000", false);
    wait_for(&c, "population", "348449143727040986586495598010130648530944", false); // 4^69
    ACCEPTED(&c, 3, "{\"do\":\"frame\",\"frame\":2,\"id\":3}");
    wait_for(&c, "generation", "20000000000000000000000000000000", false);
    wait_for(&c, "population", "0", false);
    close_client(&c);
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_player),       cmocka_unit_test(test_session),
        cmocka_unit_test(test_what_is_said), cmocka_unit_test(test_playing),
        cmocka_unit_test(test_leaving),      cmocka_unit_test(test_moving_along),
        cmocka_unit_test(test_files),        cmocka_unit_test(test_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
