// The history of a universe: generations that are kept by themselves, so that one can go back to
// any; and its population over time.
//
// Life cannot be stepped backwards. So cells are kept now and then, as checkpoints in memory, and a
// generation between is computed again from the nearest one before it. They lie the closer the
// nearer they are to where the universe is, a share of that distance apart: so that they are few,
// and computing again takes no longer than a share of what is gone back. Where they need more
// memory than they may have they lie further apart.
//
// An era is what follows from the cells at its beginning by stepping alone. An edit begins the next
// one, and so does any other change of cells. Who goes back and then runs on past the beginning of
// the next era, or edits, begins another future: what was ahead is forgotten.
//
//     era 0            era 1 (after an edit)         era 2
//     |----x---x--xx|  x-------x----x--x-xx|         x---x--xx>   last
//     from             from                          from
//
// Nothing here knows a universe. Only session.c writes an lc_history; others read it.
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
    uint64_t id; // never used again
    lc_count from;
    bool strays, unsaved; // as in the session, at its beginning
} lc_era;

typedef struct lc_kept {
    uint64_t era;
    lc_count generation;
    void *bytes; // a checkpoint, from malloc; NULL: the cells are those that a reset goes back to
    size_t size_bytes;
} lc_kept;

typedef struct lc_history_point {
    lc_count generation, population;
} lc_history_point;

typedef struct lc_history {
    size_t limit_bytes, held_bytes;
    lc_kept *kept; // era after era, and generation after generation
    size_t kept_count;
    lc_era *eras;         // one after the other
    size_t era_count, at; // the one in which the universe is
    uint64_t ids;
    uint64_t line; // grows when what was ahead is forgotten
    lc_count last; // the furthest generation of this line
    bool starts_at_origin;
    lc_history_point *points; // generation after generation
    size_t point_count;
    double apart; // generations between points, at least
} lc_history;

// Makes room for nothing yet; a history without an era is empty. False: no memory.
bool lc_history_create(lc_history *history, size_t limit_bytes);
void lc_history_free(lc_history *history);
// Forgets everything.
void lc_history_clear(lc_history *history);
// From now on that many bytes may be held.
void lc_history_limit(lc_history *history, size_t limit_bytes);

// The cells at this generation do not follow from those before: another era begins with them, and
// what was ahead is forgotten. The first one is a beginning.
void lc_history_fork(lc_history *history, lc_count generation, bool strays, bool unsaved);
// The universe was stepped to that generation.
void lc_history_pass(lc_history *history, lc_count generation);
// The universe is in that era now; false: there is no such era, or the generation is not in it.
bool lc_history_enter(lc_history *history, uint64_t era, lc_count generation);
// The id of the era in which the universe is; 0: there is none.
uint64_t lc_history_era(const lc_history *history);

// Keeps cells of an era that there is. Bytes go over to the history, which drops others, or these,
// to stay within its limit. `around`: where the universe is, or is going.
void lc_history_keep(lc_history *history, uint64_t era, lc_count generation, void *bytes,
                     size_t size_bytes, lc_count around);
bool lc_history_has(const lc_history *history, uint64_t era, lc_count generation);

// Which cells to begin with to come to that generation. NULL: no way leads there. If only an
// earlier one can be reached, *generation becomes that.
const lc_kept *lc_history_find(const lc_history *history, lc_count *generation);

// Takes note of a population.
void lc_history_count(lc_history *history, lc_count generation, lc_count population);

#endif
