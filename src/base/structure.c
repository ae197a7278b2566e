#include "base/structure.h"

#include <string.h>

#include "base/error.h"

enum { MOST_BYTES = 1 << 16 }; // limit for any structure; an uninitialised size is usually larger

lc_status lc_structure_take(void *to, size_t to_bytes, const void *from, const char *name,
                            lc_message *message)
{
    size_t from_bytes;
    if (from == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no %s", name);
    memcpy(&from_bytes, from, sizeof from_bytes);
    if (from_bytes == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "struct_bytes of %s is 0: it should be sizeof(%s)", name, name);
    if (from_bytes < sizeof from_bytes || from_bytes > MOST_BYTES ||
        from_bytes % _Alignof(size_t) != 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "struct_bytes of %s is %zu, which no version of it has: it should be "
                       "sizeof(%s)",
                       name, from_bytes, name);
    const unsigned char *bytes = from;
    for (size_t i = to_bytes; i < from_bytes; i++)
        if (bytes[i] != 0)
            return lc_fail(message, LC_ERROR_UNSUPPORTED,
                           "this %s is of a later version than the library, %s, and states what "
                           "the library does not know",
                           name, lc_version());
    const size_t common_bytes = from_bytes < to_bytes ? from_bytes : to_bytes;
    memset(to, 0, to_bytes);
    memcpy(to, from, common_bytes);
    memcpy(to, &to_bytes, sizeof to_bytes);
    return LC_OK;
}

void lc_structure_give(void *to, const void *from, size_t from_bytes)
{
    size_t to_bytes;
    const size_t start = sizeof to_bytes;
    memcpy(&to_bytes, to, start);
    if (to_bytes <= start)
        return;
    memset((char *)to + start, 0, to_bytes - start);
    memcpy((char *)to + start, (const char *)from + start,
           (to_bytes < from_bytes ? to_bytes : from_bytes) - start);
}
