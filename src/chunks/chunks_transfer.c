// Transfers: asynchronous reading and writing of bands.
//
// Transfers take turns, one band each. So reading and writing overlap, and a transfer of one band
// does not wait for an earlier transfer of a gigabyte. Workers compute and compare the checksums.
#include <errno.h>
#include <string.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "chunks/chunks_internal.h"

// The word of a band ------------------------------------------------------------------------------

static bool is_zero(const uint64_t *words, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (words[i] != 0)
            return false;
    return true;
}

// Returns a band's checksum, without the place bit.
static uint64_t sum_of(const lc_chunks *c, int64_t band, const unsigned char *memory)
{
    const uint64_t sum =
        XXH3_64bits_withSeed(memory, (size_t)c->committed.shape.band_bytes, (XXH64_hash_t)band);
    return sum > 1 ? sum & ~UINT64_C(1) : 2;
}

// Returns the place that the last commit does not use.
static int free_place(const lc_chunks *c, int64_t band)
{
    return c->committed_words[band] != 0 && (c->committed_words[band] & 1) != 0 ? 0 : 1;
}

static void prepare(const lc_chunks *c, lc_band_job *job)
{
    const lc_chunks_shape *s = &c->committed.shape;
    int place;
    if (job->transfer->is_write) {
        job->is_idle = is_zero((const uint64_t *)(const void *)job->memory, s->band_bytes / 8);
        place = free_place(c, job->band);
        job->word = job->is_idle ? 0 : sum_of(c, job->band, job->memory) | (uint64_t)place;
    } else {
        job->word = c->current[job->band];
        job->is_idle = job->word == 0;
        place = (int)(job->word & 1);
        if (job->is_idle)
            memset(job->memory, 0, (size_t)s->band_bytes);
    }
    job->at = lc_chunks_band_at(s, place, job->band);
}

// The queue --------------------------------------------------------------------------------------

static void count_time(lc_chunks_queue *q, int more)
{
    const uint64_t now_ns = lc_clock_ns();
    if (q->in_flight > 0)
        q->traffic.busy_ns += now_ns - q->since_ns;
    q->since_ns = now_ns;
    q->in_flight += more;
}

static void append(lc_chunks_queue *q, lc_transfer *t)
{
    t->next = NULL;
    if (q->first == NULL)
        q->first = t;
    else
        q->last->next = t;
    q->last = t;
}

// Takes a band of the first transfer and moves this transfer to the end of the queue.
static bool pop(lc_chunks *c, lc_band_job *job)
{
    lc_chunks_queue *q = &c->queue;
    lc_transfer *t = q->first;
    if (t == NULL)
        return false;
    q->first = t->next;
    *job = (lc_band_job){.transfer = t,
                         .band = t->first + t->begun,
                         .memory = t->memory + (uint64_t)t->begun * c->committed.shape.band_bytes};
    t->begun++;
    if (t->begun < t->count)
        append(q, t);
    count_time(q, 1);
    return true;
}

bool lc_queue_next(lc_chunks *c, bool wait, lc_band_job *job)
{
    lc_chunks_queue *q = &c->queue;
    pthread_mutex_lock(&q->mutex);
    bool found = pop(c, job);
    while (!found && wait && !q->ends) {
        pthread_cond_wait(&q->work, &q->mutex);
        found = pop(c, job);
    }
    pthread_mutex_unlock(&q->mutex);
    if (found)
        prepare(c, job);
    return found;
}

// Writes the message about a failed band and returns its status.
static lc_status refuse(const lc_chunks *c, const lc_band_job *job, int error, lc_message *message)
{
    const lc_chunks_shape *s = &c->committed.shape;
    const long long first = job->band * s->band_rows;
    const long long last = first + lc_chunks_rows_of(s, job->band) - 1;
    if (job->transfer->is_write)
        return lc_fail(message, LC_ERROR_IO, "%.150s: cannot write rows %lld to %lld: %s", c->path,
                       first, last, strerror(error));
    if (error == 0)
        return lc_fail(message, LC_ERROR_FORMAT, "%.150s: it ends before rows %lld to %lld",
                       c->path, first, last);
    if (error == EBADMSG)
        return lc_fail(message, LC_ERROR_FORMAT,
                       "%.150s: rows %lld to %lld are damaged (wrong checksum)%s", c->path, first,
                       last, c->has_before ? "; the previous state may be whole (--previous)" : "");
    return lc_fail(message, LC_ERROR_IO, "%.150s: cannot read rows %lld to %lld: %s", c->path,
                   first, last, strerror(error));
}

void lc_queue_done(lc_chunks *c, const lc_band_job *job, bool good, int error)
{
    lc_chunks_queue *q = &c->queue;
    lc_transfer *t = job->transfer;
    if (good && !t->is_write && !job->is_idle &&
        sum_of(c, job->band, job->memory) != (job->word & ~UINT64_C(1))) {
        good = false;
        error = EBADMSG;
    }
    pthread_mutex_lock(&q->mutex);
    count_time(q, -1);
    const uint64_t bytes = job->is_idle ? 0 : c->committed.shape.band_bytes;
    if (t->is_write)
        q->traffic.written_bytes += bytes;
    else
        q->traffic.read_bytes += bytes;
    if (good && t->is_write)
        c->written[job->band] = job->word;
    if (!good && t->status == LC_OK)
        t->status = refuse(c, job, error, &t->message);
    t->left--;
    if (t->left == 0)
        pthread_cond_broadcast(&q->done);
    pthread_mutex_unlock(&q->mutex);
}

