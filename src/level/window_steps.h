// How an engine steps windows by the rules that it has: the level's functions, and what they want
// to know of the rules. Rules of any table are stepped by their diagrams.
//
// At first that is the rules as data, unless there is a compiled kernel. Machine code saves half a
// microsecond a window, so it is made once there were many windows. It is written in a tenth of a
// millisecond, but its gates must be found first: for some rules that takes a millisecond or two,
// for others 10 to 100, and those wait longer.
#ifndef LC_LEVEL_WINDOW_STEPS_H
#define LC_LEVEL_WINDOW_STEPS_H

#include "level/level.h"

enum {
    LC_WINDOWS_BEFORE_CODE = 1 << 13,   // if a brief search finds the gates
    LC_WINDOWS_BEFORE_SEARCH = 1 << 16, // if not
};

typedef struct lc_window_steps {
    const lc_level *level;
    lc_cache *cache;
    const lc_rule *rules[2]; // lent
    lc_counts counts[2];     // of the rules; not set if either is one of any table
    lc_window_rules from[2]; // that begin with rules[0] and with rules[1]
    lc_window_step *window, *fenced;
    lc_column_step *column;
    lc_diagram maps[2];        // of rules of any table
    const lc_code *codes[2];   // from the cache; NULL: none
    uint64_t windows, code_at; // code is made after so many; 0: never
} lc_window_steps;

// Of a structure that is all zeros, or was set before. The rules outlive it. `cache` (base/cache.h;
// NULL: none) has what the rules compile to.
void lc_window_steps_set(lc_window_steps *steps, const lc_level *level,
                         const lc_rule *const rules[2], lc_cache *cache);
void lc_window_steps_free(lc_window_steps *steps);
// So many more windows were stepped, about. Nobody is stepping any now.
void lc_window_steps_count(lc_window_steps *steps, uint64_t windows);

#endif
