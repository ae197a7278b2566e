// Workers: results are computed by one thread, or by several that share the work.
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "engine/hashlife/hashlife_streams.h"

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

// Implements lc_store's run_parts. Either no worker runs, and the pool is free, or the other
// workers are parked, and the caller holds the mutex.
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

static void keep_batch(lc_square_batch *b, const lc_keeping *keeping)
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
        for (int i = 0; i < h->worker_count; i++)
            if (h->workers[i]->batches[log2] != NULL)
                keep_batch(h->workers[i]->batches[log2], keeping);
        if (h->streams != NULL && h->streams->parts[log2] != NULL)
            keep_batch(&h->streams->parts[log2]->batch, keeping);
    }
    if (h->streams != NULL)
        lc_streams_keep(h->streams, keeping);
}

static void free_worker(lc_hashlife_worker *worker)
{
    if (worker->cells != NULL)
        lc_free_pages(worker->cells, CELLS_BYTES);
    for (int log2 = 0; log2 < LEVELS; log2++)
        if (worker->batches[log2] != NULL)
            lc_free_pages(worker->batches[log2], sizeof(lc_square_batch));
    lc_free_pages(worker, sizeof *worker);
}

lc_status lc_hashlife_create_workers(lc_hashlife *h, lc_message *message)
{
    const int wanted =
        h->config.threads < LC_HASHLIFE_WORKERS_MAX ? h->config.threads : LC_HASHLIFE_WORKERS_MAX;
    pthread_mutex_init(&h->mutex, NULL);
    pthread_cond_init(&h->changed, NULL);
    pthread_cond_init(&h->offered, NULL);
    h->gc_root = (lc_gc_root){.each = keep, .context = h};
    lc_store_add_root(&h->store, &h->gc_root);
    h->workers = lc_calloc((size_t)wanted, sizeof(lc_hashlife_worker *));
    while (h->workers != NULL && h->worker_count < wanted) {
        lc_hashlife_worker *worker = lc_alloc_pages(sizeof *worker);
        if (worker == NULL)
            break;
        worker->h = h;
        h->workers[h->worker_count++] = worker;
    }
    if (h->worker_count > 1) {
        h->store.run_parts = run_parts;
        h->store.parts_context = h;
    }
    return h->worker_count > 0 ? LC_OK : lc_fail_memory(message, "an engine");
}

void lc_hashlife_free_workers(lc_hashlife *h)
{
    if (h->gc_root.context == NULL)
        return;
    for (int i = 0; i < h->worker_count; i++)
        free_worker(h->workers[i]);
    lc_free(h->workers);
    lc_store_remove_root(&h->store, &h->gc_root);
    pthread_cond_destroy(&h->changed);
    pthread_cond_destroy(&h->offered);
    pthread_mutex_destroy(&h->mutex);
}

uint64_t lc_hashlife_results(const lc_hashlife *h)
{
    uint64_t results = 0;
    for (int i = 0; i < h->worker_count; i++)
        results += __atomic_load_n(&h->workers[i]->results, __ATOMIC_RELAXED);
    return results;
}

lc_square_batch *lc_hashlife_worker_batch(lc_hashlife_worker *worker, int log2)
{
    if (worker->cells == NULL)
        worker->cells = lc_alloc_pages(CELLS_BYTES);
    if (worker->batches[log2] == NULL &&
        worker->cells != NULL) // other workers look for lists to steal from
        __atomic_store_n(&worker->batches[log2], lc_alloc_pages(sizeof(lc_square_batch)),
                         __ATOMIC_RELEASE);
    return worker->batches[log2];
}