// Workers ----------------------------------------------------------------------------------------

static void do_band(lc_chunks *c, const lc_band_job *job)
{
    const size_t bytes = (size_t)c->committed.shape.band_bytes;
    bool good = true;
    if (!job->is_idle)
        good = job->transfer->is_write ? lc_file_write(c->file, job->memory, bytes, job->at)
                                       : lc_file_read(c->file, job->memory, bytes, job->at);
    lc_queue_done(c, job, good, errno);
}

static void *serve(void *context)
{
    const lc_chunks_worker *worker = context;
    lc_band_job job;
    if (worker->ring != NULL)
        lc_ring_serve(worker->ring, worker->chunks);
    else
        while (lc_queue_next(worker->chunks, true, &job))
            do_band(worker->chunks, &job);
    return NULL;
}

// Starts another worker. Returns false if a thread, or a ring if asked for, cannot be created.
static bool add_worker(lc_chunks *c, bool with_ring, int in_flight_max)
{
    lc_chunks_queue *q = &c->queue;
    lc_chunks_worker *worker = &q->workers[q->worker_count];
    *worker =
        (lc_chunks_worker){.chunks = c, .ring = with_ring ? lc_ring_create(in_flight_max) : NULL};
    if (with_ring && worker->ring == NULL)
        return false;
    if (pthread_create(&worker->thread, NULL, serve, worker) != 0) {
        lc_ring_destroy(&worker->ring);
        return false;
    }
    q->worker_count++;
    return true;
}

lc_status lc_queue_begin(lc_chunks *c, bool no_ring, lc_message *message)
{
    lc_chunks_queue *q = &c->queue;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->work, NULL);
    pthread_cond_init(&q->done, NULL);
    const int cpus = lc_cpu_count(), rings = cpus < LC_CHUNKS_WORKERS ? cpus : LC_CHUNKS_WORKERS;
    for (int i = 0; i < rings && !no_ring; i++)
        if (!add_worker(c, true, LC_CHUNKS_IN_FLIGHT_MAX / rings))
            break;
    while (q->worker_count < LC_CHUNKS_WORKERS && q->workers[0].ring == NULL)
        if (!add_worker(c, false, 1))
            break;
    if (q->worker_count > 0)
        return LC_OK;
    return lc_fail(message, LC_ERROR_SYSTEM, "a thread that reads and writes cannot be started");
}

void lc_queue_end(lc_chunks *c)
{
    lc_chunks_queue *q = &c->queue;
    pthread_mutex_lock(&q->mutex);
    q->ends = true;
    pthread_cond_broadcast(&q->work);
    pthread_mutex_unlock(&q->mutex);
    for (int i = 0; i < q->worker_count; i++) {
        pthread_join(q->workers[i].thread, NULL);
        lc_ring_destroy(&q->workers[i].ring);
    }
    pthread_cond_destroy(&q->work);
    pthread_cond_destroy(&q->done);
    pthread_mutex_destroy(&q->mutex);
}

// Calls ------------------------------------------------------------------------------------------

static void start(lc_chunks *c, lc_transfer *t, lc_transfer what)
{
    lc_chunks_queue *q = &c->queue;
    *t = what;
    t->left = t->count;
    if (t->is_write && c->is_older && !c->is_read_only && !c->has_failed)
        t->status = lc_chunks_invalidate_newer(c, &t->message);
    if (t->status != LC_OK) {
        t->left = 0;
    } else if (t->is_write && (c->is_read_only || c->has_failed)) {
        t->left = 0;
        t->status = lc_fail(&t->message, LC_ERROR_IO,
                            c->is_read_only ? "%.200s may only be read"
                                            : "%.200s: writing has failed before",
                            c->path);
    }
    if (t->left == 0)
        return;
    pthread_mutex_lock(&q->mutex);
    c->has_before = c->has_before && !t->is_write;
    append(q, t);
    pthread_cond_broadcast(&q->work);
    pthread_mutex_unlock(&q->mutex);
}

void lc_chunks_read(lc_chunks *c, lc_transfer *t, int64_t first, int64_t count, void *memory)
{
    start(c, t, (lc_transfer){.first = first, .count = count, .memory = memory});
}

void lc_chunks_write(lc_chunks *c, lc_transfer *t, int64_t first, int64_t count, void *memory)
{
    start(c, t, (lc_transfer){.is_write = true, .first = first, .count = count, .memory = memory});
}

lc_status lc_chunks_wait(lc_chunks *c, lc_transfer *t, lc_message *message)
{
    lc_chunks_queue *q = &c->queue;
    pthread_mutex_lock(&q->mutex);
    while (t->left > 0)
        pthread_cond_wait(&q->done, &q->mutex);
    pthread_mutex_unlock(&q->mutex);
    return lc_fail_again(message, t->status, &t->message);
}

lc_chunks_traffic lc_chunks_get_traffic(lc_chunks *c)
{
    lc_chunks_queue *q = &c->queue;
    pthread_mutex_lock(&q->mutex);
    count_time(q, 0);
    const lc_chunks_traffic traffic = q->traffic;
    pthread_mutex_unlock(&q->mutex);
    return traffic;
}
