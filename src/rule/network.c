// How a network for any rule is made.
//
// With p m the two bits of sa + sb + sc, and pc mc those of ca + cb + cc, there are
// p + 2 * (m + pc + 2 * mc) = p + 2q live cells among the nine, q = 0 .. 4. For each of the four
// values of p and x the next state is a function of q, so of m, pc, mc: one gate. Three selections
// choose among the four. Gates that come out constant, equal, or equal to a signal are left out.
#include "rule/network.h"

enum { ZERO = -1, ONE = -2 }; // operands that are no signal

static uint8_t table_of(int operand_bit)
{
    static const uint8_t inputs[3] = {0xF0, 0xCC, 0xAA}; // a, b, c as tables
    return inputs[operand_bit];
}

// The table when input number `which` (0: a) is known.
static uint8_t fix(uint8_t table, int which, bool one)
{
    uint8_t fixed = 0;
    int weight = 4 >> which;
    for (int i = 0; i < 8; i++)
        if (table >> (one ? i | weight : i & ~weight) & 1)
            fixed = (uint8_t)(fixed | 1 << i);
    return fixed;
}

// Appends a gate unless its output is there already; returns the operand that names its output.
static int gate(lc_network *n, uint8_t table, int a, int b, int c)
{
    int operand[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        if (operand[i] < 0) {
            table = fix(table, i, operand[i] == ONE);
            operand[i] = LC_SIGNAL_X; // any: the table does not look at it
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (operand[i] == operand[j]) {
                // Equal inputs: the cases where they differ follow those where they agree.
                uint8_t agree = 0;
                for (int k = 0; k < 8; k++) {
                    int as = k >> (2 - j) & 1 ? k | 4 >> i : k & ~(4 >> i);
                    agree = (uint8_t)(agree | (table >> as & 1) << k);
                }
                table = agree;
            }
    if (table == 0x00)
        return ZERO;
    if (table == 0xFF)
        return ONE;
    for (int i = 0; i < 3; i++)
        if (table == table_of(i))
            return operand[i];
    for (int i = 0; i < n->gates; i++) {
        const lc_gate *g = &n->gate[i];
        if (g->table == table && g->a == operand[0] && g->b == operand[1] && g->c == operand[2])
            return LC_SIGNALS + i;
    }
    n->gate[n->gates] =
        (lc_gate){table, (uint8_t)operand[0], (uint8_t)operand[1], (uint8_t)operand[2]};
    return LC_SIGNALS + n->gates++;
}

// The next state for `live` cells among the nine; the cases that cannot occur follow `otherwise`.
static bool next_state(const lc_rule *rule, int live, bool alive, bool otherwise)
{
    int neighbours = live - alive;
    if (neighbours < 0 || neighbours > 8)
        return otherwise;
    return (alive ? rule->survival : rule->birth) >> neighbours & 1;
}

// The next state for this p and x as a gate's table over m, pc, mc.
static uint8_t function_of_q(const lc_rule *rule, int p, bool alive)
{
    uint8_t table = 0;
    for (int i = 0; i < 8; i++) {
        int q = (i >> 2 & 1) + (i >> 1 & 1) + 2 * (i & 1), live = p + 2 * q;
        // An impossible case does what the other state of the cell does there, so that the two
        // functions are equal where they can be.
        if (next_state(rule, live, alive, next_state(rule, live, !alive, false)))
            table = (uint8_t)(table | 1 << i);
    }
    return table;
}

static void build_life(lc_network *n)
{
    enum { A = LC_SIGNALS };
    // Found by annealing over networks against the 96 cases that can occur: a live centre has a
    // row sum of at least 1, a dead one of at most 2.
    *n = (lc_network){6,
                      {{0x96, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC},
                       {129, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC},
                       {22, A + 1, LC_SIGNAL_CA, LC_SIGNAL_CC},
                       {23, LC_SIGNAL_CA, LC_SIGNAL_SB, LC_SIGNAL_CC},
                       {56, A + 2, LC_SIGNAL_CB, A + 3},
                       {0xE0, A + 4, A, LC_SIGNAL_X}}};
}

void lc_network_build(lc_network *network, const lc_rule *rule)
{
    enum { PARITY = 0x96, MAJORITY = 0xE8, SELECT = 0xCA }; // SELECT: a ? b : c
    if (rule->birth == 1 << 3 && rule->survival == (1 << 2 | 1 << 3)) {
        build_life(network);
        return;
    }
    lc_network *n = network;
    n->gates = 0;
    int p = gate(n, PARITY, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC);
    int m = gate(n, MAJORITY, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC);
    int pc = gate(n, PARITY, LC_SIGNAL_CA, LC_SIGNAL_CB, LC_SIGNAL_CC);
    int mc = gate(n, MAJORITY, LC_SIGNAL_CA, LC_SIGNAL_CB, LC_SIGNAL_CC);
    int by_cell[2];
    for (int alive = 0; alive < 2; alive++) {
        int even = gate(n, function_of_q(rule, 0, alive), m, pc, mc);
        int odd = gate(n, function_of_q(rule, 1, alive), m, pc, mc);
        by_cell[alive] = gate(n, SELECT, p, odd, even);
    }
    int next = gate(n, SELECT, LC_SIGNAL_X, by_cell[1], by_cell[0]);
    // The last gate is the output, also where that is a constant, a signal or an earlier gate.
    if (next != LC_SIGNALS + n->gates - 1) {
        uint8_t table = next == ZERO ? 0x00 : next == ONE ? 0xFF : 0xF0;
        uint8_t operand = (uint8_t)(next < 0 ? LC_SIGNAL_X : next);
        n->gate[n->gates++] = (lc_gate){table, operand, operand, operand};
    }
}
