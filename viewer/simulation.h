// The thread that owns the universe: it has a session, its pace and its clients, and is the only
// one that touches them.
//
//        simulation.c       steps, obeys, waits
//             |
//          obey.c           what clients ask for
//             |
//         clients.c        what they see
//          |      |
//    session.c  pace.c      the universe; how fast it is to run,
//      travel.c player.c    how its timeline is played, and the way to other generations
//               saver.c     files that take long
//               identifier.c  what cells are; settle_watch.c  whether they have settled
//
// Each calls those below it. One thing goes upwards: stepping takes long, so in the midst of it the
// session calls the thread (lc_session_calls), which then looks after the clients.
#ifndef LC_VIEWER_SIMULATION_H
#define LC_VIEWER_SIMULATION_H

#include "clients.h"
#include "identifier.h"
#include "saver.h"

typedef struct lc_simulation {
    pthread_t thread;
    bool started;
    _Atomic bool has_ended; // the thread, by itself
    lc_hub *hub;
    lc_session session;
    lc_pace pace;
    lc_player player;
    lc_travel travel;
    bool waits; // for a picture to be shown, before it goes on: of those cells, since then
    uint64_t waited_revision, waited_ns;
    uint64_t piece_ns; // when a piece that is shown as a whole was begun
    lc_clients clients;
    bool is_keeping; // the session, and says so
    lc_saver saver;
    lc_identifier identifier;
    lc_settled settled;
    // When it has stopped: whether what was drawn is in no file, and the universe's name.
    bool was_unsaved;
    char name[LC_SESSION_NAME_BYTES];
} lc_simulation;

// Starts the thread. If that succeeds, the universe goes over to it.
lc_status lc_simulation_start(lc_simulation *simulation, lc_hub *hub,
                              const lc_viewer_options *options, lc_universe *universe,
                              lc_message *message);
// Asks the thread to end. False: it has not, and there was no sign of life for so long.
bool lc_simulation_end(lc_simulation *simulation, uint64_t patience_ns);
// Ends the thread, gives the universe back and frees everything else. NULL: it was not started.
lc_universe *lc_simulation_stop(lc_simulation *simulation);

#endif
