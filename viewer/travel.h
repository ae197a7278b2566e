// Goes to another generation, back or ahead, and plays backwards.
//
// A second universe is stepped from the nearest earlier snapshot (lc_session_depart), piece by
// piece. Pictures, commands and states go on meanwhile, and the travel can be cancelled at any
// time. On arrival the second universe replaces the one that is shown. On the way the history gets
// snapshots, which are closer together near the end: the next step back begins with them.
//
// Only travel.c writes an lc_travel; others read it.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_TRAVEL_H
#define LC_VIEWER_TRAVEL_H

#include "session.h"

typedef struct lc_travel {
    lc_session *session;
    bool (*passed)(void *context); // after each pass; returns true to interrupt it
    void *context;
    lc_universe *universe; // the second universe; NULL: none
    uint64_t era;
    lc_count from, to;
    uint64_t begin_ns;
    double speed;  // generations a nanosecond; 0: unknown yet
    bool has_next; // `next` is the target after `to`
    lc_count next;
    bool plays;      // plays backwards, `stride` generations a picture
    bool has_passed; // it has passed an edit while playing
    lc_count stride;
    uint64_t due_ns; // time of the next picture
} lc_travel;

// Initialises a travel that goes nowhere. The session must outlive it.
void lc_travel_create(lc_travel *travel, lc_session *session, bool (*passed)(void *context),
                      void *context);
// Cancels travel and playing.
void lc_travel_stop(lc_travel *travel);

// Return the first and the last generation that can be reached.
lc_count lc_travel_first(const lc_travel *travel);
lc_count lc_travel_last(const lc_travel *travel);
// Returns the target; without one, the generation of the universe that is shown.
lc_count lc_travel_aim(const lc_travel *travel);
// Returns the completed share of the way, 0 to 1.
double lc_travel_share(const lc_travel *travel);

// Begins to go to a generation from the first to the last, or, if it cannot be reached, to the last
// reachable one before it. A travel that began a moment ago arrives first, and then the latest
// target counts. Returns the result of lc_session_depart.
lc_status lc_travel_go(lc_travel *travel, lc_count to, uint64_t now_ns, lc_message *message);
// Plays backwards from now on, `stride` generations a picture.
void lc_travel_rewind(lc_travel *travel, lc_count stride, uint64_t now_ns);

// Continues for a short time. Sets *arrived if another universe is shown now. An error with
// *arrived only says that edits could not be kept (lc_session_arrive), or why the next target
// cannot be reached. On an error without *arrived the travel is cancelled; the result is that of
// lc_universe_step.
lc_status lc_travel_work(lc_travel *travel, bool *arrived, lc_message *message);
// While playing, and no second universe exists: begins to go to the next generation if it is due.
// Returns the time when it is due; 0: it was. Playing ends at the first generation. `speed`:
// generations a second; 0: full speed.
uint64_t lc_travel_play(lc_travel *travel, double speed, uint64_t now_ns, lc_status *status,
                        lc_message *message);

#endif
