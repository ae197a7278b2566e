// Going to another generation, back or ahead, and playing backwards.
//
// Cells are made beside the universe that is shown, from those of the nearest generation that was
// kept before (lc_session_depart), piece by piece: so pictures, commands and states go on
// meanwhile, and it can be given up at any time. When they are there they take that universe's
// place. On the way generations are kept, the closer the nearer it comes: the next step back begins
// with them.
//
// Only travel.c writes an lc_travel; others read it.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_TRAVEL_H
#define LC_VIEWER_TRAVEL_H

#include "session.h"

typedef struct lc_travel {
    lc_session *session;
    bool (*passed)(void *context); // after each pass; true: something else is to be done first
    void *context;
    lc_universe *universe; // on its way; NULL: there is none
    uint64_t era;
    lc_count from, to;
    uint64_t begin_ns;
    double speed;  // on the way, generations a nanosecond; 0: not known yet
    bool has_next; // where to go after that
    lc_count next;
    bool plays;      // backwards, so many generations a picture
    bool has_passed; // an edit, while it played
    lc_count stride;
    uint64_t due_ns; // when the next picture is
} lc_travel;

// Does nothing. The session must stay until it is closed.
void lc_travel_create(lc_travel *travel, lc_session *session, bool (*passed)(void *context),
                      void *context);
// Gives up what is on its way, and playing.
void lc_travel_stop(lc_travel *travel);

// The first and the last generation that one can go to.
lc_count lc_travel_first(const lc_travel *travel);
lc_count lc_travel_last(const lc_travel *travel);
// Where it is going; where the universe is if it is going nowhere.
lc_count lc_travel_aim(const lc_travel *travel);
// How much of the way lies behind it, 0 to 1.
double lc_travel_share(const lc_travel *travel);

// Sets out for a generation from the first to the last; if no way leads there, for the one before.
// One that is almost there arrives first. What is asked for last counts. Returns what
// lc_session_depart does.
lc_status lc_travel_go(lc_travel *travel, lc_count to, uint64_t now_ns, lc_message *message);
// Plays backwards from now on.
void lc_travel_rewind(lc_travel *travel, lc_count stride, uint64_t now_ns);

// Goes on for a while; *arrived: another universe is shown, and an error says only that what was
// edited could not be kept (lc_session_arrive), or why there is no way on. Else it is given up,
// with what lc_universe_step or lc_session_depart returns.
lc_status lc_travel_work(lc_travel *travel, bool *arrived, lc_message *message);
// While it plays and nothing is on its way: sets out for the next generation if it is due. Returns
// when it will be, 0 if it was; playing ends at the first one. `speed`: generations a second, 0: as
// fast as it goes.
uint64_t lc_travel_play(lc_travel *travel, double speed, uint64_t now_ns, lc_status *status,
                        lc_message *message);

#endif
