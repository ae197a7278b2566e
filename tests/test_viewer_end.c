// How a viewer ends: also where the universe's thread does not answer, and what was drawn is known.
// Its clients can end long commands.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lightcone/timeline.h"
#include "support_facts.h"
#include "support_pattern.h"
#include "support_universe.h"
#include "viewer/simulation.h"
#include "viewer_client.h"

static atomic_bool hangs, is_there;

static lc_status reopen(void *context, lc_universe **out, lc_message *message)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    (void)context;
    atomic_store(&is_there, true);
    while (atomic_load(&hangs))
        nanosleep(&pause, NULL);
    // Loading stops when the viewer ends.
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .topology = {.kind = LC_TOPOLOGY_PLANE}};
    lc_pattern *pattern;
    lc_status status = lc_universe_create(out, &options, message);
    if (status == LC_OK)
        status = lc_pattern_open_memory(&pattern, "3o!", 3, message);
    if (status == LC_OK) {
        status = lc_universe_load(*out, pattern, 0, 0, message);
        lc_pattern_close(&pattern);
    }
    return status;
}

static atomic_bool over;

static bool is_over(void)
{
    return atomic_load(&over);
}

static void *run(void *context)
{
    lc_viewer_serve(context, is_over, NULL);
    return NULL;
}

// What is given to create a universe anew hangs.
static void test_a_thread_that_hangs(void **state)
{
    (void)state;
    lc_viewer_options options = viewer_options();
    const struct timespec pause = {.tv_nsec = 1000000};
    served server;
    client c;
    options.reopen = reopen;
    assert_int_equal(lc_viewer_create(&server.viewer, &options, viewer_glider(), NULL), LC_OK);
    assert_int_equal(pthread_create(&server.thread, NULL, run, server.viewer), 0);
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"step\",\"generations\":\"4\",\"id\":1}");
    while (json_is_true(json_object_get(c.state, "running")) ||
           json_string_length(json_object_get(c.state, "generation")) != 1 ||
           *json_string_value(json_object_get(c.state, "generation")) != '4')
        json_decref(expect(&c, "state"));
    atomic_store(&hangs, true);
    send_text(&c, "{\"do\":\"reset\"}");
    while (!atomic_load(&is_there))
        nanosleep(&pause, NULL);
    for (int i = 0; i < 2; i++) { // after seconds
        json_t *stuck = expect(&c, "stuck");
        assert_in_range(json_integer_value(json_object_get(stuck, "seconds")), 4 + i, 1000);
        json_decref(stuck);
    }
    atomic_store(&over, true);
    pthread_join(server.thread, NULL);
    assert_false(lc_viewer_end(server.viewer, 50000000));
    atomic_store(&hangs, false);
    assert_true(lc_viewer_end(server.viewer, 30000000000));
    lc_universe *u = lc_viewer_release(server.viewer);
    assert_int_equal(test_generation(u), 4);
    assert_false(lc_viewer_is_unsaved(server.viewer));
    lc_viewer_destroy(&server.viewer);
    lc_universe_destroy(&u);
    close_client(&c);
}

static void test_what_was_drawn(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        bool unsaved;
    } cases[] = {
        {"{\"do\":\"follow\",\"on\":true,\"id\":2}", true},
        {"{\"do\":\"undo\",\"id\":2}", true}, // who knows whether it was to be undone
        {"{\"do\":\"save\",\"format\":\"rle\",\"id\":2}", false},
        {"{\"do\":\"save\",\"format\":\"rle\",\"aside\":true,\"id\":2}", true},
        {"{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":2}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        served server;
        client c;
        start_serving(&server, viewer_glider());
        enter(&c, &server);
        ACCEPTED(&c, 1, "{\"do\":\"cells\",\"alive\":true,\"stroke\":1,\"runs\":[9,9,3],\"id\":1}");
        ACCEPTED(&c, 2, "%s", cases[i].said);
        close_client(&c);
        lc_viewer *viewer = server.viewer;
        lc_universe *u = release_served(&server);
        assert_int_equal(lc_viewer_is_unsaved(viewer), cases[i].unsaved);
        assert_true(*lc_viewer_name(viewer) != '\0');
        lc_viewer_destroy(&viewer);
        lc_universe_destroy(&u);
    }
}

