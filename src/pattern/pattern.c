// The public functions of lightcone/pattern.h: they detect the format and call its functions.
#include "lightcone/pattern.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "base/threads.h"
#include "pattern/format.h"
#include "pattern/text.h"

// In the order of probing. RLE accepts any '#' line, so it comes after the more specific ones.
static const lc_format_ops *const formats[] = {
    &lc_format_macrocell, &lc_format_life_105, &lc_format_life_106, &lc_format_mcell,
    &lc_format_apgcode,   &lc_format_rle,      &lc_format_cells,    &lc_format_png,
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static const lc_format_ops *find_format(lc_format format)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->format == format)
            return formats[i];
    return NULL;
}

static const lc_format_info infos[] = {
    {LC_FORMAT_RLE, "RLE", "rle", ".rle", true},
    {LC_FORMAT_MACROCELL, "macrocell", "mc", ".mc", true},
    {LC_FORMAT_CELLS, "plaintext", "cells", ".cells", true},
    {LC_FORMAT_LIFE_105, "Life 1.05", "life105", ".lif", true},
    {LC_FORMAT_LIFE_106, "Life 1.06", "life106", ".life", true},
    {LC_FORMAT_PNG, "PNG", "png", ".png", true},
    {LC_FORMAT_CHECKPOINT, "checkpoint", "lcs", ".lcs", true},
    {LC_FORMAT_TIMELINE, "timeline", "lct", ".lct", false},
    {LC_FORMAT_APGCODE, "apgcode", "apgcode", "", false},
    {LC_FORMAT_MCELL, "MCell", "mcl", ".mcl", false},
};

enum { INFO_COUNT = sizeof infos / sizeof infos[0] };

bool lc_format_at(size_t index, lc_format_info *info)
{
    if (index >= INFO_COUNT)
        return false;
    *info = infos[index];
    return true;
}

const char *lc_format_name(lc_format format)
{
    for (size_t i = 0; i < INFO_COUNT; i++)
        if (infos[i].format == format)
            return infos[i].name;
    return "automatic";
}

// Whether the first `length` bytes of `path` end with `ending`, in any case.
static bool ends_with(const char *path, size_t length, const char *ending)
{
    size_t count = strlen(ending);
    return length > count && strncasecmp(path + length - count, ending, count) == 0;
}

static lc_status refuse_ending(const char *ending, lc_message *message)
{
    char all[80] = "";
    size_t used = 0;
    for (size_t i = 0; i < INFO_COUNT; i++)
        if (infos[i].is_written)
            used += (size_t)snprintf(all + used, sizeof all - used, " %s", infos[i].suffix);
    return lc_fail(message, LC_ERROR_ARGUMENT,
                   "unknown suffix \"%s\"; suffixes are%s (text also .gz)", ending, all);
}

lc_format lc_format_from_path(const char *path, bool *gzip)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    size_t length = strlen(base);
    bool compressed = ends_with(base, length, ".gz");
    if (gzip != NULL)
        *gzip = compressed;
    length -= compressed ? 3 : 0;
    for (size_t i = 0; i < INFO_COUNT; i++)
        if (*infos[i].suffix != '\0' && ends_with(base, length, infos[i].suffix))
            return infos[i].format;
    return LC_FORMAT_AUTO;
}

const char *lc_format_ending(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    bool gzip;
    (void)lc_format_from_path(path, &gzip);
    const size_t end = strlen(name) - (gzip ? 3 : 0);
    for (size_t i = end; i-- > 1;)
        if (name[i] == '.')
            return i + 1 < end ? name + i : "";
    return "";
}

