// Search for networks of row pairs that share gates, for any rule.
#ifndef LC_LOGIC_NETWORK_PAIR_H
#define LC_LOGIC_NETWORK_PAIR_H

#include <stdbool.h>

#include "logic/network.h"

// Searches a network of fewer than `below` gates. Returns false and writes nothing if it finds
// none. Deterministic. Takes 0.25 s of one core on average, at most 0.8 s. Any thread.
bool lc_network_search_pair(lc_pair_network *network, lc_counts counts, int below);

#endif
