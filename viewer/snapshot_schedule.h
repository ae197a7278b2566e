// Decides when a session takes a snapshot of the cells for its history (history.h). Snapshots take
// a bounded share of the time, and none delays the clients for long.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_SNAPSHOT_SCHEDULE_H
#define LC_VIEWER_SNAPSHOT_SCHEDULE_H

#include "history.h"
#include "lightcone/universe.h"

typedef struct lc_snapshot_schedule {
    uint64_t next_ns; // time of the next snapshot, at the earliest
    uint64_t took_ns; // duration of the last one
    uint64_t cost_ns; // duration of one that nothing interrupts
} lc_snapshot_schedule;

// The largest share of the time, as its reciprocal: while the universe runs, and on the way to
// another generation.
enum { LC_SNAPSHOT_SHARE_RUNS = 20, LC_SNAPSHOT_SHARE_TRAVELS = 6 };

// Returns the memory limit of all snapshots of universes with these options.
size_t lc_snapshot_limit_bytes(const lc_universe_options *creation);

// Records that the session begins to go to another generation: snapshots may take a larger share
// from now on.
void lc_snapshot_schedule_travel(lc_snapshot_schedule *schedule);
// Returns the time until the next snapshot may be taken; 0: now.
uint64_t lc_snapshot_wait_ns(const lc_snapshot_schedule *schedule);
// Returns whether a snapshot takes almost no time, so that it may always be taken.
bool lc_snapshot_is_free(const lc_universe *universe);

// Takes a snapshot of the universe into this era of the history, if that does not take long.
// Returns false if the universe is too large for snapshots; a temporary lack of memory is not
// reported. `around` as in lc_history_keep.
bool lc_snapshot_take(lc_snapshot_schedule *schedule, lc_history *history,
                      const lc_universe *universe, uint64_t era, lc_count around, uint64_t share);

#endif