lc_status lc_format_choose(const char *path, lc_format asked, lc_format *format,
                           lc_message *message)
{
    bool gzip;
    const lc_format of_path = lc_format_from_path(path, &gzip);
    lc_format chosen = asked != LC_FORMAT_AUTO ? asked : of_path;
    if (chosen == LC_FORMAT_AUTO || (asked == LC_FORMAT_AUTO && of_path == LC_FORMAT_MCELL)) {
        const char *ending = lc_format_ending(path);
        if (*ending != '\0')
            return refuse_ending(ending, message);
        chosen = LC_FORMAT_RLE;
    }
    if (chosen == LC_FORMAT_TIMELINE)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a timeline is written while a universe is stepped, not as a pattern");
    if (gzip && chosen == LC_FORMAT_CHECKPOINT)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a checkpoint is compressed already; leave out .gz");
    *format = chosen;
    return LC_OK;
}

// Reading ------------------------------------------------------------------------------------

// Skips a UTF-8 byte order mark and whitespace. Of the skipped bytes, only the spaces of the first
// line with text matter, and only in plaintext.
static void skip_to_text(lc_pattern *pattern)
{
    lc_input *input = &pattern->input;
    if (input->end - input->next >= 3 && memcmp(input->next, "\xef\xbb\xbf", 3) == 0) {
        input->next += 3;
        input->line_offset = 3;
    }
    for (;;) {
        const unsigned char *at = input->next;
        for (; at < input->end && lc_is_blank(*at); at++) {
            pattern->indent_cells++;
            pattern->indent_tab |= *at != ' ';
        }
        if (at == input->end) {
            input->next = at;
            if (!lc_input_more(input))
                return;
        } else if (*at == '\n' || *at == '\r') {
            lc_input_newline(input, at);
            input->next = at + 1;
            pattern->indent_cells = 0;
            pattern->indent_tab = false;
        } else {
            input->next = at;
            return;
        }
    }
}

// Whether the window has all of its first line that does not begin with '#'.
static bool has_whole_line(const lc_input *input)
{
    const char *end = (const char *)input->end;
    const char *line = lc_skip_hash_lines((const char *)input->next, end);
    while (line < end && *line != '\n' && *line != '\r')
        line++;
    return line < end;
}

// Behind '#' lines, the first other line decides about the format. It may lie beyond the first
// window, which ends where a read or a member of a gzip file ends.
static void show_first_line(lc_input *input)
{
    while (*input->next == '#' && !has_whole_line(input) && lc_input_more(input))
        continue;
}

static lc_status choose_format(lc_pattern *pattern, lc_message *message)
{
    lc_input *input = &pattern->input;
    if (input->next == input->end)
        return lc_fail_at_line(message, LC_ERROR_FORMAT, 1, 1, "the input is empty");
    skip_to_text(pattern);
    size_t length = (size_t)(input->end - input->next);
    if (length == 0) {
        lc_status status = lc_input_end(input, message);
        return status != LC_OK ? status
                               : lc_fail_at_line(message, LC_ERROR_FORMAT, input->line, 1,
                                                 "the input holds nothing but blanks");
    }
    show_first_line(input);
    length = (size_t)(input->end - input->next);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i]->probe != NULL && formats[i]->probe((const char *)input->next, length)) {
            pattern->ops = formats[i];
            return LC_OK;
        }
    }
    lc_status status = lc_input_end(input, message);
    if (status != LC_OK) // the input is unrecognisable because it is truncated
        return status;
    const char *foreign = lc_foreign_name(input->next, length, &status);
    if (foreign != NULL)
        return lc_input_fail(input, input->next, message, status, "this is %s", foreign);
    char known[120] = "";
    size_t used = 0;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->probe != NULL)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used > 0 ? ", " : "", lc_format_name(formats[i]->format));
    return lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                         "this is not a pattern of a known format (%s)", known);
}

// Sets the header's defaults, before a pattern of the file is read.
static void clear_header(lc_pattern *pattern)
{
    const lc_pattern_header *before = &pattern->header;
    lc_free(pattern->comments);
    pattern->comments = NULL;
    pattern->rule_text[0] = '\0';
    lc_rule_release(&pattern->header.rule);
    pattern->header = (lc_pattern_header){
        .format = pattern->ops->format,
        .gzip = pattern->input.gzip,
        .rule_text = pattern->rule_text,
        .rule = lc_rule_life(),
        .comments = "",
        .number = before->patterns,
        .patterns = before->patterns,
        .names = before->names,
    };
}

