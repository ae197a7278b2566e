// Chooses the level's functions with which an engine steps windows, and prepares their data of the
// rules. Rules of any table are stepped by their diagrams.
//
// At first the functions take the rules as data, unless there is a compiled kernel. Machine code
// saves half a microsecond a window, so it is generated after many windows. Writing it takes a
// tenth of a millisecond, but its gates must be found first. For some rules that takes a
// millisecond or two, for others 10 to 100 ms, and those wait longer.
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
    lc_counts counts[2];     // of the rules; not set if either is a rule of any table
    lc_window_rules from[2]; // beginning with rules[0] and with rules[1]
    lc_window_step *window, *fenced;
    lc_column_step *column;
    lc_patch_step *patch;
    lc_diagram maps[2];        // of rules of any table
    const lc_code *codes[2];   // from the cache; NULL: none
    uint64_t windows, code_at; // windows so far; code is generated at code_at; 0: never
} lc_window_steps;

// Sets the rules. *steps is all zeros, or was set before. The rules outlive it. `cache`
// (base/cache.h; NULL: none) keeps the diagrams and the code of rules.
void lc_window_steps_set(lc_window_steps *steps, const lc_level *level,
                         const lc_rule *const rules[2], lc_cache *cache);
void lc_window_steps_free(lc_window_steps *steps);
// Counts windows that were stepped, approximately, and may switch to machine code. No thread may be
// stepping windows.
void lc_window_steps_count(lc_window_steps *steps, uint64_t windows);

#endif
