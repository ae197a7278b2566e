// Whether what lives on a plane goes forward faster by remembered squares (the hashlife engine):
// that is found out by trying. A settling universe (settling.c) that has kept the sparse engine
// busy, and is going to for seconds, lets both do their best for a moment.
#ifndef LC_COVER_LEAPING_H
#define LC_COVER_LEAPING_H

#include "cover/single.h"

// Ends a trial when its time is over; asks the universe's own watch as well.
typedef struct lc_trial_watch {
    lc_engine_watch watch; // what the engine is given
    const lc_engine_watch *own;
    uint64_t until_ns, asked_ns;
    bool own_stops;
} lc_trial_watch;

typedef struct lc_leaping {
    uint64_t busy_ns;         // of the sparse engine since the last trial
    uint64_t trial_ns;        // so busy it must have been for the next one; 0: as at first
    double sparse_ns;         // a generation, when the last trial was made
    uint64_t leapt, leapt_ns; // generations lately by leaps, and what they took
    lc_trial_watch watch;
} lc_leaping;

static inline bool lc_leaping_is_on(const lc_single *single)
{
    return single->block.vtable == &lc_engine_hashlife;
}

// The sparse engine has taken so long for some generations, `ns` for each, and `left` are to come.
// If it is time for a trial and it says so, the other engine goes on with the universe: *done
// generations were made by then. Else *done is 0. LC_ERROR_STOPPED: the watch; any other failure
// leaves things as they are.
lc_status lc_leaping_try(lc_single *single, lc_leaping *leaping, double ns, uint64_t took_ns,
                         uint64_t left, uint64_t *done, lc_message *message);

// As lc_single_advance, of a universe that leaps. If that is slow, or memory ends, the sparse
// engine takes over.
lc_status lc_leaping_advance(lc_single *single, lc_leaping *leaping, uint64_t generations,
                             uint64_t *done, lc_message *message);

#endif
