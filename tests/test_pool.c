// The pool: every task of a pass runs once, by a worker of its own at a time.
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/threads.h"

enum { MAX_THREADS = 8, MAX_TASKS = 5000 };

typedef struct pass {
    atomic_int runs[MAX_TASKS];   // how often each index ran
    atomic_int busy[MAX_THREADS]; // tasks on that worker at this moment
    atomic_int clashes;           // two tasks on one worker, or a worker that does not exist
    atomic_int threads_seen;      // bit n: worker n ran something
    _Atomic(pthread_t) threads[MAX_THREADS];
    int threads_expected;
    uint64_t plain[MAX_TASKS]; // written without atomics: must be visible to the caller
    uint64_t seed;
} pass;

static void note_task(void *context, size_t index, int worker)
{
    pass *p = context;
    if (worker < 0 || worker >= p->threads_expected) {
        atomic_fetch_add(&p->clashes, 1);
        return;
    }
    if (atomic_fetch_add(&p->busy[worker], 1) != 0)
        atomic_fetch_add(&p->clashes, 1);
    if (!(atomic_fetch_or(&p->threads_seen, 1 << worker) & 1 << worker))
        atomic_store(&p->threads[worker], pthread_self());
    else if (!pthread_equal(atomic_load(&p->threads[worker]), pthread_self()))
        atomic_fetch_add(&p->clashes, 1);
    atomic_fetch_add(&p->runs[index], 1);
    p->plain[index] = p->seed * (index + 1);
    atomic_fetch_sub(&p->busy[worker], 1);
}

static void test_pool_indices(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 64, 1000, MAX_TASKS};
    pass *p = calloc(1, sizeof *p);
    assert_non_null(p);
    for (int threads = 1; threads <= MAX_THREADS; threads++) {
        lc_pool *pool;
        assert_int_equal(lc_pool_create(&pool, threads), LC_OK);
        assert_int_equal(lc_pool_threads(pool), threads);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            memset(p, 0, sizeof *p);
            p->threads_expected = threads;
            p->seed = 1000003u * c + 1;
            lc_pool_run(pool, counts[c], note_task, p);
            assert_int_equal(atomic_load(&p->clashes), 0);
            for (size_t i = 0; i < MAX_TASKS; i++) {
                assert_int_equal(atomic_load(&p->runs[i]), i < counts[c]);
                assert_true(p->plain[i] == (i < counts[c] ? p->seed * (i + 1) : 0));
            }
            if (atomic_load(&p->threads_seen) & 1) // worker 0 is the caller
                assert_true(pthread_equal(atomic_load(&p->threads[0]), pthread_self()));
        }
        lc_pool_destroy(&pool);
        assert_null(pool);
    }
    free(p);
}

typedef struct sums {
    uint64_t of_worker[MAX_THREADS][8]; // a cache line each; scratch that the worker owns
    uint64_t factor;
} sums;

static void add_index(void *context, size_t index, int worker)
{
    sums *s = context;
    s->of_worker[worker][0] += (index + 1) * s->factor; // no atomics: one task a worker at a time
}

// Many short passes with different numbers of tasks, one after the other and after pauses that let
// the workers fall asleep: a task lost, done twice or left over from an earlier pass shows.
static void test_pool_reuse(void **state)
{
    (void)state;
    for (int threads = 1; threads <= MAX_THREADS; threads += threads < 4 ? 1 : 4) {
        lc_pool *pool;
        assert_int_equal(lc_pool_create(&pool, threads), LC_OK);
        uint64_t random = 1;
        for (int run = 0; run < 10000; run++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            size_t count = (random >> 33) % 40;
            sums s = {.factor = random >> 40};
            lc_pool_run(pool, count, add_index, &s);
            uint64_t sum = 0;
            for (int worker = 0; worker < MAX_THREADS; worker++)
                sum += s.of_worker[worker][0];
            assert_true(sum == s.factor * (count * (count + 1) / 2));
            if (run % 1000 == 999)
                usleep(1000);
        }
        lc_pool_destroy(&pool);
    }
}

static void wait_for_others(void *context, size_t index, int worker)
{
    (void)index;
    (void)worker;
    atomic_int *arrived = context;
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < 4)
        sched_yield();
}

