// Reads and writes headers; computes offsets in a file of chunks.
#include "chunks/chunks_header.h"

#include <endian.h>
#include <string.h>
#include <xxhash.h>

#include "base/least.h"
#include "base/memory.h"

enum {
    VERSION = 1,
    NUMBER_WORD = 2,
    NOTE_WORD = 16,
    WORDS = LC_CHUNKS_HEADER_BYTES / 8,
    AGAIN_WORD = WORDS - 2,
};

static const unsigned char magic[8] = {'L', 'C', 'B', 'O', 'A', 'R', 'D', '1'};
static const uint64_t data_align_bytes = 1 << 20;
static const uint64_t file_bytes_max = (uint64_t)1 << 62; // of a file

// Layout -----------------------------------------------------------------------------------------

// Returns the pitch of rows. Whole pages per row allow bands of any number of rows, and rows
// without padding waste no space. The compromise pads a row by at most 1/16.
static uint64_t pitch_of(uint64_t row_words)
{
    uint64_t align = 1;
    while (align < LC_CHUNKS_ALIGN_BYTES / 8 && row_words >= 16 * align)
        align *= 2;
    return (row_words + align - 1) / align * align;
}

// Returns the smallest number of rows of that pitch that fill whole pages.
static int64_t unit_rows(uint64_t pitch_words)
{
    int64_t rows = LC_CHUNKS_ALIGN_BYTES / 8;
    while (rows > 1 && pitch_words % 2 == 0) {
        rows /= 2;
        pitch_words /= 2;
    }
    return rows;
}

// Computes the remaining members. Returns false if the file would be too large.
static bool complete(lc_chunks_shape *s)
{
    uint64_t words, all, index;
    if (s->rows < 1 || s->row_words < 1 || s->pitch_words < s->row_words || s->band_rows < 1 ||
        !lc_mul_u64(s->pitch_words, (uint64_t)s->band_rows, &words) ||
        !lc_mul_u64(words, 8, &s->band_bytes) || s->band_bytes % LC_CHUNKS_ALIGN_BYTES != 0)
        return false;
    s->band_count = s->rows / s->band_rows + (s->rows % s->band_rows != 0);
    return lc_mul_u64((uint64_t)s->band_count, s->band_bytes, &all) && all <= file_bytes_max / 4 &&
           lc_mul_u64((uint64_t)s->band_count, 16, &index) && index <= file_bytes_max / 4;
}

lc_status lc_chunks_lay_out(int64_t rows, uint64_t row_words, uint64_t band_bytes,
                            lc_chunks_shape *shape, lc_message *message)
{
    lc_chunks_shape s = {.rows = rows, .row_words = row_words};
    s.pitch_words = pitch_of(row_words);
    const int64_t unit = unit_rows(s.pitch_words);
    const uint64_t unit_bytes = (uint64_t)unit * s.pitch_words * 8; // may wrap; complete() checks
    const uint64_t most = lc_least_u64(UINT64_MAX / 8, (uint64_t)rows) / (uint64_t)unit + 1;
    const uint64_t units = unit_bytes != 0 ? band_bytes / unit_bytes : 1;
    s.band_rows = unit * (int64_t)lc_least_u64(units > 0 ? units : 1, most);
    if (row_words > file_bytes_max / 8 || !complete(&s))
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
    words[AGAIN_WORD] = htole64(~header->number);
    words[WORDS - 1] = htole64(XXH3_64bits(words, sizeof words - 8));
    memcpy(bytes, words, sizeof words);
}

lc_status lc_chunks_header_read(const unsigned char bytes[LC_CHUNKS_HEADER_BYTES],
                                lc_chunks_header *header, lc_message *message)
{
    uint64_t words[WORDS];
    memcpy(words, bytes, sizeof words);
    if (!lc_chunks_has_magic(bytes, LC_CHUNKS_HEADER_BYTES))
        return lc_fail(message, LC_ERROR_FORMAT, "not a board on disk");
    if (le64toh(words[WORDS - 1]) != XXH3_64bits(words, sizeof words - 8))
        return lc_fail(message, LC_ERROR_FORMAT, "its header is damaged");
    if (le64toh(words[1]) != VERSION)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "it is of version %llu, and this program knows version %d",
                       (unsigned long long)le64toh(words[1]), VERSION);
    lc_chunks_header h = {.number = le64toh(words[NUMBER_WORD]), .index_sum = le64toh(words[8])};
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

// State of the slot beside the whole header.
typedef enum other_slot {
    SLOT_OLDER,   // an older header, whole or damaged, or none yet
    SLOT_NEWER,   // a newer header, whole
    SLOT_TORN,    // a header whose writing was interrupted
    SLOT_DAMAGED, // a newer header, whole once and damaged later
    SLOT_UNKNOWN, // torn, damaged, or a damaged older header
} other_slot;

static bool has_sum(const uint64_t words[WORDS])
{
    return le64toh(words[WORDS - 1]) == XXH3_64bits(words, (WORDS - 1) * sizeof *words);
}

// Finds the right number if only one of the two numbers is damaged.
static bool repair_number(uint64_t words[WORDS], uint64_t *number)
{
    const uint64_t first = words[NUMBER_WORD], again = words[AGAIN_WORD];
    words[NUMBER_WORD] = ~again;
    bool is_right = has_sum(words);
    if (!is_right) {
        words[NUMBER_WORD] = first;
        words[AGAIN_WORD] = ~first;
        is_right = has_sum(words);
    }
    *number = le64toh(words[NUMBER_WORD]);
    return is_right;
}

