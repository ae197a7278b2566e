// Small functions of whole numbers.
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

// Divides a number that is 0 or more, and rounds up.
static inline int64_t lc_divided_up(int64_t value, int64_t unit)
{
    return value / unit + (value % unit != 0);
}

// Rounds such a number up to a multiple of `unit`.
static inline int64_t lc_rounded_up(int64_t value, int64_t unit)
{
    return lc_divided_up(value, unit) * unit;
}

static inline int64_t lc_magnitude(int64_t number)
{
    return number < 0 ? -number : number;
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
