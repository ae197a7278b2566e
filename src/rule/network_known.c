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
