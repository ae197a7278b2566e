// How the engine stores cells of rules of more than two states: a plane of the live cells, and
// other planes (lc_aging). Two-state rules have the first plane only.
//
// Under Generations rules the others have counters, which are 0 for cells that are not dying. A
// dying cell's counter is its state and a constant: with n states and counters of b bits, state s
// has s + 2^b - n, so that the last state has the largest counter.
//
// Under rules with history they have the bits "marked" and "history":
//
//     state                      0  1  2  3  4  5  6
//     alive                      0  1  0  1  0  1  0
//     marked                     0  0  0  1  1  1  1
//     history                    0  0  1  0  0  1  1
#ifndef LC_ENGINE_SIMD_SIMD_STATES_H
#define LC_ENGINE_SIMD_SIMD_STATES_H

#include "grid/planes.h"
#include "level/level.h"
#include "lightcone/rule.h"

enum { LC_STORED_PLANES_MAX = 1 + LC_AGING_PLANES_MAX };

typedef struct lc_other_planes {
    int count; // besides that of the live cells; 0: two states
    int start; // lc_aging.start: the counter of state 2; 0: the rule has a history
} lc_other_planes;

lc_other_planes lc_other_planes_of(const lc_rule *rule);

// Convert 64 cells between the stored planes, others->count + 1 of them, and the bits of states.
void lc_states_of_stored(const lc_other_planes *others, const uint64_t *stored, uint64_t *states,
                         int planes);
void lc_stored_of_states(const lc_other_planes *others, const uint64_t *states, int planes,
                         uint64_t *stored);

#endif
