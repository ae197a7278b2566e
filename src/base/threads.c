// A pool of threads that share one list of tasks.
//
// A pass is one call of lc_pool_run. The state of the current pass is one 64-bit word, the ticket:
//
//     63          32 31           0
//     [ pass number ][ next index  ]      index `closed`: between passes, nothing to take
//
// A worker takes index i by comparing and swapping (pass, i) for (pass, i + 1). If that succeeds,
// the pass did not change since the worker read the ticket, so the task, context and count that it
// read in between belong to that pass (they are only changed while the ticket is closed). Therefore
// a worker that comes late harms nothing, and the caller need not wait for sleepers to wake up: it
// waits only for tasks that were really taken. Passes over small boards last some 20 microseconds,
// about as long as it takes to wake a thread. Threads therefore spin before they sleep.
//
// The current pass belongs to one caller. Other callers wait for their turn at a mutex. If a
// universe has its threads to itself, there are no others, and locking takes some nanoseconds. A
// task that calls lc_pool_run would wait for itself. So each thread knows the pools whose tasks it
// runs, and runs such a pass alone.
//
// The first pass with work for the threads starts them. If one cannot be started, the others, at
// least the caller, run all tasks.
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/clock.h"
#include "base/memory.h"

static const uint32_t closed = UINT32_MAX;
static const uint64_t spin_ns = 50000;

typedef struct worker {
    lc_pool *pool;
    pthread_t thread;
    int number;
} worker;

// A pool whose tasks this thread is running. A task of one pool may run a pass of another.
typedef struct membership {
    const lc_pool *pool;
    int number;                     // of the worker
    const struct membership *outer; // NULL: none
} membership;

static _Thread_local const membership *memberships;

struct lc_pool {
    int threads;
    pthread_mutex_t turn; // held by the caller of the current pass; guards the next two
    bool asked_for;       // the start of the threads was attempted
    int started;          // number of running threads: workers[1..]
    uint64_t spin_ns;     // 0 with more workers than CPUs, because spinning would stop the others
    worker *workers;      // [threads]; workers[0] is the caller

    // The caller writes these while the ticket is closed.
    _Atomic(lc_task) task;
    _Atomic(void *) context;
    _Atomic(size_t) first; // the caller's index for index 0 of the ticket
    _Atomic(uint32_t) count;

    _Alignas(64) _Atomic(uint64_t) ticket;
    _Alignas(64) _Atomic(uint32_t) unfinished; // tasks of this pass that have not been completed
    _Alignas(64) _Atomic(int) sleepers;        // workers that wait, or are about to, on `work`
    _Atomic(bool) caller_sleeps;
    _Atomic(bool) quit;
    pthread_mutex_t mutex;
    pthread_cond_t work; // the ticket was opened, or `quit` was set
    pthread_cond_t done; // `unfinished` came to 0
};

static void pause_cpu(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("isb");
#endif
}

static uint32_t pass_of(uint64_t ticket)
{
    return (uint32_t)(ticket >> 32);
}

static uint64_t make_ticket(uint32_t pass, uint32_t index)
{
    return (uint64_t)pass << 32 | index;
}

// Takes and runs tasks of the current pass until none is left. Returns the number of the pass.
static uint32_t work_on_pass(lc_pool *pool, int number)
{
    uint32_t completed = 0;
    uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
    for (;;) {
        uint32_t index = (uint32_t)ticket;
        if (index == closed)
            break;
        // Acquire: if this thread sees a value of the next pass, it also sees that this pass was
        // closed.
        lc_task task = atomic_load_explicit(&pool->task, memory_order_acquire);
        void *context = atomic_load_explicit(&pool->context, memory_order_acquire);
        size_t first = atomic_load_explicit(&pool->first, memory_order_acquire);
        uint32_t count = atomic_load_explicit(&pool->count, memory_order_acquire);
        if (index >= count)
            break;
        if (!atomic_compare_exchange_weak_explicit(&pool->ticket, &ticket, ticket + 1,
                                                   memory_order_acq_rel, memory_order_acquire))
            continue; // `ticket` now has the current value
        task(context, first + index, number);
        completed++;
        ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
    }
    if (completed > 0 && atomic_fetch_sub(&pool->unfinished, completed) == completed &&
        atomic_load(&pool->caller_sleeps)) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->mutex);
    }
    return pass_of(ticket);
}

