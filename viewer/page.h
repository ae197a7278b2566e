// The files of the page, which are built into the program.
#ifndef LC_VIEWER_PAGE_H
#define LC_VIEWER_PAGE_H

#include <stddef.h>

typedef struct lc_page_file {
    const char *name; // "main.js"
    const char *type; // media type
    const char *text;
    size_t size_bytes;
    const unsigned char *gzip; // the text, compressed
    size_t gzip_bytes;
    const char *word; // changes with the text
} lc_page_file;

// Finds the file at an address; "/" is the page itself. Returns false if there is none.
_Bool lc_page_find(const char *address, lc_page_file *file);

#endif
