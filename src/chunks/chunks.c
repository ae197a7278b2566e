// Creates, opens and commits files of chunks.
#include "chunks/chunks.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "chunks/chunks_internal.h"

static const uint64_t file_bytes_max = INT64_MAX; // of offsets in a file

enum { LOCK_TRIES = 100, LOCK_PAUSE_US = 20000 }; // two seconds

// Creating and closing ---------------------------------------------------------------------------

static lc_status refuse_path(const char *path, const char *what, int error, lc_message *message)
{
    return lc_fail(message, LC_ERROR_IO, "%.200s: %s: %s", path, what, strerror(error));
}

static void destroy(lc_chunks *c)
{
    if (c->queue.worker_count > 0)
        lc_queue_end(c);
    if (c->file >= 0)
        (void)close(c->file);
    free(c->index);
    lc_free(c->committed_words);
    lc_free(c->current);
    lc_free(c->written);
    lc_free(c->path);
    lc_free(c);
}

void lc_chunks_close(lc_chunks **chunks)
{
    if (chunks == NULL || *chunks == NULL)
        return;
    lc_chunks *c = *chunks;
    if (c->committed.number == 0)
        (void)unlink(c->path);
    destroy(c);
    *chunks = NULL;
}

static lc_chunks *begin(const char *path)
{
    lc_chunks *c = lc_calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->file = -1;
    c->path = lc_malloc(strlen(path) + 1);
    if (c->path == NULL) {
        lc_free(c);
        return NULL;
    }
    strcpy(c->path, path);
    return c;
}

// Locks the file. The in-flight transfers of a killed process hold the lock for a moment after it
// has ended, so this retries for two seconds.
static lc_status lock(lc_chunks *c, lc_message *message)
{
    const int how = (c->is_read_only ? LOCK_SH : LOCK_EX) | LOCK_NB;
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (i > 0)
            (void)usleep(LOCK_PAUSE_US);
        if (flock(c->file, how) == 0)
            return LC_OK;
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
    }
    return errno == EWOULDBLOCK
               ? lc_fail(message, LC_ERROR_IO,
                         "%.200s is in use: another program is stepping this board", c->path)
               : refuse_path(c->path, "cannot be locked", errno, message);
}

// Allocates the words of all bands and starts the workers. The shape is known.
static lc_status allocate_bands(lc_chunks *c, const lc_chunks_io_options *io, lc_message *message)
{
    const size_t bands = (size_t)c->committed.shape.band_count;
    c->committed_words = lc_calloc(bands, sizeof *c->committed_words);
    c->current = lc_calloc(bands, sizeof *c->current);
    c->written = lc_calloc(bands, sizeof *c->written);
    c->index = lc_file_memory((size_t)lc_chunks_index_bytes(&c->committed.shape));
    if (c->committed_words == NULL || c->current == NULL || c->written == NULL || c->index == NULL)
        return lc_fail_memory(message, "the checksums of the %zu bands of %.200s", bands, c->path);
    return lc_queue_begin(c, io->no_ring, message);
}

// Switches to direct I/O if the file system supports it. A file system may refuse the flag, or only
// the first read.
static void try_direct(lc_chunks *c, const lc_chunks_io_options *io)
{
    void *page = lc_file_memory(LC_CHUNKS_HEADER_BYTES);
    const int flags = fcntl(c->file, F_GETFL);
    c->is_direct = !io->no_direct && page != NULL && flags >= 0 &&
                   fcntl(c->file, F_SETFL, flags | O_DIRECT) == 0;
    if (c->is_direct && !lc_file_read(c->file, page, LC_CHUNKS_HEADER_BYTES, 0)) {
        c->is_direct = false;
        (void)fcntl(c->file, F_SETFL, flags);
    }
    free(page);
}

static lc_status check_machine(lc_message *message)
{
    return htole64(1) == 1 ? LC_OK
                           : lc_fail(message, LC_ERROR_UNSUPPORTED,
                                     "boards on disk are for little-endian machines");
}

// Flushes the folder, so that the names of new files are on the disk.
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder)
        return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    const int file = open(length > 0 ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)fsync(file);
    (void)close(file);
}

