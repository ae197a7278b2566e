// Checks of UTF-8.
#ifndef LC_BENCH_UTF8_H
#define LC_BENCH_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns the length of the UTF-8 character at the beginning of a terminated text, and sets *code
// to its number. Returns 0 if there is none: RFC 3629 excludes overlong forms, surrogates and
// numbers above U+10FFFF.
static inline size_t lc_utf8_bytes(const char *text, uint32_t *code)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    *code = c[0];
    if (c[0] < 0x80)
        return 1;
    const size_t bytes = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    *code &= 0x7fu >> bytes;
    for (size_t i = 1; i < bytes; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (c[i] & 0x3f);
    }
    const bool is_surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code >= lowest[bytes] && *code <= 0x10ffff && !is_surrogate ? bytes : 0;
}

#endif
