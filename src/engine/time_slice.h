// How much work an engine queues, or a guest is asked for, before it is waited for: about 50 ms of
// it, so that nobody who wants to stop or to look waits for long, and waiting costs next to
// nothing.
#ifndef LC_ENGINE_TIME_SLICE_H
#define LC_ENGINE_TIME_SLICE_H

#include "engine/engine_interface.h"

// How long a slice is to take: no longer than the interval of whoever looks.
uint64_t lc_slice_ns(const lc_engine_watch *watch);

// The next slice after one that took so long: twice as long, half as long, no less than `least`, or
// the same. `whole`: that one was not cut short by what was asked for.
uint64_t lc_slice_after(uint64_t slice, uint64_t least, bool whole, uint64_t elapsed_ns,
                        const lc_engine_watch *watch);

#endif
