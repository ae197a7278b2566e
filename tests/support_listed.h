// An unbounded test engine: it keeps a sorted list of its live cells and steps by counting
// neighbours. Slow; supports two-state rules without B0.
#ifndef LC_TESTS_SUPPORT_LISTED_H
#define LC_TESTS_SUPPORT_LISTED_H

#include "engine/engine_interface.h"
#include "lightcone/universe.h"

extern const lc_engine_vtable test_engine_listed;

// Makes the engine compute one cell wrongly in its next generation.
void test_listed_spoil(lc_universe *universe);

#endif
