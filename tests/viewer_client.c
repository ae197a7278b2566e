// Sockets, handshakes and frames of WebSocket, with no library in between.
#include "viewer_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_universe.h"

enum { PATIENCE_MS = 30000 };

// ---- the server --------------------------------------------------------------------------------

static atomic_bool stop;

static bool stopped(void)
{
    return atomic_load(&stop);
}

static void *run(void *context)
{
    lc_message message = {0};
    lc_viewer_serve(((served *)context)->viewer, stopped, &message);
    return NULL;
}

void serve(served *server, const lc_viewer_options *options, lc_universe *universe)
{
    lc_message message = {0};
    atomic_store(&stop, false);
    if (lc_viewer_create(&server->viewer, options, universe, &message) != LC_OK)
        fail_msg("no viewer: %s", message.text);
    assert_int_equal(pthread_create(&server->thread, NULL, run, server), 0);
}

lc_universe *release_served(served *server)
{
    atomic_store(&stop, true);
    pthread_join(server->thread, NULL);
    return lc_viewer_release(server->viewer);
}

lc_universe *end_serving(served *server)
{
    lc_universe *universe = release_served(server);
    lc_viewer_destroy(&server->viewer);
    return universe;
}

// ---- bytes -------------------------------------------------------------------------------------

static int connect_socket(int port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(s >= 0);
    assert_int_equal(connect(s, (const struct sockaddr *)&address, sizeof address), 0);
    // As browsers do: a message does not wait for the answer to the one before.
    assert_int_equal(setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)), 0);
    return s;
}

static void send_all(int s, const void *bytes, size_t size)
{
    const char *p = bytes;
    while (size > 0) {
        const ssize_t sent = send(s, p, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return; // it has been closed; who receives will see
        p += sent;
        size -= (size_t)sent;
    }
}

static bool receive_some(int s, void *bytes, size_t size, size_t *received)
{
    struct pollfd wait = {.fd = s, .events = POLLIN};
    if (poll(&wait, 1, PATIENCE_MS) != 1)
        return false;
    const ssize_t got = recv(s, bytes, size, 0);
    *received = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static bool receive_all(int s, void *bytes, size_t size)
{
    size_t got;
    for (char *p = bytes; size > 0; p += got, size -= got)
        if (!receive_some(s, p, size, &got))
            return false;
    return true;
}

int http(int port, const char *request, char *answer, size_t size)
{
    int s = connect_socket(port), status = 0;
    size_t have = 0, got;
    send_all(s, request, strlen(request));
    while (have < size - 1 && receive_some(s, answer + have, size - 1 - have, &got)) {
        have += got;
        answer[have] = '\0';
        const char *body = strstr(answer, "\r\n\r\n"),
                   *length = strcasestr(answer, "content-length:");
        if (body != NULL && length == NULL)
            break; // it has no body
        if (body != NULL && length != NULL && length < body &&
            answer + have >= body + 4 + strtoul(length + 15, NULL, 10))
            break;
    }
    answer[have] = '\0';
    close(s);
    return sscanf(answer, "HTTP/1.%*d %d", &status) == 1 ? status : 0;
}

int http_get(int port, const char *address, const char *host, char *answer, size_t size)
{
    char request[512];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", address, host);
    return http(port, request, answer, size);
}

const char *http_body(const char *answer)
{
    const char *body = strstr(answer, "\r\n\r\n");
    assert_non_null(body);
    return body + 4;
}

// ---- WebSocket ---------------------------------------------------------------------------------

int connect_client(client *c, int port, const char *address, const char *headers)
{
    char request[1024], answer[1024], usual[128];
    snprintf(usual, sizeof usual,
             "Host: localhost:%d\r\nSec-WebSocket-Protocol: lightcone-view\r\n", port);
    *c = (client){.socket = connect_socket(port)};
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bGlnaHRjb25lIHRlc3RzIQ==\r\n%s\r\n",
             address, headers != NULL ? headers : usual);
    send_all(c->socket, request, strlen(request));
    // Byte by byte, so that nothing of the first message is taken.
    size_t length = 0;
    int status = 0;
    while (length < sizeof answer - 1 && receive_all(c->socket, answer + length, 1)) {
        answer[++length] = '\0';
        if (length >= 4 && strcmp(answer + length - 4, "\r\n\r\n") == 0)
            break;
    }
    answer[length] = '\0';
    if (sscanf(answer, "HTTP/1.%*d %d", &status) != 1 || status != 101) {
        close_client(c);
        return status;
    }
    return 101;
}

void close_client(client *c)
{
    if (c->socket >= 0)
        close(c->socket);
    free(c->bytes);
    json_decref(c->state);
    *c = (client){.socket = -1};
}

void send_raw(client *c, const void *bytes, size_t size_bytes)
{
    send_all(c->socket, bytes, size_bytes);
}

static void send_frame(client *c, unsigned char opcode, const void *bytes, size_t size_bytes)
{
    static const unsigned char mask[4] = {0x5a, 0x01, 0xfe, 0x77};
    unsigned char *frame = malloc(size_bytes + 14);
    size_t n = 0;
    assert_non_null(frame);
    frame[n++] = 0x80 | opcode;
    if (size_bytes < 126) {
        frame[n++] = (unsigned char)(0x80 | size_bytes);
    } else {
        const int width = size_bytes < 65536 ? 2 : 8;
        frame[n++] = width == 2 ? 0xfe : 0xff;
        for (int i = width - 1; i >= 0; i--)
            frame[n++] = (unsigned char)(size_bytes >> 8 * i);
    }
    memcpy(frame + n, mask, 4);
    n += 4;
    for (size_t i = 0; i < size_bytes; i++)
        frame[n + i] = ((const unsigned char *)bytes)[i] ^ mask[i % 4];
    send_all(c->socket, frame, n + size_bytes);
    free(frame);
}

void send_bytes(client *c, bool binary, const void *bytes, size_t size_bytes)
{
    send_frame(c, binary ? 2 : 1, bytes, size_bytes);
}

void send_text(client *c, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, sizeof text - 1);
    send_bytes(c, false, text, (size_t)length);
}

