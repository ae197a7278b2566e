// Opens optional shared libraries and resolves their functions.
#include "device/dynamic_library.h"

#include <dlfcn.h>
#include <string.h>

void *lc_library_open(const char *path, const char **why)
{
    // RTLD_NOW: a library with unresolved symbols fails here and not in the middle of a run.
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *text = dlerror();
        *why = text != NULL ? text : "the loader gives no reason";
    }
    return library;
}

const char *lc_library_resolve(void *library, const lc_library_symbol *symbols, size_t count,
                               void *table)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (address == NULL)
            return symbols[i].name;
        // C does not convert between object and function pointers; POSIX gives both the same
        // representation.
        memcpy((char *)table + symbols[i].offset_bytes, &address, sizeof address);
    }
    return NULL;
}
