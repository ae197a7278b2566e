// The smaller and the larger of two numbers, and their greatest common divisor.
#ifndef LC_BASE_LEAST_H
#define LC_BASE_LEAST_H

#include <stdint.h>

static inline int64_t lc_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t lc_least_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline int64_t lc_greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t lc_greatest_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// Returns the greatest common divisor; of 0 and a number, the number.
static inline uint64_t lc_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
