// Contexts: the options, threads, cache and GPUs that universes share.
#include "base/context_resources.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"

static void free_folders(const char *const *folders)
{
    for (size_t i = 0; folders != NULL && folders[i] != NULL; i++)
        lc_free((char *)folders[i]);
    lc_free((void *)folders);
}

// Replaces a text by a copy; NULL and "" become NULL. Returns false if out of memory.
static bool copy_text(const char **text)
{
    const char *from = *text;
    *text = NULL;
    if (from == NULL || from[0] == '\0')
        return true;
    const size_t size_bytes = strlen(from) + 1;
    char *copy = lc_malloc(size_bytes);
    if (copy != NULL)
        *text = memcpy(copy, from, size_bytes);
    return copy != NULL;
}

static bool copy_folders(lc_context_options *options)
{
    const char *const *from = options->nvrtc_folders;
    size_t count = 0;
    options->nvrtc_folders = NULL;
    while (from != NULL && from[count] != NULL)
        count++;
    const char **copies = lc_calloc(count + 1, sizeof *copies);
    bool all = copies != NULL;
    for (size_t i = 0; i < count && all; i++) {
        const char *text = from[i][0] != '\0' ? from[i] : ".";
        all = copy_text(&text);
        copies[i] = text;
    }
    options->nvrtc_folders = copies;
    return all;
}

// Replaces the texts by copies. A text that could not be copied is NULL.
static bool own_texts(lc_context_options *options)
{
    bool all = copy_text(&options->cache_folder);
    all &= copy_text(&options->cuda_library);
    all &= copy_text(&options->nvrtc_library);
    return copy_folders(options) && all;
}

static lc_status take_options(lc_context_options *options, const lc_context_options *stated,
                              lc_message *message)
{
    *options = (lc_context_options){.struct_bytes = sizeof *options};
    const lc_status status = stated == NULL ? LC_OK
                                            : lc_structure_take(options, sizeof *options, stated,
                                                                "lc_context_options", message);
    if (status != LC_OK)
        return status;
    if (options->threads < 0 || options->threads > LC_THREADS_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "%lld threads: 0 (automatic) to %d are possible",
                       (long long)options->threads, LC_THREADS_MAX);
    if ((options->allocate == NULL) != (options->release == NULL))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "an allocator needs both functions, allocate and release");
    if (options->threads == 0)
        options->threads = lc_cpu_count();
    return LC_OK;
}

// The limit of a cache of compiled rules. It suffices for the gates of some ten thousand rules, or
// the machine code of some hundreds.
static const size_t cache_bytes = 8 << 20;

static lc_status create(lc_context **out, const lc_context_options *stated, lc_message *message)
{
    lc_context_options options;
    *out = NULL;
    lc_status status = take_options(&options, stated, message);
    if (status != LC_OK)
        return status;
    lc_context *context = lc_calloc(1, sizeof *context);
    if (context == NULL)
        return lc_fail_memory(message, "a context");
    atomic_init(&context->holders, 1);
    pthread_mutex_init(&context->mutex, NULL);
    context->options = options;
    if (!own_texts(&context->options) ||
        lc_pool_create(&context->pool, (int)options.threads) != LC_OK) {
        lc_context_destroy(&context);
        return lc_fail_memory(message, "a context");
    }
    *out = context;
    return LC_OK;
}

lc_status lc_context_create(lc_context **out, const lc_context_options *options,
                            lc_message *message)
{
    lc_status status = create(out, options, message);
    if (status != LC_OK)
        return status;
    (*out)->cache = lc_cache_create(cache_bytes);
    if ((*out)->cache != NULL)
        return LC_OK;
    lc_context_destroy(out);
    return lc_fail_memory(message, "a context");
}

// Returns one of the stored blocks. NULL: none has that size.
static void *take_scratch(lc_context *c, size_t size_bytes)
{
    void *memory = NULL;
    (void)pthread_mutex_lock(&c->mutex);
    if (c->scratch != NULL && c->scratch_bytes == size_bytes) {
        memory = c->scratch;
        memcpy(&c->scratch, memory, sizeof c->scratch);
        c->scratch_count--;
    }
    (void)pthread_mutex_unlock(&c->mutex);
    return memory;
}

