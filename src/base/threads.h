// A pool of threads that share one list of tasks.
#ifndef LC_BASE_THREADS_H
#define LC_BASE_THREADS_H

#include <stddef.h>

#include "lightcone/status.h"

typedef struct lc_pool lc_pool;

// Returns the number of CPUs that this process may use (affinity and control group); at least 1.
int lc_cpu_count(void);

// Creates a pool of `threads` workers. The thread that calls lc_pool_run is one of them; the others
// start when they first have work. Returns LC_OK; LC_ERROR_ARGUMENT (threads < 1); LC_ERROR_MEMORY.
// On error *out is NULL.
lc_status lc_pool_create(lc_pool **out, int threads);
void lc_pool_destroy(lc_pool **pool);
int lc_pool_threads(const lc_pool *pool);

// Starts the threads now, which measurements need. LC_ERROR_SYSTEM: not all could be started.
lc_status lc_pool_start(lc_pool *pool);

// Runs task(context, index, worker) for each index in 0 .. count-1 and returns when all are done.
// Workers take indices in order. 0 <= worker < threads, and a worker runs one task at a time, so it
// may own scratch memory. The caller sees all writes of the tasks. Workers spin for some
// microseconds before they sleep, because passes over small boards are that short.
// Any thread may call this. Several callers take turns, so scratch memory belongs to a worker and
// to the object of the tasks. A single task, and all tasks of a pool with one thread, run at once
// on the caller without waiting for a turn. So do the tasks of a call from inside a task of the
// pool; they get the number of the calling worker.
typedef void (*lc_task)(void *context, size_t index, int worker);
void lc_pool_run(lc_pool *pool, size_t count, lc_task task, void *context);

#endif
