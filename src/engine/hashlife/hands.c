// Who makes results: one thread, or several that share what is to be done.
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "engine/hashlife/streams.h"

enum {
    CELLS_BYTES = LC_BATCH * 4 * LC_LEAF_BYTES,
    LEVELS = 256,
};

static void do_parts(lc_hashlife *h)
{
    size_t index;
    while ((index = __atomic_fetch_add(&h->next_part, 1, __ATOMIC_RELAXED)) < h->part_count)
        h->part(h->part_argument, index);
}

static void do_part(void *context, size_t index, int worker)
{
    const lc_hashlife *h = context;
    (void)worker;
    h->part(h->part_argument, index);
}

// lc_store's run_parts. Either nobody else is at work, and the pool is free, or the others are
// parked, and the mutex is held.
static void run_parts(void *context, size_t count, void (*task)(void *argument, size_t index),
                      void *argument)
{
    lc_hashlife *h = context;
    h->part = task;
    h->part_argument = argument;
    if (!h->store.is_shared) {
        lc_pool_run(h->config.pool, count, do_part, h);
        return;
    }
    h->part_count = count;
    __atomic_store_n(&h->next_part, 0, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->mutex);
    do_parts(h);
    pthread_mutex_lock(&h->mutex);
    while (h->at_parts > 0)
        pthread_cond_wait(&h->changed, &h->mutex);
    h->part_count = 0;
}

static void keep_batch(lc_batch *b, const lc_keeping *keeping)
{
    for (size_t k = 0; k < b->count; k++) {
        lc_keep(keeping, &b->jobs[k].node);
        keeping->call(keeping, &b->jobs[k].record, true);
        for (int n = 0; n < b->each; n++) {
            lc_keep(keeping, &b->squares[k][n]);
            keeping->call(keeping, &b->records[k][n], true);
        }
    }
    for (size_t k = 0; k < b->list_count; k++) {
        lc_keep(keeping, &b->list[k].node);
        keeping->call(keeping, &b->list[k].record, true);
    }
}

static void keep(void *context, const lc_keeping *keeping)
{
    lc_hashlife *h = context;
    for (size_t i = 0; i < LC_SEEN && i < h->seen_count; i++)
        lc_keep(keeping, &h->seen[i].root);
    for (int log2 = 0; log2 < LEVELS; log2++) {
        for (int i = 0; i < h->hand_count; i++)
            if (h->hands[i]->batches[log2] != NULL)
                keep_batch(h->hands[i]->batches[log2], keeping);
        if (h->streams != NULL && h->streams->parts[log2] != NULL)
            keep_batch(&h->streams->parts[log2]->batch, keeping);
    }
    if (h->streams != NULL)
        lc_streams_keep(h->streams, keeping);
}

static void free_hand(lc_hand *hand)
{
    if (hand->cells != NULL)
        lc_free_pages(hand->cells, CELLS_BYTES);
    for (int log2 = 0; log2 < LEVELS; log2++)
        if (hand->batches[log2] != NULL)
            lc_free_pages(hand->batches[log2], sizeof(lc_batch));
    lc_free_pages(hand, sizeof *hand);
}

lc_status lc_hashlife_take_hands(lc_hashlife *h, lc_message *message)
{
    const int wanted = h->config.threads < LC_HANDS_MAX ? h->config.threads : LC_HANDS_MAX;
    pthread_mutex_init(&h->mutex, NULL);
    pthread_cond_init(&h->changed, NULL);
    h->keeper = (lc_keeper){.each = keep, .context = h};
    lc_store_add_keeper(&h->store, &h->keeper);
    h->hands = lc_calloc((size_t)wanted, sizeof(lc_hand *));
    while (h->hands != NULL && h->hand_count < wanted) {
        lc_hand *hand = lc_alloc_pages(sizeof *hand);
        if (hand == NULL)
            break;
        hand->h = h;
        h->hands[h->hand_count++] = hand;
    }
    if (h->hand_count > 1) {
        h->store.run_parts = run_parts;
        h->store.parts_context = h;
    }
    return h->hand_count > 0 ? LC_OK : lc_fail(message, LC_ERROR_MEMORY, "no memory for an engine");
}

void lc_hashlife_free_hands(lc_hashlife *h)
{
    if (h->keeper.context == NULL)
        return;
    for (int i = 0; i < h->hand_count; i++)
        free_hand(h->hands[i]);
    lc_free(h->hands);
    lc_store_remove_keeper(&h->store, &h->keeper);
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->mutex);
}

uint64_t lc_hashlife_results(const lc_hashlife *h)
{
    uint64_t results = 0;
    for (int i = 0; i < h->hand_count; i++)
        results += __atomic_load_n(&h->hands[i]->results, __ATOMIC_RELAXED);
    return results;
}

