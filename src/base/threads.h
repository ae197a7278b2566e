// A pool of threads that share one list of tasks.
#ifndef LC_BASE_THREADS_H
#define LC_BASE_THREADS_H

#include <stddef.h>

#include "lightcone/status.h"

typedef struct lc_pool lc_pool;

// How many CPUs this process may run on (affinity and cgroup quota); at least 1.
int lc_cpu_count(void);

// A pool of `threads` workers; the thread that calls lc_pool_run is one of them. The others start
// when that first has something for them. LC_ERROR_ARGUMENT (threads < 1) or LC_ERROR_MEMORY: *out
// is NULL.
lc_status lc_pool_create(lc_pool **out, int threads);
void lc_pool_destroy(lc_pool **pool);
int lc_pool_threads(const lc_pool *pool);

// Starts the threads now, for those who measure them. LC_ERROR_SYSTEM: not all can be started.
lc_status lc_pool_start(lc_pool *pool);

// Runs task(context, index, worker) for each index in 0 .. count-1 and returns when all are done.
// Indices are handed out in order to whichever worker is free; 0 <= worker < threads, and no two
// tasks run on one worker at the same time, so a worker may own scratch memory. What the tasks
// wrote is visible to the caller. Workers spin for some microseconds before they sleep, because
// passes over small boards are that short. Any thread: several callers take turns, so scratch
// memory belongs to a worker and to what the tasks are about. One task, or those of a pool of one
// thread, run at once on the caller, whoever has the turn; so do all tasks of a call from inside a
// task of the pool, with the number of the worker that makes it.
typedef void (*lc_task)(void *context, size_t index, int worker);
void lc_pool_run(lc_pool *pool, size_t count, lc_task task, void *context);

#endif