static void keep_state(client *c)
{
    static const char start[] = "{\"is\":\"state\"";
    if (strncmp((const char *)c->bytes, start, sizeof start - 1) == 0) {
        json_decref(c->state);
        c->state = json_loadb((const char *)c->bytes, c->size_bytes, 0, NULL);
    }
}

bool receive(client *c)
{
    for (;;) {
        unsigned char head[2], longer[8];
        if (!receive_all(c->socket, head, 2))
            return false;
        uint64_t size = head[1] & 0x7f;
        const size_t width = size == 126 ? 2 : size == 127 ? 8 : 0;
        if (width > 0) {
            if (!receive_all(c->socket, longer, width))
                return false;
            size = 0;
            for (size_t i = 0; i < width; i++)
                size = size << 8 | longer[i];
        }
        free(c->bytes);
        c->bytes = malloc(size + 1);
        assert_non_null(c->bytes);
        if (!receive_all(c->socket, c->bytes, size))
            return false;
        c->bytes[size] = '\0';
        c->size_bytes = size;
        const int opcode = head[0] & 0x0f;
        if (opcode == 8)
            return false;
        if (opcode == 9)
            send_frame(c, 10, c->bytes, size); // it is asked whether it is still there
        c->binary = opcode == 2;
        if (opcode == 1)
            keep_state(c);
        if (opcode == 1 || opcode == 2)
            return true;
    }
}

void acknowledge(client *c)
{
    if (c->bytes[0] == 1)
        send_text(c, "{\"do\":\"drawn\",\"frame\":%u}", (unsigned)number_at(c, 4, 4));
}

json_t *expect(client *c, const char *is)
{
    while (receive(c)) {
        if (c->binary) {
            acknowledge(c);
            continue;
        }
        json_t *object = json_loadb((const char *)c->bytes, c->size_bytes, 0, NULL);
        assert_non_null(object);
        if (strcmp(json_string_value(json_object_get(object, "is")), is) == 0)
            return object;
        json_decref(object);
    }
    fail_msg("the server did not say \"%s\"", is);
    return NULL;
}

uint64_t number_at(const client *c, size_t offset, int bytes)
{
    uint64_t value = 0;
    assert_true(offset + (size_t)bytes <= c->size_bytes);
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | c->bytes[offset + (size_t)i];
    return value;
}

void expect_frame(client *c, uint32_t look)
{
    while (receive(c))
        if (c->binary && c->bytes[0] == 1) {
            acknowledge(c);
            if (number_at(c, 32, 4) == look)
                return;
        }
    fail_msg("no picture of look %u has come", look);
}

// ---- what most tests do ------------------------------------------------------------------------

lc_viewer_options viewer_options(void)
{
    return (lc_viewer_options){.name = "test",
                               .speed = HUGE_VAL,
                               .temporary_folder = getenv("TMPDIR"),
                               .creation = {.struct_bytes = sizeof(lc_universe_options),
                                            .threads = 2,
                                            .max_memory_bytes = 64 << 20}};
}

lc_universe *viewer_soup(int64_t width, int64_t height, uint64_t seed)
{
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = height};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, width, height, 0.3, seed, NULL), LC_OK);
    return u;
}

lc_universe *viewer_glider(void)
{
    lc_universe *u = test_create("simd", LIFE, infinite_plane, 64 << 20);
    assert_int_equal(test_load(u, glider_rle, 0, 0, NULL), LC_OK);
    return u;
}

void start_serving(served *server, lc_universe *universe)
{
    const lc_viewer_options usual = viewer_options();
    serve(server, &usual, universe);
}

void stop_serving(served *server)
{
    lc_universe *universe = end_serving(server);
    lc_universe_destroy(&universe);
}

void enter(client *c, const served *server)
{
    assert_int_equal(connect_client(c, lc_viewer_port(server->viewer), "/socket", NULL), 101);
    json_decref(expect(c, "hello"));
    json_decref(expect(c, "universe"));
    json_decref(expect(c, "state"));
}

bool is_refused(client *c, int id)
{
    while (receive(c)) {
        if (c->binary)
            continue;
        json_t *object = json_loadb((const char *)c->bytes, c->size_bytes, 0, NULL);
        assert_non_null(object);
        const json_t *re = json_object_get(object, "re");
        const bool mine = json_is_integer(re) && json_integer_value(re) == id;
        const char *is = json_string_value(json_object_get(object, "is"));
        const bool refused = strcmp(is, "error") == 0;
        if (mine && refused)
            assert_true(json_string_length(json_object_get(object, "text")) > 3);
        json_decref(object);
        if (mine)
            return refused;
    }
    fail_msg("question %d was not answered", id);
    return true;
}

void wait_for(client *c, const char *name, const char *text, bool flag)
{
    for (;;) {
        const json_t *value = json_object_get(c->state, name);
        if (text != NULL ? json_is_string(value) && strcmp(json_string_value(value), text) == 0
                         : json_is_boolean(value) && json_is_true(value) == flag)
            return;
        json_decref(expect(c, "state"));
    }
}
