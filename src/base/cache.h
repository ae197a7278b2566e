// A bounded cache of values that take long to compute: a rule's gates, its machine code, its kernel
// text. Contexts have one each; universes without a context share one (lc_context_cache).
//
// A value belongs to a kind and is found by its key. Keys are compared byte by byte, so two keys
// never share a value, and a key's type must have no padding. Values do not change once they are in
// the cache. A full cache drops its least recently used values; a dropped value stays valid until
// the last caller that got it releases it. Any number of threads may use a cache.
#ifndef LC_BASE_CACHE_H
#define LC_BASE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lc_cache lc_cache;

// One static object a kind; its address is the kind's identity.
typedef struct lc_cache_kind {
    size_t key_bytes, value_bytes;
    // Computes the value of a key. False: it has none, and nothing is kept. `argument` is the
    // caller's, and must not change the value, only whether it is computed. May use the cache.
    bool (*make)(lc_cache *cache, void *value, const void *key, void *argument);
    // Frees the memory that a value owns. NULL: it owns none.
    void (*free)(void *value);
    // Memory that the value owns, in bytes. NULL: none.
    size_t (*owned_bytes)(const void *value);
} lc_cache_kind;

// Creates a cache whose values, with their keys and the memory that they own, take at most
// `limit_bytes`. NULL if there is no memory.
lc_cache *lc_cache_create(size_t limit_bytes);
// Every value must have been released. NULL is fine.
void lc_cache_destroy(lc_cache *cache);

// Returns a key's value, computed now if the cache does not have it; NULL if it cannot be computed
// or there is no memory. The caller releases it. Two threads that ask for the same missing value
// both compute it, and get the same one. cache NULL: computes it, and keeps nothing.
const void *lc_cache_get(lc_cache *cache, const lc_cache_kind *kind, const void *key,
                         void *argument);
void lc_cache_release(const void *value); // NULL is fine

// Copies a key's value, of a kind that owns nothing, to `value`. False, and *value undefined, if it
// cannot be computed. A lack of memory only means that the cache does not keep it.
bool lc_cache_copy(lc_cache *cache, const lc_cache_kind *kind, const void *key, void *argument,
                   void *value);

#endif
