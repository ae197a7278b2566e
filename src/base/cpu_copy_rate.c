// Measures how fast all threads together copy within main memory.
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "lightcone/machine.h"

// The size of each of the two buffers, limited by a share of the machine's memory, and the size
// that a thread copies between two reads of the clock.
static const uint64_t usual_bytes = UINT64_C(256) << 20;
static const size_t piece_bytes = (size_t)1 << 20;

typedef struct copying {
    char *from, *to;
    size_t pieces; // of a buffer
    size_t threads;
    uint64_t copied_pieces; // by all threads
    uint64_t end_ns;        // no copy begins later, except each thread's first
} copying;

// Each thread copies its share of the pieces repeatedly.
static void copy_share(void *context, size_t index, int worker)
{
    (void)worker;
    copying *c = context;
    const size_t first = c->pieces * index / c->threads;
    const size_t end = c->pieces * (index + 1) / c->threads;
    uint64_t copied = 0;
    size_t i = first;
    do {
        memcpy(c->to + i * piece_bytes, c->from + i * piece_bytes, piece_bytes);
        copied++;
        i = i + 1 < end ? i + 1 : first;
    } while (lc_clock_ns() < c->end_ns);
    __atomic_fetch_add(&c->copied_pieces, copied, __ATOMIC_RELAXED);
}

// Returns the size of a buffer: whole pieces, at least one per thread.
static size_t buffer_bytes(int threads)
{
    const uint64_t machine_bytes = lc_memory_of_machine();
    uint64_t bytes = usual_bytes;
    if (machine_bytes != 0 && machine_bytes / 16 < bytes)
        bytes = machine_bytes / 16;
    const size_t pieces = (size_t)(bytes / piece_bytes);
    return (pieces > (size_t)threads ? pieces : (size_t)threads) * piece_bytes;
}

lc_status lc_cpu_copy_rate(int threads, int milliseconds, double *bytes_per_second)
{
    *bytes_per_second = 0;
    if (threads < 1 || milliseconds < 1)
        return LC_ERROR_ARGUMENT;
    const size_t size_bytes = buffer_bytes(threads);
    lc_pool *pool = NULL;
    copying c = {.from = lc_alloc_pages(size_bytes),
                 .to = lc_alloc_pages(size_bytes),
                 .pieces = size_bytes / piece_bytes,
                 .threads = (size_t)threads};
    lc_status status =
        c.from != NULL && c.to != NULL ? lc_pool_create(&pool, threads) : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lc_pool_start(pool);
    if (status == LC_OK) {
        // All pages that were never written are one page of zeros.
        memset(c.from, 0x55, size_bytes);
        memset(c.to, 0xaa, size_bytes);
        const uint64_t begin_ns = lc_clock_ns();
        c.end_ns = begin_ns + (uint64_t)milliseconds * 1000000;
        lc_pool_run(pool, (size_t)threads, copy_share, &c);
        *bytes_per_second = 2.0 * (double)c.copied_pieces * (double)piece_bytes /
                            ((double)(lc_clock_ns() - begin_ns) * 1e-9);
    }
    lc_pool_destroy(&pool);
    if (c.from != NULL)
        lc_free_pages(c.from, size_bytes);
    if (c.to != NULL)
        lc_free_pages(c.to, size_bytes);
    return status;
}
