// Writes bytes so that a reader of the path sees the old file or the whole new one.
//
//     text -> buffer -> (gzip) -> descriptor -> fsync -> rename -> fsync directory
//                    -> memory, or a function
//
// lc_output_publish renames a file that grows for hours early, when its first part is complete.
#include "file/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/gzip_writer.h"
#include "file/temporary.h"

enum { BUFFER_BYTES = 64 * 1024 };

struct lc_output {
    int descriptor;
    bool owns_descriptor;
    bool has_temporary;    // `temporary` is open and not renamed
    bool is_beside;        // created under its own name
    bool is_published;     // already renamed
    off_t published_bytes; // and complete up to this length
    lc_status status;
    lc_message message; // of the first error
    size_t used;
    char *buffer;         // BUFFER_BYTES
    lc_gzip_writer *gzip; // NULL: no compression
    bool to_memory;       // uses the members below
    unsigned char *memory;
    size_t memory_bytes, memory_room, limit_bytes;
    lc_output_taker *take; // NULL: no function
    void *taker;
    char target_path[PATH_MAX];
    lc_temporary temporary; // has the descriptor above
};

static void fail_errno(lc_output *output, const char *what)
{
    if (output->status == LC_OK) {
        output->status =
            lc_fail(&output->message, LC_ERROR_IO, "cannot %s: %s", what, strerror(errno));
    }
}

// Copies owner, group and permissions to the new file. The system may refuse the owner, and also
// the group; the group then gets no permissions.
static void copy_permissions(lc_output *output, uid_t user, gid_t group, mode_t permissions)
{
    const bool grouped = fchown(output->descriptor, user, group) == 0 ||
                         fchown(output->descriptor, (uid_t)-1, group) == 0;
    if (fchmod(output->descriptor, permissions & (grouped ? 0777u : 0707u)) != 0)
        fail_errno(output, "set the permissions");
}

static lc_status create_temporary(lc_output *output, const struct stat *old)
{
    // 0666: the user's umask decides for a new file. A file that replaces another stays private
    // until it gets the other's permissions.
    if (!lc_temporary_create(&output->temporary, output->target_path, old != NULL ? 0600 : 0666)) {
        fail_errno(output, "write");
        return output->status;
    }
    output->has_temporary = true;
    output->descriptor = output->temporary.descriptor;
    if (old != NULL)
        copy_permissions(output, old->st_uid, old->st_gid, old->st_mode);
    return output->status;
}