// Returns whether a worker that has completed pass `seen` must look at the pool again.
static bool has_news(lc_pool *pool, uint32_t seen)
{
    uint64_t ticket = atomic_load(&pool->ticket);
    return (pass_of(ticket) != seen && (uint32_t)ticket != closed) || atomic_load(&pool->quit);
}

static bool all_finished(lc_pool *pool)
{
    return atomic_load(&pool->unfinished) == 0;
}

static void wait_for_news(lc_pool *pool, uint32_t seen)
{
    if (pool->spin_ns > 0) {
        uint64_t start_ns = lc_clock_ns();
        do {
            for (int i = 0; i < 16; i++) {
                if (has_news(pool, seen))
                    return;
                pause_cpu();
            }
        } while (lc_clock_ns() - start_ns < pool->spin_ns);
    }
    pthread_mutex_lock(&pool->mutex);
    // The worker increments the count before its last look at the ticket, and the caller opens the
    // ticket before it looks at the count. So at least one of the two sees the other.
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_news(pool, seen))
        pthread_cond_wait(&pool->work, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *run_worker(void *argument)
{
    worker *self = argument;
    const membership here = {self->pool, self->number, NULL};
    uint32_t seen = 0;
    memberships = &here;
    while (!atomic_load(&self->pool->quit)) {
        wait_for_news(self->pool, seen);
        seen = work_on_pass(self->pool, self->number);
    }
    memberships = NULL;
    return NULL;
}

static void wait_for_finish(lc_pool *pool)
{
    if (pool->spin_ns > 0) {
        uint64_t start_ns = lc_clock_ns();
        do {
            for (int i = 0; i < 16; i++) {
                if (all_finished(pool))
                    return;
                pause_cpu();
            }
        } while (lc_clock_ns() - start_ns < pool->spin_ns);
    }
    pthread_mutex_lock(&pool->mutex);
    (void)atomic_exchange(&pool->caller_sleeps, true); // as in run_pass
    while (!all_finished(pool))
        pthread_cond_wait(&pool->done, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

// Runs one pass of 1 to closed - 1 tasks on all workers.
static void run_pass(lc_pool *pool, size_t first, uint32_t count, lc_task task, void *context)
{
    uint32_t pass = pass_of(atomic_load_explicit(&pool->ticket, memory_order_relaxed));
    atomic_store(&pool->ticket, make_ticket(pass, closed));
    atomic_store_explicit(&pool->task, task, memory_order_release);
    atomic_store_explicit(&pool->context, context, memory_order_release);
    atomic_store_explicit(&pool->first, first, memory_order_release);
    atomic_store_explicit(&pool->count, count, memory_order_release);
    atomic_store(&pool->unfinished, count);
    // An exchange, not a store: the reads below must not move before it. An emulator of Arm on x86
    // (qemu-user) lets a load pass a store-release, which real processors keep in order.
    (void)atomic_exchange(&pool->ticket, make_ticket(pass + 1, 0));
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->mutex);
    }
    const membership here = {pool, 0, memberships};
    memberships = &here;
    (void)work_on_pass(pool, 0);
    memberships = here.outer;
    wait_for_finish(pool);
}

// Returns the number of the worker that this thread is while it runs a task of the pool; -1: none.
static int number_within(const lc_pool *pool)
{
    for (const membership *m = memberships; m != NULL; m = m->outer)
        if (m->pool == pool)
            return m->number;
    return -1;
}

// Starts as many of the threads as possible.
static void start_workers(lc_pool *pool)
{
    // Workers block all signals, which belong to the program's own threads. A handler that runs on
    // a worker would not interrupt the program's blocking calls.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool ok = true;
    for (int i = 1; i < pool->threads && ok; i++) {
        worker *self = &pool->workers[i];
        self->pool = pool;
        self->number = i;
        ok = pthread_create(&self->thread, NULL, run_worker, self) == 0;
        pool->started += ok;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pool->asked_for = true;
}

lc_status lc_pool_start(lc_pool *pool)
{
    pthread_mutex_lock(&pool->turn);
    if (!pool->asked_for)
        start_workers(pool);
    const bool all = pool->started == pool->threads - 1;
    pthread_mutex_unlock(&pool->turn);
    return all ? LC_OK : LC_ERROR_SYSTEM;
}

void lc_pool_run(lc_pool *pool, size_t count, lc_task task, void *context)
{
    const int number = number_within(pool);
    if (pool->threads == 1 || count <= 1 || number >= 0) {
        for (size_t i = 0; i < count; i++)
            task(context, i, number >= 0 ? number : 0);
        return;
    }
    pthread_mutex_lock(&pool->turn);
    if (!pool->asked_for)
        start_workers(pool);
    for (size_t first = 0; first < count;) {
        size_t left = count - first;
        uint32_t part = left < closed ? (uint32_t)left : closed - 1;
        run_pass(pool, first, part, task, context);
        first += part;
    }
    pthread_mutex_unlock(&pool->turn);
}

lc_status lc_pool_create(lc_pool **out, int threads)
{
    *out = NULL;
    if (threads < 1)
        return LC_ERROR_ARGUMENT;
    lc_pool *pool = lc_alloc_pages(sizeof *pool); // aligned as its members require
    if (pool == NULL)
        return LC_ERROR_MEMORY;
    pool->threads = threads;
    pool->spin_ns = threads > 1 && threads <= lc_cpu_count() ? spin_ns : 0;
    atomic_init(&pool->ticket, make_ticket(0, closed));
    pool->workers = lc_calloc((size_t)threads, sizeof *pool->workers);
    if (pool->workers == NULL) {
        lc_free_pages(pool, sizeof *pool);
        return LC_ERROR_MEMORY;
    }
    pthread_mutex_init(&pool->turn, NULL); // with default attributes these cannot fail
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    *out = pool;
    return LC_OK;
}

void lc_pool_destroy(lc_pool **pool)
{
    if (pool == NULL || *pool == NULL)
        return;
    lc_pool *p = *pool;
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->quit, true);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->mutex);
    for (int i = 1; i <= p->started; i++)
        pthread_join(p->workers[i].thread, NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->mutex);
    pthread_mutex_destroy(&p->turn);
    lc_free(p->workers);
    lc_free_pages(p, sizeof *p);
    *pool = NULL;
}