// The text of the answer to the command 1; "" if it is not an error. Fails if none comes.
static void hear_answer(lc_hub *hub, lc_client who, char text[256])
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < 60000; i++) {
        lc_outgoing *said = lc_hub_next(hub, who);
        if (said == NULL) {
            nanosleep(&pause, NULL);
            continue;
        }
        json_t *object =
            json_loadb((const char *)lc_outgoing_bytes(said), said->size_bytes, 0, NULL);
        const json_t *error = json_object_get(object, "text");
        const bool is_answer = json_integer_value(json_object_get(object, "re")) == 1;
        snprintf(text, 256, "%s", error != NULL ? json_string_value(error) : "");
        json_decref(object);
        lc_hub_sent(hub, who, said);
        if (is_answer)
            return;
    }
    fail_msg("no answer came");
}

// A command that is begun when `cancel` has come already ends with that text, and nothing has
// changed. The universe and what the command owns go over.
static void expect_given_up(lc_universe *u, lc_view_command *command, const char *wanted)
{
    static lc_hub hub;
    static lc_simulation simulation;
    const lc_viewer_options options = viewer_options();
    const uint64_t hash = test_hash(u);
    lc_view_command cancel = {.what = LC_DO_CANCEL};
    char text[256];
    command->has_id = true;
    command->id = 1;
    assert_int_equal(lc_hub_create(&hub, NULL), LC_OK);
    const lc_client who = lc_hub_join(&hub, true, NULL);
    assert_int_equal(lc_hub_post(&hub, who, command, NULL), LC_OK);
    assert_int_equal(lc_hub_post(&hub, who, &cancel, NULL), LC_OK);
    assert_int_equal(lc_simulation_start(&simulation, &hub, &options, u, NULL), LC_OK);
    hear_answer(&hub, who, text);
    assert_string_equal(text, wanted);
    u = lc_simulation_stop(&simulation);
    assert_int_equal(test_hash(u), hash);
    lc_universe_destroy(&u);
    lc_hub_destroy(&hub);
}

// All of a file; from malloc.
static unsigned char *read_all(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size_bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size_bytes);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size_bytes, file), *size_bytes);
    (void)fclose(file);
    return bytes;
}

static void test_what_takes_long_is_cancelled(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } files[] = {
        {"cancelled.rle", "opening cancelled.rle was cancelled"},
        {"cancelled.mc", "opening cancelled.mc was cancelled"},
        {"cancelled.lcs", "opening cancelled.lcs was cancelled"},
        {"cancelled.lct", "reading a timeline was cancelled"},
    };
    enum { WIDTH = 1200 };
    lc_universe *u = viewer_soup(WIDTH, WIDTH, 7);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(lc_universe_save(u, test_path(files[i].name), LC_FORMAT_AUTO, NULL),
                         LC_OK);
    const lc_recorder_options options = {
        .struct_bytes = sizeof options, .every = lc_count_of(1), .threads = 1};
    lc_recorder *recorder;
    assert_int_equal(lc_recorder_create(&recorder, test_path(files[3].name), u, &options, NULL),
                     LC_OK);
    assert_int_equal(lc_recorder_add(recorder, u, NULL), LC_OK);
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_universe_destroy(&u);
    for (size_t i = 0; i < 4; i++) {
        lc_view_command open = {.what = LC_DO_OPEN, .text = strdup(files[i].name)};
        open.file = read_all(test_path(files[i].name), &open.file_bytes);
        expect_given_up(viewer_glider(), &open, files[i].text);
        (void)remove(test_path(files[i].name));
    }
    lc_view_command save = {.what = LC_DO_SAVE, .format = LC_FORMAT_RLE};
    expect_given_up(viewer_soup(8192, 8192, 7), &save, "copying the universe was cancelled");
    lc_view_command keep = {.what = LC_DO_KEEP};
    expect_given_up(viewer_soup(1024, 1024, 7), &keep, "taking a snapshot was cancelled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thread_that_hangs),
        cmocka_unit_test(test_what_was_drawn),
        cmocka_unit_test(test_what_takes_long_is_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
