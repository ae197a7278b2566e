// Search for the last gates of a rule's network, behind its front (network_front.h).
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

// A function of five signals. Case i: bit k of i is signal k. The function is one in the cases of
// `on` and zero in those of `off`. A case in neither cannot occur.
typedef struct lc_tail_function {
    uint32_t on, off;
} lc_tail_function;

// Searches for `count` gates, at most LC_TAIL_SEARCHED_MAX, that compute the function from the
// signals and the gates `first`, at most LC_TAIL_FIRST_MAX. Returns true and writes `first`, then
// the found gates, to `gates`. An operand below LC_TAIL_SIGNALS is a signal; operand
// LC_TAIL_SIGNALS + i is the output of gate i. The last gate's output is the function. The search
// is complete if fewer gates do not suffice. Takes about a millisecond. Any thread.
bool lc_tail_find(lc_gate gates[LC_TAIL_GATES_MAX], lc_tail_function wanted, const lc_gate *first,
                  int firsts, int count);

#endif
