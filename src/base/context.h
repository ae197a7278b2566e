// The inside of contexts. Wherever the library takes one, NULL stands for the defaults.
#ifndef LC_BASE_CONTEXT_H
#define LC_BASE_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cache.h"
#include "base/threads.h"
#include "lightcone/context.h"

typedef struct lc_devices lc_devices; // GPUs that are open: device/gpu.h

struct lc_context {
    atomic_size_t holders;      // the program and each of the universes
    lc_context_options options; // its texts are copies of our own, NULL where nothing was stated
    lc_pool *pool;
    lc_cache *cache; // of compiled rules; NULL: the one that universes without a context share
    pthread_mutex_t mutex; // of what follows
    void *scratch;         // blocks of nobody, each with the address of the next in it
    size_t scratch_bytes;  // of each of them
    int scratch_count;     // at most as many as the pool has threads
    lc_devices *devices;   // NULL: no GPU was opened yet
    void (*free_devices)(lc_devices *devices);
};

// Keeps a context until lc_context_destroy; NULL: makes one by the defaults.
lc_status lc_context_hold(lc_context **out, lc_context *context, lc_message *message);

// Memory for cells, as lc_alloc_pages and lc_free_pages.
void *lc_context_alloc(const lc_context *context, size_t size_bytes);
void lc_context_free(const lc_context *context, void *memory, size_t size_bytes);

// Memory for cells that is only worked in, so that it may hold anything. A context keeps some of
// what it gets back, of the size that is asked for first: otherwise this would be most of what
// making a small universe takes.
void *lc_context_alloc_scratch(lc_context *context, size_t size_bytes);
void lc_context_free_scratch(lc_context *context, void *memory, size_t size_bytes);

// Returns the context's cache of compiled rules. Universes without a context share one cache, which
// lasts as long as the process. NULL only if there is no memory for it.
lc_cache *lc_context_cache(const lc_context *context);

// The folder of what is kept; "" if nothing is.
const char *lc_context_cache_folder(const lc_context *context);

#endif
