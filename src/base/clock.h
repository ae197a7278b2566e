// Monotonic time.
#ifndef LC_BASE_CLOCK_H
#define LC_BASE_CLOCK_H

#include <stdint.h>

uint64_t lc_clock_ns(void);

#endif
