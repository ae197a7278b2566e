// The thread that owns the universe, the session, its pace and its clients. No other thread touches
// them.
//
//            simulation.c       steps, executes commands, waits
//                 |
//              obey.c           commands of clients
//                 |
//             clients.c        pictures and states for clients
//              |      |
//        session.c  pace.c      the universe; speed of its run
//          travel.c player.c    going to other generations; playing a timeline
//                   saver.c     saving large files
//                   identifier.c  identifies cells; settle_watch.c  finds settled universes
//
// Each file calls those below it, with one exception: during a long step the session calls back
// (lc_session_calls), and the thread serves the clients.
#ifndef LC_VIEWER_SIMULATION_H
#define LC_VIEWER_SIMULATION_H

#include "clients.h"
#include "identifier.h"
#include "saver.h"

typedef struct lc_simulation {
    pthread_t thread;
    bool started;
    _Atomic bool has_ended; // the thread has returned by itself
    lc_hub *hub;
    lc_session session;
    lc_pace pace;
    lc_player player;
    lc_travel travel;
    bool waits; // until a picture of `waited_revision` is shown
    uint64_t waited_revision, waited_ns;
    uint64_t piece_ns; // start of a piece that is shown only at its end
    lc_clients clients;
    bool is_keeping; // the session keeps cells, and the clients are told
    lc_saver saver;
    lc_identifier identifier;
    lc_settled settled;
    // After it has stopped: whether no file has the drawn cells, and the universe's name.
    bool was_unsaved;
    char name[LC_SESSION_NAME_BYTES];
} lc_simulation;

// Starts the thread, which takes the universe on success.
lc_status lc_simulation_start(lc_simulation *simulation, lc_hub *hub,
                              const lc_viewer_options *options, lc_universe *universe,
                              lc_message *message);
// Asks the thread to end, and waits. Returns false if it has not ended and has given no sign of
// life for `patience_ns`.
bool lc_simulation_end(lc_simulation *simulation, uint64_t patience_ns);
// Ends the thread, returns the universe to the caller and frees everything else. NULL: the thread
// was not started.
lc_universe *lc_simulation_stop(lc_simulation *simulation);

#endif
