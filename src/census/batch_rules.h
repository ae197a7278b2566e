// The rules of a batch, prepared for the kernels of boards (lc_board_step in level.h).
//
// Rules with counts are data for one kernel, which costs nothing to prepare. Machine code steps
// boards two to three times as fast, but its gates must be found first. So it is generated after
// many generations, and only if the rules are few. With many rules the code of all would also be
// larger than the CPU's caches.
#ifndef LC_CENSUS_BATCH_RULES_H
#define LC_CENSUS_BATCH_RULES_H

#include "level/level.h"

enum { LC_BATCH_RULES_WITH_CODE = 16 }; // in a batch of more rules none has code

typedef struct lc_batch_rule {
    const lc_rule *rule; // a reference
    lc_board_step *step;
    const lc_code *code; // from the cache; NULL: none
    lc_window_rules data;
} lc_batch_rule;

typedef struct lc_batch_rules {
    const lc_level *level;
    lc_cache *cache;
    size_t count;
    lc_batch_rule *rule;
    lc_diagram *maps; // of the rules without counts
    double stepped;   // generations of boards so far, for each rule on average
    double code_at;   // code is generated then; 0: never
} lc_batch_rules;

// Prepares rules. `cache` keeps diagrams and code (base/cache.h; NULL: none). Returns LC_OK;
// LC_ERROR_MEMORY. The caller calls lc_batch_rules_free, also after an error.
lc_status lc_batch_rules_set(lc_batch_rules *rules, const lc_level *level,
                             const lc_rule *const *list, size_t count, lc_cache *cache);
void lc_batch_rules_free(lc_batch_rules *rules);

// Counts generations of boards, and may generate code. No thread may be stepping boards.
void lc_batch_rules_count(lc_batch_rules *rules, double generations);

#endif
