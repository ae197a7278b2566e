// Checkpoints of several files: encodes and decodes index and rank files, and reads rank files.
#include "checkpoint/checkpoint_rank_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/temporary.h"

const char lc_rank_file_magic[8] = {'L', 'C', 'S', 'H', 'A', 'R', 'E', '1'};
static const char record_magic[4] = {'S', 'H', 'A', 'R'};

enum {
    RANK_FILE_VERSION = 3,
    RECORD_BYTES = 96,
    RECORD_CHECKSUM = RECORD_BYTES - 8,
    HEAD_CHECKSUM = LC_RANK_FILE_HEAD_BYTES - 8,
};

// Names ------------------------------------------------------------------------------------------

static bool is_plain(unsigned char c)
{
    return c >= ' ' && c != 0x7f && c != '/';
}

void lc_rank_file_take_name(const char *path, char name[LC_RANK_FILE_NAME_BYTES])
{
    const char *slash = strrchr(path, '/');
    memset(name, 0, LC_RANK_FILE_NAME_BYTES);
    (void)snprintf(name, LC_RANK_FILE_MOST_NAME + 1, "%s", slash != NULL ? slash + 1 : path);
    for (char *c = name; *c != '\0'; c++)
        if (!is_plain((unsigned char)*c))
            *c = '_';
}

void lc_rank_file_format(const char *name, uint64_t id, uint32_t number,
                         char file[LC_RANK_FILE_TEXT_BYTES])
{
    (void)snprintf(file, LC_RANK_FILE_TEXT_BYTES, "%.*s-%016" PRIx64 "-%" PRIu32 ".share",
                   LC_RANK_FILE_NAME_BYTES - 1, name, id, number);
}

bool lc_rank_file_path(const char *folder, const char *name, uint64_t id, uint32_t number,
                       char path[PATH_MAX])
{
    char file[LC_RANK_FILE_TEXT_BYTES];
    lc_rank_file_format(name, id, number, file);
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder, file);
    return length >= 0 && length < PATH_MAX;
}

bool lc_rank_file_folder(const char *path, char folder[PATH_MAX])
{
    char real[PATH_MAX];
    const char *of = realpath(path, real) != NULL ? real : path, *begin;
    const size_t length = lc_directory_of(of, &begin);
    char part[PATH_MAX];
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(part, begin, length);
    part[length] = '\0';
    return realpath(part, folder) != NULL;
}

// Bytes of a rank file ---------------------------------------------------------------------------

void lc_rank_file_encode(const lc_rank_file_head *head, uint8_t bytes[LC_RANK_FILE_HEAD_BYTES])
{
    memcpy(bytes, lc_rank_file_magic, sizeof lc_rank_file_magic);
    lc_put_bytes(bytes + 8, RANK_FILE_VERSION, 4);
    lc_put_bytes(bytes + 12, LC_RANK_FILE_HEAD_BYTES, 4);
    lc_put_bytes(bytes + 16, head->number, 4);
    lc_put_bytes(bytes + 20, head->rank_files, 4);
    lc_put_bytes(bytes + 24, (uint64_t)head->first_row, 8);
    lc_put_bytes(bytes + 32, (uint64_t)head->end_row, 8);
    lc_put_bytes(bytes + 40, head->id, 8);
    lc_put_bytes(bytes + 48, head->header_checksum, 8);
    lc_put_bytes(bytes + HEAD_CHECKSUM, XXH64(bytes, HEAD_CHECKSUM, 0), 8);
}

bool lc_rank_file_decode(lc_rank_file_head *head, const uint8_t bytes[LC_RANK_FILE_HEAD_BYTES])
{
    *head = (lc_rank_file_head){.number = (uint32_t)lc_get_bytes(bytes + 16, 4),
                                .rank_files = (uint32_t)lc_get_bytes(bytes + 20, 4),
                                .first_row = (int64_t)lc_get_bytes(bytes + 24, 8),
                                .end_row = (int64_t)lc_get_bytes(bytes + 32, 8),
                                .id = lc_get_bytes(bytes + 40, 8),
                                .header_checksum = lc_get_bytes(bytes + 48, 8)};
    return memcmp(bytes, lc_rank_file_magic, sizeof lc_rank_file_magic) == 0 &&
           lc_get_bytes(bytes + 8, 4) == RANK_FILE_VERSION &&
           lc_get_bytes(bytes + 12, 4) == LC_RANK_FILE_HEAD_BYTES &&
           lc_get_bytes(bytes + HEAD_CHECKSUM, 8) == XXH64(bytes, HEAD_CHECKSUM, 0);
}

// Bytes of the index -----------------------------------------------------------------------------

// In the index, the name of the rank files follows the header, and the records follow the name.
static uint64_t records_at(const lc_checkpoint_header *header)
{
    return header->bytes + LC_RANK_FILE_NAME_FIELD_BYTES;
}

