// Rules as networks of three-input gates.
//
// A cell's next state depends on three row sums and on itself. A row's sum, of the cell in the
// middle and its two neighbours in that row, has two bits: s (parity) and c (majority). Rows a, b,
// c are the one above, its own and the one below; x is the cell.
#ifndef LC_RULE_NETWORK_H
#define LC_RULE_NETWORK_H

#include "lightcone/rule.h"

enum {
    LC_SIGNAL_SA,
    LC_SIGNAL_CA,
    LC_SIGNAL_SB,
    LC_SIGNAL_CB,
    LC_SIGNAL_SC,
    LC_SIGNAL_CC,
    LC_SIGNAL_X,
    LC_SIGNALS,
    LC_NETWORK_GATES_MAX = 16,
};

// Output for inputs a, b, c: bit 4a + 2b + c of `table`. An operand below LC_SIGNALS is a signal,
// and LC_SIGNALS + i is the output of gate i, which stands before the gate that uses it.
typedef struct lc_gate {
    uint8_t table;
    uint8_t a, b, c;
} lc_gate;

typedef struct lc_network {
    int gates; // 1 or more; the last one's output is the next state
    lc_gate gate[LC_NETWORK_GATES_MAX];
} lc_network;

// A network for the rule: six gates for B3/S23, at most eleven for any other. Always succeeds. Any
// thread.
void lc_network_build(lc_network *network, const lc_rule *rule);

#endif
