// Rules under which the background changes with each generation.
#ifndef LC_RULE_BLINKS_H
#define LC_RULE_BLINKS_H

#include "lightcone/rule.h"

enum { LC_ALL_ALIVE = 511 }; // the neighbourhood of live cells

// Cells are born in empty space, and die again where all are alive.
static inline bool lc_rule_blinks(const lc_rule *rule)
{
    return lc_rule_next(rule, 0) && !lc_rule_next(rule, LC_ALL_ALIVE);
}

#endif
