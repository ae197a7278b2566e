// Disk cache of compiled kernels, one file per kernel image.
//
// The folder is the context's (lc_context_cache_folder); "" disables the cache. A file is named
// after its key. All numbers are in the machine's byte order; a file from a machine of the other
// byte order is not found.
//
//     0   "LCKERN1\n"
//     8   the key, 16 bytes
//    24   bytes of content, 8 bytes
//    32   xxhash64 (XXH3) of the 32 bytes above and the content, 8 bytes
//    40   the content
//
// Files are written under a temporary name and renamed, so any number of processes can share a
// folder. A truncated or damaged file counts as missing; the caller compiles the kernel and
// replaces the file. The cache only saves time, so its functions report no errors.
#ifndef LC_DEVICE_KERNEL_CACHE_H
#define LC_DEVICE_KERNEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LC_KERNEL_CACHE_MAX_FILES = 256,     // beyond this, the least recently used are removed
    LC_KERNEL_CACHE_MAX_BYTES = 1 << 26, // per content
};

typedef struct lc_kernel_key {
    uint64_t high, low;
} lc_kernel_key;

// Returns the key of a list of texts: an xxhash128 over the hash of each text.
lc_kernel_key lc_kernel_key_of(const char *const *parts, size_t count);

// Reads an entry. On success the caller frees *content with lc_free.
bool lc_kernel_cache_read(const char *folder_name, const lc_kernel_key *key, void **content,
                          size_t *size_bytes);

// Writes or replaces an entry. Returns false if writing failed.
bool lc_kernel_cache_write(const char *folder_name, const lc_kernel_key *key, const void *content,
                           size_t size_bytes);

#endif