lc_status lc_hashlife_worker_ask_watch(lc_hashlife_worker *worker, lc_message *message)
{
    lc_hashlife *h = worker->h;
    const lc_engine_watch *watch = h->config.watch;
    if (h->store.is_shared && __atomic_load_n(&h->is_over, __ATOMIC_ACQUIRE))
        return h->failure; // another worker's; it has left its squares as they were
    const bool may_help = h->worker_count > 1 && !h->is_worthwhile;
    const bool is_watched = worker->asks_watch && watch != NULL && watch->call != NULL;
    const uint64_t now_ns = may_help || is_watched ? lc_clock_ns() : 0;
    if (may_help && now_ns - h->began_ns > h->help_after_ns) {
        h->needs_help = true;
        return lc_fail(message, LC_ERROR_STOPPED, "all threads go on with it");
    }
    if (!is_watched || now_ns - h->looked_ns < watch->interval_ns)
        return LC_OK;
    // The cells are ahead of the generation that the universe reports. So the pass ends with the
    // jumps that it has made, and the next pass asks the watch.
    if (h->has_jumped)
        return lc_fail(message, LC_ERROR_STOPPED, "the pass ends before this jump");
    const bool stop = watch->call(watch->context);
    h->looked_ns = lc_clock_ns();
    return stop ? lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch") : LC_OK;
}

// Exclusive access --------------------------------------------------------------------------------

// Waits until the exclusive worker has finished, and runs its parts. The caller holds the mutex.
// Afterwards squares that no GC root marks may be gone.
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

lc_status lc_hashlife_worker_reserve(lc_hashlife_worker *worker, size_t nodes, size_t leaves,
                                     lc_message *message)
{
    lc_hashlife *h = worker->h;
    if (!h->store.is_shared)
        return lc_hashlife_reserve(h, &worker->stock, nodes, leaves, message);
    for (;;) {
        let_others_be_alone(h);
        if (lc_store_draw(&h->store, &worker->stock, nodes, leaves))
            return LC_OK;
        pthread_mutex_lock(&h->mutex);
        if (h->wants_to_be_alone)
            park(h);
        else if (!lc_store_extend(&h->store, nodes, leaves))
            break;
        pthread_mutex_unlock(&h->mutex);
    }
    __atomic_store_n(&h->wants_to_be_alone, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&h->offered); // sleeping workers must park
    while (h->parked < h->at_work - 1)
        pthread_cond_wait(&h->changed, &h->mutex);
    const lc_status status = lc_hashlife_reserve(h, &worker->stock, nodes, leaves, message);
    __atomic_store_n(&h->wants_to_be_alone, false, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->mutex);
    return status;
}

// Stealing parts ----------------------------------------------------------------------------------

static size_t part_of(const lc_hashlife *h, size_t count)
{
    if (!h->store.is_shared)
        return LC_BATCH;
    const size_t part = count / (2 * (size_t)h->workers_at_work);
    return part < h->least_part ? h->least_part : part < LC_BATCH ? part : LC_BATCH;
}

// A list of more than one part is open to all workers until its last part is taken.
static bool is_open(const lc_hashlife *h, size_t count)
{
    return h->store.is_shared && count > part_of(h, count);
}

// Takes a part of the list of a worker's batch. Returns 0 if nothing is left.
static size_t take_part(lc_hashlife_worker *owner, lc_square_batch *of, uint64_t offer,
                        const lc_job **jobs)
{
    const size_t count = (size_t)(offer >> 32), most = part_of(owner->h, count);
    for (;;) {
        const size_t next = (size_t)(offer & UINT32_MAX);
        const size_t left = count - next, part = left < most ? left : most;
        if (part == 0 || (size_t)(offer >> 32) != count)
            return 0;
        *jobs = of->list + next;
        if (!__atomic_compare_exchange_n(&of->offer, &offer, offer + part, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE))
            continue;
        if (part == left && is_open(owner->h, count))
            __atomic_fetch_sub(&owner->open_lists, 1, __ATOMIC_RELAXED);
        return part;
    }
}

