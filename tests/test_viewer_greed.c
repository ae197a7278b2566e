// The viewer's server under clients that want too much: what is kept for them has bounds, and the
// others go on seeing and steering. Also what happens when there is no room on the disk.
#include <arpa/inet.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_universe.h"
#include "viewer/hub.h"
#include "viewer/pending_connections.h"
#include "viewer_client.h"

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
    start_serving(&server, viewer_soup(64, 64, 1));
    enter(&c, &server);
    check_answer(&c, 1, "\"step\",\"generations\":3", "done");
    wait_for_generation(&c, "3");
    check_answer(&c, 2, "\"reset\"", "error");
    check_answer(&c, 3, "\"keep\"", "error");
    check_answer(&c, 4, "\"save\",\"format\":\"rle\"", "error");
    check_answer(&c, 5, "\"step\",\"generations\":1", "done");
    wait_for_generation(&c, "4");
    close_client(&c);
    stop_serving(&server);
    if (before != NULL)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}

// Edits at the beginning belong to it, also after a return to a snapshot before the first step.
static void test_edits_of_the_beginning_outlive_a_snapshot(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, test_create("simd", LIFE, infinite_plane, 64 << 20));
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
    stop_serving(&server);
}

// ---- memory ------------------------------------------------------------------------------------

// A file that is announced and sent, but for its last `missing` bytes.
static void send_file(client *c, size_t size, size_t missing)
{
    unsigned char head[10] = {0x82, 0xff}; // binary; the mask of four zeros stands in the file
    char *file = calloc(1, size + 4);
    for (int i = 0; i < 8; i++)
        head[9 - i] = (unsigned char)((uint64_t)size >> 8 * i);
    send_text(c, "{\"do\":\"open\",\"id\":7,\"name\":\"zeros\",\"bytes\":%zu}", size);
    send_raw(c, head, sizeof head);
    send_raw(c, file, size + 4 - missing);
    free(file);
}

static lc_status post(lc_hub *hub, lc_client from, size_t text_bytes, size_t file_bytes)
{
    lc_view_command command = {.what = file_bytes > 0 ? LC_DO_OPEN : LC_DO_CLIP,
                               .text = calloc(1, text_bytes + 1),
                               .text_bytes = text_bytes,
                               .file_bytes = file_bytes};
    return lc_hub_post(hub, from, &command, NULL);
}

// Nobody is read from who has much in the queue, and all files in it together have a bound.
static void test_the_queue_has_bounds(void **state)
{
    (void)state;
    static lc_hub hub;
    const size_t largest = LC_VIEW_FILE_BYTES_MAX;
    assert_int_equal(lc_hub_create(&hub, NULL), LC_OK);
    const lc_client one = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    assert_int_equal(post(&hub, one, 10, largest - 5), LC_OK);
    assert_int_equal(post(&hub, one, 10, 6), LC_ERROR_LIMIT);
    assert_int_equal(post(&hub, one, 10, 5), LC_OK);
    assert_false(lc_hub_is_full(&hub, one));
    for (int i = 0; i < 2; i++)
        assert_int_equal(post(&hub, other, LC_QUEUE_BYTES_MAX / 2, 0), LC_OK);
    assert_false(lc_hub_is_full(&hub, other));
    assert_int_equal(post(&hub, other, 1, 0), LC_OK);
    assert_true(lc_hub_is_full(&hub, other));
    assert_false(lc_hub_is_full(&hub, one));
    for (int i = 0; i < 5; i++) {
        lc_queued *queued = lc_hub_take(&hub);
        assert_int_equal(queued->client.serial, (i < 2 ? one : other).serial);
        lc_queued_free(queued);
    }
    assert_null(lc_hub_take(&hub));
    assert_false(lc_hub_is_full(&hub, other));
    assert_int_equal(post(&hub, one, 10, largest), LC_OK);
    lc_hub_destroy(&hub);
}

static void answer_with(lc_hub *hub, lc_client to, size_t size)
{
    lc_outgoing *outgoing = lc_outgoing_create(size);
    assert_non_null(outgoing);
    memset(lc_outgoing_bytes(outgoing), 0, size);
    lc_hub_send(hub, to, outgoing);
}

