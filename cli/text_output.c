// Text outputs of commands: the text is collected in memory, and the file appears whole or not at
// all.
#include "text_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

lc_status lc_text_output_begin(lc_text_output *output, lc_message *message)
{
    *output = (lc_text_output){0};
    output->file = open_memstream(&output->data, &output->size_bytes);
    return output->file != NULL ? LC_OK : lc_fail(message, LC_ERROR_MEMORY, "out of memory");
}

static lc_status fail(lc_message *message)
{
    return lc_fail(message, LC_ERROR_IO, "cannot write: %s", strerror(errno));
}

// Writes all bytes and closes the file. Returns false with errno set.
static bool write_and_close(int file, const char *data, size_t size_bytes, bool syncs)
{
    bool written = true;
    while (written && size_bytes > 0) {
        const ssize_t count = write(file, data, size_bytes);
        if (count < 0 && errno == EINTR)
            continue;
        written = count > 0;
        data += written ? count : 0;
        size_bytes -= written ? (size_t)count : 0;
    }
    written = written && (!syncs || fsync(file) == 0);
    const int reason = errno;
    const bool closed = close(file) == 0;
    errno = written ? errno : reason;
    return written && closed;
}

// Writes a regular file under another name and renames it.
static lc_status write_beside(const lc_text_output *output, const char *path, mode_t mode,
                              lc_message *message)
{
    char temporary[PATH_MAX + 32];
    snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0)
        return fail(message);
    if (write_and_close(file, output->data, output->size_bytes, true) &&
        rename(temporary, path) == 0)
        return LC_OK;
    const lc_status status = fail(message);
    unlink(temporary);
    return status;
}

static lc_status write_file(const lc_text_output *output, const char *path, lc_message *message)
{
    struct stat facts;
    char target[PATH_MAX]; // links followed
    const bool exists = stat(path, &facts) == 0;
    if (!exists || S_ISREG(facts.st_mode))
        return write_beside(output, exists && realpath(path, target) != NULL ? target : path,
                            exists ? facts.st_mode & 0777 : 0666, message);
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    return file >= 0 && write_and_close(file, output->data, output->size_bytes, false)
               ? LC_OK
               : fail(message);
}

lc_status lc_text_output_end(lc_text_output *output, const char *path, lc_message *message)
{
    lc_status status = LC_OK;
    const bool failed = ferror(output->file) != 0;
    if (fclose(output->file) != 0 || failed)
        status = lc_fail(message, LC_ERROR_MEMORY, "out of memory");
    else if (strcmp(path, "-") == 0)
        fwrite(output->data, 1, output->size_bytes, stdout);
    else
        status = write_file(output, path, message);
    free(output->data);
    *output = (lc_text_output){0};
    return status;
}