// Frees the unused blocks if they have another size.
static void drop_other_scratch(lc_context *c, size_t size_bytes)
{
    void *unused = NULL;
    (void)pthread_mutex_lock(&c->mutex);
    const size_t unused_bytes = c->scratch_bytes;
    if (unused_bytes != size_bytes) {
        unused = c->scratch;
        c->scratch = NULL;
        c->scratch_count = 0;
    }
    (void)pthread_mutex_unlock(&c->mutex);
    for (void *next; unused != NULL; unused = next) {
        memcpy(&next, unused, sizeof next);
        lc_context_free(c, unused, unused_bytes);
    }
}

// Stores a block. Returns false if there are enough, or if they have another size.
static bool keep_scratch(lc_context *c, void *memory, size_t size_bytes)
{
    (void)pthread_mutex_lock(&c->mutex);
    if (c->scratch_count == 0 && size_bytes >= sizeof c->scratch)
        c->scratch_bytes = size_bytes;
    const bool kept = c->scratch_bytes == size_bytes && c->scratch_count < lc_context_threads(c);
    if (kept) {
        memcpy(memory, &c->scratch, sizeof c->scratch);
        c->scratch = memory;
        c->scratch_count++;
    }
    (void)pthread_mutex_unlock(&c->mutex);
    return kept;
}

lc_status lc_context_hold(lc_context **out, lc_context *context, lc_message *message)
{
    if (context == NULL)
        return create(out, NULL, message);
    (void)atomic_fetch_add(&context->holders, 1);
    *out = context;
    return LC_OK;
}

lc_status lc_context_hold_alone(lc_context **out, lc_context *context, lc_message *message)
{
    if (context == NULL || context->options.ranks == NULL)
        return lc_context_hold(out, context, message);
    lc_context_options options = context->options;
    options.ranks = NULL;
    return lc_context_create(out, &options, message);
}

void lc_context_destroy(lc_context **context)
{
    if (context == NULL || *context == NULL)
        return;
    lc_context *c = *context;
    *context = NULL;
    if (atomic_fetch_sub(&c->holders, 1) != 1)
        return;
    if (c->devices != NULL)
        c->free_devices(c->devices);
    drop_other_scratch(c, 0);
    lc_cache_destroy(c->cache);
    lc_pool_destroy(&c->pool);
    pthread_mutex_destroy(&c->mutex);
    lc_free((char *)c->options.cache_folder);
    lc_free((char *)c->options.cuda_library);
    lc_free((char *)c->options.nvrtc_library);
    free_folders(c->options.nvrtc_folders);
    lc_free(c);
}

int lc_context_threads(const lc_context *context)
{
    return (int)context->options.threads;
}

void *lc_context_alloc(const lc_context *context, size_t size_bytes)
{
    if (context == NULL || context->options.allocate == NULL)
        return lc_alloc_pages(size_bytes);
    return context->options.allocate(context->options.allocator, size_bytes);
}

void lc_context_free(const lc_context *context, void *memory, size_t size_bytes)
{
    if (context == NULL || context->options.release == NULL)
        lc_free_pages(memory, size_bytes);
    else if (memory != NULL)
        context->options.release(context->options.allocator, memory, size_bytes);
}

void *lc_context_alloc_scratch(lc_context *context, size_t size_bytes)
{
    void *memory = context != NULL ? take_scratch(context, size_bytes) : NULL;
    if (context != NULL && memory == NULL)
        drop_other_scratch(context, size_bytes);
    return memory != NULL ? memory : lc_context_alloc(context, size_bytes);
}

void lc_context_free_scratch(lc_context *context, void *memory, size_t size_bytes)
{
    if (memory != NULL && (context == NULL || !keep_scratch(context, memory, size_bytes)))
        lc_context_free(context, memory, size_bytes);
}

lc_cache *lc_context_cache(const lc_context *context)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static lc_cache *shared;
    if (context != NULL && context->cache != NULL)
        return context->cache;
    (void)pthread_mutex_lock(&mutex);
    if (shared == NULL)
        shared = lc_cache_create(cache_bytes);
    lc_cache *cache = shared;
    (void)pthread_mutex_unlock(&mutex);
    return cache;
}

const char *lc_context_cache_folder(const lc_context *context)
{
    return context != NULL && context->options.cache_folder != NULL ? context->options.cache_folder
                                                                    : "";
}
