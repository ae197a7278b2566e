// The first gates of networks.
//
// p and m are the two bits of sa + sb + sc, so p + 2 * (m + ca + cb + cc) of the nine cells are
// alive. Two more gates add three of m, ca, cb and cc; the tail gets the fourth directly. The bits
// of that sum are o and q, so p + 2 * (o + 2 * q + the fourth) cells are alive. Any two of parity,
// majority and "all alike" determine a sum of three bits, and the third is a gate of those two. The
// choice of two matters where the tail has a gate for only one of the functions.
//
// Other fronts use two gates that give some sums the same signals. They suit rules that treat these
// sums alike.
//
// A greedy choice selected the fronts behind LC_FRONT_ANY: each gives seven gates to most of those
// 2,000 random rules that earlier fronts do not serve. docs/networks.md has the shares and the
// rejected designs.
#include "logic/network_front.h"

// Operands of lc_gate: signals, then outputs of gates from N0 on.
enum { SA, CA, SB, CB, SC, CC, X, N0, N1, N2, N3 };

// Gates that depend only on the number of their inputs that are one.
enum {
    PARITY = 0x96,
    MAJORITY = 0xE8,
    ALIKE = 0x81,
    NONE = 0x01,
    ONE = 0x16,
    TWO = 0x68,
    THREE = 0x80,
};

const lc_front lc_fronts[LC_FRONTS] = {
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {PARITY, CA, CB, CC}, {MAJORITY, CA, CB, CC}},
     {N0, N1, N2, N3, X}},
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {PARITY, N1, CA, CB}, {MAJORITY, N1, CA, CB}},
     {N0, N2, N3, CC, X}},
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {PARITY, N1, CA, CB}, {ALIKE, N1, CA, CB}},
     {N0, N2, N3, CC, X}},
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {MAJORITY, N1, CA, CB}, {ALIKE, N1, CA, CB}},
     {N0, N2, N3, CC, X}},
    {{{PARITY, SA, SB, SC}, {ALIKE, SA, SB, SC}, {PARITY, CA, CB, CC}, {ALIKE, CA, CB, CC}},
     {N0, N1, N2, N3, X}},
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {TWO, N1, CA, CB}, {ALIKE, N1, CA, CB}},
     {N0, N2, N3, CC, X}},
    {{{MAJORITY, SA, SB, SC}, {ALIKE, SA, SB, SC}, {PARITY, CA, CB, CC}, {ALIKE, CA, CB, CC}},
     {N0, N1, N2, N3, X}},
    {{{PARITY, SA, SB, SC}, {ALIKE, SA, SB, SC}, {MAJORITY, CA, CB, CC}, {ALIKE, CA, CB, CC}},
     {N0, N1, N2, N3, X}},
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {ONE, N1, CA, CB}, {ALIKE, N1, CA, CB}},
     {N0, N2, N3, CC, X}},
    {{{PARITY, SA, SB, SC}, {ALIKE, SA, SB, SC}, {PARITY, CA, CB, CC}, {MAJORITY, CA, CB, CC}},
     {N0, N1, N2, N3, X}},
    {{{PARITY, SA, SB, SC}, {ALIKE, SA, SB, SC}, {PARITY, N1, CA, CB}, {0x17, SB, CA, CB}},
     {N0, N2, N3, CC, X}},
    {{{MAJORITY, SA, SB, SC}, {ALIKE, SA, SB, SC}, {PARITY, CA, CB, CC}, {MAJORITY, CA, CB, CC}},
     {N0, N1, N2, N3, X}},
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {NONE, N1, CA, CB}, {ONE, N1, CA, CB}},
     {N0, N2, N3, CC, X}},
    {{{PARITY, SA, SB, SC}, {MAJORITY, SA, SB, SC}, {PARITY, N1, CA, CB}, {THREE, N1, CA, CB}},
     {N0, N2, N3, CC, X}},
};

bool lc_front_function(lc_tail_function *function, const lc_front *front, lc_counts counts)
{
    *function = (lc_tail_function){0, 0};
    // Rows above and below have sums 0 .. 3. The middle row has the cell and 0 .. 2 live
    // neighbours.
    for (unsigned i = 0; i < 4 * 4 * 3 * 2; i++) {
        const unsigned above = i & 3, below = i >> 2 & 3, alive = i >> 4 & 1, beside = i >> 5;
        const unsigned here = alive + beside;
        unsigned value[LC_SIGNALS + LC_FRONT_GATES] = {
            [SA] = above & 1, [CA] = above >> 1, [SB] = here & 1, [CB] = here >> 1,
            [SC] = below & 1, [CC] = below >> 1, [X] = alive};
        for (int g = 0; g < LC_FRONT_GATES; g++) {
            const lc_gate *gate = &front->gate[g];
            value[LC_SIGNALS + g] =
                gate->table >> (4 * value[gate->a] + 2 * value[gate->b] + value[gate->c]) & 1;
        }
        unsigned at = 0;
        for (int k = 0; k < LC_TAIL_SIGNALS; k++)
            at |= value[front->signal[k]] << k;
        const unsigned neighbours = above + below + beside;
        if ((alive ? counts.survival : counts.birth) >> neighbours & 1)
            function->on |= UINT32_C(1) << at;
        else
            function->off |= UINT32_C(1) << at;
    }
    return (function->on & function->off) == 0;
}