static lc_status open_pattern(lc_pattern **out, const char *path, const void *data,
                              size_t size_bytes, bool takes_any_rule, lc_message *message)
{
    *out = NULL;
    lc_pattern *pattern = lc_calloc(1, sizeof *pattern);
    if (pattern == NULL)
        return lc_fail_memory(message, "opening a pattern");
    lc_status status = path != NULL
                           ? lc_input_open(&pattern->input, path, message)
                           : lc_input_open_memory(&pattern->input, data, size_bytes, message);
    if (status != LC_OK) {
        lc_free(pattern);
        return status;
    }
    pattern->takes_any_rule = takes_any_rule;
    pattern->header.patterns = 1;
    pattern->header.names = pattern->name;
    status = choose_format(pattern, message);
    if (status == LC_OK) {
        clear_header(pattern);
        status = pattern->ops->read_header(pattern, message);
    }
    if (status != LC_OK) {
        lc_pattern_close(&pattern);
        return status;
    }
    *out = pattern;
    return LC_OK;
}

lc_status lc_pattern_open(lc_pattern **out, const char *path, lc_message *message)
{
    return open_pattern(out, path, NULL, 0, false, message);
}

lc_status lc_pattern_open_cells(lc_pattern **out, const char *path, lc_message *message)
{
    return open_pattern(out, path, NULL, 0, true, message);
}

lc_status lc_pattern_open_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                 lc_message *message)
{
    return open_pattern(out, NULL, data, size_bytes, false, message);
}

lc_status lc_pattern_open_cells_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                       lc_message *message)
{
    return open_pattern(out, NULL, data, size_bytes, true, message);
}

const lc_pattern_header *lc_pattern_get_header(const lc_pattern *pattern)
{
    return &pattern->header;
}

static bool fits(int64_t cells, int64_t size)
{
    return size == 0 || cells <= size;
}

// Golly counts the cells of a bounded direction from its middle; lightcone counts from its edge.
void lc_pattern_place(const lc_pattern_header *header, const lc_topology *topology, int64_t *x,
                      int64_t *y)
{
    const int64_t middle_x = topology->width_cells / 2;
    const int64_t middle_y = topology->height_cells / 2;
    const bool infinite = topology->width_cells == 0 && topology->height_cells == 0;
    const bool stated = header->width_cells > 0 && header->height_cells > 0;
    const bool corner = stated ? !fits(header->width_cells, topology->width_cells) ||
                                     !fits(header->height_cells, topology->height_cells)
                               : header->format == LC_FORMAT_RLE && header->has_rule;
    if (header->has_position) {
        *x = header->x + middle_x;
        *y = header->y + middle_y;
    } else if (infinite || corner) {
        *x = 0;
        *y = 0;
    } else {
        *x = middle_x - header->width_cells / 2;
        *y = middle_y - header->height_cells / 2;
    }
}

// Where reading was given up in the middle of a line, that line is not to blame.
static lc_status end_reading(const lc_pattern *pattern, lc_status status, lc_message *message)
{
    const lc_input *input = &pattern->input;
    return status != LC_OK && input->status == LC_ERROR_STOPPED ? lc_input_end(input, message)
                                                                : status;
}

