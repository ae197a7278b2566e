// The patterns of this folder as texts that are part of the command.
#ifndef LC_PATTERNS_PATTERN_TEXTS_H
#define LC_PATTERNS_PATTERN_TEXTS_H

#include <stddef.h>

typedef struct lc_pattern_text {
    const char *name; // of the file, "acorn.rle"; NULL: the end
    const char *text;
} lc_pattern_text;

// By name. Written by cmake/embed_text.cmake.
extern const lc_pattern_text lc_pattern_texts[];

#endif
