// Recognises files of other kinds, so that the message can name their kind.
#include <string.h>

#include "pattern/format.h"

typedef struct foreign {
    const char *magic;
    size_t length;
    const char *name;
    bool pattern; // a pattern of an unsupported kind
} foreign;

#define FOREIGN(magic, name, pattern)                                                              \
    {                                                                                              \
        magic, sizeof magic - 1, name, pattern                                                     \
    }

static const foreign known[] = {
    FOREIGN("LCSTATE1",
            "a lightcone checkpoint, which is restored from a file: not from a pipe or standard "
            "input, and not as a pattern",
            true),
    FOREIGN("[M1]", "a macrocell file of the first version", true),
    FOREIGN("#Life", "a Life file of a version other than 1.05 and 1.06", true),
    FOREIGN("#LIFE", "a Life file of a version other than 1.05 and 1.06", true),
    FOREIGN("#life", "a Life file of a version other than 1.05 and 1.06", true),
    FOREIGN("@RULE", "a Golly rule file, not a pattern", true),
    FOREIGN("yl", "an apgcode for linear growth, which does not name the cells", true),
    FOREIGN("zz_", "an apgcode for growth, which does not name the cells", true),
    FOREIGN("\x89PNG", "a PNG image, not a pattern", false),
    FOREIGN("\xff\xd8\xff", "a JPEG image, not a pattern", false),
    FOREIGN("GIF8", "a GIF image, not a pattern", false),
    FOREIGN("RIFF", "a RIFF (WebP, WAV, AVI) file, not a pattern", false),
    FOREIGN("BM", "a BMP image, not a pattern", false),
    FOREIGN("%PDF", "a PDF document, not a pattern", false),
    FOREIGN("PK\x03\x04", "a zip archive; unpack it first", false),
    FOREIGN("\x1f\x8b", "compressed with gzip twice; unpack it once", false),
    FOREIGN("BZh", "compressed with bzip2; only gzip is read", false),
    FOREIGN("\xfd"
            "7zXZ",
            "compressed with xz; only gzip is read", false),
    FOREIGN("\x28\xb5\x2f\xfd", "compressed with zstd; only gzip is read", false),
    FOREIGN("\x7f"
            "ELF",
            "a program, not a pattern", false),
    FOREIGN("\xff\xfe", "UTF-16 text; save it as plain text", false),
    FOREIGN("\xfe\xff", "UTF-16 text; save it as plain text", false),
    FOREIGN("<!DOCTYPE", "an HTML page, not a pattern", false),
    FOREIGN("<!doctype", "an HTML page, not a pattern", false),
    FOREIGN("<html", "an HTML page, not a pattern", false),
    FOREIGN("<HTML", "an HTML page, not a pattern", false),
    FOREIGN("<?xml", "an XML document, not a pattern", false),
    FOREIGN("<svg", "an SVG image, not a pattern", false),
};

const char *lc_foreign_name(const unsigned char *data, size_t size_bytes, lc_status *status)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (size_bytes >= known[i].length && memcmp(data, known[i].magic, known[i].length) == 0) {
            *status = known[i].pattern ? LC_ERROR_UNSUPPORTED : LC_ERROR_FORMAT;
            return known[i].name;
        }
    }
    return NULL;
}
