// What an open file of chunks is made of; seen by the files of this room only.
#ifndef LC_CHUNKS_CHUNKS_INTERNAL_H
#define LC_CHUNKS_CHUNKS_INTERNAL_H

#include <pthread.h>

#include "chunks/chunks_header.h"

// Transfers with bands that nobody has begun, and those who do the work: threads that each do one
// band after the other, or that each have many under way (ring.c). Several, since they make the
// checksums too, which keeps one thread as busy as a fast disk keeps the machine.
enum { LC_CHUNKS_WORKERS = 4, LC_CHUNKS_IN_FLIGHT_MAX = 32 };

typedef struct lc_ring lc_ring;
typedef struct lc_chunks_worker {
    lc_chunks *chunks;
    lc_ring *ring; // NULL: it reads and writes itself
    pthread_t thread;
} lc_chunks_worker;

typedef struct lc_chunks_queue {
    pthread_mutex_t mutex; // of all that follows, and of transfers
    pthread_cond_t work, done;
    lc_transfer *first, *last;
    bool ends;
    int in_flight; // bands
    uint64_t since_ns;
    lc_chunks_traffic traffic;
    lc_chunks_worker workers[LC_CHUNKS_WORKERS];
    int worker_count;
} lc_chunks_queue;

struct lc_chunks {
    char *path;
    int file;
    bool is_read_only, is_direct;
    lc_chunks_header committed; // number 0: nothing was
    int slot;                   // that it is in
    uint64_t next_number;       // that is kept next
    lc_chunks_opened opened;
    bool is_older;   // a newer state is in the file, and nothing was written yet
    bool has_before; // an older one is, and nothing was written yet; the queue's
    bool has_failed; // nothing can be kept any more
    // A word a band: what was kept, what is current, and what is written.
    uint64_t *committed_words, *current, *written;
    uint64_t *index; // memory for it on its way to the file
    lc_chunks_queue queue;
};

// One band on its way.
typedef struct lc_band_job {
    lc_transfer *transfer;
    int64_t band;
    unsigned char *memory;
    uint64_t at; // in the file
    uint64_t word;
    bool is_idle; // there is nothing to read or write
} lc_band_job;

// chunks.c: before the first band is written over a newer state: what was opened is the newest one
// from now on, whatever ends the program. LC_ERROR_IO: nothing can be kept any more;
// LC_ERROR_MEMORY.
lc_status lc_chunks_invalidate_newer(lc_chunks *chunks, lc_message *message);

// transfer.c: starts and ends who does the work. LC_ERROR_SYSTEM, LC_ERROR_MEMORY.
lc_status lc_queue_begin(lc_chunks *chunks, bool no_ring, lc_message *message);
void lc_queue_end(lc_chunks *chunks);

// For those who do it. The next band, its checksum made if it is to be written; with `wait`, waits
// until there is one. False: there is none now, or with `wait`, none will come.
bool lc_queue_next(lc_chunks *chunks, bool wait, lc_band_job *job);
// It has been read or written; or not: errno's `error`, 0 if the file ended there.
void lc_queue_done(lc_chunks *chunks, const lc_band_job *job, bool good, int error);

// file.c: all of it or nothing; false: errno, 0 if the file has ended.
bool lc_file_read(int file, void *bytes, size_t size_bytes, uint64_t at);
bool lc_file_write(int file, const void *bytes, size_t size_bytes, uint64_t at);
bool lc_file_flush(int file); // all that was written is on the disk
// Says what is to be written to the test hooks: the error that is to be had instead, or -1.
int lc_file_planned_error(int file, const void *bytes, size_t size_bytes, uint64_t at);
void *lc_file_memory(size_t size_bytes); // zeroed, aligned; for free()

// ring.c. A ring with at most so many bands under way. NULL: there is no io_uring here.
lc_ring *lc_ring_create(int in_flight_max);
void lc_ring_destroy(lc_ring **ring);
void lc_ring_serve(lc_ring *ring, lc_chunks *chunks); // until the queue ends

#endif
