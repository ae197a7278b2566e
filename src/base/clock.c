// Monotonic time, for measurements and timeouts.
#include "base/clock.h"

#include <time.h>

uint64_t lc_clock_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); // cannot fail: the clock and the pointer are valid
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
