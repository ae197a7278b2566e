// Chooses how much work an engine queues, or asks of a guest, before it waits: about 50 ms. So a
// caller that stops the engine or reads cells never waits long, and waiting costs almost nothing.
#ifndef LC_ENGINE_TIME_SLICE_H
#define LC_ENGINE_TIME_SLICE_H

#include "engine/engine_interface.h"

// Returns the wanted duration of a slice: at most the interval of the watch.
uint64_t lc_slice_ns(const lc_engine_watch *watch);

// Returns the next slice after one that took elapsed_ns: twice as long, half as long but at least
// `least`, or the same. `whole`: the slice was not cut short by the caller's request.
uint64_t lc_slice_after(uint64_t slice, uint64_t least, bool whole, uint64_t elapsed_ns,
                        const lc_engine_watch *watch);

#endif
