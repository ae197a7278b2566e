// The end of a rule's network: the gates behind the sums of row sums.
#ifndef LC_RULE_NETWORK_TAIL_H
#define LC_RULE_NETWORK_TAIL_H

#include "rule/network.h"

// p and m are the bits of sa + sb + sc, and pc and mc those of ca + cb + cc, so that
// p + 2 * (m + pc + 2 * mc) cells are alive among the nine.
enum {
    LC_TAIL_P,
    LC_TAIL_M,
    LC_TAIL_PC,
    LC_TAIL_MC,
    LC_TAIL_X,
    LC_TAIL_SIGNALS,
    LC_TAIL_GATES_MAX = 5,
};

// Finds a few gates that make the next state from these signals: three or fewer if that is possible,
// else four, or five for one rule in thirteen. An operand below LC_TAIL_SIGNALS is one of them,
// LC_TAIL_SIGNALS + i is the output of gate i; the last gate's is the next state. Returns how many
// gates; there is no rule for which it finds none (docs/networks.md). Some milliseconds, at most
// about 0.1 s. Any thread.
int lc_network_tail(lc_gate gates[LC_TAIL_GATES_MAX], const lc_rule *rule);

#endif
