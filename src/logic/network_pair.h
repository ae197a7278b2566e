// Networks for pairs of rows whose two rows share gates, for any rule.
#ifndef LC_LOGIC_NETWORK_PAIR_H
#define LC_LOGIC_NETWORK_PAIR_H

#include <stdbool.h>

#include "logic/network.h"

// Looks for a network of fewer than `below` gates; false, and nothing written, if it finds none.
// The same answer each time. 0.25 s of one core on average, 0.8 s at most. Any thread.
bool lc_network_search_pair(lc_pair_network *network, lc_counts counts, int below);

#endif
