// Opens optional shared libraries and resolves their functions.
#ifndef LC_DEVICE_DYNAMIC_LIBRARY_H
#define LC_DEVICE_DYNAMIC_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

// A function's name, and the offset of its pointer in a table of function pointers.
typedef struct lc_library_symbol {
    const char *name;
    size_t offset_bytes;
} lc_library_symbol;

// Opens a library by path, or by name through the loader's search path. On error returns NULL and
// sets *why to the loader's message, which is valid until this thread's next call. Libraries are
// never closed, because threads that they started may still run their code.
void *lc_library_open(const char *path, const char **why);

// Writes the address of each symbol into `table`. Returns NULL, or the name of the first symbol
// that the library does not have.
const char *lc_library_resolve(void *library, const lc_library_symbol *symbols, size_t count,
                               void *table);

#endif
