// B0 on an unbounded universe.
//
// With B0, space where nothing lives comes alive, out to infinity; with S8 it then stays alive, and
// without S8 it dies again in the next generation, all of it. A universe stores each cell as its
// difference from that background, which is dead at infinity, always, and follows a rule without
// B0. Let a stored cell s have n stored live neighbours, and let the background go from b to b':
//
//     b = 0: the cell is s, with n live neighbours         next = s ? S(n) : B(n)
//     b = 1: the cell is not s, with 8 - n                 next = s ? B(8-n) : S(8-n)
//     b' = what an empty neighbourhood becomes, that is next for s = 0, n = 0
//     stored next = next xor b'
#include "rule/blinks.h"
#include "universe/state.h"

static bool bit(unsigned set, unsigned n)
{
    return set >> n & 1;
}

// The same for a map: with b = 1 a neighbourhood has the opposite of each of its stored cells.
static lc_rule stored_map(const lc_rule *rule, bool background, bool next)
{
    uint8_t table[64] = {0};
    for (unsigned neighbourhood = 0; neighbourhood <= LC_ALL_ALIVE; neighbourhood++)
        if (lc_rule_next(rule, background ? LC_ALL_ALIVE - neighbourhood : neighbourhood) != next)
            table[neighbourhood / 8] |= (uint8_t)(0x80 >> neighbourhood % 8);
    lc_rule stored;
    lc_rule_from_map(table, &stored);
    return stored;
}

lc_rule lc_disk_board_rule(const lc_rule *rule, bool background, bool *next_background)
{
    const bool next = lc_rule_next(rule, background ? LC_ALL_ALIVE : 0);
    *next_background = next;
    if (!background && !next)
        return *rule;
    if (rule->family == LC_FAMILY_MAP)
        return stored_map(rule, background, next);
    unsigned birth = 0, survival = 0;
    for (unsigned n = 0; n <= 8; n++) {
        bool from_0 = background ? bit(rule->survival, 8 - n) : bit(rule->birth, n);
        bool from_1 = background ? bit(rule->birth, 8 - n) : bit(rule->survival, n);
        birth |= (unsigned)(from_0 != next) << n;
        survival |= (unsigned)(from_1 != next) << n;
    }
    return (lc_rule)LC_RULE_TOTALISTIC(birth, survival);
}

bool lc_background_takes_turns(const lc_universe *u)
{
    return (u->free_x || u->free_y) && lc_rule_blinks(&u->rule);
}

bool lc_background_after(const lc_rule *rule, bool background, lc_count generations)
{
    // Either it stops changing after a generation or two, or it goes on with period 2.
    const uint64_t lowest = generations.words[0];
    const bool few = lc_count_compare(generations, lc_count_of(4)) < 0;
    uint64_t steps = few ? lowest : 4 + lowest % 2;
    for (; steps > 0; steps--)
        background = lc_rule_next(rule, background ? LC_ALL_ALIVE : 0);
    return background;
}
