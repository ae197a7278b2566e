// Shared libraries that may not be on this machine.
#include "device/dynamic_library.h"

#include <dlfcn.h>
#include <string.h>

void *lc_library_open(const char *path, const char **why)
{
    // Everything is bound now: a library with holes is to fail here, not in the middle of a run.
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
        // C has no conversion from an object's to a function's address; POSIX says they are alike.
        memcpy((char *)table + symbols[i].offset_bytes, &address, sizeof address);
    }
    return NULL;
}
