// Allocation functions for zlib that use the library's allocator, so that tests can make them fail.
#ifndef LC_FILE_ZLIB_MEMORY_H
#define LC_FILE_ZLIB_MEMORY_H

#include "base/memory.h"

static inline void *lc_zlib_alloc(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return lc_calloc(count, size);
}

static inline void lc_zlib_free(void *opaque, void *memory)
{
    (void)opaque;
    lc_free(memory);
}

#endif
