// An array of rows of bits in a file, larger than memory may be. It is read and written in bands,
// beside other work, and what was kept last stays whole until what comes next is kept.
//
//     byte 0       header 0            4 KiB: chunks_header.h
//          4096    header 1            the valid one with the higher number counts
//          8192    index 0, index 1    a word for each band, as the header of that number means it
//                  place 0             band 0 | band 1 | band 2 | ...
//                  place 1             band 0 | band 1 | band 2 | ...
//
// A band is some rows, a multiple of 4 KiB; rows lie pitch_words apart, and behind the last row of
// the array the last band has zeros. Every band has two places in the file, and the index says in
// which of them it is: its word is the checksum of the band (xxhash, seeded with the band's number)
// but for the lowest bit, which is the place. A band without a live bit has no place, and 0 in the
// index: it is neither written nor read.
//
// A band is only ever written to the place in which what was kept last does not have it. So all
// writing is undone by forgetting it, whoever ends the program and when, and keeping is: all bands
// are on the disk, then the index beside the one in use, then a header beside the one in use.
//
// Knows nothing of cells; what they mean is in the note, which is the caller's. All functions are
// for one thread, but what they start goes on beside it.
//
// Damage: a header that was being written when the power failed is told from one that was whole
// once (chunks_header.h), and counts for nothing. If the newest header or its index is damaged the file is
// not opened, unless the state before it is asked for.
#ifndef LC_CHUNKS_CHUNKS_H
#define LC_CHUNKS_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/status.h"

enum {
    LC_CHUNKS_ALIGN_BYTES = 4096, // of memory and of places in the file
    LC_CHUNKS_NOTE_BYTES = 2048,
    LC_CHUNKS_BAND_BYTES = 1 << 20, // about so many, if nothing else is wanted
};

typedef struct lc_chunks_shape {
    int64_t rows;
    uint64_t row_words;   // that have bits
    uint64_t pitch_words; // from row to row
    int64_t band_rows, band_count;
    uint64_t band_bytes;
} lc_chunks_shape;

// The shape of an array with bands of about so many bytes; rows, row_words >= 1. LC_ERROR_LIMIT: no
// file could hold it.
lc_status lc_chunks_lay_out(int64_t rows, uint64_t row_words, uint64_t band_bytes,
                            lc_chunks_shape *shape, lc_message *message);
uint64_t lc_chunks_file_bytes(const lc_chunks_shape *shape);
// Memory that an open file needs for the checksums of its bands.
uint64_t lc_chunks_memory_bytes(const lc_chunks_shape *shape);

// The rows of a band that are rows of the array.
static inline int64_t lc_chunks_rows_of(const lc_chunks_shape *shape, int64_t band)
{
    const int64_t left = shape->rows - band * shape->band_rows;
    return left < shape->band_rows ? left : shape->band_rows;
}

typedef struct lc_chunks lc_chunks;

// How the file is read and written, for measuring and for tests: the fastest way that the system
// allows, if all are false.
typedef struct lc_chunks_io_options {
    bool no_ring;   // threads, not io_uring
    bool no_direct; // through the system's cache, not past it
} lc_chunks_io_options;

// Makes a file in which all bits are 0; its space on the disk is taken at once where the file
// system can do that. It is removed again if nothing is ever kept. LC_ERROR_IO: the file exists,
// there is no such folder, no space ...; LC_ERROR_MEMORY. Messages name the file. On error *out is
// NULL, and there is no file.
lc_status lc_chunks_create(lc_chunks **out, const char *path, const lc_chunks_shape *shape,
                           const lc_chunks_io_options *io, lc_message *message);

// Opens one, in which something was kept; with `previous`, as it was kept before the newest state.
// A file that may not be written is opened for reading. LC_ERROR_IO (also: another process has it),
// LC_ERROR_FORMAT (no such file, damaged, cut short, nothing was ever kept, or not twice),
// LC_ERROR_UNSUPPORTED (of a later version), LC_ERROR_LIMIT (its checksums take more than so many
// bytes of memory), LC_ERROR_MEMORY.
lc_status lc_chunks_open(lc_chunks **out, const char *path, const lc_chunks_io_options *io,
                         bool previous, uint64_t limit_bytes, lc_message *message);

