// A viewer that is served to the test's own process, and clients of it that speak WebSocket by
// hand, well or badly.
#ifndef LC_TESTS_VIEWER_CLIENT_H
#define LC_TESTS_VIEWER_CLIENT_H

#include <jansson.h>
#include <pthread.h>

#include "viewer/viewer.h"

typedef struct served {
    lc_viewer *viewer;
    pthread_t thread;
} served;

// Serves a universe on a port of its own; one at a time. The universe goes over.
void serve(served *server, const lc_viewer_options *options, lc_universe *universe);
// Ends it, and gives the universe back.
lc_universe *end_serving(served *server);
// The same, but the viewer stays, to be asked, until it is destroyed.
lc_universe *release_served(served *server);

// One HTTP request, as it is; the answer in `answer`, at most size - 1 bytes and a zero. The
// status.
int http(int port, const char *request, char *answer, size_t size);
// A GET of that address with that Host.
int http_get(int port, const char *address, const char *host, char *answer, size_t size);
// The body of an answer.
const char *http_body(const char *answer);

typedef struct client {
    int socket;
    unsigned char *bytes; // of the last message
    size_t size_bytes;
    bool binary;
    json_t *state; // the last one that has come; NULL: none
} client;

// The status of the answer: 101 if the client is connected. `headers`: further ones, each ended by
// \r\n; NULL for the usual ones.
int connect_client(client *c, int port, const char *address, const char *headers);
void close_client(client *c);
void send_text(client *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void send_bytes(client *c, bool binary, const void *bytes, size_t size_bytes);
// Bytes on the socket, as they are.
void send_raw(client *c, const void *bytes, size_t size_bytes);

// The next message, waited for; false: there was none in half a minute, or the connection is
// closed.
bool receive(client *c);
// If the last message was a picture, says that it was drawn.
void acknowledge(client *c);
// The next text message with that "is"; everything before it is skipped, pictures being
// acknowledged. The caller owns it; the test fails if there is none.
json_t *expect(client *c, const char *is);
// The next picture that answers that look.
void expect_frame(client *c, uint32_t look);

// The numbers of a binary message.
uint64_t number_at(const client *c, size_t offset, int bytes);

// What most tests do: a server with the usual options, of a soup (density 0.3, on a torus) or a
// glider (on the infinite plane), and a client that has heard its first state.
lc_viewer_options viewer_options(void);
lc_universe *viewer_soup(int64_t width, int64_t height, uint64_t seed);
lc_universe *viewer_glider(void);
void start_serving(served *server, lc_universe *universe);
void stop_serving(served *server);
void enter(client *c, const served *server);

// What the server says to a question that has an id; whether it is an error.
bool is_refused(client *c, int id);
#define ACCEPTED(c, id, ...)                                                                       \
    do {                                                                                           \
        send_text(c, __VA_ARGS__);                                                                 \
        assert_false(is_refused(c, id));                                                           \
    } while (0)
#define REFUSED(c, id, ...)                                                                        \
    do {                                                                                           \
        send_text(c, __VA_ARGS__);                                                                 \
        assert_true(is_refused(c, id));                                                            \
    } while (0)

// Until the last state that has come says so: the text, or the flag.
void wait_for(client *c, const char *name, const char *text, bool flag);

#endif
