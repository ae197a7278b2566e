// The patterns that the build puts into the command: the files of patterns/.
#ifndef LC_VIEWER_LIBRARY_TEXTS_H
#define LC_VIEWER_LIBRARY_TEXTS_H

#include <stddef.h>

typedef struct lc_library_text {
    const char *name; // "glider.rle"
    const char *text;
} lc_library_text;

// By name, ended by one whose name is NULL.
extern const lc_library_text lc_pattern_texts[];

#endif