uint64_t lc_checkpoint_index_bytes(const lc_checkpoint_header *header)
{
    return records_at(header) + (uint64_t)header->rank_files * RECORD_BYTES +
           LC_CHECKPOINT_TRAILER_BYTES;
}

static uint64_t encode_record(const lc_checkpoint_header *header, uint32_t number,
                              const lc_checkpoint_rank_file *rank_file, uint8_t bytes[RECORD_BYTES])
{
    memcpy(bytes, record_magic, sizeof record_magic);
    lc_put_bytes(bytes + 4, number, 4);
    lc_put_bytes(bytes + 8, (uint64_t)rank_file->first_row, 8);
    lc_put_bytes(bytes + 16, (uint64_t)rank_file->end_row, 8);
    lc_put_bytes(bytes + 24, rank_file->file_bytes, 8);
    lc_put_bytes(bytes + 32, rank_file->totals.parts, 8);
    lc_put_bytes(bytes + 40, rank_file->totals.checksum, 8);
    lc_put_count(bytes + 48, rank_file->totals.population);
    lc_put_bytes(bytes + 80, rank_file->totals.hash, 8);
    const uint64_t checksum = XXH64(bytes, RECORD_CHECKSUM, header->checksum);
    lc_put_bytes(bytes + RECORD_CHECKSUM, checksum, 8);
    return checksum;
}

// Adds a rank file to the totals.
static void count_rank_file(lc_checkpoint_totals *totals, const lc_checkpoint_rank_file *rank_file,
                            uint64_t checksum)
{
    const lc_checkpoint_totals one = {1, checksum, rank_file->totals.population,
                                      rank_file->totals.hash};
    lc_checkpoint_add_totals(totals, &one);
}

void lc_checkpoint_write_index(lc_checkpoint_header *header, const char *name,
                               const lc_checkpoint_rank_file *rank_files, lc_output *output)
{
    uint8_t head[LC_CHECKPOINT_HEADER_MOST], field[LC_RANK_FILE_NAME_FIELD_BYTES] = {0};
    uint8_t record[RECORD_BYTES], trailer[LC_CHECKPOINT_TRAILER_BYTES];
    lc_checkpoint_totals totals = {0};
    lc_checkpoint_encode(header, head);
    lc_output_write(output, head, header->bytes);
    memcpy(field, name, strlen(name));
    lc_put_bytes(field + LC_RANK_FILE_NAME_BYTES,
                 XXH64(field, LC_RANK_FILE_NAME_BYTES, header->checksum), 8);
    lc_output_write(output, field, sizeof field);
    for (uint32_t i = 0; i < header->rank_files; i++) {
        count_rank_file(&totals, &rank_files[i], encode_record(header, i, &rank_files[i], record));
        lc_output_write(output, record, sizeof record);
    }
    lc_checkpoint_encode_trailer(header, &totals, lc_checkpoint_index_bytes(header), trailer);
    lc_output_write(output, trailer, sizeof trailer);
}

lc_status lc_checkpoint_decode_name(const lc_checkpoint_header *header,
                                    const uint8_t bytes[LC_RANK_FILE_NAME_FIELD_BYTES],
                                    char name[LC_RANK_FILE_NAME_BYTES], lc_message *message)
{
    const size_t length = strnlen((const char *)bytes, LC_RANK_FILE_NAME_BYTES);
    if (lc_get_bytes(bytes + LC_RANK_FILE_NAME_BYTES, 8) !=
        XXH64(bytes, LC_RANK_FILE_NAME_BYTES, header->checksum))
        return lc_checkpoint_damaged(message, header->bytes + LC_RANK_FILE_NAME_BYTES,
                                     "the name of the rank files does not have the checksum that "
                                     "stands there");
    if (length < 1 || length > LC_RANK_FILE_MOST_NAME)
        return lc_checkpoint_invalid(message, header->bytes, "the length of the rank files' name");
    for (size_t i = 0; i < LC_RANK_FILE_NAME_BYTES; i++)
        if (i < length ? !is_plain(bytes[i]) : bytes[i] != 0)
            return lc_fail_at_byte(message, LC_ERROR_FORMAT, header->bytes + i,
                                   "the checkpoint is not valid: its rank files lie beside it, and "
                                   "their name leads elsewhere or is none");
    memcpy(name, bytes, LC_RANK_FILE_NAME_BYTES);
    return LC_OK;
}

