#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "census/haul_order.h"
#include "census/md5_text.h"

enum {
    SAMPLES_BYTES_MAX = LC_HAUL_SAMPLES_MAX * 21, // each a blank and at most 20 digits
    LINE_BYTES = LC_HAUL_CODE_BYTES_MAX + SAMPLES_BYTES_MAX + 64,
};

typedef struct haul_reader {
    lc_input *input;
    lc_haul *haul;
    char *text; // the line
    size_t length;
    uint64_t line;  // its number
    bool has_line;  // false: the text has ended
    unsigned found; // header fields, a bit for each
    char md5[LC_MD5_TEXT_BYTES];
    lc_message *message;
} haul_reader;

static lc_status fail_at(const haul_reader *reader, const char *at, const char *format, ...)
    LC_PRINTF(3, 4);

static lc_status fail_at(const haul_reader *reader, const char *at, const char *format, ...)
{
    char sentence[LC_MESSAGE_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return lc_fail_at_line(reader->message, LC_ERROR_FORMAT, reader->line,
                           (uint64_t)(at - reader->text) + 1, "%s", sentence);
}

static lc_status next_line(haul_reader *reader)
{
    bool is_cut = false;
    reader->has_line = lc_input_line(reader->input, reader->text, LINE_BYTES, &reader->length,
                                     &is_cut, &reader->line);
    if (!reader->has_line)
        return lc_input_end(reader->input, reader->message);
    return is_cut ? fail_at(reader, reader->text, "the line has more than %d bytes", LINE_BYTES - 1)
                  : LC_OK;
}

bool lc_haul_number(const char **at, uint64_t *number)
{
    const char *const first = *at;
    *number = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        const uint64_t digit = (uint64_t)(**at - '0');
        if (!lc_mul_u64(*number, 10, number) || !lc_add_u64(*number, digit, number))
            return false;
    }
    return *at > first && (*first != '0' || *at == first + 1);
}

static lc_status fail_number(const haul_reader *reader, const char *at)
{
    return fail_at(reader, at, "\"%.40s\" is not a number from 0 to 2^64 - 1", at);
}

// The header -------------------------------------------------------------------------------------

enum { MD5, ROOT, RULE, SYMMETRY, SOUPS, OBJECTS, FIELDS, NEEDED = (1 << FIELDS) - 1 - (1 << MD5) };
static const char *const field_names[FIELDS] = {"@MD5",      "@ROOT",      "@RULE",
                                                "@SYMMETRY", "@NUM_SOUPS", "@NUM_OBJECTS"};

static lc_status take_text(const haul_reader *reader, const char *value, char *text, size_t max)
{
    const size_t length = strlen(value);
    if (length > max)
        return fail_at(reader, value, "a text of %zu bytes; the longest has %zu", length, max);
    memcpy(text, value, length + 1);
    return LC_OK;
}

static lc_status take_count(const haul_reader *reader, const char *value, uint64_t *count)
{
    const char *at = value;
    return lc_haul_number(&at, count) && *at == '\0' ? LC_OK : fail_number(reader, value);
}

static lc_status take_value(haul_reader *reader, int field, const char *value)
{
    lc_haul *const haul = reader->haul;
    switch (field) {
    case MD5:
        return take_text(reader, value, reader->md5, sizeof reader->md5 - 1);
    case ROOT:
        return take_text(reader, value, haul->root, LC_HAUL_ROOT_BYTES_MAX);
    case RULE:
        return take_text(reader, value, haul->rule, LC_HAUL_RULE_BYTES_MAX);
    case SYMMETRY:
        return take_text(reader, value, haul->symmetry, LC_HAUL_SYMMETRY_BYTES_MAX);
    case SOUPS:
        return take_count(reader, value, &haul->soups);
    default:
        return take_count(reader, value, &haul->objects);
    }
}

// Header lines of other names, and without a value, have no meaning here.
static lc_status read_field(haul_reader *reader)
{
    const size_t name_bytes = strcspn(reader->text, " ");
    const char *const value = reader->text + name_bytes + 1;
    if (reader->length <= name_bytes)
        return LC_OK;
    for (int field = 0; field < FIELDS; field++) {
        const char *const name = field_names[field];
        if (strlen(name) != name_bytes || memcmp(name, reader->text, name_bytes) != 0)
            continue;
        if (reader->found & 1u << field)
            return fail_at(reader, reader->text, "a second line %s", name);
        reader->found |= 1u << field;
        return take_value(reader, field, value);
    }
    return LC_OK;
}

