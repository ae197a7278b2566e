// The first four gates of a rule's network. They reduce seven signals to five for the tail
// (network_tail.h). Each front suits other rules.
#ifndef LC_LOGIC_NETWORK_FRONT_H
#define LC_LOGIC_NETWORK_FRONT_H

#include <stdbool.h>

#include "logic/network.h"
#include "logic/network_tail.h"

enum { LC_FRONT_GATES = 4 };

typedef struct lc_front {
    lc_gate gate[LC_FRONT_GATES];    // operands as in a network
    uint8_t signal[LC_TAIL_SIGNALS]; // the tail's inputs: operands as in a network
} lc_front;

enum {
    LC_FRONTS = 14,
    LC_FRONT_ANY = 0, // this front has a tail for every rule
};
extern const lc_front lc_fronts[LC_FRONTS];

// Computes the next state as a function of the front's five signals. Returns false if they do not
// determine it. Any thread.
bool lc_front_function(lc_tail_function *function, const lc_front *front, lc_counts counts);

#endif
