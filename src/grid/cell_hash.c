// Computes hashes of words of cells without vector instructions.
#include "grid/cell_hash.h"

#include "kernels/hash.h"
#include "lightcone/universe.h"

// Processes four words at a time, from the last: h = h f^4 + w3 f^3 + w2 f^2 + w1 f + w0. f is 2^64
// modulo p and has 11 bits. So the sum has at most 108 bits, and one short multiplication reduces
// it to 64.
static const uint64_t fold_2 = LC_HASH_FOLD * LC_HASH_FOLD;
static const uint64_t fold_3 = LC_HASH_FOLD * LC_HASH_FOLD * LC_HASH_FOLD;
static const uint64_t fold_4 = LC_HASH_FOLD * LC_HASH_FOLD * LC_HASH_FOLD * LC_HASH_FOLD;

__extension__ typedef unsigned __int128 wide;

static inline uint64_t folded(wide sum)
{
    const uint64_t low = (uint64_t)sum, more = (uint64_t)(sum >> 64) * LC_HASH_FOLD;
    const uint64_t all = low + more;
    return all < low ? all + LC_HASH_FOLD : all;
}

uint64_t lc_hash_words(const uint64_t *words, size_t count, uint64_t rest)
{
    uint64_t hash = rest;
    size_t i = count;
    for (; i % 4 != 0; i--)
        hash = folded((wide)hash * LC_HASH_FOLD + words[i - 1]);
    for (; i > 0; i -= 4) {
        const uint64_t *w = words + i - 4;
        hash = folded((wide)hash * fold_4 + ((wide)w[3] * fold_3 + (wide)w[2] * fold_2) +
                      ((wide)w[1] * LC_HASH_FOLD + w[0]));
    }
    return lc_hash_canonical(hash);
}

uint64_t lc_hash_weighted(const uint32_t *words, const uint64_t *weights, size_t count)
{
    wide sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (wide)weights[i] * words[i];
    return lc_hash_canonical(folded(sum));
}

uint64_t lc_hash_moved(uint64_t hash, int64_t columns, int64_t rows)
{
    if (hash == 0 || (columns == 0 && rows == 0))
        return hash;
    return lc_hash_canonical(lc_hash_times(hash, lc_hash_weight(columns, rows)));
}

uint64_t lc_hash_joined(uint64_t a, uint64_t b)
{
    return lc_hash_canonical(lc_hash_plus(a, b));
}

uint64_t lc_hash_of_planes(uint64_t plane, uint64_t above)
{
    return lc_hash_canonical(lc_hash_plus(lc_hash_times(above, LC_HASH_PLANE), plane));
}

uint64_t lc_hash_below(uint64_t row, uint64_t below)
{
    return lc_hash_canonical(lc_hash_plus(lc_hash_times(below, LC_HASH_ROW), row));
}