int lc_pool_threads(const lc_pool *pool)
{
    return pool->threads;
}

// Returns the number of CPUs in this process's affinity mask; 0 if it cannot be read. The kernel
// refuses a mask shorter than its own, so we try longer ones until it accepts.
static int affinity_count(void)
{
    for (int cpus = 1024; cpus <= 1 << 18; cpus *= 4) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        if (set == NULL)
            return 0;
        size_t size_bytes = CPU_ALLOC_SIZE((size_t)cpus);
        int count = 0;
        if (sched_getaffinity(0, size_bytes, set) == 0)
            count = CPU_COUNT_S(size_bytes, set);
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    return 0;
}

// Returns the control group's quota. Reads it once per process, because that takes as long as
// creating a small universe.
static uint64_t cpu_quota(void)
{
    static _Atomic(uint64_t) found; // 0: not read yet
    uint64_t quota = atomic_load(&found);
    if (quota == 0) { // several threads may do this and find the same value
        if (!lc_cgroup_cpus("", &quota))
            quota = UINT64_MAX;
        atomic_store(&found, quota);
    }
    return quota;
}

int lc_cpu_count(void)
{
    int count = affinity_count();
    if (count < 1) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 0 ? (int)online : 1;
    }
    const uint64_t quota = cpu_quota();
    return quota < (uint64_t)count ? (int)quota : count;
}