static lc_status check_header(const haul_reader *reader)
{
    char md5[LC_MD5_TEXT_BYTES];
    const lc_haul *const haul = reader->haul;
    for (int field = 0; field < FIELDS; field++)
        if (NEEDED & ~reader->found & 1u << field)
            return fail_at(reader, reader->text, "the header has no line %s", field_names[field]);
    lc_md5_text(haul->root, strlen(haul->root), md5);
    if (reader->found & 1u << MD5 && strcmp(md5, reader->md5) != 0) {
        return fail_at(reader, reader->text,
                       "the header is damaged: its MD5 is \"%s\", and that of its root is \"%s\"",
                       reader->md5, md5);
    }
    return LC_OK;
}

static lc_status read_header(haul_reader *reader)
{
    lc_status status = next_line(reader);
    if (status == LC_OK && reader->has_line && reader->text[0] != '@')
        status = next_line(reader); // the first line is for the server
    while (status == LC_OK && reader->has_line && strcmp(reader->text, "@CENSUS TABLE") != 0) {
        if (reader->length > 0 && reader->text[0] != '@')
            return fail_at(reader, reader->text, "this is not the header of a haul");
        status = read_field(reader);
        if (status == LC_OK)
            status = next_line(reader);
    }
    if (status == LC_OK && !reader->has_line)
        return fail_at(reader, reader->text, "this is not a haul: it has no line @CENSUS TABLE");
    return status != LC_OK ? status : check_header(reader);
}

// The table --------------------------------------------------------------------------------------

// Fails as lc_haul_add did, with the line.
static lc_status fail_as_said(const haul_reader *reader, lc_status status, const lc_message *said)
{
    const lc_status mine = status == LC_ERROR_ARGUMENT ? LC_ERROR_FORMAT : status;
    return lc_fail_at_line(reader->message, mine, reader->line, 1, "%s", said->text);
}

static lc_status read_kind(haul_reader *reader)
{
    const size_t code_bytes = strcspn(reader->text, " ");
    const char *const count_text = reader->text + code_bytes + 1;
    uint64_t count;
    lc_haul_kind *kind;
    lc_message said = {0};
    if (reader->length <= code_bytes)
        return fail_at(reader, reader->text, "there is no count behind the code");
    lc_status status = take_count(reader, count_text, &count);
    if (status != LC_OK)
        return status;
    status = lc_haul_add(reader->haul, reader->text, code_bytes, count, &kind, &said);
    if (status != LC_OK)
        return fail_as_said(reader, status, &said);
    kind->line = reader->line;
    return LC_OK;
}

static lc_status check_sum(const haul_reader *reader)
{
    const lc_haul *const haul = reader->haul;
    uint64_t sum = 0, nothing = 0;
    for (size_t i = 0; i < haul->kind_count; i++) {
        const lc_haul_kind *const kind = &haul->kinds[i];
        if (!lc_add_u64(sum, kind->count, &sum))
            return fail_at(reader, reader->text, "the counts add up to more than 2^64 - 1");
        if (strcmp(kind->code, LC_HAUL_NOTHING) == 0)
            nothing = kind->count;
    }
    if (haul->objects != sum && haul->objects != sum - nothing) {
        return fail_at(reader, reader->text,
                       "the haul is damaged: @NUM_OBJECTS is %" PRIu64
                       ", and the counts add up to %" PRIu64,
                       haul->objects, sum);
    }
    return LC_OK;
}

// Sorts the kinds by their codes.
static lc_status check_table(haul_reader *reader)
{
    lc_haul *const haul = reader->haul;
    lc_haul_sort_by_code(haul);
    for (size_t i = 1; i < haul->kind_count; i++) {
        const lc_haul_kind *const kind = &haul->kinds[i];
        if (strcmp(kind->code, kind[-1].code) == 0) {
            return lc_fail_at_line(reader->message, LC_ERROR_FORMAT, kind->line, 1,
                                   "\"%.160s\" is already in line %" PRIu64, kind->code,
                                   kind[-1].line);
        }
    }
    return check_sum(reader);
}

