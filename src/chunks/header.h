// The header of a file of chunks: 512 words of 64 bits, little-endian.
//
//     word   0        "LCBOARD1"
//            1        version, 1
//            2        number: the valid header with the higher one counts; 0: nothing was kept yet
//            3        rows             4   row_words
//            5        pitch_words      6   band_rows       7   band_bytes
//            8        checksum of the index (xxhash, seeded with the number)
//            9 .. 15  0
//           16 .. 271 the caller's note
//          272 .. 510 0
//          511        checksum of all words before (xxhash)
#ifndef LC_CHUNKS_HEADER_H
#define LC_CHUNKS_HEADER_H

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

// LC_ERROR_FORMAT: these bytes are no header, or a damaged one; LC_ERROR_UNSUPPORTED: of another
// version.
lc_status lc_chunks_header_read(const unsigned char bytes[LC_CHUNKS_HEADER_BYTES],
                                lc_chunks_header *header, lc_message *message);

// Of both headers the one that counts, and its number's slot. Returns as above, of both.
lc_status lc_chunks_header_choose(const unsigned char bytes[LC_CHUNKS_HEADERS_BYTES],
                                  lc_chunks_header *header, int *slot, lc_message *message);

bool lc_chunks_has_magic(const unsigned char *bytes, size_t size_bytes);

// Where things are in the file; the shape is a valid one.
uint64_t lc_chunks_index_bytes(const lc_chunks_shape *shape);
uint64_t lc_chunks_index_at(const lc_chunks_shape *shape, int slot);
uint64_t lc_chunks_band_at(const lc_chunks_shape *shape, int place, int64_t band);

#endif
