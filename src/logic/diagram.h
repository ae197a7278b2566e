// Decision diagrams of rules: each step selects one of two values by one cell.
//
// Every rule on a cell and its eight neighbours has a diagram of at most 141 steps; repetition in
// the rule's table makes it smaller. The order of the cells changes the size much, so several
// orders are tried. (Bryant, Graph-based algorithms for Boolean function manipulation, 1986.)
#ifndef LC_LOGIC_DIAGRAM_H
#define LC_LOGIC_DIAGRAM_H

#include "base/cache.h"
#include "lightcone/rule.h"

// Slots of values: the neighbourhood's nine cells row by row, a dead cell, a live cell, and the
// results of steps.
enum {
    LC_DIAGRAM_DEAD = 9,
    LC_DIAGRAM_LIVE,
    LC_DIAGRAM_MADE,
    LC_DIAGRAM_STEPS_MAX = 141,
    LC_DIAGRAM_SLOTS_MAX = LC_DIAGRAM_MADE + LC_DIAGRAM_STEPS_MAX,
};

// Sets slot `result` to slot `high` if `cell` is alive, otherwise to slot `low`.
typedef struct lc_diagram_step {
    uint8_t result, cell, high, low;
} lc_diagram_step;

typedef struct lc_diagram {
    int steps;
    int slots;    // that the steps use
    uint8_t next; // slot of the next state after all steps
    lc_diagram_step step[LC_DIAGRAM_STEPS_MAX];
} lc_diagram;

// Builds the diagram of a rule's table (see lc_rule_from_map). The same table always gives the same
// diagram. Takes a few milliseconds if `cache` does not have it (NULL: no cache). Any thread.
void lc_diagram_build(lc_diagram *diagram, const uint8_t table[64], lc_cache *cache);

#endif
