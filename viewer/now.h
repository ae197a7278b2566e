// The clock of both of the viewer's threads.
#ifndef LC_VIEWER_NOW_H
#define LC_VIEWER_NOW_H

#include <stdint.h>
#include <time.h>

// Returns the nanoseconds of a monotonic clock.
static inline uint64_t lc_view_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
