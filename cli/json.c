// JSON output: writes values one by one, with commas and escapes.
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "utf8.h"

static void write_string(FILE *file, const char *value)
{
    fputc('"', file);
    for (const char *at = value; *at != '\0';) {
        uint32_t code;
        size_t length = lc_utf8_bytes(at, &code);
        if (length == 0) {
            fputs("\\ufffd", file);
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            fprintf(file, "\\%c", *at);
        } else if (*at == '\n') {
            fputs("\\n", file);
        } else if (*at == '\t') {
            fputs("\\t", file);
        } else if (code < 0x20 || code == 0x7F) {
            fprintf(file, "\\u%04x", (unsigned)code);
        } else {
            fwrite(at, 1, length, file);
        }
        at += length;
    }
    fputc('"', file);
}

static void new_line(lc_json *json)
{
    fputc('\n', json->file);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->file);
}

// Writes the comma, the indentation and the key before a value.
static void begin_value(lc_json *json, const char *key)
{
    if (json->depth > 0) {
        if (!json->first)
            fputc(',', json->file);
        new_line(json);
    }
    json->first = false;
    if (key != NULL) {
        write_string(json->file, key);
        fputs(": ", json->file);
    }
}

static void open_level(lc_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->file);
    json->depth++;
    json->first = true;
}

static void close_level(lc_json *json, char bracket)
{
    json->depth--;
    if (!json->first)
        new_line(json);
    fputc(bracket, json->file);
    json->first = false;
    if (json->depth == 0)
        fputc('\n', json->file);
}

void lc_json_open_object(lc_json *json, const char *key)
{
    open_level(json, key, '{');
}

void lc_json_close_object(lc_json *json)
{
    close_level(json, '}');
}

void lc_json_open_array(lc_json *json, const char *key)
{
    open_level(json, key, '[');
}

void lc_json_close_array(lc_json *json)
{
    close_level(json, ']');
}

void lc_json_string(lc_json *json, const char *key, const char *value)
{
    if (value == NULL) {
        lc_json_null(json, key);
        return;
    }
    begin_value(json, key);
    write_string(json->file, value);
}

void lc_json_u64(lc_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    fprintf(json->file, "%" PRIu64, value);
}

void lc_json_count(lc_json *json, const char *key, lc_count value)
{
    char digits[LC_COUNT_TEXT_BYTES];
    lc_count_format(value, digits);
    begin_value(json, key);
    fputs(digits, json->file);
}

void lc_json_i64(lc_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void lc_json_bool(lc_json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->file);
}

void lc_json_double(lc_json *json, const char *key, double value)
{
    if (!isfinite(value)) {
        lc_json_null(json, key);
        return;
    }
    begin_value(json, key);
    fprintf(json->file, "%.9g", value);
}

void lc_json_null(lc_json *json, const char *key)
{
    begin_value(json, key);
    fputs("null", json->file);
}

void lc_json_positive(lc_json *json, const char *key, double value)
{
    lc_json_double(json, key, value > 0 ? value : INFINITY);
}

void lc_json_hash(lc_json *json, const char *key, uint64_t hash)
{
    begin_value(json, key);
    fprintf(json->file, "\"%016" PRIx64 "\"", hash);
}

void lc_json_rule(lc_json *json, const char *key, const lc_rule *rule)
{
    char text[LC_RULE_TEXT_BYTES];
    lc_rule_format(rule, NULL, text);
    lc_json_string(json, key, text);
}

void lc_json_topology(lc_json *json, const char *key, const lc_topology *topology)
{
    char text[LC_RULE_TEXT_BYTES];
    lc_rule_format(lc_rule_life(), topology, text);
    const char *colon = strchr(text, ':');
    lc_json_string(json, key, colon != NULL ? colon + 1 : "plane");
}

static void add_coordinate(lc_json *json, const char *key, lc_coordinate coordinate)
{
    char text[LC_COORDINATE_TEXT_BYTES];
    begin_value(json, key);
    lc_coordinate_format(coordinate, text);
    fputs(text, json->file);
}

void lc_json_box(lc_json *json, const char *key, const lc_wide_box *box)
{
    if (box->empty) {
        lc_json_null(json, key);
        return;
    }
    lc_json_open_object(json, key);
    add_coordinate(json, "x", box->x);
    add_coordinate(json, "y", box->y);
    lc_json_count(json, "width", box->width_cells);
    lc_json_count(json, "height", box->height_cells);
    lc_json_close_object(json);
}