static bool takes(lc_hub *hub, lc_client from)
{
    lc_queued *queued = lc_hub_take(hub);
    const bool right = queued != NULL && queued->client.serial == from.serial;
    if (queued != NULL)
        lc_queued_free(queued);
    return right;
}

// Commands of one who does not take the answers wait, and stop neither passes nor the others.
static void test_commands_wait_for_answers_to_be_taken(void **state)
{
    (void)state;
    static lc_hub hub;
    assert_int_equal(lc_hub_create(&hub, NULL), LC_OK);
    const lc_client one = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    assert_false(hub.interrupt);
    assert_int_equal(post(&hub, other, 10, 0), LC_OK);
    assert_true(hub.interrupt);
    assert_false(hub.urgent); // who only looks on stops no pass
    assert_int_equal(post(&hub, one, 10, 0), LC_OK);
    assert_true(hub.urgent);
    answer_with(&hub, other, LC_MESSAGES_BYTES_MAX + 1);
    assert_true(takes(&hub, one));
    assert_null(lc_hub_take(&hub));
    assert_false(hub.interrupt || hub.urgent);
    assert_int_equal(post(&hub, one, 10, 0), LC_OK);
    assert_true(takes(&hub, one));
    lc_outgoing *answer = lc_hub_next(&hub, other);
    assert_non_null(answer);
    lc_hub_sent(&hub, other, answer);
    assert_true(hub.interrupt);
    assert_true(takes(&hub, other));
    // One who goes does not leave commands behind that wait for ever.
    assert_int_equal(post(&hub, other, 10, 0), LC_OK);
    answer_with(&hub, other, LC_MESSAGES_BYTES_MAX + 1);
    lc_hub_leave(&hub, other);
    assert_true(hub.interrupt);
    assert_true(takes(&hub, other));
    // Nor does the end.
    assert_int_equal(post(&hub, one, 10, 0), LC_OK);
    answer_with(&hub, one, LC_MESSAGES_BYTES_MAX + 1);
    lc_hub_destroy(&hub);
}

// One who did not take its answers hears afterwards what is true then.
static void test_who_listens_again_hears_the_newest(void **state)
{
    (void)state;
    served server;
    client deaf, other;
    const lc_viewer_options usual = {.name = "first",
                                     .speed = HUGE_VAL,
                                     .creation = {.struct_bytes = sizeof(lc_universe_options),
                                                  .threads = 2,
                                                  .max_memory_bytes = 64 << 20}};
    serve(&server, &usual, viewer_soup(64, 64, 1));
    enter(&other, &server);
    enter(&deaf, &server);
    // More than sockets hold, of clips of 2 MiB.
    for (int i = 0; i < 40; i++)
        send_text(&deaf, "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":4096,\"height\":4096}");
    usleep(500000); // so that they are all in the queue, before this:
    check_answer(&other, 3, "\"box\"", "box");
    check_answer(&other, 1, "\"new\",\"rule\":\"B3/S23:T50,50\",\"density\":0.5", "done");
    check_answer(&other, 2, "\"step\",\"generations\":1", "done");
    wait_for_generation(&other, "1");
    usleep(500000); // there is nothing new any more
    int universes = 0;
    for (bool there = false; !there;) {
        assert_true(receive(&deaf));
        json_t *object =
            deaf.binary ? NULL : json_loadb((const char *)deaf.bytes, deaf.size_bytes, 0, NULL);
        if (object != NULL && is(object, "universe")) {
            universes++;
            assert_int_equal(json_integer_value(json_object_get(object, "width")), 50);
        }
        if (object != NULL && is(object, "state"))
            there = strcmp(json_string_value(json_object_get(object, "generation")), "1") == 0;
        json_decref(object);
    }
    assert_int_equal(universes, 1);
    close_client(&deaf);
    close_client(&other);
    stop_serving(&server);
}

