// B0 on an unbounded universe.
//
// With B0 all empty space comes alive, out to infinity. With S8 it then stays alive; without S8 it
// dies again in the next generation. A universe stores each cell as its difference from this
// background. Stored cells are always dead at infinity and follow a rule without B0. Let a stored
// cell s have n stored live neighbours, and let the background go from b to b':
//
//     b = 0: the cell is s, with n live neighbours         next = s ? S(n) : B(n)
//     b = 1: the cell is not s, with 8 - n                 next = s ? B(8-n) : S(8-n)
//     b' = what an empty neighbourhood becomes, that is next for s = 0, n = 0
//     stored next = next xor b'
#include "rule/blinks.h"
#include "rule/rule_value.h"
#include "universe/universe_internal.h"

static bool next_background(const lc_rule *rule, bool background)
{
    return lc_rule_next(rule, background ? LC_ALL_ALIVE : 0);
}

// With a live background, a neighbourhood has the opposite of each of its stored cells.
static lc_status stored_rule(const lc_rule *rule, bool background, const lc_rule **stored,
                             lc_message *message)
{
    const bool next = next_background(rule, background);
    uint8_t table[64] = {0};
    for (unsigned neighbourhood = 0; neighbourhood <= LC_ALL_ALIVE; neighbourhood++)
        if (lc_rule_next(rule, background ? LC_ALL_ALIVE - neighbourhood : neighbourhood) != next)
            lc_table_set(table, neighbourhood);
    return lc_rule_from_map(table, stored, message);
}

lc_status lc_background_begin(lc_universe *u, lc_message *message)
{
    if ((!u->free_x && !u->free_y) || !lc_rule_traits(u->rule)->has_b0) {
        u->stored_rules[0] = lc_rule_retain(u->rule);
        return LC_OK;
    }
    const lc_status status = stored_rule(u->rule, false, &u->stored_rules[0], message);
    return status == LC_OK ? stored_rule(u->rule, true, &u->stored_rules[1], message) : status;
}

bool lc_background_alternates(const lc_universe *u)
{
    return (u->free_x || u->free_y) && lc_rule_blinks(u->rule);
}

bool lc_background_after(const lc_rule *rule, bool background, lc_count generations)
{
    // Either it stops changing after a generation or two, or it goes on with period 2.
    const uint64_t lowest = generations.words[0];
    const bool few = lc_count_compare(generations, lc_count_of(4)) < 0;
    uint64_t steps = few ? lowest : 4 + lowest % 2;
    for (; steps > 0; steps--)
        background = next_background(rule, background);
    return background;
}
