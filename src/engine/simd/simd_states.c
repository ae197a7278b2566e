#include "engine/simd/simd_states.h"

lc_other_planes lc_other_planes_of(const lc_rule *rule)
{
    const lc_traits *traits = lc_rule_traits(rule);
    const int dying = traits->states - 2;
    if (dying == 0)
        return (lc_other_planes){0};
    if (traits->family == LC_FAMILY_HISTORY)
        return (lc_other_planes){.count = 2};
    const int planes = lc_planes_for(dying + 1);
    return (lc_other_planes){planes, (1 << planes) - dying};
}

static bool has_history(const lc_other_planes *others)
{
    return others->count > 0 && others->start == 0;
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

void lc_states_of_stored(const lc_other_planes *others, const uint64_t *stored, uint64_t *states,
                         int planes)
{
    uint64_t dying = 0;
    if (has_history(others)) {
        const uint64_t alive = stored[0], marked = stored[1], history = stored[2];
        states[0] = alive;
        states[1] = (history & ~alive) | (alive & marked & ~history);
        states[2] = marked & ~(alive & ~history);
        return;
    }
    for (int p = 0; p < planes; p++) {
        states[p] = p < others->count ? stored[1 + p] : 0;
        dying |= states[p];
    }
    add(states, planes, 2 - others->start, dying);
    states[0] |= stored[0];
}

void lc_stored_of_states(const lc_other_planes *others, const uint64_t *states, int planes,
                         uint64_t *stored)
{
    uint64_t dying = 0;
    if (has_history(others)) {
        stored[0] = states[0];
        stored[1] = states[2] | (states[1] & states[0]);
        stored[2] = (states[1] & ~states[0]) | (states[2] & states[0]);
        return;
    }
    for (int p = 1; p < planes; p++)
        dying |= states[p];
    stored[0] = states[0] & ~dying;
    for (int p = 0; p < others->count; p++)
        stored[1 + p] = p < planes ? states[p] & dying : 0;
    add(stored + 1, others->count, others->start - 2, dying);
}