// Whoever took over need not wait until the other one has sent all of a file.
static void test_a_file_ends_with_steering(void **state)
{
    (void)state;
    served server;
    client c, other;
    start_serving(&server, viewer_soup(64, 64, 1));
    enter(&c, &server);
    enter(&other, &server);
    send_file(&c, 1 << 20, 1000);
    check_answer(&other, 1, "\"take\"", "done");
    json_t *error = expect(&c, "error");
    assert_int_equal(json_integer_value(json_object_get(error, "re")), 7);
    json_decref(error);
    send_raw(&c, (char[1000]){0}, 1000);
    check_answer(&c, 2, "\"box\"", "box");
    close_client(&c);
    close_client(&other);
    stop_serving(&server);
}

// ---- connections -------------------------------------------------------------------------------

enum { SILENT = 2500 }; // more than time out while anybody waits

static int connect_silently(int port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(s >= 0);
    assert_int_equal(connect(s, (const struct sockaddr *)&address, sizeof address), 0);
    return s;
}

// Whoever connects and says nothing, or half of something, keeps neither new people out nor those
// who are in.
static void test_silent_connections_keep_nobody_out(void **state)
{
    (void)state;
    static const char *const halves[] = {"", "GET / HTTP/1.1\r\nHost: local", "GET /so"};
    static char answer[1 << 18];
    static int sockets[SILENT];
    served server;
    client c, late;
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    const rlim_t before = files.rlim_cur;
    // Those of both ends are this process's; the server is to have what it usually has.
    start_serving(&server, viewer_soup(64, 64, 1));
    files.rlim_cur = files.rlim_max < 2 * SILENT ? files.rlim_max : 2 * SILENT;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    const int port = lc_viewer_port(server.viewer);
    const int silent = files.rlim_cur >= SILENT + 700 ? SILENT : (int)files.rlim_cur - 700;
    enter(&c, &server);
    for (int i = 0; i < silent; i++) {
        const char *half = halves[i % 3];
        sockets[i] = connect_silently(port);
        (void)!send(sockets[i], half, strlen(half), MSG_NOSIGNAL);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            http(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", answer, sizeof answer), 200);
    enter(&late, &server);
    check_answer(&late, 1, "\"box\"", "box");
    check_answer(&c, 1, "\"box\"", "box");
    for (int i = 0; i < silent; i++)
        close(sockets[i]);
    close_client(&late);
    close_client(&c);
    stop_serving(&server);
    files.rlim_cur = before;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
}

static void test_the_quietest_caller_goes(void **state)
{
    (void)state;
    char connections[LC_PENDING_CONNECTIONS_MAX + 3];
    lc_pending_connections pending;
    lc_pending_create(&pending, 3);
    for (int i = 0; i < 3; i++)
        assert_null(lc_pending_add(&pending, &connections[i]));
    lc_pending_hear(&pending, &connections[0]);
    assert_ptr_equal(lc_pending_add(&pending, &connections[3]), &connections[1]);
    lc_pending_hear(&pending, &connections[1]); // it has left the list
    lc_pending_remove(&pending, &connections[1]);
    assert_int_equal(pending.count, 3);
    lc_pending_remove(&pending, &connections[2]);
    assert_null(lc_pending_add(&pending, &connections[4]));
    assert_ptr_equal(lc_pending_add(&pending, &connections[5]), &connections[0]);
    lc_pending_create(&pending, SIZE_MAX);
    for (int i = 0; i < LC_PENDING_CONNECTIONS_MAX + 3; i++)
        assert_ptr_equal(
            lc_pending_add(&pending, &connections[i]),
            i < LC_PENDING_CONNECTIONS_MAX ? NULL : &connections[i - LC_PENDING_CONNECTIONS_MAX]);
    assert_int_equal(pending.count, LC_PENDING_CONNECTIONS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_beginning_that_could_not_be_kept),
        cmocka_unit_test(test_edits_of_the_beginning_outlive_a_snapshot),
        cmocka_unit_test(test_the_queue_has_bounds),
        cmocka_unit_test(test_commands_wait_for_answers_to_be_taken),
        cmocka_unit_test(test_who_listens_again_hears_the_newest),
        cmocka_unit_test(test_a_file_ends_with_steering),
        cmocka_unit_test(test_silent_connections_keep_nobody_out),
        cmocka_unit_test(test_the_quietest_caller_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
