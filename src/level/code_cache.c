// Caches the machine code of rules. Writing it takes a tenth of a millisecond, and finding the
// gates takes longer.
#include "level/code.h"

typedef struct code_key {
    lc_counts counts;
    uint8_t target;  // lc_code_target
    uint8_t windows; // 1: for windows and columns; 0: for bands
} code_key;

_Static_assert(sizeof(code_key) == sizeof(lc_counts) + 2, "code_key has padding");

static bool make(lc_cache *cache, void *value, const void *key, void *argument)
{
    const code_key *k = key;
    const bool may_search = *(const bool *)argument;
    const lc_code_target target = (lc_code_target)k->target;
    lc_network network;
    if (may_search)
        lc_network_build(&network, k->counts, cache);
    else if (!lc_network_build_briefly(&network, k->counts, cache))
        return false;
    return (k->windows ? lc_code_create_windows(value, target, &network)
                       : lc_code_create(value, target, &network)) == LC_OK;
}

static void free_code(void *value)
{
    lc_code_free(value);
}

static size_t owned_bytes(const void *value)
{
    return ((const lc_code *)value)->size_bytes;
}

static const lc_code *get(lc_cache *cache, const code_key *key, bool may_search)
{
    static const lc_cache_kind codes = {.key_bytes = sizeof(code_key),
                                        .value_bytes = sizeof(lc_code),
                                        .make = make,
                                        .free = free_code,
                                        .owned_bytes = owned_bytes};
    return lc_cache_get(cache, &codes, key, &may_search);
}

const lc_code *lc_code_get(lc_cache *cache, lc_code_target target, lc_counts counts)
{
    return get(cache, &(code_key){counts, (uint8_t)target, 0}, true);
}

const lc_code *lc_code_get_windows(lc_cache *cache, lc_code_target target, lc_counts counts,
                                   bool may_search)
{
    return get(cache, &(code_key){counts, (uint8_t)target, 1}, may_search);
}
