// The smaller and the larger of two numbers.
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

#endif