static lc_status decode_record(const lc_checkpoint_reader *r, uint32_t number, int64_t first_row,
                               uint64_t at, const uint8_t bytes[RECORD_BYTES],
                               lc_checkpoint_rank_file *rank_file)
{
    if (lc_get_bytes(bytes + RECORD_CHECKSUM, 8) !=
        XXH64(bytes, RECORD_CHECKSUM, r->header.checksum))
        return lc_checkpoint_damaged(r->message, at + RECORD_CHECKSUM,
                                     "the record of a rank file does not have the checksum that "
                                     "stands there");
    *rank_file = (lc_checkpoint_rank_file){.first_row = (int64_t)lc_get_bytes(bytes + 8, 8),
                                           .end_row = (int64_t)lc_get_bytes(bytes + 16, 8),
                                           .file_bytes = lc_get_bytes(bytes + 24, 8),
                                           .totals = {.parts = lc_get_bytes(bytes + 32, 8),
                                                      .checksum = lc_get_bytes(bytes + 40, 8),
                                                      .population = lc_get_count(bytes + 48),
                                                      .hash = lc_get_bytes(bytes + 80, 8)}};
    if (memcmp(bytes, record_magic, sizeof record_magic) != 0 ||
        lc_get_bytes(bytes + 4, 4) != number)
        return lc_checkpoint_invalid(r->message, at, "the record of a rank file");
    const int64_t height = r->header.topology.height_cells;
    if (rank_file->first_row != first_row || rank_file->end_row <= first_row ||
        rank_file->end_row > height ||
        (number + 1 == r->header.rank_files && rank_file->end_row != height))
        return lc_checkpoint_invalid(r->message, at + 8, "the rows of a rank file");
    return LC_OK;
}

static lc_status look_at_records(lc_checkpoint_reader *r)
{
    uint8_t bytes[RECORD_BYTES];
    uint64_t at = records_at(&r->header);
    int64_t row = 0;
    for (uint32_t i = 0; i < r->header.rank_files; i++, at += RECORD_BYTES) {
        lc_checkpoint_rank_file *rank_file = &r->rank_files[i];
        lc_status status = lc_checkpoint_take(r, at, bytes, sizeof bytes, r->message);
        if (status == LC_OK)
            status = decode_record(r, i, row, at, bytes, rank_file);
        if (status != LC_OK)
            return status;
        count_rank_file(&r->totals, rank_file, lc_get_bytes(bytes + RECORD_CHECKSUM, 8));
        row = rank_file->end_row;
    }
    return LC_OK;
}

lc_status lc_checkpoint_look_at_index(lc_checkpoint_reader *r)
{
    uint8_t bytes[LC_RANK_FILE_NAME_FIELD_BYTES], trailer[LC_CHECKPOINT_TRAILER_BYTES];
    const uint64_t size_bytes = lc_checkpoint_index_bytes(&r->header);
    lc_status status = lc_checkpoint_take(r, r->header.bytes, bytes, sizeof bytes, r->message);
    if (status == LC_OK)
        status = lc_checkpoint_decode_name(&r->header, bytes, r->name, r->message);
    if (status != LC_OK)
        return status;
    if (r->size_bytes < size_bytes) // before memory is allocated
        return lc_checkpoint_damaged(r->message, r->size_bytes,
                                     "it ends here, before all of its rank files");
    if (size_bytes > r->limit_bytes)
        return lc_fail_limit(r->message, size_bytes, r->limit_bytes,
                             "a list of the checkpoint's %u rank files needs",
                             (unsigned)r->header.rank_files);
    r->rank_files = lc_calloc(r->header.rank_files, sizeof *r->rank_files);
    if (r->rank_files == NULL)
        return lc_fail_memory(r->message, "reading a checkpoint");
    status = look_at_records(r);
    if (status != LC_OK)
        return status;
    const uint64_t at = size_bytes - sizeof trailer;
    status = lc_checkpoint_take(r, at, trailer, sizeof trailer, r->message);
    if (status == LC_OK && !lc_checkpoint_is_trailer(trailer))
        return lc_checkpoint_damaged(r->message, at, "the trailer does not begin here");
    return status == LC_OK ? lc_checkpoint_end(r, trailer, at) : status;
}

// Reading rank files -----------------------------------------------------------------------------

// Puts the name of a rank file in front of its error. The offset is one of the rank file, not of
// the index.
static lc_status name_rank_file(const lc_checkpoint_reader *r, uint32_t number, lc_status status,
                                const lc_message *why)
{
    char file[LC_RANK_FILE_TEXT_BYTES], place[sizeof ", byte 18446744073709551615"] = "";
    lc_rank_file_format(r->name, r->header.id, number, file);
    if (why->offset != 0)
        (void)snprintf(place, sizeof place, ", byte %" PRIu64, why->offset);
    return lc_fail(r->message, status, "%s%s: %s", file, place, why->text);
}

