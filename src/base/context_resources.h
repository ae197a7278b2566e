// The internals of contexts. All functions of the library accept NULL for the defaults.
#ifndef LC_BASE_CONTEXT_RESOURCES_H
#define LC_BASE_CONTEXT_RESOURCES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cache.h"
#include "base/threads.h"
#include "lightcone/context.h"

typedef struct lc_devices lc_devices; // open GPUs: device/shared_gpu.h

struct lc_context {
    atomic_size_t holders;      // the program and each universe
    lc_context_options options; // its texts are our own copies; NULL: not given
    lc_pool *pool;
    lc_cache *cache;       // of compiled rules; NULL: the one shared by universes without a context
    pthread_mutex_t mutex; // guards all that follows
    void *scratch;         // list of unused blocks; each begins with the address of the next
    size_t scratch_bytes;  // of each block
    int scratch_count;     // at most the number of the pool's threads
    lc_devices *devices;   // NULL: none opened yet
    void (*free_devices)(lc_devices *devices);
};

// Adds a reference to a context, which lc_context_destroy releases. `context` NULL: creates one
// with the defaults.
lc_status lc_context_hold(lc_context **out, lc_context *context, lc_message *message);

// The same for work that ranks do not share. If the context has ranks, creates one with the same
// options and no ranks, whose universes are this process's own.
lc_status lc_context_hold_alone(lc_context **out, lc_context *context, lc_message *message);

// Memory for cells, like lc_alloc_pages and lc_free_pages.
void *lc_context_alloc(const lc_context *context, size_t size_bytes);
void lc_context_free(const lc_context *context, void *memory, size_t size_bytes);

// Returns scratch memory for cells with undefined contents. A context keeps some of the blocks that
// it gets back, all of the size that was requested last. Otherwise these allocations would take
// most of the time to create a small universe.
void *lc_context_alloc_scratch(lc_context *context, size_t size_bytes);
void lc_context_free_scratch(lc_context *context, void *memory, size_t size_bytes);

// Returns the context's cache of compiled rules. Universes without a context share one cache, which
// lasts as long as the process. NULL: out of memory.
lc_cache *lc_context_cache(const lc_context *context);

// Returns the cache folder, or "" if nothing is cached on disk.
const char *lc_context_cache_folder(const lc_context *context);

#endif
