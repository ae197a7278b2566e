// The end of a rule's network: the gates behind the first ones (network_front.h), by search.
#ifndef LC_LOGIC_NETWORK_TAIL_H
#define LC_LOGIC_NETWORK_TAIL_H

#include <stdbool.h>

#include "logic/network.h"

enum {
    LC_TAIL_SIGNALS = 5,
    LC_TAIL_FIRST_MAX = 2,
    LC_TAIL_SEARCHED_MAX = 3,
    LC_TAIL_GATES_MAX = LC_TAIL_FIRST_MAX + LC_TAIL_SEARCHED_MAX,
};

// A function of five signals: bit i of `on` or of `off`, where bit k of i is signal k, if it is one
// or zero there. Neither, if that cannot occur.
typedef struct lc_tail_function {
    uint32_t on, off;
} lc_tail_function;

// Whether `count` gates, at most LC_TAIL_SEARCHED_MAX, behind the signals and the gates `first`, at
// most LC_TAIL_FIRST_MAX, make the function, and if so, which: first, then those. An operand below
// LC_TAIL_SIGNALS is a signal, LC_TAIL_SIGNALS + i is the output of gate i; the last gate's is the
// function. The search is complete, if fewer gates do not do. About a millisecond; any thread.
bool lc_tail_find(lc_gate gates[LC_TAIL_GATES_MAX], lc_tail_function wanted, const lc_gate *first,
                  int firsts, int count);

#endif
