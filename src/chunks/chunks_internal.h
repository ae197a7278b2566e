// State of an open file of chunks. Internal to src/chunks.
#ifndef LC_CHUNKS_CHUNKS_INTERNAL_H
#define LC_CHUNKS_CHUNKS_INTERNAL_H

#include <pthread.h>

#include "chunks/chunks_header.h"

// Queue of transfers with bands not begun, and its worker threads. A worker does one band after the
// other, or has many in flight (chunks_io_uring.c). There are several workers, because they also
// compute checksums, which takes as much time as a fast disk.
enum { LC_CHUNKS_WORKERS = 4, LC_CHUNKS_IN_FLIGHT_MAX = 32 };

typedef struct lc_ring lc_ring;
typedef struct lc_chunks_worker {
    lc_chunks *chunks;
    lc_ring *ring; // NULL: the worker reads and writes itself
    pthread_t thread;
} lc_chunks_worker;

typedef struct lc_chunks_queue {
    pthread_mutex_t mutex; // guards the members below and the transfers
    pthread_cond_t work, done;
    lc_transfer *first, *last;
    bool ends;
    int in_flight; // bands being read or written
    uint64_t since_ns;
    lc_chunks_traffic traffic;
    lc_chunks_worker workers[LC_CHUNKS_WORKERS];
    int worker_count;
} lc_chunks_queue;

struct lc_chunks {
    char *path;
    int file;
    bool is_read_only, is_direct;
    lc_chunks_header committed; // number 0: nothing
    int slot;                   // slot of that header
    uint64_t next_number;       // number of the next commit
    lc_chunks_opened opened;
    bool is_older; // the file has a newer state, and nothing was written yet
    // The file has an older state, and nothing was written yet; guarded by the queue's mutex.
    bool has_before;
    bool has_failed; // a write has failed: no later commit is possible
    // Words per band: last committed, current, and written.
    uint64_t *committed_words, *current, *written;
    uint64_t *index; // buffer for writing the index
    lc_chunks_queue queue;
};

// One band of a transfer.
typedef struct lc_band_job {
    lc_transfer *transfer;
    int64_t band;
    unsigned char *memory;
    uint64_t at; // offset in the file
    uint64_t word;
    bool is_idle; // a zero band: nothing to read or write
} lc_band_job;

// chunks.c: makes the opened state the newest one in the file, before the first write over a newer
// state. LC_ERROR_IO: no later commit is possible; LC_ERROR_MEMORY.
lc_status lc_chunks_invalidate_newer(lc_chunks *chunks, lc_message *message);

// chunks_transfer.c: starts and ends the workers. LC_ERROR_SYSTEM, LC_ERROR_MEMORY.
lc_status lc_queue_begin(lc_chunks *chunks, bool no_ring, lc_message *message);
void lc_queue_end(lc_chunks *chunks);

// Called by workers. Takes the next band and, for a write, computes its checksum. `wait`: waits for
// one. Returns false if the queue has none, or with `wait`, if the queue ends.
bool lc_queue_next(lc_chunks *chunks, bool wait, lc_band_job *job);
// Reports the end of a band. `good` false: `error` is errno, or 0 at the end of the file.
void lc_queue_done(lc_chunks *chunks, const lc_band_job *job, bool good, int error);

// chunks_file_io.c: reads or writes all bytes. On failure returns false with errno, 0 at the end of
// the file.
bool lc_file_read(int file, void *bytes, size_t size_bytes, uint64_t at);
bool lc_file_write(int file, const void *bytes, size_t size_bytes, uint64_t at);
bool lc_file_flush(int file); // waits until all writes are on the disk
// Tells the test hooks about a write. Returns the error to report instead of writing, or -1.
int lc_file_planned_error(int file, const void *bytes, size_t size_bytes, uint64_t at);
void *lc_file_memory(size_t size_bytes); // zeroed, aligned; the caller uses free()

// chunks_io_uring.c: creates a ring for at most in_flight_max bands. NULL: io_uring is not
// available.
lc_ring *lc_ring_create(int in_flight_max);
void lc_ring_destroy(lc_ring **ring);
void lc_ring_serve(lc_ring *ring, lc_chunks *chunks); // runs until the queue ends

#endif