// Reserves the disk space, so that a run does not fail later for lack of it.
static lc_status take_space(lc_chunks *c, lc_message *message)
{
    const uint64_t bytes = lc_chunks_file_bytes(&c->committed.shape);
    char needed[LC_SIZE_TEXT_BYTES], free_text[LC_SIZE_TEXT_BYTES];
    struct statvfs disk;
    if (bytes > file_bytes_max)
        return lc_fail(message, LC_ERROR_LIMIT, "%.200s: no file can have %llu bytes", c->path,
                       (unsigned long long)bytes);
    lc_size_text(bytes, needed);
    if (fstatvfs(c->file, &disk) == 0 && (uint64_t)disk.f_bavail < bytes / disk.f_frsize) {
        lc_size_text((uint64_t)disk.f_bavail * disk.f_frsize, free_text);
        return lc_fail(message, LC_ERROR_IO,
                       "%.120s: the board takes %s on the disk (each of its rows twice), and %s "
                       "are free there",
                       c->path, needed, free_text);
    }
    if (fallocate(c->file, 0, 0, (off_t)bytes) == 0)
        return LC_OK;
    if (errno == EOPNOTSUPP || errno == ENOSYS) { // the file system allocates while writing
        if (ftruncate(c->file, (off_t)bytes) == 0)
            return LC_OK;
    }
    return lc_fail(message, LC_ERROR_IO, "%.120s: cannot have %s on the disk: %s", c->path, needed,
                   strerror(errno));
}

static bool put_page(lc_chunks *c, const unsigned char page[LC_CHUNKS_HEADER_BYTES], int slot)
{
    return lc_file_write(c->file, page, LC_CHUNKS_HEADER_BYTES,
                         (uint64_t)slot * LC_CHUNKS_HEADER_BYTES) &&
           lc_file_flush(c->file);
}

static lc_status write_header(lc_chunks *c, const lc_chunks_header *header, int slot)
{
    unsigned char *page = lc_file_memory(LC_CHUNKS_HEADER_BYTES);
    if (page == NULL)
        return LC_ERROR_MEMORY;
    lc_chunks_header_write(header, page);
    const bool good = put_page(c, page, slot);
    free(page);
    return good ? LC_OK : LC_ERROR_IO;
}

static lc_status fill_new(lc_chunks *c, const lc_chunks_io_options *io, lc_message *message)
{
    lc_status status = lock(c, message);
    if (status == LC_OK)
        status = take_space(c, message);
    if (status == LC_OK)
        status = allocate_bands(c, io, message);
    if (status != LC_OK)
        return status;
    status = write_header(c, &c->committed, 0);
    if (status != LC_OK)
        return refuse_path(c->path, "cannot be written", errno, message);
    try_direct(c, io);
    sync_folder(c->path);
    return LC_OK;
}

lc_status lc_chunks_create(lc_chunks **out, const char *path, const lc_chunks_shape *shape,
                           const lc_chunks_io_options *io, lc_message *message)
{
    *out = NULL;
    lc_status status = check_machine(message);
    if (status != LC_OK)
        return status;
    lc_chunks *c = begin(path);
    if (c == NULL)
        return lc_fail_memory(message, "a board on disk");
    c->committed.shape = *shape;
    c->next_number = 1;
    c->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (c->file < 0) {
        status = errno == EEXIST ? lc_fail(message, LC_ERROR_IO,
                                           "%.200s exists already, and is not overwritten", path)
                                 : refuse_path(path, "cannot be made", errno, message);
        destroy(c);
        return status;
    }
    status = fill_new(c, io, message);
    if (status != LC_OK)
        lc_chunks_close(&c); // also removes the file
    *out = c;
    return status;
}

// Opening ----------------------------------------------------------------------------------------

// Reads the valid header and checks that the file is as long as it states.
static lc_status read_headers(int file, const char *path, bool previous, lc_chunks_choice *choice,
                              lc_message *message)
{
    unsigned char pages[LC_CHUNKS_HEADERS_BYTES];
    struct stat facts;
    lc_message why = {0};
    if (!lc_file_read(file, pages, sizeof pages, 0))
        return errno != 0 ? refuse_path(path, "cannot be read", errno, message)
                          : lc_fail(message, LC_ERROR_FORMAT, "%.200s: not a board on disk", path);
    const lc_status status = lc_chunks_header_choose(pages, previous, choice, &why);
    if (status != LC_OK)
        return lc_fail(message, status, "%.200s: %.100s", path, why.text);
    const uint64_t file_bytes = lc_chunks_file_bytes(&choice->header.shape);
    if (fstat(file, &facts) != 0)
        return refuse_path(path, "cannot be read", errno, message);
    if ((uint64_t)facts.st_size < file_bytes)
        return lc_fail(message, LC_ERROR_FORMAT,
                       "%.200s: it is cut short: %lld bytes instead of %llu", path,
                       (long long)facts.st_size, (unsigned long long)file_bytes);
    return LC_OK;
}

static uint64_t index_sum(const uint64_t *index, const lc_chunks_header *header)
{
    return XXH3_64bits_withSeed(index, (size_t)header->shape.band_count * 8, header->number);
}

