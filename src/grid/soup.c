// Soups: random cells that depend only on the seed and the coordinates.
//
// The generator is counter-based: each random word is a hash of (seed, column, y, word number). So
// any thread on any machine can fill any part of a soup in any order. The mixing function is the
// 64-bit finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014).
//
// A word whose bits are 1 with probability d / 65536 is made from fair words by Horner's rule on
// the binary digits of d, lowest first: OR with a fair word changes p to (1 + p) / 2, AND to p / 2.
// Density 1/2 therefore needs only one fair word. docs/formats.md specifies the cells, and
// tests/test_soup.c implements that text and compares.
#include "grid/grid.h"

#include <math.h>
#include <string.h>

#include "base/mix.h"

static const uint64_t golden = 0x9e3779b97f4a7c15u;

lc_status lc_soup_density(uint32_t *density_16, double density, lc_message *message)
{
    const double most_off = 0.01;
    if (!(density >= 0 && density <= 1))
        return lc_fail(message, LC_ERROR_ARGUMENT, "a soup's density is between 0 and 1, not %g",
                       density);
    const double exact = density * 65536, nearest = round(exact);
    if (fabs(nearest - exact) > most_off * fmin(exact, 65536 - exact))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a soup's density is a multiple of 2^-16: %g lies between %.10g and %.10g, "
                       "and the nearer one is more than 1 %% off",
                       density, floor(exact) / 65536, ceil(exact) / 65536);
    *density_16 = (uint32_t)nearest;
    return LC_OK;
}

// Each coordinate is mixed before the next is added, so equal sums of coordinates do not give equal
// words.
static inline uint64_t row_key(uint64_t seed, int64_t y)
{
    return lc_mixed(lc_mixed(seed + golden) + (uint64_t)y * 0xd1342543de82ef95u);
}

// `lowest`: index of the lowest binary digit 1 of density_16, counted from the low end.
static inline uint64_t soup_word(uint64_t key, uint32_t density_16, unsigned lowest)
{
    uint64_t word = 0;
    for (unsigned digit = lowest; digit < 16; digit++) {
        uint64_t fair = lc_mixed(key + (digit + 1) * golden);
        word = density_16 >> digit & 1 ? word | fair : word & fair;
    }
    return word;
}

void lc_soup_row(uint64_t seed, uint32_t density_16, int64_t column, int64_t y, uint64_t *words,
                 size_t count)
{
    if (density_16 == 0 || density_16 >= 65536) {
        memset(words, density_16 == 0 ? 0 : 0xff, count * sizeof *words);
        return;
    }
    const uint64_t row = row_key(seed, y) + (uint64_t)column * golden;
    const unsigned lowest = (unsigned)__builtin_ctz(density_16);
    if (lowest == 15) { // density 1/2: one fair word per word
        for (size_t i = 0; i < count; i++)
            words[i] = lc_mixed(lc_mixed(row + i * golden) + 16 * golden);
        return;
    }
    for (size_t i = 0; i < count; i++)
        words[i] = soup_word(lc_mixed(row + i * golden), density_16, lowest);
}

uint64_t lc_soup_word(uint64_t seed, uint32_t density_16, int64_t column, int64_t y)
{
    uint64_t word;
    lc_soup_row(seed, density_16, column, y, &word, 1);
    return word;
}
