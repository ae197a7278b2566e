// The cache: a hash table of entries, which are also in a list ordered by their last use.
//
//     entry   | links, kind, hash ... | value | key |
//                                     ^ callers have this address
#include "base/cache.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"

typedef struct entry entry;
struct entry {
    lc_cache *cache; // NULL: only its caller knows it
    const lc_cache_kind *kind;
    uint64_t hash;
    size_t size_bytes;    // counted against the limit
    size_t holders;       // callers, and the table
    entry *next;          // in its bucket
    entry *newer, *older; // by last use
    _Alignas(max_align_t) unsigned char value[];
};

enum { BUCKETS = 1024 };

struct lc_cache {
    pthread_mutex_t mutex; // guards all that follows, and the entries' holders and links
    size_t limit_bytes, size_bytes;
    entry *newest, *oldest;
    entry *bucket[BUCKETS];
};

static entry *entry_of(const void *value)
{
    return (entry *)((char *)value - offsetof(entry, value));
}

static uint64_t hash_of(const lc_cache_kind *kind, const void *key)
{
    return XXH3_64bits_withSeed(key, kind->key_bytes, (uint64_t)(uintptr_t)kind);
}

static unsigned char *key_of(entry *e)
{
    return e->value + e->kind->value_bytes;
}

static entry *prepare(entry *e, lc_cache *cache, const lc_cache_kind *kind, const void *key)
{
    if (e == NULL)
        return NULL;
    *e = (entry){.cache = cache, .kind = kind, .hash = hash_of(kind, key), .holders = 1};
    memcpy(key_of(e), key, kind->key_bytes);
    return e;
}

static size_t entry_bytes(const lc_cache_kind *kind)
{
    return sizeof(entry) + kind->value_bytes + kind->key_bytes;
}

static void destroy_entry(entry *e)
{
    if (e->kind->free != NULL)
        e->kind->free(e->value);
    lc_free(e);
}

// The table, under its mutex -------------------------------------------------------------------

static entry **place_of(lc_cache *cache, uint64_t hash)
{
    return &cache->bucket[hash % BUCKETS];
}

static void link_newest(lc_cache *cache, entry *e)
{
    e->newer = NULL;
    e->older = cache->newest;
    *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = e;
    cache->newest = e;
}

static void unlink_use(lc_cache *cache, entry *e)
{
    *(e->newer != NULL ? &e->newer->older : &cache->newest) = e->older;
    *(e->older != NULL ? &e->older->newer : &cache->oldest) = e->newer;
}

// Finds a key's entry and marks it as the most recently used.
static entry *find(lc_cache *cache, const lc_cache_kind *kind, const void *key, uint64_t hash)
{
    entry *e = *place_of(cache, hash);
    while (e != NULL &&
           !(e->kind == kind && e->hash == hash && memcmp(key_of(e), key, kind->key_bytes) == 0))
        e = e->next;
    if (e != NULL) {
        unlink_use(cache, e);
        link_newest(cache, e);
    }
    return e;
}

// Takes the least recently used entry out of the table. Returns it if the table was its last
// holder, and NULL otherwise.
static entry *drop_oldest(lc_cache *cache)
{
    entry *e = cache->oldest;
    entry **link = place_of(cache, e->hash);
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    unlink_use(cache, e);
    cache->size_bytes -= e->size_bytes;
    return --e->holders == 0 ? e : NULL;
}

// Puts an entry into the table and removes others until the limit is kept. Returns the removed
// entries without a holder, linked by `next`.
static entry *insert(lc_cache *cache, entry *e)
{
    entry *unheld = NULL;
    entry **place = place_of(cache, e->hash);
    e->holders++;
    e->next = *place;
    *place = e;
    link_newest(cache, e);
    cache->size_bytes += e->size_bytes;
    while (cache->size_bytes > cache->limit_bytes) {
        entry *dropped = drop_oldest(cache);
        if (dropped != NULL) {
            dropped->next = unheld;
            unheld = dropped;
        }
    }
    return unheld;
}

// ----------------------------------------------------------------------------------------------

static void lock(lc_cache *cache)
{
    (void)pthread_mutex_lock(&cache->mutex);
}

static void unlock(lc_cache *cache)
{
    (void)pthread_mutex_unlock(&cache->mutex);
}

static void destroy_entries(entry *e)
{
    while (e != NULL) {
        entry *next = e->next;
        destroy_entry(e);
        e = next;
    }
}

// Adds an entry with its value. The caller holds the returned entry, which is another one if
// another thread has added the same key first.
static entry *add(lc_cache *cache, entry *e, const void *key)
{
    const lc_cache_kind *kind = e->kind;
    e->size_bytes =
        entry_bytes(kind) + (kind->owned_bytes != NULL ? kind->owned_bytes(e->value) : 0);
    lock(cache);
    entry *first = find(cache, kind, key, e->hash);
    entry *unused = first != NULL ? e : NULL;
    if (first == NULL)
        unused = insert(cache, first = e);
    else
        first->holders++;
    unlock(cache);
    destroy_entries(unused);
    return first;
}

lc_cache *lc_cache_create(size_t limit_bytes)
{
    lc_cache *cache = lc_calloc(1, sizeof *cache);
    if (cache == NULL)
        return NULL;
    (void)pthread_mutex_init(&cache->mutex, NULL);
    cache->limit_bytes = limit_bytes;
    return cache;
}

void lc_cache_destroy(lc_cache *cache)
{
    if (cache == NULL)
        return;
    while (cache->oldest != NULL) {
        entry *e = drop_oldest(cache);
        if (e != NULL)
            destroy_entry(e);
    }
    (void)pthread_mutex_destroy(&cache->mutex);
    lc_free(cache);
}

const void *lc_cache_get(lc_cache *cache, const lc_cache_kind *kind, const void *key,
                         void *argument)
{
    if (cache != NULL) {
        lock(cache);
        entry *found = find(cache, kind, key, hash_of(kind, key));
        if (found != NULL)
            found->holders++;
        unlock(cache);
        if (found != NULL)
            return found->value;
    }
    entry *e = prepare(lc_malloc(entry_bytes(kind)), cache, kind, key);
    if (e == NULL)
        return NULL;
    if (!kind->make(cache, e->value, key, argument)) {
        lc_free(e);
        return NULL;
    }
    return (cache != NULL ? add(cache, e, key) : e)->value;
}

void lc_cache_release(const void *value)
{
    if (value == NULL)
        return;
    entry *e = entry_of(value);
    bool last = true;
    if (e->cache != NULL) {
        lock(e->cache);
        last = --e->holders == 0;
        unlock(e->cache);
    }
    if (last)
        destroy_entry(e);
}

bool lc_cache_copy(lc_cache *cache, const lc_cache_kind *kind, const void *key, void *argument,
                   void *value)
{
    if (cache == NULL)
        return kind->make(NULL, value, key, argument);
    lock(cache);
    const entry *found = find(cache, kind, key, hash_of(kind, key));
    if (found != NULL)
        memcpy(value, found->value, kind->value_bytes);
    unlock(cache);
    if (found != NULL)
        return true;
    if (!kind->make(cache, value, key, argument))
        return false;
    // Not lc_malloc: the caller notices no failure here, and the tests that let each allocation
    // fail in turn stop at the first one that makes no difference.
    entry *e = prepare(malloc(entry_bytes(kind)), cache, kind, key);
    if (e != NULL) {
        memcpy(e->value, value, kind->value_bytes);
        lc_cache_release(add(cache, e, key)->value);
    }
    return true;
}