// Returns whether the slot beside header `number` may have been given number `other`: the numbers
// differ by little, and slots alternate.
static bool is_near(uint64_t number, uint64_t other)
{
    enum { MOST_APART = 9 }; // lc_chunks_header_void
    const uint64_t apart = other > number ? other - number : number - other;
    return apart % 2 == 1 && apart <= MOST_APART;
}

// Judges a header from before there were two numbers; those numbers rise by one.
static other_slot judge_old(uint64_t words[WORDS], uint64_t number)
{
    const uint64_t first = le64toh(words[NUMBER_WORD]);
    words[NUMBER_WORD] = htole64(number + 1);
    if (has_sum(words))
        return SLOT_DAMAGED;
    return first != 0 && first < number ? SLOT_OLDER : SLOT_UNKNOWN;
}

static other_slot judge_damaged(const unsigned char bytes[LC_CHUNKS_HEADER_BYTES], uint64_t number)
{
    uint64_t words[WORDS];
    memcpy(words, bytes, sizeof words);
    if (words[AGAIN_WORD] == 0)
        return judge_old(words, number);
    const uint64_t first = le64toh(words[NUMBER_WORD]), again = ~le64toh(words[AGAIN_WORD]);
    uint64_t known = first;
    if ((first != 0 && first == again) || repair_number(words, &known))
        return known > number ? SLOT_DAMAGED : SLOT_OLDER;
    return is_near(number, first) && is_near(number, again) ? SLOT_TORN : SLOT_UNKNOWN;
}

// Returns a number that does not occur in this page, so that a header torn while overwriting the
// page is recognised.
static uint64_t next_number_after(const unsigned char bytes[LC_CHUNKS_HEADER_BYTES],
                                  uint64_t number)
{
    uint64_t words[WORDS];
    memcpy(words, bytes, sizeof words);
    const uint64_t first = le64toh(words[NUMBER_WORD]), again = ~le64toh(words[AGAIN_WORD]);
    uint64_t next = number + 1;
    while (next == first || next == again)
        next += 2;
    return next;
}

uint64_t lc_chunks_header_void(uint64_t number, uint64_t next,
                               unsigned char bytes[LC_CHUNKS_HEADER_BYTES])
{
    uint64_t words[WORDS] = {[NUMBER_WORD] = htole64(next), [AGAIN_WORD] = ~htole64(next + 2)};
    memcpy(bytes, words, sizeof words);
    return next_number_after(bytes, number);
}

static lc_status refuse_empty(other_slot other, lc_message *message)
{
    static const char *const never = "its first cells were never completely written; delete it, "
                                     "and begin again";
    return lc_fail(message, LC_ERROR_FORMAT, "%s",
                   other == SLOT_DAMAGED   ? "its header is damaged"
                   : other == SLOT_UNKNOWN ? "its header is damaged, or its first cells were "
                                             "never completely written"
                                           : never);
}

lc_status lc_chunks_header_choose(const unsigned char bytes[LC_CHUNKS_HEADERS_BYTES], bool previous,
                                  lc_chunks_choice *choice, lc_message *message)
{
    static const unsigned char empty[LC_CHUNKS_HEADER_BYTES];
    lc_chunks_header headers[2];
    bool is_whole[2];
    for (int i = 0; i < 2; i++) {
        const lc_status status =
            lc_chunks_header_read(bytes + i * LC_CHUNKS_HEADER_BYTES, &headers[i], message);
        if (status == LC_ERROR_UNSUPPORTED)
            return status;
        is_whole[i] = status == LC_OK;
    }
    const bool both = is_whole[0] && is_whole[1];
    if (!is_whole[0] && !is_whole[1])
        return lc_chunks_header_read(bytes, &headers[0], message);
    const bool is_second = is_whole[1] && (!both || headers[1].number > headers[0].number);
    const int newest = is_second ? 1 : 0;
    const int slot = both && previous ? 1 - newest : newest;
    const uint64_t number = headers[slot].number;
    const unsigned char *other_bytes = bytes + (1 - slot) * LC_CHUNKS_HEADER_BYTES;
    other_slot other = slot == newest ? SLOT_OLDER : SLOT_NEWER;
    if (!both && (number != 0 || memcmp(other_bytes, empty, sizeof empty) != 0))
        other = judge_damaged(other_bytes, number);
    if (number == 0 && (slot == newest || !previous))
        return refuse_empty(other, message);
    if (previous && (other == SLOT_OLDER || number == 0))
        return lc_fail(message, LC_ERROR_FORMAT, "no state before its newest one is there");
    if (other == SLOT_DAMAGED && !previous)
        return lc_fail(message, LC_ERROR_FORMAT, "its newest header is damaged");
    *choice = (lc_chunks_choice){.header = headers[slot], .slot = slot};
    choice->next_number = next_number_after(other_bytes, number);
    if (other == SLOT_NEWER && headers[1 - slot].number >= choice->next_number)
        choice->next_number = headers[1 - slot].number + 2;
    choice->has_before = both && slot == newest && headers[1 - slot].number != 0;
    if (previous && other != SLOT_TORN)
        choice->opened = LC_CHUNKS_PREVIOUS;
    else if (other == SLOT_UNKNOWN)
        choice->opened = LC_CHUNKS_DOUBTFUL;
    return LC_OK;
}
