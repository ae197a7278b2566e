// Who may come in to the viewer's server over real sockets, and what it says over HTTP.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "support_facts.h"
#include "viewer_client.h"

static void test_page(void **state)
{
    (void)state;
    served server;
    static char answer[1 << 18];
    start_serving(&server, viewer_glider());
    const int port = lc_viewer_port(server.viewer);
    assert_int_equal(http_get(port, "/", "localhost", answer, sizeof answer), 200);
    assert_non_null(strstr(answer, "text/html"));
    assert_non_null(strstr(answer, "content-security-policy: default-src 'none'"));
    assert_non_null(strstr(http_body(answer), "<title>"));
    assert_int_equal(http_get(port, "/main.js", "127.0.0.1:1", answer, sizeof answer), 200);
    assert_non_null(strstr(answer, "text/javascript"));
    assert_int_equal(http_get(port, "/none.js", "localhost", answer, sizeof answer), 404);
    assert_int_equal(http_get(port, "/../../etc/passwd", "localhost", answer, sizeof answer), 404);
    assert_int_equal(http_get(port, "/saved/00/x.rle", "localhost", answer, sizeof answer), 404);
    const char *foreign[] = {"evil.example",
                             "localhost.evil.example",
                             "127.0.0.1.evil.example",
                             "localhost@evil.example",
                             "",
                             ":8080",
                             "[::1",
                             "localhost:80x"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_int_equal(http_get(port, "/", foreign[i], answer, sizeof answer), 403);
    assert_int_equal(http_get(port, "/", "[::1]:8080", answer, sizeof answer), 200);
    assert_int_equal(http(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
                          answer, sizeof answer),
                     405);
    stop_serving(&server);
}

static int fetch(int port, const char *method, const char *address, const char *headers,
                 char *answer, size_t size)
{
    char request[512];
    snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", method,
             address, headers);
    memset(answer, 0, size); // whatever comes behind a zero byte
    return http(port, request, answer, size);
}

// Copies the value of a header.
static void read_header(const char *answer, const char *name, char value[128])
{
    const char *found = strstr(answer, name);
    assert_non_null(found);
    snprintf(value, 128, "%.*s", (int)strcspn(found + strlen(name), "\r"), found + strlen(name));
}

// Files go compressed to those who say that they can read it, and once to those who have them.
static void test_files_are_sent_once_and_small(void **state)
{
    (void)state;
    static const char *const files[] = {"/", "/first.js", "/main.js", "/style.css", "/icon.svg"};
    static char plain[1 << 19], packed[1 << 19], unpacked[1 << 19], other[1 << 19];
    char tag[128], packed_tag[128], length[128], ask[256];
    served server;
    start_serving(&server, viewer_glider());
    const int port = lc_viewer_port(server.viewer);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *file = files[i];
        assert_int_equal(fetch(port, "GET", file, "", plain, sizeof plain), 200);
        assert_null(strstr(plain, "content-encoding"));
        read_header(plain, "\r\netag: ", tag);
        assert_int_equal(
            fetch(port, "GET", file, "Accept-Encoding: br, gzip\r\n", packed, sizeof packed), 200);
        assert_non_null(strstr(packed, "\r\ncontent-encoding: gzip\r\n"));
        read_header(packed, "\r\netag: ", packed_tag);
        assert_string_not_equal(tag, packed_tag);
        read_header(packed, "\r\ncontent-length: ", length);
        assert_true(strtoul(length, NULL, 10) < strlen(http_body(plain)));
        z_stream stream = {.next_in = (unsigned char *)http_body(packed),
                           .avail_in = (unsigned)strtoul(length, NULL, 10),
                           .next_out = (unsigned char *)unpacked,
                           .avail_out = sizeof unpacked - 1};
        assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
        assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
        unpacked[stream.total_out] = '\0';
        inflateEnd(&stream);
        assert_string_equal(unpacked, http_body(plain));
        // Who has it is told so; who has something else is not.
        snprintf(ask, sizeof ask, "If-None-Match: \"0\", %s\r\n", tag);
        assert_int_equal(fetch(port, "GET", file, ask, other, sizeof other), 304);
        assert_string_equal(http_body(other), "");
        snprintf(ask, sizeof ask, "If-None-Match: %s\r\n", packed_tag);
        assert_int_equal(fetch(port, "GET", file, ask, other, sizeof other), 200);
        // The headers alone.
        assert_int_equal(fetch(port, "HEAD", file, "Connection: close\r\n", other, sizeof other),
                         200);
        assert_string_equal(http_body(other), "");
        read_header(other, "\r\ncontent-length: ", length);
        assert_int_equal(strtoul(length, NULL, 10), strlen(http_body(plain)));
    }
    // All modules are in two files: a browser would fetch them one after the other.
    assert_int_equal(fetch(port, "GET", "/first.js", "", plain, sizeof plain), 200);
    assert_null(strstr(plain, "import "));
    assert_non_null(strstr(plain, "\nexport const camera = "));
    assert_non_null(strstr(plain, "\nclass Camera "));
    assert_int_equal(fetch(port, "GET", "/main.js", "", plain, sizeof plain), 200);
    assert_non_null(strstr(plain, "\r\n\r\nimport * as in_first from './first.js';\n"));
    assert_null(strstr(http_body(plain), "\nimport "));
    assert_null(strstr(plain, "\nclass Camera ")); // each module is there once
    assert_non_null(strstr(plain, "\nexport const connection = "));
    assert_non_null(strstr(plain, "\nclass Connection "));
    assert_int_equal(fetch(port, "HEAD", "/none", "Connection: close\r\n", other, sizeof other),
                     404);
    stop_serving(&server);
}