// Four tasks that each wait for the other three end only if four threads run at the same time.
static void test_pool_is_parallel(void **state)
{
    (void)state;
    lc_pool *pool;
    assert_int_equal(lc_pool_create(&pool, 4), LC_OK);
    for (int run = 0; run < 50; run++) {
        atomic_int arrived = 0;
        lc_pool_run(pool, 4, wait_for_others, &arrived);
        assert_int_equal(atomic_load(&arrived), 4);
        if (run % 10 == 0)
            usleep(500);
    }
    lc_pool_destroy(&pool);
}

typedef struct nested {
    lc_pool *pool, *other;
    int worker;            // of `pool`, around what follows
    atomic_int *runs;      // of innermost tasks
    atomic_int *strangers; // that another worker ran
} nested;

static void run_innermost(void *context, size_t index, int worker)
{
    const nested *n = context;
    (void)index;
    atomic_fetch_add(n->runs, 1);
    if (worker != n->worker)
        atomic_fetch_add(n->strangers, 1);
}

// Of a pass of the other pool. Its own threads know nothing of the first pool.
static void run_between(void *context, size_t index, int worker)
{
    nested *n = context;
    (void)index;
    if (worker == 0)
        lc_pool_run(n->pool, 3, run_innermost, n);
}

static void run_outermost(void *context, size_t index, int worker)
{
    nested n = *(const nested *)context;
    (void)index;
    n.worker = worker;
    lc_pool_run(n.pool, 5, run_innermost, &n);
    lc_pool_run(n.pool, 1, run_innermost, &n);
    lc_pool_run(n.other, 1000, run_between, &n);
}

// A task that runs a pass of its own pool would wait for itself. It runs it alone, as the worker
// that it is, also from inside a pass of another pool.
static void test_pool_within_a_task(void **state)
{
    (void)state;
    atomic_int runs = 0, strangers = 0;
    for (int threads = 2; threads <= 4; threads++) {
        nested n = {.runs = &runs, .strangers = &strangers};
        assert_int_equal(lc_pool_create(&n.pool, threads), LC_OK);
        assert_int_equal(lc_pool_create(&n.other, 2), LC_OK);
        atomic_store(&runs, 0);
        lc_pool_run(n.pool, 4, run_outermost, &n);
        assert_true(atomic_load(&runs) >= 4 * 6);
        assert_int_equal((atomic_load(&runs) - 4 * 6) % 3, 0);
        assert_int_equal(atomic_load(&strangers), 0);
        lc_pool_destroy(&n.pool);
        lc_pool_destroy(&n.other);
    }
}

static void slow_task(void *context, size_t index, int worker)
{
    (void)worker;
    atomic_int *done = context;
    if (index == 1)
        usleep(5000); // far longer than anyone spins
    atomic_fetch_add(done, 1);
}

static void test_pool_waits_for_the_slowest(void **state)
{
    (void)state;
    lc_pool *pool;
    assert_int_equal(lc_pool_create(&pool, 2), LC_OK);
    for (int run = 0; run < 20; run++) {
        atomic_int done = 0;
        lc_pool_run(pool, 2, slow_task, &done);
        assert_int_equal(atomic_load(&done), 2);
    }
    lc_pool_destroy(&pool);
}

static void test_pool_create(void **state)
{
    (void)state;
    lc_pool *pool = (lc_pool *)state;
    assert_int_equal(lc_pool_create(&pool, 0), LC_ERROR_ARGUMENT);
    assert_null(pool);
    pool = (lc_pool *)state;
    assert_int_equal(lc_pool_create(&pool, -1), LC_ERROR_ARGUMENT);
    assert_null(pool);
    for (uint64_t n = 1; n <= 2; n++) {
        lc_fail_allocation(n);
        pool = (lc_pool *)state;
        assert_int_equal(lc_pool_create(&pool, 3), LC_ERROR_MEMORY);
        assert_null(pool);
    }
    lc_fail_allocation(0);
    lc_pool_destroy(NULL);
    lc_pool_destroy(&pool);
    for (int i = 0; i < 200; i++) { // never used: destroyed while the workers may still be starting
        assert_int_equal(lc_pool_create(&pool, 1 + i % 5), LC_OK);
        if (i % 2 == 0)
            assert_int_equal(lc_pool_start(pool), LC_OK);
        if (i % 4 == 0)
            assert_int_equal(lc_pool_start(pool), LC_OK);
        lc_pool_destroy(&pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_indices),
        cmocka_unit_test(test_pool_reuse),
        cmocka_unit_test(test_pool_is_parallel),
        cmocka_unit_test(test_pool_within_a_task),
        cmocka_unit_test(test_pool_waits_for_the_slowest),
        cmocka_unit_test(test_pool_create),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
