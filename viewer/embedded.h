// Texts that are part of the program: written by cmake/embed_text.cmake.
#ifndef LC_VIEWER_EMBEDDED_H
#define LC_VIEWER_EMBEDDED_H

#include <stddef.h>

typedef struct lc_embedded_text {
    const char *name; // of the file, without its folder; NULL: the end
    const char *text;
    const unsigned char *gzip; // the same, compressed
    size_t gzip_bytes;
    const char *word; // changes with the text
} lc_embedded_text;

extern const lc_embedded_text lc_page_texts[]; // viewer/page/
// Of the script that stands in index.html itself: "sha256-...".
extern const char lc_page_texts_script_hash[];

#endif