lc_batch *lc_hand_batch(lc_hand *hand, int log2)
{
    if (hand->cells == NULL)
        hand->cells = lc_alloc_pages(CELLS_BYTES);
    if (hand->batches[log2] == NULL && hand->cells != NULL) // others look for what they can take
        __atomic_store_n(&hand->batches[log2], lc_alloc_pages(sizeof(lc_batch)), __ATOMIC_RELEASE);
    return hand->batches[log2];
}

lc_status lc_hand_ask_watch(lc_hand *hand, lc_message *message)
{
    lc_hashlife *h = hand->h;
    const lc_engine_watch *watch = h->config.watch;
    if (h->store.is_shared && __atomic_load_n(&h->is_over, __ATOMIC_ACQUIRE))
        return h->failure; // somebody's, who has left his squares as they were
    if (!hand->asks_watch || watch == NULL || watch->call == NULL ||
        lc_clock_ns() - h->looked_ns < watch->interval_ns)
        return LC_OK;
    // The cells are further than the generation that the universe says: the pass ends with the
    // leaps that it has made, and the watch is asked in the next one.
    if (h->has_leapt)
        return lc_fail(message, LC_ERROR_STOPPED, "the pass ends before this leap");
    const bool stop = watch->call(watch->context);
    h->looked_ns = lc_clock_ns();
    return stop ? lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch") : LC_OK;
}

// Being alone -------------------------------------------------------------------------------------

// With the mutex held. Squares that nobody keeps may be gone afterwards.
static void park(lc_hashlife *h)
{
    h->parked++;
    pthread_cond_broadcast(&h->changed);
    while (h->wants_to_be_alone) {
        if (__atomic_load_n(&h->next_part, __ATOMIC_RELAXED) >= h->part_count) {
            pthread_cond_wait(&h->changed, &h->mutex);
            continue;
        }
        h->at_parts++;
        pthread_mutex_unlock(&h->mutex);
        do_parts(h);
        pthread_mutex_lock(&h->mutex);
        h->at_parts--;
        pthread_cond_broadcast(&h->changed);
    }
    h->parked--;
}

static void let_others_be_alone(lc_hashlife *h)
{
    if (!__atomic_load_n(&h->wants_to_be_alone, __ATOMIC_RELAXED))
        return;
    pthread_mutex_lock(&h->mutex);
    park(h);
    pthread_mutex_unlock(&h->mutex);
}

lc_status lc_hand_reserve(lc_hand *hand, size_t nodes, size_t leaves, lc_message *message)
{
    lc_hashlife *h = hand->h;
    if (!h->store.is_shared)
        return lc_hashlife_reserve(h, &hand->stock, nodes, leaves, message);
    for (;;) {
        let_others_be_alone(h);
        if (lc_store_draw(&h->store, &hand->stock, nodes, leaves))
            return LC_OK;
        pthread_mutex_lock(&h->mutex);
        if (!h->wants_to_be_alone)
            break;
        park(h);
        pthread_mutex_unlock(&h->mutex);
    }
    __atomic_store_n(&h->wants_to_be_alone, true, __ATOMIC_RELAXED);
    while (h->parked < h->at_work - 1)
        pthread_cond_wait(&h->changed, &h->mutex);
    const lc_status status = lc_hashlife_reserve(h, &hand->stock, nodes, leaves, message);
    __atomic_store_n(&h->wants_to_be_alone, false, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->mutex);
    return status;
}

// Taking parts ------------------------------------------------------------------------------------

