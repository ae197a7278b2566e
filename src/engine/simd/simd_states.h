// How the engine stores cells of Generations rules: a plane of the live cells (state 1), and planes
// of counters, which are 0 for cells that are not dying (lc_aging). A dying cell's counter is its
// state and a constant: with n states and counters of b bits, state s has s + 2^b - n, so that the
// last state has the largest counter. Two-state rules have the first plane only.
#ifndef LC_ENGINE_SIMD_SIMD_STATES_H
#define LC_ENGINE_SIMD_SIMD_STATES_H

#include "grid/planes.h"
#include "level/level.h"
#include "lightcone/rule.h"

enum { LC_STORED_PLANES_MAX = 1 + LC_AGING_PLANES_MAX };

typedef struct lc_counters {
    int planes; // bits of a counter; 0: two states
    int start;  // lc_aging.start: the counter of state 2
} lc_counters;

lc_counters lc_counters_of(const lc_rule *rule);

// Convert 64 cells between the stored planes, counters->planes + 1 of them, and the bits of states.
void lc_states_of_stored(const lc_counters *counters, const uint64_t *stored, uint64_t *states,
                         int planes);
void lc_stored_of_states(const lc_counters *counters, const uint64_t *states, int planes,
                         uint64_t *stored);

#endif
