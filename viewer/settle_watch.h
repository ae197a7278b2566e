// Finds out whether the universe has settled: whether from now on it repeats itself, or consists of
// objects that repeat themselves and never meet, or is dead.
//
// When the last populations look periodic, or the universe rests, a thread identifies a copy of the
// cells for at most half a second (lightcone/object.h). The result is a proof, and may also say in
// which later generation the universe will settle. It holds until the cells are edited or replaced.
//
// The thread works at most a thirtieth of the time. The universe waits only for the copy.
//
// Threads: all functions only the universe's.
#ifndef LC_VIEWER_SETTLE_WATCH_H
#define LC_VIEWER_SETTLE_WATCH_H

#include "cell_copy.h"
#include "hub.h"

enum { LC_SETTLED_SAMPLES = 8 };

typedef struct lc_settled_facts {
    lc_count from;   // the facts hold from this generation on
    bool is_dead;    // no cell lives then
    uint64_t period; // 0: above 2^64 - 1
    uint64_t ships;  // spaceships that never meet anything
} lc_settled_facts;

typedef struct lc_settled {
    lc_hub *hub;
    uint64_t edits;                       // lc_session.edits_made of all that follows
    uint64_t samples[LC_SETTLED_SAMPLES]; // the last populations, in a ring
    uint64_t sample_count;
    bool is_known; // `facts` are valid
    lc_settled_facts facts;
    bool is_due;      // the caller must call lc_settled_begin between two passes
    uint64_t next_ns; // earliest time of the next attempt
    lc_count tried;   // generation of the last attempt
    bool has_tried;   // since the last edit
    // The attempt in progress. Its thread writes `found` and `found_facts` before `over`.
    pthread_t thread;
    bool started; // and not joined
    uint64_t began_ns, attempt_edits;
    lc_cell_copy copy;
    bool found;
    lc_settled_facts found_facts;
    _Atomic bool over, stop;
} lc_settled;

void lc_settled_create(lc_settled *settled, lc_hub *hub);
// Records the population, if it has just been counted, and the result of a finished attempt. Sets
// is_due if an attempt should begin. `rests`: the universe neither runs nor goes to another
// generation. Returns whether there is news for the clients.
bool lc_settled_note(lc_settled *settled, const lc_session *session, bool counted,
                     lc_count population, bool rests, uint64_t now_ns);
// Returns the time at which the caller must call lc_settled_note again if nothing happens earlier.
uint64_t lc_settled_next_ns(const lc_settled *settled, const lc_session *session, bool rests);
// Begins an attempt that is due.
void lc_settled_begin(lc_settled *settled, const lc_session *session, uint64_t now_ns);
// Returns the facts if the universe has settled as it is now, otherwise NULL.
const lc_settled_facts *lc_settled_get(const lc_settled *settled, const lc_session *session);
// Ends the thread.
void lc_settled_close(lc_settled *settled);

#endif
