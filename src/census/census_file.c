// Files of censuses. A file is text: a header, a haul (haul.h), and a checksum of all before it:
//
//     lightcone census 1                  version of the format
//     definition 1                        version of the definition of objects
//     rule B3/S23
//     soups C1 l_example                  or: soups random WIDTH HEIGHT DENSITY SEED
//     counted 0-999 2000-2999             numbers, or: none
//     wanted 0-9999
//
//     @VERSION lightcone-0.1.0
//     ...
//     checksum 0123456789abcdef           XXH3_64bits
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/memory.h"
#include "census/census_internal.h"
#include "census/haul_order.h"

enum {
    FILE_VERSION = 1,
    // Rises when a soup may have other objects than before, so that censuses are never mixed.
    DEFINITION = 1,
    HEADER_LINES = 7,
    FILE_BYTES_MAX = 1 << 30,
    CHECKSUM_BYTES = 26, // the whole line
};

static const char first_word[] = "lightcone census", definition_word[] = "definition",
                  rule_word[] = "rule", soups_word[] = "soups", counted_word[] = "counted",
                  wanted_word[] = "wanted", none_word[] = "none",
                  no_checksum[] = "checksum 0000000000000000\n";

static void format_checksum(char line[CHECKSUM_BYTES + 1], const void *text, size_t bytes)
{
    (void)snprintf(line, CHECKSUM_BYTES + 1, "checksum %016" PRIx64 "\n",
                   (uint64_t)XXH3_64bits(text, bytes));
}

// Writes the last line of a text, for which there is room.
static void put_checksum(char *text, size_t bytes)
{
    char line[CHECKSUM_BYTES + 1];
    format_checksum(line, text, bytes - CHECKSUM_BYTES);
    memcpy(text + bytes - CHECKSUM_BYTES, line, CHECKSUM_BYTES);
}

// Hauls ------------------------------------------------------------------------------------------

// Writes a rule as the field does: b3s23 instead of B3/S23.
static void write_field_rule(char text[LC_HAUL_RULE_BYTES_MAX + 1], const char *rule)
{
    const bool is_plain = rule[0] == 'B' && strchr(rule, '/') != NULL;
    size_t bytes = 0;
    for (; *rule != '\0'; rule++)
        if (!is_plain || *rule != '/')
            text[bytes++] = is_plain && *rule >= 'A' && *rule <= 'Z' ? (char)(*rule + 32) : *rule;
    text[bytes] = '\0';
}

static lc_status add_kind(lc_haul *haul, const lc_kind *from, lc_message *message)
{
    lc_haul_kind *kind;
    if (from->count == 0)
        return LC_OK;
    const lc_status status =
        lc_haul_add(haul, from->name, strlen(from->name), from->count, &kind, message);
    if (status == LC_OK) {
        memcpy(kind->samples, from->samples, sizeof kind->samples);
        kind->sample_count = from->sample_count;
    }
    return status;
}

lc_status lc_census_to_haul(lc_haul *haul, const lc_soup_census *census, lc_message *message)
{
    lc_status status = LC_OK;
    *haul = (lc_haul){.soups = lc_ranges_size(&census->counted), .objects = census->objects};
    strcpy(haul->root, census->source.seed);
    strcpy(haul->symmetry, census->source.symmetry_text);
    write_field_rule(haul->rule, census->rule_text);
    for (size_t i = 0; i < census->kinds.count && status == LC_OK; i++)
        status = add_kind(haul, &census->kinds.at[i], message);
    if (status != LC_OK)
        lc_haul_free(haul);
    return status;
}

static lc_status add_samples(lc_kinds *kinds, const lc_haul *haul, lc_message *message)
{
    for (size_t i = 0; i < haul->kind_count; i++) {
        const lc_haul_kind *from = &haul->kinds[i];
        const uint32_t number = lc_kinds_number(kinds, from->code);
        if (number == UINT32_MAX)
            return lc_fail_memory(message, "a census");
        kinds->at[number].count = from->count;
        for (int k = 0; k < from->sample_count; k++)
            lc_kinds_add(kinds, number, 0, from->samples[k]);
    }
    return LC_OK;
}

