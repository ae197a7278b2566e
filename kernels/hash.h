// The hash of cells: the sum of 2^x b^y over all live cells, modulo the prime p = 2^64 - 1469. The
// CPU and the kernels compute the same hash.
//
// The hash of disjoint parts is the sum of their hashes: rows, tiles, objects, or the parts of
// threads or machines. Moving cells by (dx, dy) multiplies their hash by 2^dx b^dy. A row in memory
// is a number modulo p, so a word of 64 cells costs no more than in a checksum. p is a safe prime,
// and the powers of 2 are all numbers modulo p except 0. b is 2 to the power of 2^64 / golden
// ratio: two cells of equal weight are at least 0.98 * 2^32 cells apart.
//
// Cells of several planes: the sum of the hashes of all planes p, times c^p. c is 2 to the power of
// 2^64 (sqrt(3) - 1): within 2^27 rows, two bits of equal weight in different planes are at least
// 0.19 * 2^32 cells apart (counted; sqrt(2) would leave 0.03).
//
// Hashes are any numbers below 2^64; lc_hash_canonical reduces them below p.
#ifndef LC_KERNELS_HASH_H
#define LC_KERNELS_HASH_H

#include "cuda.h"

#define LC_HASH_FOLD ((lc_u64)1469)               // 2^64 modulo p
#define LC_HASH_ROW ((lc_u64)0x8ecd3869f8956240u) // b
#define LC_HASH_ROW_LOG ((lc_u64)0x9e3779b97f4a7c15u)
#define LC_HASH_PLANE ((lc_u64)0xfceff6f86a6ac250u) // c = 2^0xbb67ae8584caa73b

// Returns high * 2^64 + low modulo 2^64 - fold, for a fold of 11 bits.
LC_INLINE lc_u64 lc_hash_folded(lc_u64 high, lc_u64 low, lc_u64 fold)
{
    const lc_u64 middle = high * fold, sum = low + middle;
    const lc_u64 above = LC_MULTIPLY_HIGH(high, fold) + (sum < low ? 1 : 0); // 12 bits at most
    const lc_u64 all = sum + above * fold;
    return all < sum ? all + fold : all;
}

LC_INLINE lc_u64 lc_hash_times(lc_u64 a, lc_u64 b)
{
    return lc_hash_folded(LC_MULTIPLY_HIGH(a, b), a * b, LC_HASH_FOLD);
}

LC_INLINE lc_u64 lc_hash_plus(lc_u64 a, lc_u64 b)
{
    const lc_u64 sum = a + b, folded = sum + LC_HASH_FOLD;
    return sum >= a ? sum : folded >= sum ? folded : folded + LC_HASH_FOLD;
}

LC_INLINE lc_u64 lc_hash_canonical(lc_u64 hash)
{
    return hash >= (lc_u64)0 - LC_HASH_FOLD ? hash + LC_HASH_FOLD : hash;
}

// Returns the weight 2^x b^y of a cell at (x, y). Exponents of 2 are modulo p - 1.
LC_INLINE lc_u64 lc_hash_weight(long long x, long long y)
{
    const lc_u64 fold = LC_HASH_FOLD + 1;
    const lc_u64 rows = y < 0 ? (lc_u64)0 - (lc_u64)y : (lc_u64)y;
    lc_u64 log =
        lc_hash_folded(LC_MULTIPLY_HIGH(rows, LC_HASH_ROW_LOG), rows * LC_HASH_ROW_LOG, fold);
    // The exponent of a negative y is p - 1 - log, with p - 1 = 2^64 - fold.
    if (log >= (lc_u64)0 - fold)
        log += fold;
    if (y < 0)
        log = (lc_u64)0 - fold - log;
    lc_u64 sum = log + (lc_u64)x;
    if (x >= 0 && sum < log)
        sum += fold;
    if (x < 0 && sum > log)
        sum -= fold;
    lc_u64 weight = (lc_u64)1 << (sum >> 60);
    for (int shift = 54; shift >= 0; shift -= 6) {
        LC_UNROLL(1)
        for (int i = 0; i < 6; i++)
            weight = lc_hash_times(weight, weight);
        weight = lc_hash_times(weight, (lc_u64)1 << (sum >> shift & 63));
    }
    return weight;
}

#endif
