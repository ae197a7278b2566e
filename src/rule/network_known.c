// The networks of well-known rules, found by annealing (tools/network_search.c) against the 96 cases
// that can occur: a live centre has a row sum of at least 1, a dead one of at most 2. docs/networks.md
// says how long it looked. Only those are here that have fewer gates than lc_network_build's own
// search finds.
#include "rule/network_known.h"

// Operands as they stand in lc_gate: the signals, and the gates' outputs from N0 on.
enum { SA, CA, SB, CB, SC, CC, X, N0, N1, N2, N3, N4, N5, N6 };

typedef struct {
    lc_rule rule;
    lc_network network;
} known;

static const known networks[] = {
    // B3/S23
    {{0x008, 0x00C},
     {6,
      {{0x96, SA, SB, SC},
       {0x81, SA, SB, SC},
       {0x16, N1, CA, CC},
       {0x17, CA, SB, CC},
       {0x38, N2, CB, N3},
       {0xE0, N4, N0, X}}}},
};

bool lc_network_known(lc_network *network, const lc_rule *rule)
{
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        const known *k = &networks[i];
        if (k->rule.birth == rule->birth && k->rule.survival == rule->survival) {
            *network = k->network;
            return true;
        }
    }
    return false;
}

// Pairs of rows --------------------------------------------------------------------------------

// B3/S23, found by annealing with the parity of three rows given. Gates 0 to 2 code the sum of rows b
// and c as far as it matters. For row b then gate 3 is the parity of the three rows; gates 4 and 5 say
// whether row a has what is missing to three cells or to four; and gate 6 is alive if so and the sum
// is odd, or the cell was alive. Gates 7 to 10 do the same for row c.
static const lc_pair_network life_pair = {
    11,
    LC_PAIR_SIGNALS + 6,
    LC_PAIR_SIGNALS + 10,
    {
#define GATE(i) (LC_PAIR_SIGNALS + (i))
        {0x17, LC_PAIR_CB, LC_PAIR_CC, LC_PAIR_SC},
        {0xE9, LC_PAIR_CC, GATE(0), LC_PAIR_CB},
        {0xDB, LC_PAIR_SC, GATE(1), LC_PAIR_SB},
        {0x96, LC_PAIR_SA, LC_PAIR_SB, LC_PAIR_SC},
        {0xD8, LC_PAIR_SA, GATE(1), GATE(2)},
        {0x61, GATE(0), GATE(4), LC_PAIR_CA},
        {0xA8, LC_PAIR_XB, GATE(3), GATE(5)},
        {0x96, LC_PAIR_SB, LC_PAIR_SC, LC_PAIR_SD},
        {0xAC, GATE(2), GATE(7), GATE(1)},
        {0x49, GATE(8), GATE(0), LC_PAIR_CD},
        {0xA8, LC_PAIR_XC, GATE(7), GATE(9)},
#undef GATE
    },
};

bool lc_network_known_pair(lc_pair_network *network, const lc_rule *rule)
{
    if (rule->birth != 1 << 3 || rule->survival != (1 << 2 | 1 << 3))
        return false;
    *network = life_pair;
    return true;
}
