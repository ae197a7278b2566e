// What the fuzzers of binary files share: numbers in bytes, and files that every input makes anew.
#ifndef LC_FUZZ_FILE_H
#define LC_FUZZ_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void put_u64(uint8_t *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

// The number in `count` bytes.
static inline uint64_t take(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

// A path of this process's own: in memory if there is such a folder, as inputs would wait for a
// disk most of the time.
static inline void name_own_file(char *path, size_t room, const char *ending)
{
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, room, "%s/fuzz-%ld.%s", folder, (long)getpid(), ending);
}

static inline void write_file(const char *to, const uint8_t *bytes, size_t size_bytes)
{
    FILE *file = fopen(to, "wb");
    if (file == NULL || fwrite(bytes, 1, size_bytes, file) != size_bytes || fclose(file) != 0)
        abort();
}

#endif
