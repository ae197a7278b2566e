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

// One static object per kind. Its address identifies the kind.
typedef struct lc_cache_kind {
    size_t key_bytes, value_bytes;
    // Computes the value of a key. Returns false if there is none; the cache then stores nothing.
    // `argument` comes from the caller. It must not change the value, only whether it is computed.
    // May use the cache.
    bool (*make)(lc_cache *cache, void *value, const void *key, void *argument);
    // Frees the memory that a value owns. NULL: values own none.
    void (*free)(void *value);
    // Returns the memory that the value owns, in bytes. NULL: none.
    size_t (*owned_bytes)(const void *value);
} lc_cache_kind;

// Creates a cache. Its values, with their keys and the memory that they own, take at most
// `limit_bytes`. Returns NULL if out of memory.
lc_cache *lc_cache_create(size_t limit_bytes);
// Frees a cache. All values must have been released. Accepts NULL.
void lc_cache_destroy(lc_cache *cache);

// Returns a key's value and computes it if the cache does not have it. Returns NULL if it cannot be
// computed or if out of memory. The caller releases the value. If two threads ask for the same
// missing value, both compute it and get the same one. `cache` NULL: computes the value without
// storing it.
const void *lc_cache_get(lc_cache *cache, const lc_cache_kind *kind, const void *key,
                         void *argument);
void lc_cache_release(const void *value); // accepts NULL

// Copies a key's value to `value`. The kind must own no memory. Returns false, with *value
// undefined, if the value cannot be computed. If out of memory, the cache only does not store it.
bool lc_cache_copy(lc_cache *cache, const lc_cache_kind *kind, const void *key, void *argument,
                   void *value);

#endif