// Adds a haul to a census, which has counted nothing.
static lc_status add_haul(lc_soup_census *census, const lc_haul *haul,
                          const lc_number_ranges *counted, lc_message *message)
{
    lc_kinds kinds = {0};
    char rule[LC_HAUL_RULE_BYTES_MAX + 1];
    write_field_rule(rule, census->rule_text);
    if (haul->soups != lc_ranges_size(counted) || strcmp(haul->rule, rule) != 0 ||
        strcmp(haul->root, census->source.seed) != 0 ||
        strcmp(haul->symmetry, census->source.symmetry_text) != 0)
        return lc_fail(message, LC_ERROR_FORMAT, "the census is damaged: its headers differ");
    lc_status status = add_samples(&kinds, haul, message);
    if (status == LC_OK && !lc_census_add(census, &kinds, counted))
        status = lc_fail_memory(message, "a census");
    lc_kinds_free(&kinds);
    return status;
}

// Saving -----------------------------------------------------------------------------------------

static void write_ranges(lc_output *output, const char *name, const lc_number_ranges *ranges)
{
    lc_output_text(output, name);
    for (size_t i = 0; i < ranges->count; i++)
        lc_output_print(output, " %" PRIu64 "-%" PRIu64, ranges->at[i].first,
                        ranges->at[i].end - 1);
    lc_output_print(output, "%s%s\n", ranges->count == 0 ? " " : "",
                    ranges->count == 0 ? none_word : "");
}

static void write_header(lc_output *output, const lc_soup_census *census)
{
    char source[LC_SOURCE_TEXT_BYTES];
    lc_output_print(output, "%s %d\n%s %d\n%s %s\n", first_word, FILE_VERSION, definition_word,
                    DEFINITION, rule_word, census->rule_text);
    lc_output_print(output, "%s %s\n", soups_word, lc_soup_source_format(&census->source, source));
    write_ranges(output, counted_word, &census->counted);
    write_ranges(output, wanted_word, &census->wanted);
    lc_output_text(output, "\n");
}

lc_status lc_census_make_text(void **text, size_t *bytes, const lc_soup_census *census,
                              lc_message *message)
{
    lc_haul haul;
    lc_output *output;
    *text = NULL;
    lc_status status = lc_census_to_haul(&haul, census, message);
    if (status != LC_OK)
        return status;
    status = lc_output_create_memory(&output, FILE_BYTES_MAX, message);
    if (status == LC_OK) {
        write_header(output, census);
        lc_haul_write(&haul, output);
        lc_output_text(output, no_checksum);
        status = lc_output_take_memory(&output, text, bytes, message);
    }
    if (status == LC_OK)
        put_checksum(*text, *bytes);
    lc_haul_free(&haul);
    return status;
}

lc_status lc_soup_census_save(const lc_soup_census *census, const char *path, lc_message *message)
{
    void *text;
    size_t bytes = 0;
    lc_output *output;
    lc_status status = lc_census_make_text(&text, &bytes, census, message);
    if (status != LC_OK)
        return status;
    status = lc_output_create(&output, path, 0, message);
    if (status == LC_OK) {
        lc_output_write(output, text, bytes);
        status = lc_output_commit(&output, message);
    }
    free(text);
    return status;
}

// Opening ----------------------------------------------------------------------------------------

// A file in memory, and the part that has not been read yet.
typedef struct census_text {
    char *text;
    size_t bytes, room;
    char *at, *end;
    lc_message *message;
} census_text;

static lc_status append(census_text *t, const void *from, size_t bytes)
{
    if (bytes > FILE_BYTES_MAX - t->bytes)
        return lc_fail(t->message, LC_ERROR_LIMIT, "the census has more than %d bytes",
                       FILE_BYTES_MAX);
    if (!lc_grow(&t->text, &t->room, t->bytes + bytes + 1, 1))
        return lc_fail_memory(t->message, "a census");
    memcpy(t->text + t->bytes, from, bytes);
    t->bytes += bytes;
    t->text[t->bytes] = '\0';
    return LC_OK;
}

static lc_status read_text(census_text *t, const char *path)
{
    lc_input input;
    lc_status status = lc_input_open(&input, path, t->message);
    if (status != LC_OK)
        return status;
    do {
        status = append(t, input.next, (size_t)(input.end - input.next));
        input.next = input.end;
    } while (status == LC_OK && lc_input_more(&input));
    if (status == LC_OK)
        status = lc_input_end(&input, t->message);
    lc_input_close(&input);
    return status;
}

