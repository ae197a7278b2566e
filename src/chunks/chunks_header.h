// The header of a file of chunks: 512 words of 64 bits, little-endian.
//
//     word   0        "LCBOARD1"
//            1        version, 1
//            2        number: the valid header with the higher one counts; 0: nothing committed yet
//            3        rows             4   row_words
//            5        pitch_words      6   band_rows       7   band_bytes
//            8        checksum of the index (xxhash, seeded with the number)
//            9 .. 15  0
//           16 .. 271 the caller's note
//          272 .. 509 0
//          510        the number again, all bits inverted; 0 in files of before 27 November 2026
//          511        checksum of all words before (xxhash)
//
// A disk writes whole sectors of 512 bytes or more. Everything that changes from header to header
// is in the first sector (notes are short) and in the last one. A header torn by a power failure
// therefore has two different numbers. A header that was whole and damaged later has two equal
// ones.
#ifndef LC_CHUNKS_CHUNKS_HEADER_H
#define LC_CHUNKS_CHUNKS_HEADER_H

#include "chunks/chunks.h"

enum { LC_CHUNKS_HEADER_BYTES = 4096, LC_CHUNKS_HEADERS_BYTES = 2 * LC_CHUNKS_HEADER_BYTES };

typedef struct lc_chunks_header {
    uint64_t number;
    lc_chunks_shape shape;
    uint64_t index_sum;
    unsigned char note[LC_CHUNKS_NOTE_BYTES];
} lc_chunks_header;

void lc_chunks_header_write(const lc_chunks_header *header,
                            unsigned char bytes[LC_CHUNKS_HEADER_BYTES]);

// Reads a header. LC_ERROR_FORMAT (not a header, or damaged); LC_ERROR_UNSUPPORTED (another
// version).
lc_status lc_chunks_header_read(const unsigned char bytes[LC_CHUNKS_HEADER_BYTES],
                                lc_chunks_header *header, lc_message *message);

typedef struct lc_chunks_choice {
    lc_chunks_header header; // number 0: nothing committed yet
    int slot;                // slot of the header
    lc_chunks_opened opened;
    bool has_before; // an older header is whole too
    // Number of the next header; no part of one with this number is in its slot.
    uint64_t next_number;
} lc_chunks_choice;

// Chooses the valid header of both; `previous`: the one before it. A torn header is ignored; a
// damaged newest header is an error. Errors as for lc_chunks_header_read.
lc_status lc_chunks_header_choose(const unsigned char bytes[LC_CHUNKS_HEADERS_BYTES], bool previous,
                                  lc_chunks_choice *choice, lc_message *message);

// Makes a page that is ignored beside header `number`, as a torn header is, even if the page itself
// is torn. `next`: the choice's next_number. Returns the next number after that.
uint64_t lc_chunks_header_void(uint64_t number, uint64_t next,
                               unsigned char bytes[LC_CHUNKS_HEADER_BYTES]);

bool lc_chunks_has_magic(const unsigned char *bytes, size_t size_bytes);

// Offsets and sizes in the file, for a valid shape.
uint64_t lc_chunks_index_bytes(const lc_chunks_shape *shape);
uint64_t lc_chunks_index_at(const lc_chunks_shape *shape, int slot);
uint64_t lc_chunks_band_at(const lc_chunks_shape *shape, int place, int64_t band);

#endif
