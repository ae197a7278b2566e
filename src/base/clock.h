// Monotonic time, and estimates of durations on a machine that other processes use as well.
#ifndef LC_BASE_CLOCK_H
#define LC_BASE_CLOCK_H

#include <stdint.h>

uint64_t lc_clock_ns(void);

// Updates an estimate of the undisturbed duration of some work, in any unit. `known` is the
// estimate so far (0: none), and `took` is the latest duration. Other processes and interruptions
// only ever add to a duration, and may add a lot. So the estimate is the minimum. If the work
// itself becomes slower, the estimate grows by steps of a thirty-second.
static inline double lc_time_of_late(double known, double took)
{
    const double most = known * (1 + 1 / 32.);
    return known == 0 || took < most ? took : most;
}

#endif
