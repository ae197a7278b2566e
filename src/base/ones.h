// Counts bits. Some target CPUs have no instruction for it, and the compiler's own function uses a
// table.
#ifndef LC_BASE_ONES_H
#define LC_BASE_ONES_H

#include <stddef.h>
#include <stdint.h>

// Returns the number of bits in each nibble.
static inline uint64_t lc_nibble_counts(uint64_t word)
{
    const uint64_t pairs = word - (word >> 1 & 0x5555555555555555u);
    return (pairs & 0x3333333333333333u) + (pairs >> 2 & 0x3333333333333333u);
}

static inline uint64_t lc_sum_of_nibbles(uint64_t nibbles)
{
    const uint64_t bytes = (nibbles & 0x0F0F0F0F0F0F0F0Fu) + (nibbles >> 4 & 0x0F0F0F0F0F0F0F0Fu);
    return bytes * 0x0101010101010101u >> 56;
}

static inline uint64_t lc_ones(uint64_t word)
{
    return lc_sum_of_nibbles(lc_nibble_counts(word));
}

static inline uint64_t lc_ones_of(const uint64_t *words, size_t count)
{
    uint64_t ones = 0;
    size_t i = 0;
    for (; i + 3 <= count; i += 3) // a nibble can hold 3 times 4
        ones += lc_sum_of_nibbles(lc_nibble_counts(words[i]) + lc_nibble_counts(words[i + 1]) +
                                  lc_nibble_counts(words[i + 2]));
    for (; i < count; i++)
        ones += lc_ones(words[i]);
    return ones;
}

#endif
