// io_uring: a worker thread with many bands in flight.
#ifdef LC_URING

#include <errno.h>
#include <liburing.h>

#include "base/least.h"
#include "base/memory.h"
#include "chunks/chunks_internal.h"

// A partly transferred band. Its index is its slot in the ring's list.
typedef struct slot {
    lc_band_job job;
    uint64_t done;
    bool is_used;
} slot;

struct lc_ring {
    struct io_uring uring;
    slot slots[LC_CHUNKS_IN_FLIGHT_MAX];
    int used, most;
};

static const uint64_t io_bytes_max = 1 << 30; // per operation

lc_ring *lc_ring_create(int in_flight_max)
{
    lc_ring *r = lc_calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->most = in_flight_max;
    if (io_uring_queue_init((unsigned)in_flight_max, &r->uring, 0) !=
        0) { // containers may forbid io_uring
        lc_free(r);
        return NULL;
    }
    struct io_uring_probe *probe = io_uring_get_probe_ring(&r->uring); // NULL before Linux 5.6
    const bool good = probe != NULL && io_uring_opcode_supported(probe, IORING_OP_READ) &&
                      io_uring_opcode_supported(probe, IORING_OP_WRITE);
    io_uring_free_probe(probe);
    if (!good)
        lc_ring_destroy(&r);
    return r;
}

void lc_ring_destroy(lc_ring **ring)
{
    if (*ring == NULL)
        return;
    io_uring_queue_exit(&(*ring)->uring);
    lc_free(*ring);
    *ring = NULL;
}

// Queues the rest of a band. The ring always has a free entry: it has as many as there are slots.
static void queue_rest(lc_ring *r, const lc_chunks *c, slot *s)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&r->uring);
    const uint64_t left = lc_least_u64(c->committed.shape.band_bytes - s->done, io_bytes_max);
    unsigned char *memory = s->job.memory + s->done;
    if (s->job.transfer->is_write)
        io_uring_prep_write(sqe, c->file, memory, (unsigned)left, s->job.at + s->done);
    else
        io_uring_prep_read(sqe, c->file, memory, (unsigned)left, s->job.at + s->done);
    io_uring_sqe_set_data(sqe, s);
}

static void begin(lc_ring *r, lc_chunks *c, const lc_band_job *job)
{
    int error = -1;
    if (job->is_idle) {
        lc_queue_done(c, job, true, 0);
        return;
    }
    if (job->transfer->is_write)
        error = lc_file_planned_error(c->file, job->memory, (size_t)c->committed.shape.band_bytes,
                                      job->at);
    if (error >= 0) {
        lc_queue_done(c, job, false, error);
        return;
    }
    slot *s = r->slots;
    while (s->is_used)
        s++;
    *s = (slot){.job = *job, .is_used = true};
    r->used++;
    queue_rest(r, c, s);
}

static void end(lc_ring *r, lc_chunks *c, slot *s, bool good, int error)
{
    s->is_used = false;
    r->used--;
    lc_queue_done(c, &s->job, good, error);
}

// Handles the result of one operation.
static void handle_completion(lc_ring *r, lc_chunks *c, slot *s, int result)
{
    if (result == -EINTR || result == -EAGAIN) {
        queue_rest(r, c, s);
    } else if (result < 0) {
        end(r, c, s, false, -result);
    } else if (result == 0) {
        end(r, c, s, false, s->job.transfer->is_write ? ENOSPC : 0);
    } else {
        s->done += (uint64_t)result;
        if (s->done < c->committed.shape.band_bytes)
            queue_rest(r, c, s);
        else
            end(r, c, s, true, 0);
    }
}

// Fails all bands in flight, because the ring has failed and reports no more results.
static void fail_all(lc_ring *r, lc_chunks *c, int error)
{
    for (slot *s = r->slots; s < r->slots + LC_CHUNKS_IN_FLIGHT_MAX; s++)
        if (s->is_used)
            end(r, c, s, false, error);
}

void lc_ring_serve(lc_ring *r, lc_chunks *c)
{
    for (;;) {
        struct io_uring_cqe *cqe;
        lc_band_job job;
        while (r->used < r->most && lc_queue_next(c, r->used == 0, &job)) {
            begin(r, c, &job);
            (void)io_uring_submit(&r->uring); // the next checksum takes time, so submit first
        }
        if (r->used == 0)
            return;
        int result = io_uring_submit_and_wait(&r->uring, 1);
        if (result < 0 && result != -EINTR && result != -EAGAIN && result != -EBUSY) {
            fail_all(r, c, -result);
            continue;
        }
        while (io_uring_peek_cqe(&r->uring, &cqe) == 0) {
            slot *s = io_uring_cqe_get_data(cqe);
            result = cqe->res;
            io_uring_cqe_seen(&r->uring, cqe);
            handle_completion(r, c, s, result);
        }
    }
}

#else

#include "chunks/chunks_internal.h"

lc_ring *lc_ring_create(int in_flight_max)
{
    (void)in_flight_max;
    return NULL;
}

void lc_ring_destroy(lc_ring **ring)
{
    *ring = NULL;
}

void lc_ring_serve(lc_ring *ring, lc_chunks *chunks)
{
    (void)ring;
    (void)chunks;
}

#endif
