// Headers, and where things are in a file of chunks.
#include "chunks/header.h"

#include <endian.h>
#include <string.h>
#include <xxhash.h>

#include "base/least.h"
#include "base/memory.h"

enum { VERSION = 1, NOTE_WORD = 16, WORDS = LC_CHUNKS_HEADER_BYTES / 8 };

static const unsigned char magic[8] = {'L', 'C', 'B', 'O', 'A', 'R', 'D', '1'};
static const uint64_t data_align_bytes = 1 << 20;
static const uint64_t most_bytes = (uint64_t)1 << 62; // of a file

// Laying out --------------------------------------------------------------------------------------

// Rows of whole pages would have bands of any number of rows, and rows without padding waste
// nothing: a row is padded by 1/16 at most.
static uint64_t pitch_of(uint64_t row_words)
{
    uint64_t align = 1;
    while (align < LC_CHUNKS_ALIGN_BYTES / 8 && row_words >= 16 * align)
        align *= 2;
    return (row_words + align - 1) / align * align;
}

// The fewest rows of that pitch that fill whole pages.
static int64_t unit_rows(uint64_t pitch_words)
{
    int64_t rows = LC_CHUNKS_ALIGN_BYTES / 8;
    while (rows > 1 && pitch_words % 2 == 0) {
        rows /= 2;
        pitch_words /= 2;
    }
    return rows;
}

// What follows from the rest. False: no file could hold it.
static bool complete(lc_chunks_shape *s)
{
    uint64_t words, all, index;
    if (s->rows < 1 || s->row_words < 1 || s->pitch_words < s->row_words || s->band_rows < 1 ||
        !lc_mul_u64(s->pitch_words, (uint64_t)s->band_rows, &words) ||
        !lc_mul_u64(words, 8, &s->band_bytes) || s->band_bytes % LC_CHUNKS_ALIGN_BYTES != 0)
        return false;
    s->band_count = s->rows / s->band_rows + (s->rows % s->band_rows != 0);
    return lc_mul_u64((uint64_t)s->band_count, s->band_bytes, &all) && all <= most_bytes / 4 &&
           lc_mul_u64((uint64_t)s->band_count, 16, &index) && index <= most_bytes / 4;
}

lc_status lc_chunks_lay_out(int64_t rows, uint64_t row_words, uint64_t band_bytes,
                            lc_chunks_shape *shape, lc_message *message)
{
    lc_chunks_shape s = {.rows = rows, .row_words = row_words};
    s.pitch_words = pitch_of(row_words);
    const int64_t unit = unit_rows(s.pitch_words);
    const uint64_t unit_bytes = (uint64_t)unit * s.pitch_words * 8; // may wrap: complete() sees it
    const uint64_t most = lc_least_u64(UINT64_MAX / 8, (uint64_t)rows) / (uint64_t)unit + 1;
    const uint64_t units = unit_bytes != 0 ? band_bytes / unit_bytes : 1;
    s.band_rows = unit * (int64_t)lc_least_u64(units > 0 ? units : 1, most);
    if (row_words > most_bytes / 8 || !complete(&s))
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%lld rows of %llu words are more than a file holds", (long long)rows,
                       (unsigned long long)row_words);
    *shape = s;
    return LC_OK;
}

uint64_t lc_chunks_index_bytes(const lc_chunks_shape *shape)
{
    const uint64_t align = LC_CHUNKS_ALIGN_BYTES;
    return ((uint64_t)shape->band_count * 8 + align - 1) / align * align;
}

uint64_t lc_chunks_index_at(const lc_chunks_shape *shape, int slot)
{
    return LC_CHUNKS_HEADERS_BYTES + (uint64_t)slot * lc_chunks_index_bytes(shape);
}

uint64_t lc_chunks_band_at(const lc_chunks_shape *shape, int place, int64_t band)
{
    const uint64_t before =
        (lc_chunks_index_at(shape, 2) + data_align_bytes - 1) / data_align_bytes * data_align_bytes;
    return before +
           ((uint64_t)place * (uint64_t)shape->band_count + (uint64_t)band) * shape->band_bytes;
}

uint64_t lc_chunks_file_bytes(const lc_chunks_shape *shape)
{
    return lc_chunks_band_at(shape, 2, 0);
}

// Headers ----------------------------------------------------------------------------------------

bool lc_chunks_has_magic(const unsigned char *bytes, size_t size_bytes)
{
    return size_bytes >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

void lc_chunks_header_write(const lc_chunks_header *header,
                            unsigned char bytes[LC_CHUNKS_HEADER_BYTES])
{
    const lc_chunks_shape *s = &header->shape;
    uint64_t words[WORDS] = {0,
                             VERSION,
                             header->number,
                             (uint64_t)s->rows,
                             s->row_words,
                             s->pitch_words,
                             (uint64_t)s->band_rows,
                             s->band_bytes,
                             header->index_sum};
    for (int i = 0; i < WORDS; i++)
        words[i] = htole64(words[i]);
    memcpy(&words[0], magic, sizeof magic);
    memcpy(&words[NOTE_WORD], header->note, LC_CHUNKS_NOTE_BYTES);
    words[WORDS - 1] = htole64(XXH3_64bits(words, sizeof words - 8));
    memcpy(bytes, words, sizeof words);
}

lc_status lc_chunks_header_read(const unsigned char bytes[LC_CHUNKS_HEADER_BYTES],
                                lc_chunks_header *header, lc_message *message)
{
    uint64_t words[WORDS];
    memcpy(words, bytes, sizeof words);
    if (!lc_chunks_has_magic(bytes, LC_CHUNKS_HEADER_BYTES))
        return lc_fail(message, LC_ERROR_FORMAT, "it is no board on disk");
    if (le64toh(words[WORDS - 1]) != XXH3_64bits(words, sizeof words - 8))
        return lc_fail(message, LC_ERROR_FORMAT, "its header is damaged");
    if (le64toh(words[1]) != VERSION)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "it is of version %llu, and this program knows version %d",
                       (unsigned long long)le64toh(words[1]), VERSION);
    lc_chunks_header h = {.number = le64toh(words[2]), .index_sum = le64toh(words[8])};
    h.shape = (lc_chunks_shape){.rows = (int64_t)le64toh(words[3]),
                                .row_words = le64toh(words[4]),
                                .pitch_words = le64toh(words[5]),
                                .band_rows = (int64_t)le64toh(words[6])};
    if (!complete(&h.shape) || h.shape.band_bytes != le64toh(words[7]))
        return lc_fail(message, LC_ERROR_FORMAT, "its header states impossible sizes");
    memcpy(h.note, &words[NOTE_WORD], LC_CHUNKS_NOTE_BYTES);
    *header = h;
    return LC_OK;
}

lc_status lc_chunks_header_choose(const unsigned char bytes[LC_CHUNKS_HEADERS_BYTES],
                                  lc_chunks_header *header, int *slot, lc_message *message)
{
    lc_status first = LC_OK;
    bool found = false;
    for (int i = 0; i < 2; i++) {
        lc_chunks_header h;
        const lc_status status =
            lc_chunks_header_read(bytes + i * LC_CHUNKS_HEADER_BYTES, &h, i == 0 ? message : NULL);
        if (i == 0)
            first = status;
        if (status != LC_OK || (found && h.number <= header->number))
            continue;
        *header = h;
        *slot = i;
        found = true;
    }
    return found ? LC_OK : first;
}