// Takes a part of the list of somebody's batch; 0: there is none.
static size_t take_part(lc_batch *of, size_t most, const lc_job **jobs)
{
    uint64_t offer = __atomic_load_n(&of->offer, __ATOMIC_ACQUIRE);
    for (;;) {
        const uint64_t count = offer >> 32, next = offer & UINT32_MAX;
        const size_t part = count - next < most ? (size_t)(count - next) : most;
        if (part == 0)
            return 0;
        *jobs = of->list + next;
        if (__atomic_compare_exchange_n(&of->offer, &offer, offer + part, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return part;
    }
}

static size_t part_of(const lc_hashlife *h, size_t count)
{
    if (!h->store.is_shared)
        return LC_BATCH;
    const size_t part = count / (2 * (size_t)h->hand_count);
    return part < h->least_part ? h->least_part : part < LC_BATCH ? part : LC_BATCH;
}

lc_status lc_hand_make_list(lc_hand *hand, int log2, lc_batch *of, lc_message *message)
{
    const size_t part = part_of(hand->h, of->list_count);
    const lc_job *jobs;
    size_t count;
    lc_status status = LC_OK;
    __atomic_store_n(&of->offer, (uint64_t)of->list_count << 32, __ATOMIC_RELEASE);
    while (status == LC_OK && (count = take_part(of, part, &jobs)) > 0)
        status = lc_hand_make(hand, log2, jobs, count, message);
    __atomic_store_n(&of->offer, 0, __ATOMIC_RELEASE);
    return status;
}

// Makes a part of somebody's list of squares of 2^most_log2 or smaller. *found: there was one.
static lc_status help(lc_hand *hand, int most_log2, bool *found, lc_message *message)
{
    lc_hashlife *h = hand->h;
    *found = false;
    for (int log2 = most_log2; log2 > LC_LEAF_LOG2; log2--) {
        for (int i = 0; i < h->hand_count; i++) {
            lc_batch *of = __atomic_load_n(&h->hands[i]->batches[log2 + 1], __ATOMIC_ACQUIRE);
            const lc_job *jobs;
            if (of == NULL || h->hands[i] == hand)
                continue;
            const uint64_t offer = __atomic_load_n(&of->offer, __ATOMIC_RELAXED);
            const size_t count = take_part(of, part_of(h, (size_t)(offer >> 32)), &jobs);
            *found = count > 0;
            if (count > 0)
                return lc_hand_make(hand, log2, jobs, count, message);
        }
    }
    return LC_OK;
}

// Nothing to do, so often in a row.
static void rest(unsigned *rests)
{
    enum { SPINS = 200, TURNS = 400, SLEEP_NS = 20000 };
    if (*rests < TURNS)
        *rests += 1;
    if (*rests < SPINS) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    } else if (*rests < TURNS) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    }
}

static lc_status look_round(lc_hand *hand, int most_log2, unsigned *rests, lc_message *message)
{
    bool found;
    let_others_be_alone(hand->h);
    lc_status status = help(hand, most_log2, &found, message);
    if (status == LC_OK)
        status = lc_hand_ask_watch(hand, message);
    if (found)
        *rests = 0;
    else
        rest(rests);
    return status;
}

lc_status lc_hand_wait(lc_hand *hand, int log2, const lc_square *record, lc_message *message)
{
    lc_hashlife *h = hand->h;
    unsigned rests = 0;
    lc_status status = LC_OK;
    while (status == LC_OK && __atomic_load_n(&lc_store_node(&h->store, *record)->result,
                                              __ATOMIC_ACQUIRE) >= LC_RESULT_WANTED)
        status = look_round(hand, log2, &rests, message);
    return status;
}

// All together ------------------------------------------------------------------------------------

typedef struct run {
    lc_hashlife *h;
    lc_status (*whole)(lc_hand *hand, lc_message *message);
} run;

// The first who fails says why.
static void end(lc_hashlife *h, lc_status status, const lc_message *why)
{
    pthread_mutex_lock(&h->mutex);
    if (!h->is_over) {
        h->failure = status;
        h->why = *why;
        __atomic_store_n(&h->is_over, true, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&h->mutex);
}

static void work(void *context, size_t index, int worker)
{
    const run *r = context;
    lc_hashlife *h = r->h;
    lc_hand *hand = h->hands[index];
    hand->asks_watch = worker == 0; // the caller
    pthread_mutex_lock(&h->mutex);
    while (h->wants_to_be_alone)
        pthread_cond_wait(&h->changed, &h->mutex);
    h->at_work++;
    pthread_mutex_unlock(&h->mutex);

    lc_message why = {0};
    lc_status status = LC_OK;
    unsigned rests = 0;
    if (index == 0)
        status = r->whole(hand, &why);
    while (index != 0 && status == LC_OK && !__atomic_load_n(&h->is_over, __ATOMIC_ACQUIRE))
        status = look_round(hand, h->root_log2, &rests, &why);
    if (index == 0 || status != LC_OK)
        end(h, status, &why);

    pthread_mutex_lock(&h->mutex);
    h->at_work--;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->mutex);
}

lc_status lc_hashlife_run(lc_hashlife *h, lc_status (*whole)(lc_hand *hand, lc_message *message),
                          lc_message *message)
{
    run r = {h, whole};
    if (h->hand_count == 1 || !h->is_worthwhile) {
        h->hands[0]->asks_watch = true;
        return whole(h->hands[0], message);
    }
    h->is_over = false;
    h->store.is_shared = true;
    lc_pool_run(h->config.pool, (size_t)h->hand_count, work, &r);
    h->store.is_shared = false;
    if (h->failure != LC_OK && message != NULL)
        *message = h->why;
    return h->failure;
}
