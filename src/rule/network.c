// How a network for any rule is made: two full adders for each kind of row sum's bits, which make
// five signals of seven, and the gates behind them by search (network_tail.c).
#include "rule/network.h"

#include <string.h>

#include "rule/network_known.h"
#include "rule/network_tail.h"

enum { PARITY = 0x96, MAJORITY = 0xE8, ADDERS = 4 };

// Whether the gate's output depends on its input number `which` (0: a).
static bool looks_at(uint8_t table, int which)
{
    const int weight = 4 >> which;
    for (int i = 0; i < 8; i++)
        if ((table >> i ^ table >> (i ^ weight)) & 1)
            return true;
    return false;
}

// Ties the inputs that a gate does not look at to one that it does look at, or else to x.
static void tie_inputs(lc_gate *g)
{
    const bool a = looks_at(g->table, 0), b = looks_at(g->table, 1), c = looks_at(g->table, 2);
    const uint8_t tie = a ? g->a : b ? g->b : c ? g->c : LC_SIGNAL_X;
    g->a = a ? g->a : tie;
    g->b = b ? g->b : tie;
    g->c = c ? g->c : tie;
}

// Leaves out the gates on which the last one does not depend.
static void drop_unused(lc_network *n)
{
    bool used[LC_SIGNALS + LC_NETWORK_GATES_MAX] = {false};
    used[LC_SIGNALS + n->gates - 1] = true;
    for (int i = n->gates - 1; i >= 0; i--) {
        const lc_gate *g = &n->gate[i];
        if (used[LC_SIGNALS + i])
            used[g->a] = used[g->b] = used[g->c] = true;
    }
    uint8_t now[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    for (uint8_t i = 0; i < LC_SIGNALS; i++)
        now[i] = i;
    int count = 0;
    for (int i = 0; i < n->gates; i++) {
        if (!used[LC_SIGNALS + i])
            continue;
        const lc_gate g = n->gate[i];
        now[LC_SIGNALS + i] = (uint8_t)(LC_SIGNALS + count);
        n->gate[count++] = (lc_gate){g.table, now[g.a], now[g.b], now[g.c]};
    }
    n->gates = count;
}

void lc_network_build(lc_network *network, const lc_rule *rule)
{
    if (lc_network_known(network, rule))
        return;
    *network = (lc_network){ADDERS,
                            {{PARITY, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC},
                             {MAJORITY, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC},
                             {PARITY, LC_SIGNAL_CA, LC_SIGNAL_CB, LC_SIGNAL_CC},
                             {MAJORITY, LC_SIGNAL_CA, LC_SIGNAL_CB, LC_SIGNAL_CC}}};
    uint8_t operand[LC_TAIL_SIGNALS + LC_TAIL_GATES_MAX] = {[LC_TAIL_X] = LC_SIGNAL_X};
    for (int i = 0; i < ADDERS; i++) // in the order of LC_TAIL_P, _M, _PC, _MC
        operand[i] = (uint8_t)(LC_SIGNALS + i);
    lc_gate tail[LC_TAIL_GATES_MAX];
    const int count = lc_network_tail(tail, rule);
    for (int i = 0; i < count; i++) {
        operand[LC_TAIL_SIGNALS + i] = (uint8_t)(LC_SIGNALS + network->gates);
        lc_gate *g = &network->gate[network->gates++];
        *g = (lc_gate){tail[i].table, operand[tail[i].a], operand[tail[i].b], operand[tail[i].c]};
        tie_inputs(g);
    }
    drop_unused(network);
}

static uint8_t append(lc_pair_network *pair, lc_gate gate)
{
    pair->gate[pair->gates] = gate;
    return (uint8_t)(LC_PAIR_SIGNALS + pair->gates++);
}

// Appends a network whose signal i is signals[i]; returns its output.
static uint8_t append_network(lc_pair_network *pair, const lc_network *n,
                              const uint8_t signals[LC_SIGNALS])
{
    uint8_t now[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    memcpy(now, signals, LC_SIGNALS);
    for (int i = 0; i < n->gates; i++) {
        const lc_gate *g = &n->gate[i];
        now[LC_SIGNALS + i] = append(pair, (lc_gate){g->table, now[g->a], now[g->b], now[g->c]});
    }
    return now[LC_SIGNALS + n->gates - 1];
}

void lc_network_build_pair(lc_pair_network *network, const lc_rule *rule)
{
    static const uint8_t of_b[LC_SIGNALS] = {LC_PAIR_SA, LC_PAIR_CA, LC_PAIR_SB, LC_PAIR_CB,
                                             LC_PAIR_SC, LC_PAIR_CC, LC_PAIR_XB};
    static const uint8_t of_c[LC_SIGNALS] = {LC_PAIR_SB, LC_PAIR_CB, LC_PAIR_SC, LC_PAIR_CC,
                                             LC_PAIR_SD, LC_PAIR_CD, LC_PAIR_XC};
    if (lc_network_known_pair(network, rule))
        return;
    lc_network single;
    lc_network_build(&single, rule);
    network->gates = 0;
    network->next_b = append_network(network, &single, of_b);
    network->next_c = append_network(network, &single, of_c);
}

double lc_rule_gates(const lc_rule *rule)
{
    enum { ROW_GATES = 2 }; // parity and majority
    lc_pair_network network;
    lc_network_build_pair(&network, rule);
    return network.gates / 2.0 + ROW_GATES;
}
