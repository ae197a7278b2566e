#include "census/md5_text.h"

#include <sys/types.h>

#include <md5.h>

_Static_assert(LC_MD5_TEXT_BYTES == MD5_DIGEST_STRING_LENGTH, "libmd writes the text");

const char *lc_md5_text(const void *data, size_t size_bytes, char text[LC_MD5_TEXT_BYTES])
{
    return MD5Data(data, size_bytes, text);
}
