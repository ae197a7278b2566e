// Networks that a longer search found than can be had while a user waits.
#ifndef LC_LOGIC_NETWORK_KNOWN_H
#define LC_LOGIC_NETWORK_KNOWN_H

#include <stdbool.h>

#include "logic/network.h"

// False, and nothing written, if there is none for that rule. Any thread.
bool lc_network_known(lc_network *network, lc_counts counts);
bool lc_network_known_pair(lc_pair_network *network, lc_counts counts);

#endif
