// Networks of well-known rules from searches too slow for run time.
#ifndef LC_LOGIC_NETWORK_KNOWN_H
#define LC_LOGIC_NETWORK_KNOWN_H

#include <stdbool.h>

#include "logic/network.h"

// Return false and write nothing if the rule is not in the list. Any thread.
bool lc_network_known(lc_network *network, lc_counts counts);
bool lc_network_known_pair(lc_pair_network *network, lc_counts counts);

#endif
