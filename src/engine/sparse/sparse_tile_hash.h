// Hashes of tiles: 128 bits for 32 x 32 cells, with their population.
//
// The hash is a sum of products of the cells' words, each with a secret number added (the hash NH,
// Black and others, 1999). For any two different tiles, at most one in 2^53 secrets gives the same
// hash. Secrets are drawn for each universe, so no pattern can be built to collide. Only a tile
// without live cells has the hash 0, 0.
#ifndef LC_ENGINE_SPARSE_SPARSE_TILE_HASH_H
#define LC_ENGINE_SPARSE_SPARSE_TILE_HASH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "level/level.h"

typedef struct lc_tile_hash {
    uint64_t low, high; // the last 11 bits of `high` are the population
} lc_tile_hash;

enum { LC_TILE_HASH_SECRETS = LC_TILE_WORDS / 2 };

typedef struct lc_tile_hash_secrets {
    uint64_t of_words[LC_TILE_HASH_SECRETS];
} lc_tile_hash_secrets;

typedef unsigned __int128 lc_tile_hash_sum;

// Returns the sum over `count` words, an even number.
static inline lc_tile_hash_sum lc_tile_hash_sum_of(const lc_tile_hash_secrets *secrets,
                                                   const uint64_t *words, int count)
{
    lc_tile_hash_sum sum = 0;
    for (int i = 0; i < count; i += 2)
        sum += (lc_tile_hash_sum)(words[i] + secrets->of_words[i]) *
               (words[i + 1] + secrets->of_words[i + 1]);
    return sum;
}

static inline lc_tile_hash lc_tile_hash_of(const lc_tile_hash_secrets *secrets,
                                           const uint32_t cells[LC_TILE_WORDS], int population)
{
    uint64_t words[LC_TILE_WORDS / 2];
    if (population == 0)
        return (lc_tile_hash){0};
    memcpy(words, cells, sizeof words);
    const lc_tile_hash_sum sum = lc_tile_hash_sum_of(secrets, words, LC_TILE_WORDS / 2);
    return (lc_tile_hash){(uint64_t)sum, (uint64_t)(sum >> 64) << 11 | (uint64_t)population};
}

static inline bool lc_tile_hashes_equal(lc_tile_hash a, lc_tile_hash b)
{
    return a.low == b.low && a.high == b.high;
}

static inline int lc_tile_hash_population(lc_tile_hash name)
{
    return (int)(name.high & 0x7FF);
}

#endif
