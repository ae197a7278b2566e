// The live cells of a universe as a list.
#ifndef LC_UNIVERSE_UNIVERSE_LIVE_H
#define LC_UNIVERSE_UNIVERSE_LIVE_H

#include "lightcone/universe.h"
#include "object/live.h"

// Replaces the list by the cells that differ from the background, in order. Returns LC_OK;
// LC_ERROR_LIMIT (there are more than `most`, or some lie beyond LC_UNIVERSE_REACH);
// LC_ERROR_MEMORY; or the universe's failure.
lc_status lc_universe_live(const lc_universe *universe, uint64_t most, lc_live *live,
                           lc_message *message);

// Adds the cells of a sorted list to a universe that has no live cells. Returns as
// lc_universe_write.
lc_status lc_universe_write_live(lc_universe *universe, const lc_live *live, lc_message *message);

// Returns LC_OK; LC_ERROR_UNSUPPORTED (the rule has more than two states). `what` begins the
// message: "an identification".
lc_status lc_universe_need_two_states(const lc_universe *universe, const char *what,
                                      lc_message *message);

#endif
