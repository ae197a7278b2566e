// Ranks that are threads of the test process.
#include "support_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_resources.h"
#include "ranks/rank_calls.h"
#include "support.h"

// A message sent and not received yet.
typedef struct parcel {
    struct parcel *next;
    int from, to;
    uint64_t bytes;
    char data[];
} parcel;

// State shared by all ranks.
typedef struct hub {
    int count;
    pthread_barrier_t all;
    pthread_mutex_t mutex;
    pthread_cond_t arrived;
    parcel *first, **last;
    const void *shown[TEST_RANKS_MAX]; // shared by each rank with the others
    pthread_t threads[TEST_RANKS_MAX];
    lc_context *contexts[TEST_RANKS_MAX];
    lc_ranks *ranks[TEST_RANKS_MAX];
} hub;

typedef struct thread_rank {
    lc_ranks base;
    hub *hub;
    const lc_rank_buffer *wanted; // receive buffers of the current exchange
    int wanted_count;
} thread_rank;

static hub *hubs[TEST_RANKS_MAX + 1];

static void meet(hub *h)
{
    (void)pthread_barrier_wait(&h->all);
}

// Shares data with the other ranks. Data shared by them is valid until the next call.
static hub *show(lc_ranks *ranks, const void *data)
{
    hub *h = ((thread_rank *)ranks)->hub;
    h->shown[ranks->rank] = data;
    meet(h);
    return h;
}

static lc_status broadcast(lc_ranks *ranks, void *data, uint64_t bytes, lc_message *message)
{
    (void)message;
    hub *h = show(ranks, data);
    if (ranks->rank != 0)
        memcpy(data, h->shown[0], bytes);
    meet(h);
    return LC_OK;
}

static lc_status gather(lc_ranks *ranks, const void *own, void *all, uint64_t bytes,
                        lc_message *message)
{
    (void)message;
    hub *h = show(ranks, own);
    for (int r = 0; r < h->count && ranks->rank == 0; r++)
        memcpy((char *)all + (uint64_t)r * bytes, h->shown[r], bytes);
    meet(h);
    return LC_OK;
}

static lc_status least(lc_ranks *ranks, uint64_t *numbers, int count, lc_message *message)
{
    (void)message;
    uint64_t found[8];
    hub *h = show(ranks, numbers);
    for (int i = 0; i < count; i++) {
        found[i] = UINT64_MAX;
        for (int r = 0; r < h->count; r++) {
            const uint64_t number = ((const uint64_t *)h->shown[r])[i];
            found[i] = number < found[i] ? number : found[i];
        }
    }
    meet(h);
    memcpy(numbers, found, (size_t)count * sizeof *found);
    return LC_OK;
}

static lc_status all_to_all(lc_ranks *ranks, const uint64_t *to, uint64_t *from,
                            lc_message *message)
{
    (void)message;
    hub *h = show(ranks, to);
    for (int r = 0; r < h->count; r++)
        from[r] = ((const uint64_t *)h->shown[r])[ranks->rank];
    meet(h);
    return LC_OK;
}

static void post(hub *h, int from, const lc_rank_buffer *buffer)
{
    parcel *p = malloc(sizeof *p + buffer->bytes);
    if (p == NULL)
        abort();
    *p = (parcel){.from = from, .to = buffer->rank, .bytes = buffer->bytes};
    memcpy(p->data, buffer->data, buffer->bytes);
    (void)pthread_mutex_lock(&h->mutex);
    *h->last = p;
    h->last = &p->next;
    (void)pthread_cond_broadcast(&h->arrived);
    (void)pthread_mutex_unlock(&h->mutex);
}

static void take(hub *h, int to, const lc_rank_buffer *buffer)
{
    (void)pthread_mutex_lock(&h->mutex);
    for (parcel **at = &h->first;;) {
        parcel *p = *at;
        if (p == NULL) {
            (void)pthread_cond_wait(&h->arrived, &h->mutex);
            at = &h->first;
        } else if (p->to != to || p->from != buffer->rank) {
            at = &p->next;
        } else {
            if (p->bytes != buffer->bytes) // sender and receiver must agree on the size
                abort();
            memcpy(buffer->data, p->data, p->bytes);
            *at = p->next;
            if (h->last == &p->next)
                h->last = at;
            free(p);
            break;
        }
    }
    (void)pthread_mutex_unlock(&h->mutex);
}