static void wake_one(lc_hashlife *h)
{
    if (__atomic_load_n(&h->asleep, __ATOMIC_SEQ_CST) == 0)
        return;
    pthread_mutex_lock(&h->mutex);
    pthread_cond_signal(&h->offered);
    pthread_mutex_unlock(&h->mutex);
}

lc_status lc_hashlife_worker_make_list(lc_hashlife_worker *worker, int log2, lc_square_batch *of,
                                       lc_message *message)
{
    const uint64_t offer = (uint64_t)of->list_count << 32;
    const lc_job *jobs;
    size_t count;
    lc_status status = LC_OK;
    if (is_open(worker->h, of->list_count)) {
        // Counts the list before opening it, so that the worker that takes its last part finds it
        // counted. Sequentially consistent with workers that go to sleep: they see this list, or
        // this worker sees them.
        __atomic_fetch_add(&worker->open_lists, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&of->offer, offer, __ATOMIC_RELEASE);
        wake_one(worker->h);
    } else {
        __atomic_store_n(&of->offer, offer, __ATOMIC_RELEASE);
    }
    while (status == LC_OK &&
           (count = take_part(worker, of, __atomic_load_n(&of->offer, __ATOMIC_ACQUIRE), &jobs)) >
               0)
        status = lc_hashlife_worker_make(worker, log2, jobs, count, message);
    __atomic_store_n(&of->offer, 0, __ATOMIC_RELEASE);
    return status;
}

// Computes a part of another worker's open list, of squares of 2^most_log2 or smaller, the largest
// first. Sets *found to whether there was one.
static lc_status help(lc_hashlife_worker *worker, int most_log2, bool *found, lc_message *message)
{
    lc_hashlife *h = worker->h;
    lc_hashlife_worker *others[LC_HASHLIFE_WORKERS_MAX];
    int count = 0;
    *found = false;
    for (int i = 0; i < h->workers_at_work; i++)
        if (h->workers[i] != worker &&
            __atomic_load_n(&h->workers[i]->open_lists, __ATOMIC_RELAXED) != 0)
            others[count++] = h->workers[i];
    for (int log2 = most_log2; log2 > LC_LEAF_LOG2 && count > 0; log2--) {
        for (int i = 0; i < count; i++) {
            lc_square_batch *of = __atomic_load_n(&others[i]->batches[log2 + 1], __ATOMIC_ACQUIRE);
            const uint64_t offer = of == NULL ? 0 : __atomic_load_n(&of->offer, __ATOMIC_ACQUIRE);
            const lc_job *jobs;
            if (!is_open(h, (size_t)(offer >> 32)))
                continue;
            const size_t taken = take_part(others[i], of, offer, &jobs);
            *found = taken > 0;
            if (taken > 0)
                return lc_hashlife_worker_make(worker, log2, jobs, taken, message);
        }
    }
    return LC_OK;
}

static bool is_anything_open(const lc_hashlife *h)
{
    for (int i = 0; i < h->workers_at_work; i++)
        if (__atomic_load_n(&h->workers[i]->open_lists, __ATOMIC_SEQ_CST) != 0)
            return true;
    return false;
}

// Sleeps until a list is open or the whole work has ended.
static void sleep_until_offered(lc_hashlife *h)
{
    pthread_mutex_lock(&h->mutex);
    __atomic_fetch_add(&h->asleep, 1, __ATOMIC_SEQ_CST);
    while (!h->is_over && !is_anything_open(h))
        if (h->wants_to_be_alone)
            park(h);
        else
            pthread_cond_wait(&h->offered, &h->mutex);
    __atomic_fetch_sub(&h->asleep, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&h->mutex);
}

// Rests after *rests attempts in a row that found no work. A worker that waits for another worker's
// square or asks the watch soon looks again; the others sleep. Sleeping and waking cost about 50
// us, and work often appears sooner. (About half a millisecond of yielding was best on 16 cores.
// Other programs on the machine get the time.)
static void rest(lc_hashlife *h, unsigned *rests, bool is_waiting)
{
    enum { SPINS = 300, TURNS = 2000, SLEEP_NS = 20000 };
    if (*rests < TURNS)
        *rests += 1;
    if (*rests < SPINS) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    } else if (*rests < TURNS) {
        sched_yield();
    } else if (is_waiting) {
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    } else {
        sleep_until_offered(h);
    }
}

