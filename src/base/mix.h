// A bijective hash of 64 bits to 64 bits.
#ifndef LC_BASE_MIX_H
#define LC_BASE_MIX_H

#include <stdint.h>

static inline uint64_t lc_mixed(uint64_t z) // the finaliser of splitmix64
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#endif