#define ASKS "Sec-WebSocket-Protocol: lightcone-view\r\n"

// What a page is told that asks why it may not come in; "" if it may.
static const char *why_not(int port, const char *origin, const char *headers)
{
    static char why[32];
    char request[512], answer[2048];
    snprintf(request, sizeof request, "GET /socket HTTP/1.1\r\nHost: localhost:%d\r\n%s%s\r\n",
             port, origin, headers);
    assert_int_equal(http(port, request, answer, sizeof answer), 200);
    json_t *object = json_loads(http_body(answer), 0, NULL);
    const char *text = json_string_value(json_object_get(object, "why"));
    assert_string_equal(json_string_value(json_object_get(object, "is")),
                        text != NULL ? "refused" : "welcome");
    assert_true(text == NULL || json_string_length(json_object_get(object, "text")) > 10);
    snprintf(why, sizeof why, "%s", text != NULL ? text : "");
    json_decref(object);
    return why;
}

static void test_a_page_is_told_why(void **state)
{
    (void)state;
    served server;
    lc_viewer_options options = viewer_options();
    serve(&server, &options, viewer_glider());
    int port = lc_viewer_port(server.viewer);
    assert_string_equal(why_not(port, "", ""), "");
    assert_string_equal(why_not(port, "Origin: http://evil.example\r\n", ""), "origin");
    stop_serving(&server);
    options.token = "correct-horse";
    serve(&server, &options, viewer_glider());
    port = lc_viewer_port(server.viewer);
    assert_string_equal(why_not(port, "", ""), "no-token");
    assert_string_equal(why_not(port, "", "Authorization: Bearer correct-horsf\r\n"),
                        "wrong-token");
    assert_string_equal(why_not(port, "", "Authorization: Bearer correct-horse\r\n"), "");
    // One from elsewhere does not learn whether it has guessed it.
    assert_string_equal(
        why_not(port, "Origin: http://evil.example\r\n", "Authorization: Bearer correct-horse\r\n"),
        "origin");
    stop_serving(&server);
}

// Who hears nothing for longer knows that the server hangs.
static void test_the_server_is_heard(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    for (int i = 0; i < 2; i++)
        json_decref(expect(&c, "alive"));
    close_client(&c);
    stop_serving(&server);
}

static void test_foreign_pages_are_refused(void **state)
{
    (void)state;
    served server;
    client c;
    char headers[256];
    start_serving(&server, viewer_glider());
    const int port = lc_viewer_port(server.viewer);
    assert_int_not_equal(connect_client(&c, port, "/other", NULL), 101);
    assert_int_not_equal(connect_client(&c, port, "/socket", "Host: localhost\r\n"), 101);
    assert_int_not_equal(connect_client(&c, port, "/socket", "Host: evil.example\r\n" ASKS), 101);
    assert_int_not_equal(connect_client(&c, port, "/socket",
                                        "Host: localhost\r\nOrigin: http://evil.example\r\n" ASKS),
                         101);
    assert_int_not_equal(
        connect_client(&c, port, "/socket", "Host: localhost\r\nOrigin: null\r\n" ASKS), 101);
    // Another port of this machine is another page.
    snprintf(headers, sizeof headers, "Host: localhost:%d\r\nOrigin: http://localhost:1\r\n" ASKS,
             port);
    assert_int_not_equal(connect_client(&c, port, "/socket", headers), 101);
    snprintf(headers, sizeof headers, "Host: localhost:%d\r\nOrigin: http://localhost:%d\r\n" ASKS,
             port, port);
    assert_int_equal(connect_client(&c, port, "/socket", headers), 101);
    close_client(&c);
    stop_serving(&server);
}

