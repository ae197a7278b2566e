// Shared libraries that may not be on this machine: opening them, and finding their functions.
#ifndef LC_DEVICE_DYNAMIC_LIBRARY_H
#define LC_DEVICE_DYNAMIC_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

// A function of a library, and where in a table of function pointers its address belongs.
typedef struct lc_library_symbol {
    const char *name;
    size_t offset_bytes;
} lc_library_symbol;

// Opens a library by path, or by name through the loader's own search. NULL, and *why what the
// loader says (good until the next call of this thread), if that fails. Libraries stay open: code
// of theirs may be running in threads that they have started.
void *lc_library_open(const char *path, const char **why);

// Fills `table`. NULL, or the name of the first symbol that the library does not have.
const char *lc_library_resolve(void *library, const lc_library_symbol *symbols, size_t count,
                               void *table);

#endif
