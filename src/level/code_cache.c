// Machine code of rules in a cache: it takes a tenth of a millisecond to write, and its gates take
// longer to find.
#include "level/code.h"

typedef struct code_key {
    lc_rule rule;
    uint16_t target; // lc_code_target
} code_key;

_Static_assert(sizeof(code_key) == sizeof(lc_rule) + sizeof(uint16_t), "code_key has padding");

static bool make_bands(lc_cache *cache, void *value, const void *key, void *argument)
{
    const code_key *k = key;
    lc_network network;
    (void)argument;
    lc_network_build(&network, &k->rule, cache);
    return lc_code_create(value, (lc_code_target)k->target, &network) == LC_OK;
}

static bool make_windows(lc_cache *cache, void *value, const void *key, void *argument)
{
    const code_key *k = key;
    const bool may_search = *(const bool *)argument;
    lc_network network;
    if (may_search)
        lc_network_build(&network, &k->rule, cache);
    else if (!lc_network_build_briefly(&network, &k->rule, cache))
        return false;
    return lc_code_create_windows(value, (lc_code_target)k->target, &network) == LC_OK;
}

static void free_code(void *value)
{
    lc_code_free(value);
}

static size_t owned_bytes(const void *value)
{
    return ((const lc_code *)value)->size_bytes;
}

const lc_code *lc_code_get(lc_cache *cache, lc_code_target target, const lc_rule *rule)
{
    static const lc_cache_kind kind = {.key_bytes = sizeof(code_key),
                                       .value_bytes = sizeof(lc_code),
                                       .make = make_bands,
                                       .free = free_code,
                                       .owned_bytes = owned_bytes};
    const code_key key = {*rule, (uint16_t)target};
    return lc_cache_get(cache, &kind, &key, NULL);
}

const lc_code *lc_code_get_windows(lc_cache *cache, lc_code_target target, const lc_rule *rule,
                                   bool may_search)
{
    static const lc_cache_kind kind = {.key_bytes = sizeof(code_key),
                                       .value_bytes = sizeof(lc_code),
                                       .make = make_windows,
                                       .free = free_code,
                                       .owned_bytes = owned_bytes};
    const code_key key = {*rule, (uint16_t)target};
    return lc_cache_get(cache, &kind, &key, &may_search);
}