static void test_token(void **state)
{
    (void)state;
    served server;
    client c;
    static char answer[1 << 18];
    lc_viewer_options with_token = viewer_options();
    with_token.token = "correct-horse";
    serve(&server, &with_token, viewer_glider());
    const int port = lc_viewer_port(server.viewer);
    assert_non_null(strstr(lc_viewer_url(server.viewer, 0, false), "#token=correct-horse"));
    assert_int_equal(connect_client(&c, port, "/socket", NULL), 403);
    assert_int_equal(connect_client(&c, port, "/socket?token=", NULL), 403);
    assert_int_equal(connect_client(&c, port, "/socket?token=correct-horsf", NULL), 403);
    assert_int_equal(connect_client(&c, port, "/socket?token=correct-horse1", NULL), 403);
    assert_int_equal(connect_client(&c, port, "/socket?token=correct-horse", NULL), 101);
    close_client(&c);
    // As a page does it: nothing is in the address.
    assert_int_equal(connect_client(&c, port, "/socket",
                                    "Host: localhost\r\nSec-WebSocket-Protocol: lightcone-view, "
                                    "token.correct-horsf\r\n"),
                     403);
    assert_int_equal(connect_client(&c, port, "/socket",
                                    "Host: localhost\r\nSec-WebSocket-Protocol: lightcone-view, "
                                    "token.correct-horse\r\n"),
                     101);
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\"}");
    json_t *saved = expect(&c, "saved");
    const char *path = json_string_value(json_object_get(saved, "path"));
    // Its address cannot be guessed, and tells nobody the token.
    assert_null(strstr(path, "correct-horse"));
    assert_int_equal(strspn(path + strlen("/saved/"), "0123456789abcdef"), 32);
    assert_int_equal(http_get(port, path, "localhost", answer, sizeof answer), 200);
    json_decref(saved);
    close_client(&c);
    stop_serving(&server);
}

#define TOKEN(token)                                                                               \
    "Host: localhost\r\nSec-WebSocket-Protocol: lightcone-view, token." token "\r\n"

static void test_watching_and_locks(void **state)
{
    (void)state;
    served server;
    client onlooker, one, other;
    lc_viewer_options options = viewer_options();
    options.token = "correct-horse";
    options.watch_token = "battery-staple";
    serve(&server, &options, viewer_glider());
    const int port = lc_viewer_port(server.viewer);
    assert_int_equal(connect_client(&onlooker, port, "/socket", TOKEN("battery-stapler")), 403);
    assert_int_equal(connect_client(&onlooker, port, "/socket", TOKEN("battery-staple")), 101);
    json_decref(expect(&onlooker, "state"));
    wait_for(&onlooker, "editor", NULL, false);
    wait_for(&onlooker, "may_steer", NULL, false);
    REFUSED(&onlooker, 1, "{\"do\":\"take\",\"id\":1}");
    REFUSED(&onlooker, 2, "{\"do\":\"run\",\"id\":2}");
    send_text(&onlooker, "{\"do\":\"open\",\"name\":\"x\",\"bytes\":4,\"id\":3}");
    assert_true(is_refused(&onlooker, 3));
    ACCEPTED(&onlooker, 4, "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"id\":4}");
    REFUSED(&onlooker, 5, "{\"do\":\"paste\",\"x\":9,\"y\":9,\"mode\":\"or\",\"id\":5}");
    assert_int_equal(connect_client(&one, port, "/socket", TOKEN("correct-horse")), 101);
    wait_for(&one, "editor", NULL, true);
    assert_int_equal(connect_client(&other, port, "/socket", TOKEN("correct-horse")), 101);
    wait_for(&other, "may_steer", NULL, true);
    REFUSED(&other, 6, "{\"do\":\"lock\",\"on\":true,\"id\":6}");
    ACCEPTED(&one, 7, "{\"do\":\"lock\",\"on\":true,\"id\":7}");
    wait_for(&other, "locked", NULL, true);
    REFUSED(&other, 8, "{\"do\":\"take\",\"id\":8}");
    ACCEPTED(&one, 9, "{\"do\":\"step\",\"generations\":1,\"id\":9}");
    wait_for(&onlooker, "generation", "1", false);
    close_client(&one);
    wait_for(&other, "editor", NULL, true);
    wait_for(&other, "locked", NULL, false);
    close_client(&other);
    close_client(&onlooker);
    lc_universe *universe = end_serving(&server);
    assert_int_equal(test_generation(universe), 1);
    assert_int_equal(test_population(universe), 5);
    lc_universe_destroy(&universe);
}

