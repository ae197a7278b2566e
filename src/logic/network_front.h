// The beginning of a rule's network: gates that leave five signals of seven to the tail
// (network_tail.h), in one of several ways. Each way serves other rules.
#ifndef LC_LOGIC_NETWORK_FRONT_H
#define LC_LOGIC_NETWORK_FRONT_H

#include <stdbool.h>

#include "logic/network.h"
#include "logic/network_tail.h"

enum { LC_FRONT_GATES = 4 };

typedef struct lc_front {
    lc_gate gate[LC_FRONT_GATES];    // operands as in a network
    uint8_t signal[LC_TAIL_SIGNALS]; // what the tail sees: operands as in a network
} lc_front;

enum {
    LC_FRONTS = 14,
    LC_FRONT_ANY = 0, // the front that has a tail for every rule
};
extern const lc_front lc_fronts[LC_FRONTS];

// The next state as a function of the front's five signals. False if they do not decide it. Any
// thread.
bool lc_front_function(lc_tail_function *function, const lc_front *front, lc_counts counts);

#endif
