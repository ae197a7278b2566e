// A file that stores an array of rows of bits, which may be larger than memory. Bands of rows are
// read and written asynchronously. The last committed state stays whole until the next commit.
//
//     byte 0       header 0            4 KiB: chunks_header.h
//          4096    header 1            the valid header with the higher number counts
//          8192    index 0, index 1    a word per band, for the header of that number
//                  place 0             band 0 | band 1 | band 2 | ...
//                  place 1             band 0 | band 1 | band 2 | ...
//
// A band is a number of rows that fill a multiple of 4 KiB. Rows are pitch_words words apart. The
// last band has zeros behind the array's last row. Every band has two places in the file. Its word
// in the index gives the place (lowest bit) and the band's checksum (other bits; xxhash, seeded
// with the band's number). A band without a live bit has no place and 0 in the index; it is neither
// written nor read.
//
// A write goes only to the place that the last commit does not use. So whenever the program ends,
// uncommitted writes are undone. A commit flushes all bands to the disk, then writes the index
// beside the one in use, then a header beside the one in use.
//
// The file knows nothing of cells; the caller describes them in the note. Only one thread at a time
// may call these functions; worker threads do the reading and writing.
//
// Damage: a header whose writing a power failure interrupted is ignored. It can be told from a
// header that was whole and damaged later (chunks_header.h). If the newest header or its index is
// damaged, opening fails, unless the caller asks for the previous state.
#ifndef LC_CHUNKS_CHUNKS_H
#define LC_CHUNKS_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/status.h"

enum {
    LC_CHUNKS_ALIGN_BYTES = 4096, // alignment of memory and of offsets in the file
    LC_CHUNKS_NOTE_BYTES = 2048,
    LC_CHUNKS_BAND_BYTES = 1 << 20, // default, approximate
};

typedef struct lc_chunks_shape {
    int64_t rows;
    uint64_t row_words;   // words with bits
    uint64_t pitch_words; // distance between rows
    int64_t band_rows, band_count;
    uint64_t band_bytes;
} lc_chunks_shape;

// Computes the shape of an array with bands of about band_bytes. rows, row_words >= 1.
// LC_ERROR_LIMIT: the file would be too large.
lc_status lc_chunks_lay_out(int64_t rows, uint64_t row_words, uint64_t band_bytes,
                            lc_chunks_shape *shape, lc_message *message);
uint64_t lc_chunks_file_bytes(const lc_chunks_shape *shape);
// Returns the bytes of memory that an open file needs for its bands' checksums.
uint64_t lc_chunks_memory_bytes(const lc_chunks_shape *shape);

// Returns the number of the array's rows in a band.
static inline int64_t lc_chunks_rows_of(const lc_chunks_shape *shape, int64_t band)
{
    const int64_t left = shape->rows - band * shape->band_rows;
    return left < shape->band_rows ? left : shape->band_rows;
}

typedef struct lc_chunks lc_chunks;

// How the file is read and written; for measurements and tests. All false: the fastest method that
// the system allows.
typedef struct lc_chunks_io_options {
    bool no_ring;   // threads instead of io_uring
    bool no_direct; // through the page cache
} lc_chunks_io_options;

// Creates a file of zero bits and reserves its disk space if the file system can do that.
// lc_chunks_close removes the file if nothing was committed. LC_ERROR_IO (the file exists, no such
// folder, no space ...); LC_ERROR_MEMORY. Messages name the file. On error *out is NULL and no file
// is left.
lc_status lc_chunks_create(lc_chunks **out, const char *path, const lc_chunks_shape *shape,
                           const lc_chunks_io_options *io, lc_message *message);

// Opens a file with a committed state; `previous`: the state before the newest. Opens a
// write-protected file for reading. LC_ERROR_IO (also: another process has the file open);
// LC_ERROR_FORMAT (no such file, damaged, cut short, nothing committed, or no previous state);
// LC_ERROR_UNSUPPORTED (later version); LC_ERROR_LIMIT (its checksums need more than limit_bytes of
// memory); LC_ERROR_MEMORY.
lc_status lc_chunks_open(lc_chunks **out, const char *path, const lc_chunks_io_options *io,
                         bool previous, uint64_t limit_bytes, lc_message *message);