// Tells a file that is none of ours from one of a later version, and from a damaged one.
static lc_status check_text(census_text *t)
{
    char checksum[CHECKSUM_BYTES + 1], first_line[64];
    if (strncmp(t->text, first_word, strlen(first_word)) != 0)
        return lc_fail(t->message, LC_ERROR_FORMAT, "this is not a census of soups");
    (void)snprintf(first_line, sizeof first_line, "%s %d\n", first_word, FILE_VERSION);
    if (strncmp(t->text, first_line, strlen(first_line)) != 0)
        return lc_fail(t->message, LC_ERROR_UNSUPPORTED,
                       "this version of lightcone does not know the census format of the file");
    if (t->bytes < CHECKSUM_BYTES)
        return lc_fail(t->message, LC_ERROR_FORMAT, "the census ends too early");
    t->at = t->text;
    t->end = t->text + t->bytes - CHECKSUM_BYTES;
    format_checksum(checksum, t->text, (size_t)(t->end - t->text));
    if (memcmp(t->end, checksum, CHECKSUM_BYTES) != 0)
        return lc_fail(t->message, LC_ERROR_FORMAT,
                       "the census is damaged or ends too early: its checksum is wrong");
    return LC_OK;
}

// Sets *value to what follows the name in the next line.
static lc_status next_line(census_text *t, const char *name, const char **value)
{
    char *const line = t->at, *const line_end = memchr(line, '\n', (size_t)(t->end - line));
    const size_t name_bytes = strlen(name);
    if (line_end == NULL || (size_t)(line_end - line) <= name_bytes ||
        memcmp(line, name, name_bytes) != 0 || line[name_bytes] != ' ')
        return lc_fail(t->message, LC_ERROR_FORMAT, "the census has no line \"%s\"", name);
    *line_end = '\0';
    *value = line + name_bytes + 1;
    t->at = line_end + 1;
    return LC_OK;
}

static bool parse_range(lc_number_range *range, const char **at)
{
    return lc_haul_number(at, &range->first) && *(*at)++ == '-' &&
           lc_haul_number(at, &range->end) && range->end >= range->first &&
           range->end++ < UINT64_MAX && (**at == ' ' || **at == '\0');
}

static lc_status read_ranges(census_text *t, const char *name, lc_number_ranges *ranges)
{
    lc_number_range range;
    const char *at;
    const lc_status status = next_line(t, name, &at);
    if (status != LC_OK || strcmp(at, none_word) == 0)
        return status;
    for (bool is_more = true; is_more; at += is_more) {
        if (!parse_range(&range, &at) ||
            (ranges->count > 0 && ranges->at[ranges->count - 1].end >= range.first))
            return lc_fail(t->message, LC_ERROR_FORMAT, "the line \"%s\" is no list of numbers",
                           name);
        if (!lc_ranges_reserve(ranges, 1))
            return lc_fail_memory(t->message, "the numbers of soups");
        lc_ranges_add(ranges, range);
        is_more = *at == ' ';
    }
    return LC_OK;
}

static lc_status read_haul(lc_haul *haul, const census_text *t)
{
    lc_input input;
    lc_status status = lc_input_open_memory(&input, t->at, (size_t)(t->end - t->at), t->message);
    if (status != LC_OK)
        return status;
    status = lc_haul_read(haul, &input, t->message);
    lc_input_close(&input);
    if (status != LC_OK && t->message != NULL && t->message->line > 0)
        t->message->line += HEADER_LINES;
    return status;
}

static lc_status check_definition(census_text *t)
{
    const char *value;
    char wanted[16];
    lc_status status = next_line(t, first_word, &value);
    if (status == LC_OK)
        status = next_line(t, definition_word, &value);
    (void)snprintf(wanted, sizeof wanted, "%d", DEFINITION);
    if (status == LC_OK && strcmp(value, wanted) != 0)
        return lc_fail(t->message, LC_ERROR_UNSUPPORTED,
                       "the census counts objects by definition %.40s, and this version of "
                       "lightcone by definition %s",
                       value, wanted);
    return status;
}

