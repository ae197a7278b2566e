#include "engine/time_slice.h"

#include "base/least.h"

static const uint64_t longest_ns = 50000000;

uint64_t lc_slice_ns(const lc_engine_watch *watch)
{
    const bool watched = watch != NULL && watch->call != NULL;
    return watched ? lc_least_u64(watch->interval_ns, longest_ns) : longest_ns;
}

uint64_t lc_slice_after(uint64_t slice, uint64_t least, bool whole, uint64_t elapsed_ns,
                        const lc_engine_watch *watch)
{
    const uint64_t wanted_ns = lc_slice_ns(watch);
    if (whole && elapsed_ns < wanted_ns / 2)
        return 2 * slice;
    if (elapsed_ns > 2 * wanted_ns && slice > least)
        return slice / 2;
    return slice;
}
