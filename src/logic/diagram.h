// A rule's table as a decision diagram: steps that each choose between two values by a cell.
//
// Any rule of a cell and its eight neighbours has one: at most 141 choices, and the fewer, the more
// its table repeats itself. In which order the cells are asked matters much, so orders are tried.
// (Bryant, Graph-based algorithms for Boolean function manipulation, 1986.)
#ifndef LC_LOGIC_DIAGRAM_H
#define LC_LOGIC_DIAGRAM_H

#include "base/cache.h"
#include "lightcone/rule.h"

// Slots for values: the nine cells of a neighbourhood row by row, a dead one, a live one, and what
// the steps make.
enum {
    LC_DIAGRAM_DEAD = 9,
    LC_DIAGRAM_LIVE,
    LC_DIAGRAM_MADE,
    LC_DIAGRAM_STEPS_MAX = 141,
    LC_DIAGRAM_SLOTS_MAX = LC_DIAGRAM_MADE + LC_DIAGRAM_STEPS_MAX,
};

// `result` becomes `high` where `cell` is alive, else `low`.
typedef struct lc_diagram_step {
    uint8_t result, cell, high, low;
} lc_diagram_step;

typedef struct lc_diagram {
    int steps;
    int slots;    // that they use
    uint8_t next; // the slot that has the next state in the end
    lc_diagram_step step[LC_DIAGRAM_STEPS_MAX];
} lc_diagram;

// Builds the diagram of a table as lc_rule_from_map reads it, always the same one. Takes a few
// milliseconds, unless `cache` has it (NULL: no cache). Any thread.
void lc_diagram_build(lc_diagram *diagram, const uint8_t table[64], lc_cache *cache);

#endif