static lc_status check_head(const lc_checkpoint_reader *r, uint32_t number,
                            const uint8_t bytes[LC_RANK_FILE_HEAD_BYTES], lc_message *message)
{
    const lc_checkpoint_rank_file *rank_file = &r->rank_files[number];
    lc_rank_file_head head;
    if (!lc_rank_file_decode(&head, bytes))
        return lc_fail(message, LC_ERROR_FORMAT,
                       "it does not begin as the rank file of a checkpoint does");
    if (head.id != r->header.id || head.header_checksum != r->header.checksum)
        return lc_fail(message, LC_ERROR_FORMAT, "it is a rank file of another checkpoint");
    if (head.number != number || head.rank_files != r->header.rank_files ||
        head.first_row != rank_file->first_row || head.end_row != rank_file->end_row)
        return lc_fail(message, LC_ERROR_FORMAT, "it is another rank file of this checkpoint");
    return LC_OK;
}

// Opens a rank file, reads its head, and leaves it open.
static lc_status open_rank_file(const lc_checkpoint_reader *r, uint32_t number,
                                lc_checkpoint_reader *own)
{
    uint8_t bytes[LC_RANK_FILE_HEAD_BYTES];
    char path[PATH_MAX];
    struct stat facts = {0};
    if (!lc_rank_file_path(r->folder, r->name, r->header.id, number, path)) {
        errno = ENAMETOOLONG;
        return lc_fail(own->message, LC_ERROR_IO, "cannot open: %s", strerror(errno));
    }
    // Neither a folder nor a pipe without a writer.
    own->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (own->descriptor < 0 || fstat(own->descriptor, &facts) != 0)
        return lc_fail(own->message, LC_ERROR_IO, "cannot open this rank file: %s",
                       strerror(errno));
    own->size_bytes = (uint64_t)facts.st_size;
    lc_status status = LC_ERROR_FORMAT;
    if (!S_ISREG(facts.st_mode))
        lc_fail(own->message, status, "it is no file");
    else
        status = lc_checkpoint_take(own, 0, bytes, sizeof bytes, own->message);
    if (status == LC_OK)
        status = check_head(r, number, bytes, own->message);
    if (status == LC_OK && own->size_bytes != r->rank_files[number].file_bytes)
        return lc_checkpoint_damaged(own->message, own->size_bytes,
                                     "the rank file does not have the length that the index says");
    return status;
}

static lc_checkpoint_reader reader_of_rank_file(const lc_checkpoint_reader *r, lc_message *why)
{
    return (lc_checkpoint_reader){.message = why,
                                  .descriptor = -1,
                                  .limit_bytes = r->limit_bytes,
                                  .header = r->header,
                                  .universe = r->universe,
                                  .cover = r->cover,
                                  .held = r->held};
}

static lc_status close_rank_file(const lc_checkpoint_reader *r, uint32_t number,
                                 lc_checkpoint_reader *own, lc_status status)
{
    if (own->descriptor >= 0)
        (void)close(own->descriptor);
    lc_free(own->parts);
    return status == LC_OK ? LC_OK : name_rank_file(r, number, status, own->message);
}

lc_status lc_checkpoint_find_rank_file(const lc_checkpoint_reader *r, uint32_t number)
{
    lc_message why = {0};
    lc_checkpoint_reader own = reader_of_rank_file(r, &why);
    return close_rank_file(r, number, &own, open_rank_file(r, number, &own));
}

// Checks that its parts have the totals of the index and lie in its rows.
static lc_status check_parts(const lc_checkpoint_reader *own,
                             const lc_checkpoint_rank_file *rank_file)
{
    const lc_checkpoint_totals *found = &own->totals, *said = &rank_file->totals;
    if (found->parts != said->parts || found->checksum != said->checksum ||
        lc_count_compare(found->population, said->population) != 0 || found->hash != said->hash)
        return lc_checkpoint_damaged(own->message, own->population_at,
                                     "the rank file does not have the parts that the index says");
    for (size_t i = 0; i < own->part_count; i++) {
        const lc_checkpoint_part *part = &own->parts[i];
        if (part->y < rank_file->first_row || part->y + part->rows > rank_file->end_row)
            return lc_checkpoint_invalid(own->message, part->start + 16,
                                         "a part in another rank file's rows");
    }
    return LC_OK;
}

lc_status lc_checkpoint_read_rank_file(const lc_checkpoint_reader *r, uint32_t number)
{
    lc_message why = {0};
    lc_checkpoint_reader own = reader_of_rank_file(r, &why);
    lc_status status = open_rank_file(r, number, &own);
    if (status == LC_OK)
        status = lc_checkpoint_look_at_parts(&own, LC_RANK_FILE_HEAD_BYTES);
    if (status == LC_OK)
        status = check_parts(&own, &r->rank_files[number]);
    if (status == LC_OK)
        status = lc_checkpoint_read_parts(&own);
    return close_rank_file(r, number, &own, status);
}