static lc_status read_table(haul_reader *reader)
{
    lc_status status = next_line(reader);
    while (status == LC_OK && reader->has_line && reader->length > 0) {
        status = read_kind(reader);
        if (status == LC_OK)
            status = next_line(reader);
    }
    return status != LC_OK ? status : check_table(reader);
}

// Samples ----------------------------------------------------------------------------------------

static int compare_code(const void *code, const void *kind)
{
    return strcmp(code, ((const lc_haul_kind *)kind)->code);
}

// Cuts the line behind the code.
static lc_haul_kind *find_kind(const haul_reader *reader, size_t code_bytes)
{
    const lc_haul *const haul = reader->haul;
    reader->text[code_bytes] = '\0';
    return haul->kind_count == 0 ? NULL
                                 : bsearch(reader->text, haul->kinds, haul->kind_count,
                                           sizeof *haul->kinds, compare_code);
}

static lc_status read_samples(haul_reader *reader)
{
    const size_t code_bytes = strcspn(reader->text, " ");
    const char *at = reader->text + code_bytes;
    const bool has_samples = *at == ' ';
    lc_haul_kind *const kind = find_kind(reader, code_bytes);
    if (kind == NULL)
        return fail_at(reader, reader->text, "\"%.160s\" is not in the table", reader->text);
    if (kind->sample_count > 0)
        return fail_at(reader, reader->text, "a second line of samples of \"%.160s\"", kind->code);
    if (!has_samples)
        return fail_at(reader, reader->text, "there is no sample behind the code");
    for (const char *end = reader->text + reader->length; at < end;) {
        const char *const number = ++at;
        if (kind->sample_count == LC_HAUL_SAMPLES_MAX)
            return fail_at(reader, number, "more than %d samples", LC_HAUL_SAMPLES_MAX);
        if (!lc_haul_number(&at, &kind->samples[kind->sample_count++]) || (at < end && *at != ' '))
            return fail_number(reader, number);
    }
    return LC_OK;
}

static lc_status skip_empty_lines(haul_reader *reader)
{
    lc_status status = LC_OK;
    while (status == LC_OK && reader->has_line && reader->length == 0)
        status = next_line(reader);
    return status;
}

// A haul may end behind the table.
static lc_status read_all_samples(haul_reader *reader)
{
    lc_status status = skip_empty_lines(reader);
    if (status != LC_OK || !reader->has_line)
        return status;
    if (strcmp(reader->text, "@SAMPLE_SOUPIDS") != 0)
        return fail_at(reader, reader->text, "\"%.40s\" instead of @SAMPLE_SOUPIDS", reader->text);
    status = next_line(reader);
    while (status == LC_OK && reader->has_line && reader->length > 0) {
        status = read_samples(reader);
        if (status == LC_OK)
            status = next_line(reader);
    }
    if (status == LC_OK)
        status = skip_empty_lines(reader);
    if (status == LC_OK && reader->has_line)
        return fail_at(reader, reader->text, "\"%.40s\" behind the end of the haul", reader->text);
    return status;
}

// The whole --------------------------------------------------------------------------------------

static lc_status read_all(haul_reader *reader)
{
    lc_status status = read_header(reader);
    if (status == LC_OK)
        status = read_table(reader);
    if (status == LC_OK)
        status = read_all_samples(reader);
    if (status == LC_OK)
        status = lc_input_finish(reader->input, reader->message);
    return status;
}

lc_status lc_haul_read(lc_haul *out, lc_input *input, lc_message *message)
{
    *out = (lc_haul){0};
    haul_reader reader = {.input = input, .haul = out, .line = 1, .message = message};
    reader.text = lc_malloc(LINE_BYTES);
    if (reader.text == NULL)
        return lc_fail_memory(message, "a line of a haul");
    const lc_status status = read_all(&reader);
    lc_free(reader.text);
    if (status == LC_OK)
        lc_haul_sort(out);
    else
        lc_haul_free(out);
    return status;
}
