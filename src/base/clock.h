// Monotonic time, and times of work on a machine that others use too.
#ifndef LC_BASE_CLOCK_H
#define LC_BASE_CLOCK_H

#include <stdint.h>

uint64_t lc_clock_ns(void);

// What some work takes of late, undisturbed, in any unit: `known` is what it took until now (0: not
// known), `took` what it has just taken. Another process, or a look in its midst, only ever adds to
// that, and may add a lot. So it is the least; where the work itself has come to take longer, that
// is learnt in steps of a thirty-second.
static inline double lc_time_of_late(double known, double took)
{
    const double most = known * (1 + 1 / 32.);
    return known == 0 || took < most ? took : most;
}

#endif