// The opened state. Bands of any state but the newest may have been overwritten; only reading them
// tells. Opening changes nothing in the file until the first write.
typedef enum lc_chunks_opened {
    LC_CHUNKS_NEWEST,
    LC_CHUNKS_DOUBTFUL, // perhaps an older state: the other header is damaged and may be newer
    LC_CHUNKS_PREVIOUS, // the caller asked for it
} lc_chunks_opened;

// Closes the file and discards uncommitted writes. Accepts NULL and a pointer to NULL.
void lc_chunks_close(lc_chunks **chunks);

// Returns whether the path is such a file, by its first bytes.
bool lc_chunks_is_file(const char *path);

// Reads a file's header, even while another process has the file open. `previous`: the header
// before the newest; its index is then checked too. Errors as for lc_chunks_open.
lc_status lc_chunks_read_header(const char *path, bool previous, lc_chunks_shape *shape,
                                unsigned char note[LC_CHUNKS_NOTE_BYTES], lc_message *message);

const lc_chunks_shape *lc_chunks_get_shape(const lc_chunks *chunks);
const unsigned char *lc_chunks_note(const lc_chunks *chunks); // last committed
const char *lc_chunks_path(const lc_chunks *chunks);
bool lc_chunks_is_read_only(const lc_chunks *chunks);
lc_chunks_opened lc_chunks_get_opened(const lc_chunks *chunks);
const char *lc_chunks_io_method(const lc_chunks *chunks); // "io_uring, direct": a static string

// A transfer reads or writes consecutive bands from or to aligned memory. It runs until
// lc_chunks_wait. Several transfers may run at a time, but none may write a band that another reads
// or writes. Reads return the current state of bands. lc_chunks_apply_writes makes all written
// bands current at once.

typedef struct lc_transfer {
    bool is_write;
    int64_t first, count; // bands
    unsigned char *memory;
    // Private to the queue.
    int64_t begun, left;
    lc_status status;
    lc_message message;
    struct lc_transfer *next;
} lc_transfer;

// The caller owns the transfer and keeps it in place until lc_chunks_wait returns.
void lc_chunks_read(lc_chunks *chunks, lc_transfer *transfer, int64_t first, int64_t count,
                    void *memory);
// Bits behind row_words and behind the array's last row must be 0.
void lc_chunks_write(lc_chunks *chunks, lc_transfer *transfer, int64_t first, int64_t count,
                     void *memory);
// Waits for a transfer. LC_ERROR_IO; LC_ERROR_FORMAT (wrong checksum). Messages name the file and
// the rows.
lc_status lc_chunks_wait(lc_chunks *chunks, lc_transfer *transfer, lc_message *message);

// Only while no transfer runs.
bool lc_chunks_is_zero(const lc_chunks *chunks, int64_t band); // of the current state
void lc_chunks_apply_writes(lc_chunks *chunks);
void lc_chunks_discard_writes(lc_chunks *chunks); // undoes writes since lc_chunks_apply_writes
// The current state differs from the committed one.
bool lc_chunks_has_uncommitted(const lc_chunks *chunks);

// Applies all writes and commits the state with a note that describes it. LC_ERROR_IO: the writes
// are not applied, no later commit is possible, and the file has the previous state or this one.
lc_status lc_chunks_commit(lc_chunks *chunks, const unsigned char note[LC_CHUNKS_NOTE_BYTES],
                           lc_message *message);

// Bytes transferred, and the time during which at least one band was in flight.
typedef struct lc_chunks_traffic {
    uint64_t read_bytes, written_bytes, busy_ns;
} lc_chunks_traffic;
lc_chunks_traffic lc_chunks_get_traffic(lc_chunks *chunks);

// Test hook: the n-th write from now on (1: the next) fails with that error after half of its
// bytes. Error 0: the process ends there instead. n = 0: no write fails.
void lc_chunks_fail_write(uint64_t n, int error);

// Test hook: is called before each write to any file, on any thread, and after each flush. The
// caller keeps ownership. NULL: no listener.
typedef struct lc_chunks_listener {
    void (*writes)(void *context, const void *bytes, size_t size_bytes, uint64_t at);
    void (*flushed)(void *context);
    void *context;
} lc_chunks_listener;
void lc_chunks_listen(const lc_chunks_listener *listener);

#endif