// Follows links at the end of a path to a file that does not exist yet, so that the links stay.
// Returns false and sets errno on error.
static bool follow_links(const char *path, char target[PATH_MAX])
{
    memcpy(target, path, strlen(path) + 1);
    for (int links = 0; links < 40; links++) {
        char next[PATH_MAX];
        struct stat facts;
        if (lstat(target, &facts) != 0 || !S_ISLNK(facts.st_mode))
            return true; // a missing folder shows when the file is created
        ssize_t length = readlink(target, next, sizeof next);
        const char *slash = strrchr(target, '/');
        size_t folder = slash != NULL && next[0] != '/' ? (size_t)(slash + 1 - target) : 0;
        if (length < 0)
            return false;
        if ((size_t)length + folder >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(target + folder, next, (size_t)length);
        target[folder + (size_t)length] = '\0';
    }
    errno = ELOOP;
    return false;
}

static lc_status open_target(lc_output *output, const char *path)
{
    if (strcmp(path, "-") == 0) {
        output->descriptor = STDOUT_FILENO;
        return LC_OK;
    }
    if (strlen(path) >= sizeof output->target_path) {
        errno = ENAMETOOLONG;
        fail_errno(output, "write");
        return output->status;
    }
    struct stat old;
    if (stat(path, &old) != 0) {
        if (!follow_links(path, output->target_path)) {
            fail_errno(output, "write");
            return output->status;
        }
        return create_temporary(output, NULL);
    }
    if (!S_ISREG(old.st_mode)) { // /dev/null must stay a device
        output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        if (output->descriptor < 0)
            fail_errno(output, "write");
        else
            output->owns_descriptor = true;
        return output->status;
    }
    // A rename would also replace a write-protected file, and a link by a file.
    if (access(path, W_OK) != 0 || realpath(path, output->target_path) == NULL) {
        fail_errno(output, "write");
        return output->status;
    }
    return create_temporary(output, &old);
}

static void write_raw(lc_output *output, const void *data, size_t size_bytes)
{
    const char *from = data;
    while (size_bytes > 0 && output->status == LC_OK) {
        ssize_t count = write(output->descriptor, from, size_bytes);
        if (count >= 0) {
            from += count;
            size_bytes -= (size_t)count;
        } else if (errno != EINTR) {
            fail_errno(output, "write");
        }
    }
}

static void write_compressed(void *context, const void *data, size_t size_bytes)
{
    write_raw(context, data, size_bytes);
}

// Creates an output without a file.
static lc_status create_empty(lc_output **out, int gzip_threads, lc_message *message)
{
    *out = NULL;
    lc_output *output = lc_calloc(1, sizeof *output);
    if (output == NULL)
        return lc_fail_memory(message, "writing a file");
    output->descriptor = -1;
    output->buffer = lc_malloc(BUFFER_BYTES);
    bool ready = output->buffer != NULL;
    if (ready && gzip_threads > 0) {
        ready =
            lc_gzip_writer_create(&output->gzip, gzip_threads, write_compressed, output) == LC_OK;
    }
    if (!ready) {
        lc_output_abandon(&output);
        return lc_fail_memory(message, "writing a file");
    }
    *out = output;
    return LC_OK;
}

// Returns the output after its file was opened, or frees it on error.
static lc_status finish_open(lc_output **out, lc_output *output, lc_status status,
                             lc_message *message)
{
    *out = NULL;
    (void)lc_fail_again(message, status, &output->message);
    if (status == LC_OK)
        *out = output;
    else
        lc_output_abandon(&output);
    return status;
}

lc_status lc_output_create(lc_output **out, const char *path, int gzip_threads, lc_message *message)
{
    lc_output *output;
    const lc_status status = create_empty(out, gzip_threads, message);
    if (status != LC_OK)
        return status;
    output = *out;
    return finish_open(out, output, open_target(output, path), message);
}

static lc_status open_beside(lc_output *output, const char *path, const lc_output_place *place)
{
    if (strlen(path) >= sizeof output->target_path) {
        errno = ENAMETOOLONG;
        fail_errno(output, "write");
        return output->status;
    }
    memcpy(output->target_path, path, strlen(path) + 1);
    if (!lc_temporary_create_named(&output->temporary, path)) {
        fail_errno(output, "write");
        return output->status;
    }
    output->has_temporary = true;
    output->descriptor = output->temporary.descriptor;
    copy_permissions(output, place->user, place->group, place->permissions);
    return output->status;
}

lc_status lc_output_create_beside(lc_output **out, const char *path, const lc_output_place *place,
                                  lc_message *message)
{
    lc_output *output;
    const lc_status status = create_empty(out, 0, message);
    if (status != LC_OK)
        return status;
    output = *out;
    output->is_beside = true;
    return finish_open(out, output, open_beside(output, path, place), message);
}

const char *lc_output_target(const lc_output *output, lc_output_place *place)
{
    struct stat facts;
    if (!output->has_temporary || fstat(output->descriptor, &facts) != 0)
        return NULL;
    *place = (lc_output_place){facts.st_uid, facts.st_gid, facts.st_mode & 0777u};
    return output->target_path;
}

lc_status lc_output_create_memory(lc_output **out, size_t limit_bytes, lc_message *message)
{
    lc_output *output = lc_calloc(1, sizeof *output);
    *out = output;
    if (output != NULL) {
        output->descriptor = -1;
        output->to_memory = true;
        output->limit_bytes = limit_bytes;
        output->buffer = lc_malloc(BUFFER_BYTES);
        if (output->buffer != NULL)
            return LC_OK;
        lc_output_abandon(out);
    }
    return lc_fail_memory(message, "writing a pattern");
}

lc_status lc_output_create_pieces(lc_output **out, lc_output_taker *take, void *context,
                                  lc_message *message)
{
    const lc_status status = create_empty(out, 0, message);
    if (status == LC_OK) {
        (*out)->take = take;
        (*out)->taker = context;
    }
    return status;
}

// Makes room for `size_bytes` more bytes and a zero byte. Doubles the room, so that copying costs
// little.
static bool make_room(lc_output *output, size_t size_bytes)
{
    // No overflow: both are far below SIZE_MAX.
    const size_t needed = output->memory_bytes + size_bytes + 1;
    return lc_grow(&output->memory, &output->memory_room, needed, 1);
}

static void write_memory(lc_output *output, const void *data, size_t size_bytes)
{
    if (size_bytes > output->limit_bytes - output->memory_bytes) {
        output->status = lc_fail(&output->message, LC_ERROR_LIMIT,
                                 "the pattern has more than the %zu bytes that are allowed",
                                 output->limit_bytes);
    } else if (!make_room(output, size_bytes)) {
        output->status = lc_fail_memory(&output->message, "writing a pattern");
    } else if (size_bytes > 0) {
        memcpy(output->memory + output->memory_bytes, data, size_bytes);
        output->memory_bytes += size_bytes;
    }
}

static void send(lc_output *output, const void *data, size_t size_bytes)
{
    if (output->status != LC_OK)
        return;
    if (output->take != NULL) {
        output->status = output->take(output->taker, data, size_bytes, &output->message);
        return;
    }
    if (output->to_memory) {
        write_memory(output, data, size_bytes);
        return;
    }
    if (output->gzip == NULL)
        write_raw(output, data, size_bytes);
    else
        lc_gzip_writer_write(output->gzip, data, size_bytes);
}

void lc_output_set_fast(lc_output *output)
{
    if (output->gzip != NULL && !lc_gzip_writer_set_fast(output->gzip))
        output->status = lc_fail(&output->message, LC_ERROR_SYSTEM, "cannot compress: zlib failed");
}

static void flush(lc_output *output)
{
    send(output, output->buffer, output->used);
    output->used = 0;
}

void lc_output_write(lc_output *output, const void *data, size_t size_bytes)
{
    if (size_bytes > BUFFER_BYTES - output->used)
        flush(output);
    if (size_bytes > BUFFER_BYTES) {
        send(output, data, size_bytes);
    } else if (size_bytes > 0) {
        memcpy(output->buffer + output->used, data, size_bytes);
        output->used += size_bytes;
    }
}

void lc_output_text(lc_output *output, const char *text)
{
    lc_output_write(output, text, strlen(text));
}

void lc_output_print(lc_output *output, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lc_output_text(output, text);
}

char *lc_output_reserve(lc_output *output, size_t size_bytes)
{
    if (size_bytes > BUFFER_BYTES - output->used)
        flush(output);
    return output->buffer + output->used;
}

void lc_output_advance(lc_output *output, const char *end)
{
    output->used = (size_t)(end - output->buffer);
}

bool lc_output_failed(const lc_output *output)
{
    return output->status != LC_OK;
}

bool lc_output_can_rewrite(const lc_output *output)
{
    return output->gzip == NULL && !output->to_memory && output->take == NULL &&
           lseek(output->descriptor, 0, SEEK_CUR) >= 0;
}

void lc_output_rewrite(lc_output *output, uint64_t offset_bytes, const void *data,
                       size_t size_bytes)
{
    const char *from = data;
    flush(output);
    while (size_bytes > 0 && output->status == LC_OK) {
        const ssize_t count = pwrite(output->descriptor, from, size_bytes, (off_t)offset_bytes);
        if (count >= 0) {
            from += count;
            offset_bytes += (uint64_t)count;
            size_bytes -= (size_t)count;
        } else if (errno != EINTR) {
            fail_errno(output, "write");
        }
    }
}

lc_status lc_output_publish(lc_output *o, lc_message *message)
{
    flush(o);
    if (o->gzip != NULL && o->status == LC_OK)
        lc_gzip_writer_flush(o->gzip);
    if (o->has_temporary && o->status == LC_OK && !o->is_published) {
        o->is_published = lc_temporary_rename(&o->temporary, o->target_path);
        if (!o->is_published)
            fail_errno(o, "write");
    }
    if (o->is_published && o->status == LC_OK)
        o->published_bytes = lseek(o->descriptor, 0, SEEK_CUR);
    return lc_fail_again(message, o->status, &o->message);
}

static void release(lc_output **output)
{
    lc_output *o = *output;
    if (o->is_published && o->temporary.descriptor >= 0 &&
        ftruncate(o->descriptor, o->published_bytes) != 0)
        errno = 0; // the file then ends in an incomplete part
    lc_gzip_writer_destroy(&o->gzip);
    if (o->owns_descriptor)
        (void)close(o->descriptor);
    if (o->has_temporary)
        lc_temporary_close(&o->temporary);
    lc_free(o->memory);
    lc_free(o->buffer);
    lc_free(o);
    *output = NULL;
}

// Flushes the folder, so that the new name survives a crash. A file system that cannot sync a
// directory returns EINVAL.
static void sync_directory(lc_output *output)
{
    const char *directory;
    size_t length = lc_directory_of(output->target_path, &directory);
    char path[PATH_MAX];
    memcpy(path, directory, length);
    path[length] = '\0';
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return; // a directory may be writable but not readable
    if (fsync(descriptor) != 0 && errno != EINVAL)
        fail_errno(output, "flush the directory");
    (void)close(descriptor);
}

lc_status lc_output_sync(lc_output *o, lc_message *message)
{
    flush(o);
    if (o->status == LC_OK && fsync(o->descriptor) != 0)
        fail_errno(o, "flush");
    if (o->status == LC_OK && o->is_beside)
        sync_directory(o);
    return lc_fail_again(message, o->status, &o->message);
}

lc_status lc_output_commit(lc_output **output, lc_message *message)
{
    lc_output *o = *output;
    flush(o);
    if (o->gzip != NULL && o->status == LC_OK) {
        const lc_status finished = lc_gzip_writer_finish(o->gzip);
        if (finished != LC_OK && o->status == LC_OK)
            o->status = lc_fail(&o->message, finished, "cannot compress: zlib failed");
    }
    if (o->has_temporary && o->status == LC_OK && fsync(o->descriptor) != 0)
        fail_errno(o, "flush");
    if ((o->has_temporary || o->owns_descriptor) && o->status == LC_OK) {
        o->owns_descriptor = false;
        o->temporary.descriptor = -1;
        if (close(o->descriptor) != 0 && errno != EINTR)
            fail_errno(o, "write");
    }
    if (o->has_temporary && o->status == LC_OK) {
        if (o->is_beside)
            lc_temporary_keep(&o->temporary);
        if (o->is_beside || o->is_published || lc_temporary_rename(&o->temporary, o->target_path))
            sync_directory(o);
        else
            fail_errno(o, "write");
    }
    const lc_status status = lc_fail_again(message, o->status, &o->message);
    release(output);
    return status;
}

lc_status lc_output_take_memory(lc_output **output, void **data, size_t *size_bytes,
                                lc_message *message)
{
    lc_output *o = *output;
    flush(o);
    const lc_status status = lc_fail_again(message, o->status, &o->message);
    *data = NULL;
    *size_bytes = 0;
    if (status == LC_OK) {
        o->memory[o->memory_bytes] = 0;
        *data = o->memory;
        *size_bytes = o->memory_bytes;
        o->memory = NULL;
    }
    release(output);
    return status;
}

void lc_output_abandon(lc_output **output)
{
    if (output != NULL && *output != NULL)
        release(output);
}
