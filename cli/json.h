// JSON output: writes values one by one, with commas and escapes.
#ifndef LC_CLI_JSON_H
#define LC_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lightcone/universe.h"

// The state of a JSON writer. The writer indents by two spaces per level and writes each value on
// its own line.
typedef struct lc_json {
    FILE *file;
    int depth;
    bool first; // nothing has been written on this level yet
} lc_json;

// In all functions below, `key` is NULL for elements of an array and for the outermost value. After
// the outermost value, the writer adds a newline.
void lc_json_open_object(lc_json *json, const char *key);
void lc_json_close_object(lc_json *json);
void lc_json_open_array(lc_json *json, const char *key);
void lc_json_close_array(lc_json *json);

// Writes null for NULL. Replaces bytes that are not UTF-8 by U+FFFD.
void lc_json_string(lc_json *json, const char *key, const char *value);
void lc_json_u64(lc_json *json, const char *key, uint64_t value);
void lc_json_count(lc_json *json, const char *key, lc_count value);
void lc_json_i64(lc_json *json, const char *key, int64_t value);
void lc_json_bool(lc_json *json, const char *key, bool value);
// Writes null for infinities and not-a-number, because JSON cannot express them.
void lc_json_double(lc_json *json, const char *key, double value);
// Writes null for numbers of at most 0 as well.
void lc_json_positive(lc_json *json, const char *key, double value);
void lc_json_null(lc_json *json, const char *key);
void lc_json_hash(lc_json *json, const char *key, uint64_t hash);
void lc_json_rule(lc_json *json, const char *key, const lc_rule *rule);
// Writes the topology as after the colon of a rule, or "plane" for the infinite plane.
void lc_json_topology(lc_json *json, const char *key, const lc_topology *topology);
// Writes {"x", "y", "width", "height"}, or null if the box is empty.
void lc_json_box(lc_json *json, const char *key, const lc_wide_box *box);

#endif