// Reads the lines that a census is created from.
static lc_status create(lc_soup_census **out, census_text *t, lc_context *context)
{
    const char *rule_text, *source_text;
    const lc_rule *rule = NULL;
    lc_soup_source source;
    lc_status status = check_definition(t);
    if (status == LC_OK)
        status = next_line(t, rule_word, &rule_text);
    if (status == LC_OK)
        status = next_line(t, soups_word, &source_text);
    if (status == LC_OK)
        status = lc_soup_source_parse(&source, source_text, t->message);
    if (status == LC_OK)
        status = lc_rule_parse(rule_text, &rule, NULL, t->message);
    if (status == LC_OK)
        status = lc_census_create_empty(out, rule, &source, context, t->message);
    lc_rule_release(&rule);
    return status;
}

static lc_status read_census(lc_soup_census **out, census_text *t, lc_number_ranges *counted,
                             lc_haul *haul, lc_context *context)
{
    lc_status status = create(out, t, context);
    if (status == LC_OK)
        status = read_ranges(t, counted_word, counted);
    if (status == LC_OK)
        status = read_ranges(t, wanted_word, &(*out)->wanted);
    if (status == LC_OK)
        status = read_haul(haul, t);
    if (status == LC_OK)
        status = add_haul(*out, haul, counted, t->message);
    if (status == LC_OK && !lc_ranges_contain(&(*out)->wanted, counted))
        status = lc_fail(t->message, LC_ERROR_FORMAT, "the census has counted unwanted soups");
    return status;
}

// Reads a census from its text, and frees the text.
static lc_status take_text(lc_soup_census **out, census_text *text, lc_context *context)
{
    lc_number_ranges counted = {0};
    lc_haul haul = {0};
    *out = NULL;
    lc_status status = check_text(text);
    if (status == LC_OK)
        status = read_census(out, text, &counted, &haul, context);
    if (status != LC_OK)
        lc_soup_census_destroy(out);
    lc_haul_free(&haul);
    lc_ranges_free(&counted);
    lc_free(text->text);
    return status;
}

lc_status lc_soup_census_open(lc_soup_census **out, const char *path, lc_context *context,
                              lc_message *message)
{
    census_text text = {.message = message};
    *out = NULL;
    const lc_status status = read_text(&text, path);
    if (status == LC_OK)
        return take_text(out, &text, context);
    lc_free(text.text);
    return status;
}

lc_status lc_census_read_text(lc_soup_census **out, const void *text, size_t bytes,
                              lc_context *context, lc_message *message)
{
    census_text copy = {.message = message};
    *out = NULL;
    const lc_status status = append(&copy, text, bytes);
    if (status == LC_OK)
        return take_text(out, &copy, context);
    lc_free(copy.text);
    return status;
}

// Merging ----------------------------------------------------------------------------------------

lc_status lc_census_check_alike(const lc_soup_census *into, const lc_soup_census *from,
                                lc_message *message)
{
    char one[LC_SOURCE_TEXT_BYTES], other[LC_SOURCE_TEXT_BYTES];
    if (into->rule != from->rule)
        return lc_fail(message, LC_ERROR_ARGUMENT, "censuses of different rules: %.80s and %.80s",
                       into->rule_text, from->rule_text);
    lc_soup_source_format(&into->source, one);
    lc_soup_source_format(&from->source, other);
    if (strcmp(one, other) != 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "censuses of different soups: \"%.100s\" and \"%.100s\"", one, other);
    return LC_OK;
}

lc_status lc_soup_census_merge(lc_soup_census *into, const lc_soup_census *from,
                               lc_message *message)
{
    uint64_t sum;
    const lc_status status = lc_census_check_alike(into, from, message);
    if (status != LC_OK)
        return status;
    const uint64_t common = lc_ranges_common(&into->counted, &from->counted);
    if (common != UINT64_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "both censuses have counted soup %" PRIu64,
                       common);
    if (!lc_add_u64(into->objects, from->objects, &sum))
        return lc_fail(message, LC_ERROR_LIMIT, "the censuses have more than 2^64 - 1 objects");
    if (!lc_ranges_reserve(&into->wanted, from->wanted.count) ||
        !lc_census_add(into, &from->kinds, &from->counted))
        return lc_fail_memory(message, "a census");
    for (size_t i = 0; i < from->wanted.count; i++)
        lc_ranges_add(&into->wanted, from->wanted.at[i]);
    return LC_OK;
}