lc_status lc_pattern_check_unread(const lc_pattern *pattern, lc_message *message)
{
    if (pattern == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the pattern is NULL");
    return !pattern->was_read ? LC_OK
                              : lc_fail(message, LC_ERROR_ARGUMENT,
                                        "the cells of a pattern can be read only once");
}

lc_status lc_pattern_select(lc_pattern *pattern, uint64_t number, lc_message *message)
{
    bool found = true;
    lc_status status = lc_pattern_check_unread(pattern, message);
    if (status != LC_OK)
        return status;
    const uint64_t from = pattern->header.number;
    if (number < from)
        return lc_fail(message, LC_ERROR_ARGUMENT, "pattern %llu is before the open pattern, %llu",
                       (unsigned long long)number, (unsigned long long)from);
    while (status == LC_OK && found && pattern->header.patterns < number) {
        found = pattern->ops->next != NULL;
        if (found)
            status = pattern->ops->next(pattern, &found, message);
    }
    const uint64_t patterns = pattern->header.patterns;
    if (status == LC_OK && !found)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no pattern %llu; the file has %llu",
                       (unsigned long long)number, (unsigned long long)patterns);
    if (status == LC_OK && number > from && pattern->head_is_cut)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "the '#' lines before pattern %llu have more than 128 KiB; shorten them",
                       (unsigned long long)number);
    if (status == LC_OK && number > from) {
        clear_header(pattern);
        status = pattern->ops->read_header(pattern, message);
    }
    return end_reading(pattern, status, message);
}

lc_status lc_pattern_read(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_sink to;
    lc_status status = lc_pattern_check_unread(pattern, message);
    if (status == LC_OK)
        status = lc_structure_take(&to, sizeof to, sink, "lc_sink", message);
    if (status != LC_OK)
        return status;
    if (to.run == NULL || to.bits == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a sink needs both of its functions");
    pattern->was_read = true;
    return end_reading(pattern, pattern->ops->read_cells(pattern, &to, message), message);
}

bool lc_pattern_is_tree(const lc_pattern *pattern)
{
    return pattern->ops->read_tree != NULL && lc_rule_traits(pattern->header.rule)->states == 2;
}

lc_status lc_pattern_read_tree(lc_pattern *pattern, lc_store *store, lc_square *root,
                               int *root_log2, lc_message *message)
{
    const lc_status status = lc_pattern_check_unread(pattern, message);
    if (status != LC_OK)
        return status;
    pattern->was_read = true;
    return end_reading(pattern, pattern->ops->read_tree(pattern, store, root, root_log2, message),
                       message);
}

void lc_pattern_close(lc_pattern **pattern)
{
    if (pattern != NULL && *pattern != NULL) {
        lc_input_close(&(*pattern)->input);
        lc_rule_release(&(*pattern)->header.rule);
        lc_free((*pattern)->comments);
        lc_free((*pattern)->names);
        lc_free((*pattern)->cells);
        lc_free(*pattern);
        *pattern = NULL;
    }
}

// Writing ------------------------------------------------------------------------------------

static bool beyond(int64_t start, int64_t length)
{
    return start < -LC_UNIVERSE_REACH || start > LC_UNIVERSE_REACH - length;
}

static lc_status check_options(const lc_pattern_write_options *options, lc_message *message)
{
    if (options->rule == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "writing a pattern needs a rule");
    if (options->width_cells < 0 || options->height_cells < 0 ||
        options->width_cells > LC_UNIVERSE_REACH || options->height_cells > LC_UNIVERSE_REACH) {
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "%lld x %lld is no size of a pattern: each side is 0 to 2^62 cells",
                       (long long)options->width_cells, (long long)options->height_cells);
    }
    if (options->threads < 0) {
        return lc_fail(message, LC_ERROR_ARGUMENT, "%d threads cannot compress a file",
                       options->threads);
    }
    if (beyond(options->x, options->width_cells) || beyond(options->y, options->height_cells)) {
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a pattern at (%lld, %lld) reaches further than 2^62 from the origin",
                       (long long)options->x, (long long)options->y);
    }
    return LC_OK;
}

lc_status lc_pattern_check_size(lc_format format, int64_t width_cells, int64_t height_cells,
                                lc_message *message)
{
    const lc_format_ops *ops = find_format(format);
    return ops != NULL && ops->check_size != NULL
               ? ops->check_size(width_cells, height_cells, message)
               : LC_OK;
}

