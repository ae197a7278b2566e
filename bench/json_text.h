// Reading JSON: a text is walked through, and each value in it is told of.
#ifndef LC_BENCH_JSON_TEXT_H
#define LC_BENCH_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "lightcone/status.h"

typedef enum lc_json_kind {
    LC_JSON_OBJECT, // begins; what is in it follows
    LC_JSON_ARRAY,
    LC_JSON_END, // of either
    LC_JSON_STRING,
    LC_JSON_NUMBER,
    LC_JSON_TRUE,
    LC_JSON_FALSE,
    LC_JSON_NULL
} lc_json_kind;

enum { LC_JSON_DEPTH_MAX = 32 };

typedef struct lc_json_value {
    lc_json_kind kind;
    int depth;        // of objects and arrays round it; the outermost value has 0
    const char *key;  // "" in an array
    const char *text; // of a string, in UTF-8; it ends at an escaped NUL
    double number;
} lc_json_value;

// Strings are valid during the call. False: enough has been read.
typedef bool lc_json_visit(void *context, const lc_json_value *value);

// LC_OK; LC_ERROR_FORMAT (the message has line and column), LC_ERROR_MEMORY. Strings of the text
// may be overwritten; text[bytes] is 0.
lc_status lc_json_walk(char *text, size_t bytes, lc_json_visit *visit, void *context,
                       lc_message *message);

#endif
