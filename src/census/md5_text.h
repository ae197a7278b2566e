// MD5 of bytes as text, for the roots of hauls and the names of aperiodic objects.
#ifndef LC_CENSUS_MD5_TEXT_H
#define LC_CENSUS_MD5_TEXT_H

#include <stddef.h>

enum { LC_MD5_TEXT_BYTES = 33 }; // 32 hexadecimal digits and the terminator

// Writes the MD5 of the bytes in lower case, and returns `text`.
const char *lc_md5_text(const void *data, size_t size_bytes, char text[LC_MD5_TEXT_BYTES]);

#endif
