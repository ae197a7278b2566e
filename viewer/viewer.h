// `lightcone view`: shows a universe in browsers, where it can be steered and edited
// (docs/viewer-protocol.md).
//
// Two threads. The one that calls lc_viewer_serve talks to the clients (server.c, libwebsockets);
// the other owns the universe, steps it and renders what the clients look at (simulation.c). They
// exchange messages through the hub (hub.h).
#ifndef LC_VIEWER_VIEWER_H
#define LC_VIEWER_VIEWER_H

#include <stdbool.h>

#include "lightcone/lightcone.h"

typedef struct lc_viewer lc_viewer;

typedef struct lc_viewer_options {
    const char *address;     // to listen on, numeric; NULL: 127.0.0.1
    int port;                // 0: any free port
    int more_ports;          // so many after it are tried if it is in use
    const char *token;       // that clients must know; NULL: none
    const char *watch_token; // with which they may only watch; NULL: none; needs a token
    // Of the page as a proxy shows it, "https://life.example"; NULL: there is none.
    const char *origin;
    const char *patterns_folder;  // the user's own patterns; NULL: none
    const char *temporary_folder; // for files of this viewer; NULL: /tmp
    const char *name;             // of the universe, for people
    const char *comments;         // about it; NULL: none
    bool running;                 // whether it runs, or its timeline plays, from the start
    // Generations a second at which it runs; HUGE_VAL: as fast as possible. 0: 30 for patterns and
    // small boards, else as fast as possible.
    double speed;
    // The universe is this frame of that timeline, which is lent; NULL: it is of none.
    lc_timeline *timeline;
    uint64_t frame;
    // How to create the universes that clients open: engine, level, threads, memory, audits. Rule
    // and topology are the client's.
    lc_universe_options creation;
    // Creates the first universe again, as it was at the beginning; called on the universe's
    // thread.
    lc_status (*reopen)(void *context, lc_universe **out, lc_message *message);
    void *context;
} lc_viewer_options;

// Listens from now on, but answers nobody before lc_viewer_serve. If this succeeds the universe
// goes over to the viewer; the options' strings must stay valid until it is destroyed.
// LC_ERROR_SYSTEM (no such address here, the port is taken or reserved, no threads),
// LC_ERROR_MEMORY.
lc_status lc_viewer_create(lc_viewer **out, const lc_viewer_options *options, lc_universe *universe,
                           lc_message *message);

// Where the page is, "http://127.0.0.1:8080/", with the token if there is one: the i-th address,
// the one to be preferred first; NULL past the last. `watch`: with the token of those who only
// watch; NULL if there is none. Valid until the viewer is destroyed.
const char *lc_viewer_url(const lc_viewer *viewer, size_t i, bool watch);
int lc_viewer_port(const lc_viewer *viewer);

// Serves until `stop` returns true; it is called several times a second. LC_OK, or the reason it
// could not go on.
lc_status lc_viewer_serve(lc_viewer *viewer, bool (*stop)(void), lc_message *message);

// After serving: asks the universe's thread to end. False: it has neither ended nor given any sign
// of life for so long; then nothing of the viewer can be had or freed any more, and the program
// ends.
bool lc_viewer_end(lc_viewer *viewer, uint64_t patience_ns);
// Returns the universe as it is now to the caller, however long its thread takes to end.
lc_universe *lc_viewer_release(lc_viewer *viewer);
// Of the universe that was released: whether it has been drawn on since it was opened or saved, and
// its name, which is valid until the viewer is destroyed.
bool lc_viewer_is_unsaved(const lc_viewer *viewer);
const char *lc_viewer_name(const lc_viewer *viewer);

void lc_viewer_destroy(lc_viewer **viewer);

#endif