lc_status lc_pattern_check_square(lc_format format, const lc_store *store, lc_square square,
                                  lc_message *message)
{
    double cells, runs, rows;
    char least[LC_SIZE_TEXT_BYTES], most[LC_SIZE_TEXT_BYTES];
    const bool lists = format == LC_FORMAT_LIFE_105 || format == LC_FORMAT_LIFE_106;
    if ((!lists && format != LC_FORMAT_RLE) || !lc_store_count(store, square, &cells, &runs, &rows))
        return LC_OK;
    // The shortest texts: "bo" for the start of a run, '$' for the end of a row, and '*' or "0 0\n"
    // for a cell.
    const double bytes = format == LC_FORMAT_RLE        ? 2 * runs + rows
                         : format == LC_FORMAT_LIFE_105 ? cells
                                                        : 4 * cells;
    if (bytes <= (double)LC_TEXT_CELLS_MAX)
        return LC_OK;
    return lc_fail(message, LC_ERROR_LIMIT,
                   "as %s these cells would take %s or more, and files of more than %s are not "
                   "written; a macrocell file (.mc) holds the same cells",
                   lc_format_name(format),
                   lc_size_text(bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX / 2, least),
                   lc_size_text(LC_TEXT_CELLS_MAX, most));
}

lc_status lc_pattern_check_rule(lc_format format, const lc_rule *rule, lc_message *message)
{
    const lc_format_ops *ops = find_format(format);
    const lc_traits *traits = lc_rule_traits(rule);
    const lc_family family = traits->family;
    if (ops != NULL && traits->states > 2 && !ops->has_many_states)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "%s files are written with two states only, and the rule %s has %d; RLE "
                       "and macrocell files hold all of them",
                       lc_format_name(format), traits->text, traits->states);
    if (family == LC_FAMILY_TOTALISTIC || ops == NULL || !ops->states_counts)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "%s files can state %s rules only, and this is a %s rule; RLE and macrocell "
                   "files hold it, and plaintext, Life 1.06 and PNG files hold the cells alone",
                   lc_format_name(format), lc_family_name(LC_FAMILY_TOTALISTIC),
                   lc_family_name((int)family));
}

// Checks a request to write. Sets *ops to the format's functions and *rectangle to consistent
// options.
static lc_status prepare_write(lc_format format, const lc_pattern_write_options *options,
                               const lc_format_ops **ops, lc_pattern_write_options *rectangle,
                               lc_message *message)
{
    lc_status status = check_options(options, message);
    if (status != LC_OK)
        return status;
    *ops = find_format(format);
    if (*ops == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a checkpoint is written by lc_universe_checkpoint, not as a pattern");
    if ((*ops)->write == NULL)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "%ss are read and not written",
                       lc_format_name((*ops)->format));
    status =
        lc_pattern_check_size((*ops)->format, options->width_cells, options->height_cells, message);
    if (status == LC_OK)
        status = lc_pattern_check_rule((*ops)->format, options->rule, message);
    // If one side is 0, the pattern is empty.
    *rectangle = *options;
    if (rectangle->width_cells == 0 || rectangle->height_cells == 0) {
        rectangle->width_cells = 0;
        rectangle->height_cells = 0;
    }
    if (!rectangle->has_position) {
        rectangle->x = 0;
        rectangle->y = 0;
    }
    return status;
}

// Writes the cells to an output. Discards the output on failure.
static lc_status write_cells(const lc_format_ops *ops, lc_output **output,
                             const lc_pattern_write_options *rectangle, lc_span_source next,
                             void *context, lc_message *message)
{
    lc_status status = ops->write(*output, rectangle, next, context, message);
    if (status != LC_OK)
        lc_output_abandon(output);
    return status;
}

