// When a stage keeps a generation by itself (history.h), and what that may cost: a share of the
// time, and nobody is kept waiting for long.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_KEEPER_H
#define LC_VIEWER_KEEPER_H

#include "history.h"
#include "lightcone/universe.h"

typedef struct lc_keeper {
    uint64_t next_ns; // when a generation may be kept again
} lc_keeper;

// What keeping takes at most, one part in so many of the time: while it runs, and on the way to
// another generation.
enum { LC_KEEPER_RUNS = 20, LC_KEEPER_TRAVELS = 3 };

// The memory for all that is kept of universes that are created like that.
size_t lc_keeper_limit_bytes(const lc_universe_options *creation);

// Whether a generation may be kept again; and whether that takes next to no time, so that it always
// may.
bool lc_keeper_is_due(const lc_keeper *keeper);
bool lc_keeper_takes_no_time(const lc_universe *universe);

// Keeps a universe's cells in the history, in that era, if that does not take long. False: it is
// too large to be kept by itself; that there is no memory just now is no reason. `around` as in
// lc_history_keep.
bool lc_keeper_keep(lc_keeper *keeper, lc_history *history, const lc_universe *universe,
                    uint64_t era, lc_count around, uint64_t share);

#endif