static lc_status refuse_index(const char *path, lc_message *message)
{
    return lc_fail(message, LC_ERROR_FORMAT, "%.200s: its index is damaged (wrong checksum)", path);
}

static lc_status read_index(lc_chunks *c, lc_message *message)
{
    const lc_chunks_shape *s = &c->committed.shape;
    if (!lc_file_read(c->file, c->index, (size_t)lc_chunks_index_bytes(s),
                      lc_chunks_index_at(s, c->slot)))
        return refuse_path(c->path, "cannot be read", errno, message);
    if (index_sum(c->index, &c->committed) != c->committed.index_sum)
        return refuse_index(c->path, message);
    for (int64_t i = 0; i < s->band_count; i++)
        c->committed_words[i] = c->current[i] = c->written[i] = c->index[i];
    return LC_OK;
}

uint64_t lc_chunks_memory_bytes(const lc_chunks_shape *shape)
{
    return (uint64_t)shape->band_count * 3 * sizeof(uint64_t) + lc_chunks_index_bytes(shape);
}

static lc_status check_memory(const lc_chunks *c, uint64_t limit_bytes, lc_message *message)
{
    const uint64_t bytes = lc_chunks_memory_bytes(&c->committed.shape);
    if (bytes <= limit_bytes)
        return LC_OK;
    return lc_fail_limit(message, bytes, limit_bytes,
                         "the checksums of the %lld bands of %.150s need",
                         (long long)c->committed.shape.band_count, c->path);
}

static lc_status open_file(lc_chunks *c, const lc_chunks_io_options *io, bool previous,
                           uint64_t limit_bytes, lc_message *message)
{
    lc_chunks_choice choice;
    c->file = open(c->path, O_RDWR | O_CLOEXEC);
    if (c->file < 0 && (errno == EACCES || errno == EROFS || errno == EPERM)) {
        c->is_read_only = true;
        c->file = open(c->path, O_RDONLY | O_CLOEXEC);
    }
    if (c->file < 0)
        return refuse_path(c->path, "cannot be opened", errno, message);
    lc_status status = lock(c, message);
    if (status == LC_OK)
        status = read_headers(c->file, c->path, previous, &choice, message);
    if (status != LC_OK)
        return status;
    c->committed = choice.header;
    c->slot = choice.slot;
    c->next_number = choice.next_number;
    c->opened = choice.opened;
    c->is_older = choice.opened == LC_CHUNKS_PREVIOUS;
    c->has_before = choice.has_before;
    status = check_memory(c, limit_bytes, message);
    if (status == LC_OK)
        status = allocate_bands(c, io, message);
    if (status != LC_OK)
        return status;
    try_direct(c, io);
    return read_index(c, message);
}

lc_status lc_chunks_open(lc_chunks **out, const char *path, const lc_chunks_io_options *io,
                         bool previous, uint64_t limit_bytes, lc_message *message)
{
    *out = NULL;
    lc_status status = check_machine(message);
    if (status != LC_OK)
        return status;
    lc_chunks *c = begin(path);
    if (c == NULL)
        return lc_fail_memory(message, "a board on disk");
    status = open_file(c, io, previous, limit_bytes, message);
    if (status != LC_OK) {
        destroy(c);
        return status;
    }
    *out = c;
    return LC_OK;
}

// Checks the checksum of a header's index, in pieces, because the index may be large.
static lc_status check_index(int file, const char *path, const lc_chunks_choice *choice,
                             lc_message *message)
{
    const lc_chunks_header *header = &choice->header;
    uint64_t piece[1024], at = lc_chunks_index_at(&header->shape, choice->slot);
    uint64_t left = (uint64_t)header->shape.band_count * sizeof *piece;
    lc_status status = LC_OK;
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        return lc_fail_memory(message, "the index of %.200s", path);
    (void)XXH3_64bits_reset_withSeed(state, header->number);
    for (uint64_t bytes; left > 0 && status == LC_OK; left -= bytes, at += bytes) {
        bytes = lc_least_u64(left, sizeof piece);
        if (lc_file_read(file, piece, (size_t)bytes, at))
            (void)XXH3_64bits_update(state, piece, (size_t)bytes);
        else
            status = refuse_path(path, "cannot be read", errno, message);
    }
    if (status == LC_OK && XXH3_64bits_digest(state) != header->index_sum)
        status = refuse_index(path, message);
    XXH3_freeState(state);
    return status;
}

