// Compiled kernels kept on disk, one file each.
//
// The folder is a context's (lc_context_cache_folder); "" means no cache. A file is called after
// its key and looks like this, numbers in the machine's own byte order (one folder shared by
// machines that differ in it just misses):
//
//     0   "LCKERN1\n"
//     8   the key, 16 bytes
//    24   bytes of content, 8 bytes
//    32   xxhash64 (XXH3) of the 32 bytes above and the content, 8 bytes
//    40   the content
//
// Files appear by renaming, so any number of processes may share a folder. What is cut short or
// damaged is as good as missing: it is made and written again. Nothing that goes wrong here is an
// error, since a cache only saves time.
#ifndef LC_DEVICE_KERNEL_CACHE_H
#define LC_DEVICE_KERNEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LC_KERNEL_CACHE_MAX_FILES = 256,     // more than that, and those unused for longest go
    LC_KERNEL_CACHE_MAX_BYTES = 1 << 26, // of one content
};

typedef struct lc_kernel_key {
    uint64_t high, low;
} lc_kernel_key;

// The key of a list of texts: xxhash128 of all with their lengths.
lc_kernel_key lc_kernel_key_of(const char *const *parts, size_t count);

// Reads an entry. On success *content is to be freed with lc_free.
bool lc_kernel_cache_read(const char *folder_name, const lc_kernel_key *key, void **content,
                          size_t *size_bytes);

// Writes an entry, or replaces it; false if it could not be written.
bool lc_kernel_cache_write(const char *folder_name, const lc_kernel_key *key, const void *content,
                           size_t size_bytes);

#endif
