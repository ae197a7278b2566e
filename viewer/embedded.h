// Texts that cmake/embed_text.cmake embeds in the program.
#ifndef LC_VIEWER_EMBEDDED_H
#define LC_VIEWER_EMBEDDED_H

#include <stddef.h>

typedef struct lc_embedded_text {
    const char *name; // file name without its folder; NULL ends the list
    const char *text;
    const unsigned char *gzip; // the same text, compressed
    size_t gzip_bytes;
    const char *word; // changes with the text; for ETag headers
} lc_embedded_text;

extern const lc_embedded_text lc_page_texts[]; // viewer/page/
// Hash of the inline script in index.html: "sha256-...".
extern const char lc_page_texts_script_hash[];

#endif