// Which state was opened. Writing may have begun over bands of any but the newest one, and only
// reading them shows it. The file stays as it is until the first band is written.
typedef enum lc_chunks_opened {
    LC_CHUNKS_NEWEST,
    LC_CHUNKS_DOUBTFUL, // or an older one: the other header is damaged, and may be newer
    LC_CHUNKS_PREVIOUS, // asked for
} lc_chunks_opened;

// What is not kept is forgotten. NULL and a pointer to NULL are fine.
void lc_chunks_close(lc_chunks **chunks);

// Whether the path is that of such a file, by its first bytes.
bool lc_chunks_is_file(const char *path);

// What the header says, whoever has the file open; with `previous`, the one before the newest: then
// its index is whole, too. Returns as opening does.
lc_status lc_chunks_read_header(const char *path, bool previous, lc_chunks_shape *shape,
                                unsigned char note[LC_CHUNKS_NOTE_BYTES], lc_message *message);

const lc_chunks_shape *lc_chunks_get_shape(const lc_chunks *chunks);
const unsigned char *lc_chunks_note(const lc_chunks *chunks); // as it was kept last
const char *lc_chunks_path(const lc_chunks *chunks);
bool lc_chunks_is_read_only(const lc_chunks *chunks);
lc_chunks_opened lc_chunks_get_opened(const lc_chunks *chunks);
const char *lc_chunks_io_method(const lc_chunks *chunks); // "io_uring, direct": a static string

// Transfers --------------------------------------------------------------------------------------
//
// One is some bands, one behind the other in memory, which is aligned. It goes on until it is
// waited for; several may be under way, but none that writes a band which another one reads or
// writes. What is read are the bands that are current; what is written becomes current by
// lc_chunks_apply_writes, of all bands at once.

typedef struct lc_transfer {
    bool is_write;
    int64_t first, count; // bands
    unsigned char *memory;
    // The queue's.
    int64_t begun, left;
    lc_status status;
    lc_message message;
    struct lc_transfer *next;
} lc_transfer;

// The transfer is the caller's, and stays where it is until it has been waited for.
void lc_chunks_read(lc_chunks *chunks, lc_transfer *transfer, int64_t first, int64_t count,
                    void *memory);
// Bits behind row_words and behind the last row of the array must be 0.
void lc_chunks_write(lc_chunks *chunks, lc_transfer *transfer, int64_t first, int64_t count,
                     void *memory);
// LC_ERROR_IO, LC_ERROR_FORMAT (the checksum is another one): messages name the file and the rows.
lc_status lc_chunks_wait(lc_chunks *chunks, lc_transfer *transfer, lc_message *message);

// The same with no transfer under way.
bool lc_chunks_is_zero(const lc_chunks *chunks, int64_t band); // of current bands
void lc_chunks_apply_writes(lc_chunks *chunks);
void lc_chunks_discard_writes(lc_chunks *chunks);        // what was written and not taken
bool lc_chunks_has_uncommitted(const lc_chunks *chunks); // something current is not kept

// Takes all that was written, and keeps it, with a note of what it means. LC_ERROR_IO: it was not
// taken; nothing can be kept from now on, and the file has what was kept before, or this.
lc_status lc_chunks_commit(lc_chunks *chunks, const unsigned char note[LC_CHUNKS_NOTE_BYTES],
                           lc_message *message);

// Bytes that went to and from the file, and for how long something was under way.
typedef struct lc_chunks_traffic {
    uint64_t read_bytes, written_bytes, busy_ns;
} lc_chunks_traffic;
lc_chunks_traffic lc_chunks_get_traffic(lc_chunks *chunks);

// Test hook: of everything that is written from now on, the n-th (1 = the next) fails with that
// error after half of its bytes; if the error is 0, the process ends there. 0: none.
void lc_chunks_fail_write(uint64_t n, int error);

// Test hook: is told of everything that is written to any file, before it is, on any thread; and
// when all of that is on the disk. It is lent; NULL: nobody is told.
typedef struct lc_chunks_listener {
    void (*writes)(void *context, const void *bytes, size_t size_bytes, uint64_t at);
    void (*flushed)(void *context);
    void *context;
} lc_chunks_listener;
void lc_chunks_listen(const lc_chunks_listener *listener);

#endif
