// The hash of cells: a sum over words of 64 cells, the same on the host and in kernels.
//
// The key of a row is mixed, that of a column is a multiple of an odd number: so different places
// have equal keys neither more nor less often than by chance. The rest is a 64-bit finaliser (two
// multiplications, three xor-shifts), after which words and keys that differ in one bit share
// nothing.
#ifndef LC_KERNELS_HASH_WORD_H
#define LC_KERNELS_HASH_WORD_H

#include "cuda.h"

#define LC_HASH_COLUMN_FACTOR 0xc2b2ae3d27d4eb4fu

LC_INLINE lc_u64 lc_hash_row_key(long long y)
{
    lc_u64 key = (lc_u64)y * 0x9fb21c651e98df25u + 0x632be59bd9b4e019u;
    key ^= key >> 32;
    return key * 0xd6e8feb86659fd93u;
}

// The summand of 64 cells, with the key of row y plus LC_HASH_COLUMN_FACTOR times the column of the
// word, counted in words. 0 for no live cell.
LC_INLINE lc_u64 lc_hash_of_word(lc_u64 word, lc_u64 key)
{
    lc_u64 h = word ^ key;
    h ^= h >> 32;
    h *= 0xe9846af9b1a615d5u;
    h ^= h >> 29;
    h *= 0x9e6c63d0676a9a99u;
    h ^= h >> 32;
    return word != 0 ? h : 0;
}

#endif
