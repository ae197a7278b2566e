// Texts that are part of the program: written by cmake/embed_text.cmake.
#ifndef LC_VIEWER_EMBEDDED_H
#define LC_VIEWER_EMBEDDED_H

#include <stddef.h>

typedef struct lc_embedded_text {
    const char *name; // of the file, without its folder; NULL: the end
    const char *text;
} lc_embedded_text;

extern const lc_embedded_text lc_page_texts[]; // viewer/page/

#endif
