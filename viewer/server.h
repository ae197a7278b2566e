// The server's inside: what server.c (the sockets and those who speak the protocol), http.c (the
// page, and files that were saved) and refusal.c (who may come in) share.
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
    lc_client client; // of a WebSocket; slot -1 before
    // An incoming message.
    char *input;
    size_t input_bytes, input_room;
    bool skip;                // the rest of a message that is too long
    lc_view_command *opening; // its file is still to come; NULL: none is
    bool throttled;
    bool silent; // nothing has been sent to it since the last heartbeat
    lc_deflater deflater;
    lc_link_speed link;
    bool joins;           // it puts pieces of a message together
    lc_outgoing *partial; // a message that is sent in pieces; NULL: none is
    size_t partial_sent;  // bytes of it
    // The body of an HTTP answer, after LWS_PRE bytes.
    unsigned char *body;
    size_t body_bytes;
} lc_connection;

struct lc_viewer {
    lc_viewer_options options;
    char *urls[2][LC_URLS_MAX + 1]; // to steer, and to watch; NULL: no more
    int port;
    struct lws_context *context;
    char policy_text[320]; // what the page may load, as `policy` says it
    struct lws_protocol_vhost_options policy;
    lc_hub hub;
    lc_simulation simulation;
    lc_connection *sessions;        // that speak the protocol
    lc_pending_connections pending; // the other connections
    bool (*stop)(void);
    bool over;
    lws_sorted_usec_list_t timer;
    lws_sorted_usec_list_t heart;
    // The last sign of life of the universe's thread that was looked at, and since when it is the
    // last one; and for how many seconds the clients were told it has been.
    uint64_t signs, signs_ns;
    unsigned told_stuck;
};

// ---- who may come in (refusal.c) ----------------------------------------------------------------

// Why somebody may not come in.
typedef enum lc_refusal {
    LC_REFUSAL_NONE,
    LC_REFUSAL_HOST,
    LC_REFUSAL_ORIGIN,
    LC_REFUSAL_NO_TOKEN,
    LC_REFUSAL_WRONG_TOKEN,
    LC_REFUSAL_FULL,
} lc_refusal;

// Whether a page may be given, which is no secret: only the Host matters.
lc_refusal lc_refuse_page(const lc_viewer *viewer, struct lws *wsi);
// Whether a client may connect to the socket.
lc_refusal lc_refuse_client(lc_viewer *viewer, struct lws *wsi);

// Lets in a client that may connect: to steer, or only to watch, with its helm if it had that
// before. Slot -1: there is no room for it any more.
lc_client lc_admit(lc_viewer *viewer, struct lws *wsi);

unsigned lc_refusal_status(lc_refusal refusal); // of HTTP
// For people, a sentence; static.
const char *lc_refusal_text(lc_refusal refusal);
// What a page that asks is told: a JSON object, NULL without memory.
json_t *lc_refusal_say(lc_refusal refusal);

// ---- HTTP (http.c) -----------------------------------------------------------------------------

int lc_server_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t length);

#endif
