// The server of `lightcone view`: shows a universe in browsers, which can control and edit it
// (docs/viewer-protocol.md).
//
// There are two threads. The caller of lc_viewer_serve talks to the clients (server.c,
// libwebsockets). The other thread owns the universe, steps it and renders the clients' views
// (simulation.c). They exchange messages through the hub (hub.h).
#ifndef LC_VIEWER_VIEWER_H
#define LC_VIEWER_VIEWER_H

#include <stdbool.h>

#include "lightcone/lightcone.h"

typedef struct lc_viewer lc_viewer;

typedef struct lc_viewer_options {
    const char *address;     // to listen on, numeric; NULL: 127.0.0.1
    int port;                // 0: any free port
    int more_ports;          // number of later ports to try if it is in use
    const char *token;       // required from clients; NULL: none
    const char *watch_token; // for clients that only watch; NULL: none; requires `token`
    // Origin of the page behind a proxy, "https://life.example"; NULL: none.
    const char *origin;
    const char *patterns_folder;  // the user's own patterns; NULL: none
    const char *temporary_folder; // for files of this viewer; NULL: /tmp
    const char *name;             // of the universe, for display
    const char *comments;         // of the universe; NULL: none
    bool running;                 // runs, or plays its timeline, from the start
    // Generations a second; HUGE_VAL: as fast as possible. 0: the default, 30 for patterns and
    // small boards, as fast as possible for larger ones.
    double speed;
    // The universe is this frame of this timeline, which the caller owns; NULL: none.
    lc_timeline *timeline;
    uint64_t frame;
    // Options of universes that clients open: engine, level, threads, memory, audits. The client
    // gives rule and topology.
    lc_universe_options creation;
    // Creates the first universe again, as it was at the beginning. Called on the universe's
    // thread. NULL: impossible.
    lc_status (*reopen)(void *context, lc_universe **out, lc_message *message);
    void *context;
} lc_viewer_options;

// Creates a viewer, which listens from now on and answers only during lc_viewer_serve. On success
// it takes the universe; the options' strings must outlive it. Returns LC_OK; LC_ERROR_SYSTEM (no
// such address on this machine, the port is taken or reserved, no thread); LC_ERROR_MEMORY.
lc_status lc_viewer_create(lc_viewer **out, const lc_viewer_options *options, lc_universe *universe,
                           lc_message *message);

// Returns the i-th address of the page, "http://127.0.0.1:8080/", with the token if there is one;
// the preferred address first; NULL past the last. `watch`: with the watch token; NULL if there is
// none. Valid until the viewer is destroyed.
const char *lc_viewer_url(const lc_viewer *viewer, size_t i, bool watch);
int lc_viewer_port(const lc_viewer *viewer);

// Serves until `stop` returns true; it is called several times a second. Returns LC_OK, or
// LC_ERROR_SYSTEM if the server's loop fails.
lc_status lc_viewer_serve(lc_viewer *viewer, bool (*stop)(void), lc_message *message);

// Asks the universe's thread to end, after serving, and waits. Returns false if it has neither
// ended nor given a sign of life for `patience_ns`. Then the caller must not use or free the viewer
// any more, and exits.
bool lc_viewer_end(lc_viewer *viewer, uint64_t patience_ns);
// Returns the universe as it is now to the caller. Waits for its thread.
lc_universe *lc_viewer_release(lc_viewer *viewer);
// Facts of the released universe: the first returns whether it has edits since it was opened or
// saved; the second its name, valid until the viewer is destroyed.
bool lc_viewer_is_unsaved(const lc_viewer *viewer);
const char *lc_viewer_name(const lc_viewer *viewer);

void lc_viewer_destroy(lc_viewer **viewer);

#endif