static lc_status look_round(lc_hashlife_worker *worker, int most_log2, unsigned *rests,
                            bool is_waiting, lc_message *message)
{
    bool found;
    const bool is_watched = worker->asks_watch && worker->h->config.watch != NULL;
    let_others_be_alone(worker->h);
    lc_status status = help(worker, most_log2, &found, message);
    if (status == LC_OK)
        status = lc_hashlife_worker_ask_watch(worker, message);
    if (found)
        *rests = 0;
    else
        rest(worker->h, rests, is_waiting || is_watched);
    return status;
}

lc_status lc_hashlife_worker_wait(lc_hashlife_worker *worker, int log2, const lc_square *record,
                                  lc_message *message)
{
    lc_hashlife *h = worker->h;
    unsigned rests = 0;
    lc_status status = LC_OK;
    while (status == LC_OK && __atomic_load_n(&lc_store_node(&h->store, *record)->result,
                                              __ATOMIC_ACQUIRE) >= LC_RESULT_WANTED)
        status = look_round(worker, log2, &rests, true, message);
    return status;
}

// Running the workers -----------------------------------------------------------------------------

typedef struct run {
    lc_hashlife *h;
    lc_status (*whole)(lc_hashlife_worker *worker, lc_message *message);
} run;

// Ends the whole work. The first worker to end sets its status and message.
static void end(lc_hashlife *h, lc_status status, const lc_message *why)
{
    pthread_mutex_lock(&h->mutex);
    if (!h->is_over) {
        h->failure = status;
        h->why = *why;
        __atomic_store_n(&h->is_over, true, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&h->offered);
    }
    pthread_mutex_unlock(&h->mutex);
}

static void work(void *context, size_t index, int thread)
{
    const run *r = context;
    lc_hashlife *h = r->h;
    lc_hashlife_worker *worker = h->workers[index];
    worker->asks_watch = thread == 0; // the caller
    pthread_mutex_lock(&h->mutex);
    while (h->wants_to_be_alone)
        pthread_cond_wait(&h->changed, &h->mutex);
    h->at_work++;
    pthread_mutex_unlock(&h->mutex);

    lc_message why = {0};
    lc_status status = LC_OK;
    unsigned rests = 0;
    if (index == 0)
        status = r->whole(worker, &why);
    while (index != 0 && status == LC_OK && !__atomic_load_n(&h->is_over, __ATOMIC_ACQUIRE))
        status = look_round(worker, h->root_log2, &rests, false, &why);
    if (index == 0 || status != LC_OK)
        end(h, status, &why);

    pthread_mutex_lock(&h->mutex);
    h->at_work--;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->mutex);
}

lc_status lc_hashlife_run(lc_hashlife *h,
                          lc_status (*whole)(lc_hashlife_worker *worker, lc_message *message),
                          lc_message *message)
{
    run r = {h, whole};
    h->began_ns = lc_clock_ns();
    if (h->worker_count == 1 || !h->is_worthwhile) {
        h->workers[0]->asks_watch = true;
        return whole(h->workers[0], message);
    }
    h->workers_at_work = h->needs_help ? h->worker_count : h->workers_wanted;
    h->needs_help = false;
    for (int i = 0; i < h->workers_at_work; i++)
        h->workers[i]->open_lists = 0; // an error may have left some open
    h->is_over = false;
    h->store.is_shared = true;
    lc_pool_run(h->config.pool, (size_t)h->workers_at_work, work, &r);
    h->store.is_shared = false;
    return lc_fail_again(message, h->failure, &h->why);
}
