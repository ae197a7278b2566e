#include "engine/simd/simd_states.h"

lc_counters lc_counters_of(const lc_rule *rule)
{
    const int dying = lc_rule_traits(rule)->states - 2;
    if (dying == 0)
        return (lc_counters){0};
    const int planes = lc_planes_for(dying + 1);
    return (lc_counters){planes, (1 << planes) - dying};
}

// Adds a constant to the numbers whose bits are in `planes` words, in the cells of `where`.
static void add(uint64_t *words, int planes, int constant, uint64_t where)
{
    uint64_t carry = 0;
    for (int p = 0; p < planes; p++) {
        const uint64_t a = words[p], b = ((unsigned)constant >> p & 1) != 0 ? where : 0;
        words[p] = a ^ b ^ carry;
        carry = (a & b) | (carry & (a ^ b));
    }
}

void lc_states_of_stored(const lc_counters *counters, const uint64_t *stored, uint64_t *states,
                         int planes)
{
    uint64_t dying = 0;
    for (int p = 0; p < planes; p++) {
        states[p] = p < counters->planes ? stored[1 + p] : 0;
        dying |= states[p];
    }
    add(states, planes, 2 - counters->start, dying);
    states[0] |= stored[0];
}

void lc_stored_of_states(const lc_counters *counters, const uint64_t *states, int planes,
                         uint64_t *stored)
{
    uint64_t dying = 0;
    for (int p = 1; p < planes; p++)
        dying |= states[p];
    stored[0] = states[0] & ~dying;
    for (int p = 0; p < counters->planes; p++)
        stored[1 + p] = p < planes ? states[p] & dying : 0;
    add(stored + 1, counters->planes, counters->start - 2, dying);
}