static lc_status write_rows(const lc_format_ops *ops, lc_output **output,
                            const lc_pattern_write_options *rectangle, lc_row_source row,
                            void *context, lc_message *message)
{
    lc_row_spans rows;
    lc_status status = lc_row_spans_open(&rows, rectangle, row, context, message);
    if (status != LC_OK) {
        lc_output_abandon(output);
        return status;
    }
    status = write_cells(ops, output, rectangle, lc_row_spans_next, &rows, message);
    lc_row_spans_close(&rows);
    return status;
}

// Checks the options and creates the output of a file. On error it creates none.
static lc_status begin_file(const char *path, const lc_pattern_write_options *options,
                            const lc_format_ops **ops, lc_pattern_write_options *rectangle,
                            lc_output **output, lc_message *message)
{
    bool gzip;
    lc_format format;
    (void)lc_format_from_path(path, &gzip);
    lc_status status = lc_format_choose(path, options->format, &format, message);
    if (status == LC_OK)
        status = prepare_write(format, options, ops, rectangle, message);
    int threads = 0; // not counted without need, because this takes as long as writing a small file
    if (gzip)
        threads = options->threads != 0 ? options->threads : lc_cpu_count();
    return status == LC_OK ? lc_output_create(output, path, threads, message) : status;
}

lc_status lc_pattern_write(const char *path, const lc_pattern_write_options *options,
                           lc_row_source row, void *context, lc_message *message)
{
    lc_output *output;
    const lc_format_ops *ops;
    lc_pattern_write_options all, rectangle;
    lc_status status =
        lc_structure_take(&all, sizeof all, options, "lc_pattern_write_options", message);
    if (status == LC_OK)
        status = begin_file(path, &all, &ops, &rectangle, &output, message);
    if (status == LC_OK)
        status = write_rows(ops, &output, &rectangle, row, context, message);
    return status == LC_OK ? lc_output_commit(&output, message) : status;
}

lc_status lc_pattern_write_spans(const char *path, const lc_pattern_write_options *options,
                                 lc_span_source next, void *context, lc_message *message)
{
    lc_output *output;
    const lc_format_ops *ops;
    lc_pattern_write_options rectangle;
    lc_status status = begin_file(path, options, &ops, &rectangle, &output, message);
    if (status == LC_OK)
        status = write_cells(ops, &output, &rectangle, next, context, message);
    return status == LC_OK ? lc_output_commit(&output, message) : status;
}

lc_status lc_pattern_write_tree(const char *path, const lc_pattern_write_options *options,
                                const lc_store *store, lc_square root, int root_log2,
                                lc_message *message)
{
    lc_output *output;
    const lc_format_ops *ops;
    lc_pattern_write_options rectangle;
    lc_status status = begin_file(path, options, &ops, &rectangle, &output, message);
    if (status != LC_OK)
        return status;
    status = ops->write_tree != NULL
                 ? ops->write_tree(output, &rectangle, store, root, root_log2, message)
                 : LC_ERROR_UNSUPPORTED;
    if (status != LC_OK)
        lc_output_abandon(&output);
    return status == LC_OK ? lc_output_commit(&output, message) : status;
}

lc_status lc_pattern_write_memory(void **data, size_t *size_bytes, size_t limit_bytes,
                                  const lc_pattern_write_options *options, lc_row_source row,
                                  void *context, lc_message *message)
{
    lc_output *output;
    const lc_format_ops *ops;
    lc_pattern_write_options all, rectangle;
    *data = NULL;
    *size_bytes = 0;
    lc_status status =
        lc_structure_take(&all, sizeof all, options, "lc_pattern_write_options", message);
    lc_format format;
    if (status == LC_OK)
        status = lc_format_choose("", all.format, &format, message);
    if (status == LC_OK)
        status = prepare_write(format, &all, &ops, &rectangle, message);
    if (status == LC_OK)
        status = lc_output_create_memory(&output, limit_bytes, message);
    if (status == LC_OK)
        status = write_rows(ops, &output, &rectangle, row, context, message);
    return status == LC_OK ? lc_output_take_memory(&output, data, size_bytes, message) : status;
}
