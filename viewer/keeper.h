// When a session keeps a generation by itself (history.h), and what that may cost: a share of the
// time, and nobody is kept waiting for long.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_KEEPER_H
#define LC_VIEWER_KEEPER_H

#include "history.h"
#include "lightcone/universe.h"

typedef struct lc_keeper {
    uint64_t next_ns; // when a generation may be kept again
    uint64_t took_ns; // what the last one took,
    uint64_t cost_ns; // and what one takes when nothing comes between
} lc_keeper;

// What keeping takes at most, one part in so many of the time: while it runs, and on the way to
// another generation.
enum { LC_KEEPER_RUNS = 20, LC_KEEPER_TRAVELS = 6 };

// The memory for all that is kept of universes that are created like that.
size_t lc_keeper_limit_bytes(const lc_universe_options *creation);

// Somebody sets out for another generation: on the way more is kept, from now on.
void lc_keeper_set_out(lc_keeper *keeper);
// How long until a generation may be kept again; 0: it may. And whether that takes next to no time,
// so that it always may.
uint64_t lc_keeper_wait_ns(const lc_keeper *keeper);
bool lc_keeper_takes_no_time(const lc_universe *universe);

// Keeps a universe's cells in the history, in that era, if that does not take long. False: it is
// too large to be kept by itself; that there is no memory just now is no reason. `around` as in
// lc_history_keep.
bool lc_keeper_keep(lc_keeper *keeper, lc_history *history, const lc_universe *universe,
                    uint64_t era, lc_count around, uint64_t share);

#endif
