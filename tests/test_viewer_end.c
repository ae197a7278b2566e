// How a viewer ends: also where the universe's thread does not answer, and what was drawn is known.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_universe.h"
#include "viewer_client.h"

static atomic_bool hangs, is_there;

static lc_status reopen(void *context, lc_universe **out, lc_message *message)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    (void)context;
    (void)message;
    atomic_store(&is_there, true);
    while (atomic_load(&hangs))
        nanosleep(&pause, NULL);
    *out = viewer_glider();
    return LC_OK;
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
    assert_int_equal(test_generation(u), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thread_that_hangs),
        cmocka_unit_test(test_what_was_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
