#include "census/haul.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "census/haul_order.h"
#include "census/md5_text.h"

// Kinds ------------------------------------------------------------------------------------------

static lc_status make_room(lc_haul *haul, lc_message *message)
{
    size_t bytes;
    const size_t room = haul->kind_room < 64 ? 64 : 2 * haul->kind_room;
    if (haul->kind_count < haul->kind_room)
        return LC_OK;
    if (haul->kind_count >= LC_HAUL_KINDS_MAX)
        return lc_fail(message, LC_ERROR_LIMIT, "more than %d kinds of objects", LC_HAUL_KINDS_MAX);
    lc_haul_kind *kinds = NULL;
    if (lc_mul_size(room, sizeof *kinds, &bytes))
        kinds = lc_realloc(haul->kinds, bytes);
    if (kinds == NULL)
        return lc_fail_memory(message, "%zu kinds of objects", room);
    haul->kinds = kinds;
    haul->kind_room = room;
    return LC_OK;
}

static lc_status check_code(const char *code, size_t code_bytes, lc_message *message)
{
    if (code_bytes > LC_HAUL_CODE_BYTES_MAX) {
        return lc_fail(message, LC_ERROR_LIMIT, "a code of %zu bytes; the longest has %d",
                       code_bytes, LC_HAUL_CODE_BYTES_MAX);
    }
    for (size_t i = 0; i < code_bytes; i++)
        if (code[i] <= ' ' || code[i] > '~')
            return lc_fail(message, LC_ERROR_ARGUMENT, "a code with the byte 0x%02x",
                           (unsigned)(unsigned char)code[i]);
    return code_bytes > 0 ? LC_OK : lc_fail(message, LC_ERROR_ARGUMENT, "a code without bytes");
}

lc_status lc_haul_add(lc_haul *haul, const char *code, size_t code_bytes, uint64_t count,
                      lc_haul_kind **kind, lc_message *message)
{
    lc_status status = check_code(code, code_bytes, message);
    if (status == LC_OK)
        status = make_room(haul, message);
    if (status != LC_OK)
        return status;
    char *const copy = lc_malloc(code_bytes + 1);
    if (copy == NULL)
        return lc_fail_memory(message, "a code of %zu bytes", code_bytes);
    memcpy(copy, code, code_bytes);
    copy[code_bytes] = '\0';
    *kind = &haul->kinds[haul->kind_count++];
    **kind = (lc_haul_kind){.code = copy, .count = count};
    return LC_OK;
}

void lc_haul_free(lc_haul *haul)
{
    for (size_t i = 0; i < haul->kind_count; i++)
        lc_free(haul->kinds[i].code);
    lc_free(haul->kinds);
    *haul = (lc_haul){0};
}

// Order ------------------------------------------------------------------------------------------

static void sort(lc_haul *haul, int (*order)(const void *, const void *))
{
    if (haul->kind_count > 0)
        qsort(haul->kinds, haul->kind_count, sizeof *haul->kinds, order);
}

static int by_code(const void *a, const void *b)
{
    const lc_haul_kind *const left = a, *const right = b;
    const int codes = strcmp(left->code, right->code);
    return codes != 0 ? codes : (left->line > right->line) - (left->line < right->line);
}

static int by_count(const void *a, const void *b)
{
    const lc_haul_kind *const left = a, *const right = b;
    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    return strcmp(right->code, left->code);
}

void lc_haul_sort_by_code(lc_haul *haul)
{
    sort(haul, by_code);
}

void lc_haul_sort(lc_haul *haul)
{
    sort(haul, by_count);
}

// Writing ----------------------------------------------------------------------------------------

enum { NUMBER_BYTES = 32 }; // a blank, a number, a line end

static void write_number(lc_output *output, uint64_t number)
{
    char text[NUMBER_BYTES];
    (void)snprintf(text, sizeof text, " %" PRIu64, number);
    lc_output_text(output, text);
}

static void write_field(lc_output *output, const char *name, const char *value)
{
    lc_output_text(output, name);
    lc_output_text(output, " ");
    lc_output_text(output, value);
    lc_output_text(output, "\n");
}

static void write_count(lc_output *output, const char *name, uint64_t count)
{
    lc_output_text(output, name);
    write_number(output, count);
    lc_output_text(output, "\n");
}

static void write_header(const lc_haul *haul, lc_output *output)
{
    char version[64], md5[LC_MD5_TEXT_BYTES];
    (void)snprintf(version, sizeof version, "lightcone-%s", lc_version());
    write_field(output, "@VERSION", version);
    write_field(output, "@MD5", lc_md5_text(haul->root, strlen(haul->root), md5));
    write_field(output, "@ROOT", haul->root);
    write_field(output, "@RULE", haul->rule);
    write_field(output, "@SYMMETRY", haul->symmetry);
    write_count(output, "@NUM_SOUPS", haul->soups);
    write_count(output, "@NUM_OBJECTS", haul->objects);
}

// Every soup that dies out would be a sample of the object without cells.
static bool has_samples(const lc_haul_kind *kind)
{
    return kind->sample_count > 0 && strcmp(kind->code, LC_HAUL_NOTHING) != 0;
}

static void write_samples(lc_output *output, const lc_haul_kind *kind)
{
    lc_output_text(output, kind->code);
    for (int i = 0; i < kind->sample_count; i++)
        write_number(output, kind->samples[i]);
    lc_output_text(output, "\n");
}

void lc_haul_write(lc_haul *haul, lc_output *output)
{
    lc_haul_sort(haul);
    write_header(haul, output);
    lc_output_text(output, "\n@CENSUS TABLE\n");
    for (size_t i = 0; i < haul->kind_count; i++)
        write_count(output, haul->kinds[i].code, haul->kinds[i].count);
    lc_output_text(output, "\n@SAMPLE_SOUPIDS\n");
    for (size_t i = 0; i < haul->kind_count; i++)
        if (has_samples(&haul->kinds[i]))
            write_samples(output, &haul->kinds[i]);
}