// A proxy shows the page at an address of its own, and asks by that name, or by the server's.
static void test_a_proxy(void **state)
{
    (void)state;
    served server;
    client c;
    char answer[1 << 10];
    lc_viewer_options options = viewer_options();
    options.origin = "https://life.example";
    serve(&server, &options, viewer_glider());
    const int port = lc_viewer_port(server.viewer);
    static const struct {
        const char *host, *origin;
        int status;
    } asks[] = {
        {"life.example", "https://life.example", 101},
        {"127.0.0.1:8080", "https://life.example", 101},
        {"LIFE.example", "https://life.EXAMPLE", 101},
        {"life.example", "http://life.example", 101}, // which is what the Host says
        {"life.example", "https://life.example.org", 403},
        {"life.example", "https://evil.example", 403},
        {"localhost", "https://localhost", 403},
        {"evil.example", "https://life.example", 403},
        {"evil.example", "http://evil.example", 403},
    };
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char headers[256];
        snprintf(headers, sizeof headers, "Host: %s\r\nOrigin: %s\r\n" ASKS, asks[i].host,
                 asks[i].origin);
        assert_int_equal(connect_client(&c, port, "/socket", headers), asks[i].status);
        close_client(&c);
    }
    assert_int_equal(http_get(port, "/icon.svg", "life.example", answer, sizeof answer), 200);
    assert_int_equal(http_get(port, "/icon.svg", "evil.example", answer, sizeof answer), 403);
    stop_serving(&server);
}

// What keeps other pages away stands in every answer.
static void test_headers(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "\r\ncontent-security-policy: default-src 'none'; ",
        "\r\nx-content-type-options: nosniff\r\n",
        "\r\nreferrer-policy: no-referrer\r\n",
        "\r\ncross-origin-resource-policy: same-origin\r\n",
        "\r\ncross-origin-opener-policy: same-origin\r\n",
    };
    served server;
    client c;
    static char answers[6][1 << 16];
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    const int port = lc_viewer_port(server.viewer);
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\"}");
    json_t *saved = expect(&c, "saved");
    const char *path = json_string_value(json_object_get(saved, "path"));
    assert_int_equal(http_get(port, path, "localhost", answers[0], sizeof *answers), 200);
    assert_int_equal(http_get(port, "/", "localhost", answers[1], sizeof *answers), 200);
    assert_int_equal(http_get(port, "/main.js", "localhost", answers[2], sizeof *answers), 200);
    assert_int_equal(http_get(port, "/none", "localhost", answers[3], sizeof *answers), 404);
    assert_int_equal(http_get(port, "/", "evil.example", answers[4], sizeof *answers), 403);
    assert_int_equal(http_get(port, "/socket", "localhost", answers[5], sizeof *answers), 200);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
            const char *found = strstr(answers[i], headers[k]);
            if (found == NULL || strstr(found + 2, headers[k]) != NULL)
                fail_msg("answer %zu does not have once: %s%s", i, headers[k], answers[i]);
        }
    json_decref(saved);
    close_client(&c);
    stop_serving(&server);
}

static void test_sixteen_clients(void **state)
{
    (void)state;
    served server;
    client clients[16], one_more;
    start_serving(&server, viewer_glider());
    for (int i = 0; i < 16; i++)
        enter(&clients[i], &server);
    const int port = lc_viewer_port(server.viewer);
    assert_int_equal(connect_client(&one_more, port, "/socket", NULL), 503);
    assert_string_equal(why_not(port, "", ""), "full");
    close_client(&clients[3]);
    for (int status = 503; status != 101;) // once the server has heard that one has gone
        status = connect_client(&one_more, port, "/socket", NULL);
    close_client(&one_more);
    for (int i = 0; i < 16; i++)
        if (i != 3) {
            ACCEPTED(&clients[i], i, "{\"do\":\"box\",\"id\":%d}", i);
            close_client(&clients[i]);
        }
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_files_are_sent_once_and_small),
        cmocka_unit_test(test_foreign_pages_are_refused),
        cmocka_unit_test(test_a_page_is_told_why),
        cmocka_unit_test(test_the_server_is_heard),
        cmocka_unit_test(test_token),
        cmocka_unit_test(test_watching_and_locks),
        cmocka_unit_test(test_a_proxy),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_sixteen_clients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
