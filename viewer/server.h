// Internals of the server, shared by server.c (the WebSocket clients), http.c (the page and saved
// files) and refusal.c (access control).
//
// Threads: only the server's.
#ifndef LC_VIEWER_SERVER_H
#define LC_VIEWER_SERVER_H

#include <libwebsockets.h>

#include "deflater.h"
#include "link_speed.h"
#include "pending_connections.h"
#include "simulation.h"

enum { LC_URLS_MAX = 10 };

typedef struct lc_connection {
    struct lc_connection *next;
    struct lws *wsi;
    lc_client client; // of a WebSocket; slot -1 before it is admitted
    // An incoming message.
    char *input;
    size_t input_bytes, input_room;
    bool skip;                // the rest of a message that was rejected
    lc_view_command *opening; // a command whose file has not come yet; NULL: none
    bool throttled;
    bool silent; // nothing has been sent to it since the last heartbeat
    lc_deflater deflater;
    lc_link_speed link;
    bool joins;           // the client can join the pieces of a message
    lc_outgoing *partial; // a message that is sent in pieces; NULL: none
    size_t partial_sent;  // bytes of it
    // The body of an HTTP answer, after LWS_PRE bytes.
    unsigned char *body;
    size_t body_bytes;
} lc_connection;

struct lc_viewer {
    lc_viewer_options options;
    char *urls[2][LC_URLS_MAX + 1]; // for steering and for watching; NULL ends the list
    int port;
    struct lws_context *context;
    char policy_text[320]; // content security policy of the page, used by `policy`
    struct lws_protocol_vhost_options policy;
    lc_hub hub;
    lc_simulation simulation;
    lc_connection *sessions;        // the clients
    lc_pending_connections pending; // the other connections
    bool (*stop)(void);
    bool over;
    lws_sorted_usec_list_t timer;
    lws_sorted_usec_list_t heart;
    // The last sign of life of the universe's thread, and since when it has not changed. The number
    // of seconds without a sign that the clients were last told.
    uint64_t signs, signs_ns;
    unsigned told_stuck;
};

// ---- access control (refusal.c) -----------------------------------------------------------------

// Why a request is refused.
typedef enum lc_refusal {
    LC_REFUSAL_NONE,
    LC_REFUSAL_HOST,
    LC_REFUSAL_ORIGIN,
    LC_REFUSAL_NO_TOKEN,
    LC_REFUSAL_WRONG_TOKEN,
    LC_REFUSAL_FULL,
} lc_refusal;

// Returns why a request for the page is refused. The page is public, so only the header Host
// counts.
lc_refusal lc_refuse_page(const lc_viewer *viewer, struct lws *wsi);
// Returns why a client may not connect to the socket.
lc_refusal lc_refuse_client(lc_viewer *viewer, struct lws *wsi);

// Admits a client that may connect, to steer or only to watch. It gets the helm back if it had it
// before. Slot -1: the last free place has been taken.
lc_client lc_admit(lc_viewer *viewer, struct lws *wsi);

unsigned lc_refusal_status(lc_refusal refusal); // HTTP status code
// Returns a sentence for people; static.
const char *lc_refusal_text(lc_refusal refusal);
// Returns the answer to a page that asks why, a JSON object; NULL: out of memory.
json_t *lc_refusal_say(lc_refusal refusal);

// ---- HTTP (http.c) -----------------------------------------------------------------------------

int lc_server_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t length);

#endif