lc_status lc_chunks_read_header(const char *path, bool previous, lc_chunks_shape *shape,
                                unsigned char note[LC_CHUNKS_NOTE_BYTES], lc_message *message)
{
    lc_chunks_choice choice;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return refuse_path(path, "cannot be opened", errno, message);
    lc_status status = read_headers(file, path, previous, &choice, message);
    if (status == LC_OK && previous)
        status = check_index(file, path, &choice, message);
    (void)close(file);
    if (status != LC_OK)
        return status;
    *shape = choice.header.shape;
    memcpy(note, choice.header.note, LC_CHUNKS_NOTE_BYTES);
    return LC_OK;
}

bool lc_chunks_is_file(const char *path)
{
    unsigned char bytes[8];
    struct stat facts;
    // Opening a pipe would block and take data that other readers need.
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool found = false;
    for (uint64_t slot = 0; slot < 2; slot++) // one header may be damaged
        found = found || (lc_file_read(file, bytes, sizeof bytes, slot * LC_CHUNKS_HEADER_BYTES) &&
                          lc_chunks_has_magic(bytes, sizeof bytes));
    (void)close(file);
    return found;
}

// Current state and commit -----------------------------------------------------------------------

const lc_chunks_shape *lc_chunks_get_shape(const lc_chunks *c)
{
    return &c->committed.shape;
}

const unsigned char *lc_chunks_note(const lc_chunks *c)
{
    return c->committed.note;
}

const char *lc_chunks_path(const lc_chunks *c)
{
    return c->path;
}

bool lc_chunks_is_read_only(const lc_chunks *c)
{
    return c->is_read_only;
}

lc_chunks_opened lc_chunks_get_opened(const lc_chunks *c)
{
    return c->opened;
}

const char *lc_chunks_io_method(const lc_chunks *c)
{
    if (c->queue.workers[0].ring != NULL)
        return c->is_direct ? "io_uring, direct" : "io_uring, cached";
    return c->is_direct ? "threads, direct" : "threads, cached";
}

bool lc_chunks_is_zero(const lc_chunks *c, int64_t band)
{
    return c->current[band] == 0;
}

static size_t words_bytes(const lc_chunks *c)
{
    return (size_t)c->committed.shape.band_count * sizeof *c->current;
}

void lc_chunks_apply_writes(lc_chunks *c)
{
    memcpy(c->current, c->written, words_bytes(c));
}

void lc_chunks_discard_writes(lc_chunks *c)
{
    memcpy(c->written, c->current, words_bytes(c));
}

bool lc_chunks_has_uncommitted(const lc_chunks *c)
{
    return memcmp(c->current, c->committed_words, words_bytes(c)) != 0;
}

lc_status lc_chunks_invalidate_newer(lc_chunks *c, lc_message *message)
{
    unsigned char *page = lc_file_memory(LC_CHUNKS_HEADER_BYTES);
    if (page == NULL)
        return lc_fail_memory(message, "a header of %.200s", c->path);
    c->next_number = lc_chunks_header_void(c->committed.number, c->next_number, page);
    // After an error the newest state in the file is unknown.
    c->has_failed = !put_page(c, page, 1 - c->slot);
    free(page);
    c->is_older = c->has_failed;
    return !c->has_failed
               ? LC_OK
               : refuse_path(c->path, "its newest state cannot be given up", errno, message);
}

lc_status lc_chunks_commit(lc_chunks *c, const unsigned char note[LC_CHUNKS_NOTE_BYTES],
                           lc_message *message)
{
    lc_chunks_header next = c->committed;
    const int slot = 1 - c->slot;
    if (c->is_read_only)
        return lc_fail(message, LC_ERROR_IO, "%.200s may only be read", c->path);
    if (c->has_failed)
        return lc_fail(message, LC_ERROR_IO, "%.200s: writing has failed before", c->path);
    const lc_status status = c->is_older ? lc_chunks_invalidate_newer(c, message) : LC_OK;
    if (status != LC_OK)
        return status;
    next.number = c->next_number;
    memcpy(next.note, note, LC_CHUNKS_NOTE_BYTES);
    memcpy(c->index, c->written, words_bytes(c));
    next.index_sum = index_sum(c->index, &next);
    // After an error the contents of the disk are unknown. A later program may find this header, so
    // its bands must not be overwritten.
    c->has_failed = true;
    if (!lc_file_write(c->file, c->index, (size_t)lc_chunks_index_bytes(&next.shape),
                       lc_chunks_index_at(&next.shape, slot)) ||
        !lc_file_flush(c->file) || write_header(c, &next, slot) != LC_OK)
        return lc_fail(message, LC_ERROR_IO, "%.150s: cannot commit the new state: %s", c->path,
                       strerror(errno));
    c->has_failed = false;
    c->committed = next;
    c->slot = slot;
    c->next_number = next.number + 1;
    lc_chunks_apply_writes(c);
    memcpy(c->committed_words, c->current, words_bytes(c));
    return LC_OK;
}
