// Reads and writes whole blocks at an offset in a file.
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/least.h"
#include "chunks/chunks_internal.h"

static atomic_uint_fast64_t writes_until_failure; // 0: no failure is planned
static atomic_int planned_error;
static _Atomic(const lc_chunks_listener *) listener;

// The kernel transfers less than 2 GiB per call.
static const uint64_t io_bytes_max = 1 << 30;

void lc_chunks_fail_write(uint64_t n, int error)
{
    planned_error = error;
    writes_until_failure = n;
}

void lc_chunks_listen(const lc_chunks_listener *who)
{
    listener = who;
}

static void write_half(int file, const void *bytes, size_t size_bytes, uint64_t at)
{
    const size_t align = LC_CHUNKS_ALIGN_BYTES, half = size_bytes / 2 / align * align;
    if (half > 0 && pwrite(file, bytes, half, (off_t)at) < 0)
        return; // the planned write fails in any case
}

int lc_file_planned_error(int file, const void *bytes, size_t size_bytes, uint64_t at)
{
    const lc_chunks_listener *who = listener;
    if (who != NULL)
        who->writes(who->context, bytes, size_bytes, at);
    uint_fast64_t left = writes_until_failure;
    while (left > 0 && !atomic_compare_exchange_weak(&writes_until_failure, &left, left - 1))
        continue;
    if (left != 1)
        return -1;
    write_half(file, bytes, size_bytes, at);
    if (planned_error == 0)
        _exit(9);
    return planned_error;
}

bool lc_file_read(int file, void *bytes, size_t size_bytes, uint64_t at)
{
    for (size_t done = 0; done < size_bytes;) {
        const size_t most = (size_t)lc_least_u64(size_bytes - done, io_bytes_max);
        const ssize_t got = pread(file, (char *)bytes + done, most, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

bool lc_file_write(int file, const void *bytes, size_t size_bytes, uint64_t at)
{
    const int planned = lc_file_planned_error(file, bytes, size_bytes, at);
    if (planned >= 0) {
        errno = planned;
        return false;
    }
    for (size_t done = 0; done < size_bytes;) {
        const size_t most = (size_t)lc_least_u64(size_bytes - done, io_bytes_max);
        const ssize_t put = pwrite(file, (const char *)bytes + done, most, (off_t)(at + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put == 0)
            errno = ENOSPC;
        if (put <= 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

bool lc_file_flush(int file)
{
    const lc_chunks_listener *who = listener;
    if (fdatasync(file) != 0)
        return false;
    if (who != NULL)
        who->flushed(who->context);
    return true;
}

void *lc_file_memory(size_t size_bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, LC_CHUNKS_ALIGN_BYTES, size_bytes) != 0)
        return NULL;
    return memset(memory, 0, size_bytes);
}
