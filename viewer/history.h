// The history of a universe: automatic snapshots, from which the session can return to earlier
// generations, and the population over time.
//
// Life cannot be stepped backwards. The session takes snapshots from time to time, as checkpoints
// in memory. It computes a generation between them from the nearest snapshot before it. The
// distance between two snapshots is a share of their distance to the universe's generation. So
// there are few of them, and going back steps at most that share of the generations gone back. If
// the snapshots exceed the memory limit, the history drops more of them.
//
// An era is a range of generations that follow from its first cells by stepping alone. An edit, or
// any other change of cells, begins the next era. If the session goes back and then edits, or steps
// past the beginning of the next era, the history discards all later generations.
//
//     era 0            era 1 (after an edit)         era 2
//     |----x---x--xx|  x-------x----x--x-xx|         x---x--xx>   last
//     from             from                          from
//
// history.c does not access universes. Only session.c writes an lc_history; other files read it.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_HISTORY_H
#define LC_VIEWER_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/count.h"

enum { LC_HISTORY_KEPT_MAX = 1024, LC_HISTORY_ERAS_MAX = 256, LC_HISTORY_POINTS_MAX = 1024 };

typedef struct lc_era {
    uint64_t id; // never reused
    lc_count from;
    bool strays, unsaved; // of the session, at the beginning of the era
} lc_era;

typedef struct lc_kept {
    uint64_t era;
    lc_count generation;
    void *bytes; // a checkpoint, from malloc; NULL: the cells to which a reset returns
    size_t size_bytes;
} lc_kept;

typedef struct lc_history_point {
    lc_count generation, population;
} lc_history_point;

typedef struct lc_history {
    size_t limit_bytes, held_bytes;
    lc_kept *kept; // sorted by generation, then era
    size_t kept_count;
    lc_era *eras;         // in order
    size_t era_count, at; // at: index of the universe's era
    uint64_t ids;
    uint64_t line; // grows each time later generations are discarded
    lc_count last; // latest generation of this line
    bool starts_at_origin;
    lc_history_point *points; // sorted by generation
    size_t point_count;
    double apart; // least number of generations between points
} lc_history;

// Creates an empty history, without eras. Returns false if out of memory.
bool lc_history_create(lc_history *history, size_t limit_bytes);
void lc_history_free(lc_history *history);
// Discards everything.
void lc_history_clear(lc_history *history);
// Sets the memory limit of the snapshots, and drops some if they exceed it.
void lc_history_limit(lc_history *history, size_t limit_bytes);

// Moves a history to *past, which then has a quarter of its memory limit, and begins a new history.
// If out of memory, clears the history and leaves *past as it is.
void lc_history_set_aside(lc_history *history, lc_history *past);
// Exchanges a history and a past one, which lc_history_set_aside made. The memory limit stays. If
// *past is all zeros, clears the history.
void lc_history_restore(lc_history *history, lc_history *past);

// Begins a new era at this generation, because its cells do not follow from earlier ones. Discards
// all later generations. The first call begins the history.
void lc_history_fork(lc_history *history, lc_count generation, bool strays, bool unsaved);
// Records that the universe was stepped to that generation.
void lc_history_pass(lc_history *history, lc_count generation);
// Records that the universe is in that era now. Returns false if the era does not exist or does not
// contain the generation.
bool lc_history_enter(lc_history *history, uint64_t era, lc_count generation);
// Returns the id of the universe's era; 0: the history is empty.
uint64_t lc_history_era(const lc_history *history);

// Adds a snapshot and takes ownership of its bytes. Frees them if the era does not exist or has
// that snapshot. Drops snapshots, possibly this one, to stay within the limit. `around`: the
// universe's generation, or the one that it is going to.
void lc_history_keep(lc_history *history, uint64_t era, lc_count generation, void *bytes,
                     size_t size_bytes, lc_count around);
bool lc_history_has(const lc_history *history, uint64_t era, lc_count generation);

// Returns the snapshot from which to step to that generation; NULL: none exists. If only an earlier
// generation can be reached, sets *generation to it.
const lc_kept *lc_history_find(const lc_history *history, lc_count *generation);

// Adds a population count.
void lc_history_count(lc_history *history, lc_count generation, lc_count population);

#endif