static lc_status exchange(lc_ranks *ranks, const lc_rank_buffer *out, int out_count,
                          const lc_rank_buffer *in, int in_count, lc_message *message)
{
    (void)message;
    hub *h = ((thread_rank *)ranks)->hub;
    for (int i = 0; i < out_count; i++)
        post(h, ranks->rank, &out[i]);
    for (int i = 0; i < in_count; i++)
        take(h, ranks->rank, &in[i]);
    return LC_OK;
}

static lc_status begin_exchange(lc_ranks *ranks, const lc_rank_buffer *out, int out_count,
                                const lc_rank_buffer *in, int in_count, lc_message *message)
{
    thread_rank *own = (thread_rank *)ranks;
    (void)message;
    for (int i = 0; i < out_count; i++)
        post(own->hub, ranks->rank, &out[i]);
    own->wanted = in;
    own->wanted_count = in_count;
    return LC_OK;
}

static lc_status end_exchange(lc_ranks *ranks, lc_message *message)
{
    const thread_rank *own = (thread_rank *)ranks;
    return exchange(ranks, NULL, 0, own->wanted, own->wanted_count, message);
}

static void close_rank(lc_ranks *ranks)
{
    free(ranks);
}

static void *serve(void *context)
{
    lc_context *own = context;
    lc_ranks *ranks = own->options.ranks;
    lc_message message;
    if (lc_ranks_serve(ranks, own, &message) != LC_OK)
        abort();
    lc_context_destroy(&own);
    lc_ranks_close(&ranks);
    return NULL;
}

static hub *create_hub(int count)
{
    hub *h = calloc(1, sizeof *h);
    if (h == NULL)
        abort();
    h->count = count;
    h->last = &h->first;
    (void)pthread_barrier_init(&h->all, NULL, (unsigned)count);
    (void)pthread_mutex_init(&h->mutex, NULL);
    (void)pthread_cond_init(&h->arrived, NULL);
    for (int r = 0; r < count; r++) {
        thread_rank *own = calloc(1, sizeof *own);
        if (own == NULL)
            abort();
        own->hub = h;
        own->base = (lc_ranks){.rank = r,
                               .count = count,
                               .rank_here = r,
                               .count_here = count,
                               .broadcast = broadcast,
                               .gather = gather,
                               .least = least,
                               .all_to_all = all_to_all,
                               .exchange = exchange,
                               .begin_exchange = begin_exchange,
                               .end_exchange = end_exchange,
                               .close = close_rank};
        const lc_context_options options = {
            .struct_bytes = sizeof options,
            .cache_folder = getenv("LIGHTCONE_CACHE"),
            .cuda_library = getenv("LIGHTCONE_CUDA"),
            .nvrtc_library = getenv("LIGHTCONE_NVRTC"),
            .threads = 2,
            .ranks = &own->base,
        };
        h->ranks[r] = &own->base;
        if (lc_context_create(&h->contexts[r], &options, NULL) != LC_OK ||
            (r > 0 && pthread_create(&h->threads[r], NULL, serve, h->contexts[r]) != 0))
            abort();
    }
    return h;
}

lc_context *test_ranks_context(int count)
{
    if (hubs[count] == NULL)
        hubs[count] = create_hub(count);
    return hubs[count]->contexts[0];
}

void test_ranks_end(void)
{
    for (int count = 2; count <= TEST_RANKS_MAX; count++) {
        hub *h = hubs[count];
        if (h == NULL)
            continue;
        lc_context_destroy(&h->contexts[0]);
        lc_ranks_close(&h->ranks[0]);
        for (int r = 1; r < count; r++)
            (void)pthread_join(h->threads[r], NULL);
        (void)pthread_barrier_destroy(&h->all);
        free(h);
        hubs[count] = NULL;
    }
}
