// Life 1.06: a list of live cells, one "x y" per line after "#Life 1.06".
#include <stdio.h>
#include <string.h>

#include "pattern/text.h"

static bool probe(const char *text, size_t length)
{
    return lc_is_life_version(text, length, "1.06");
}

static lc_status read_header(lc_pattern *pattern, lc_message *message)
{
    lc_input *input = &pattern->input;
    lc_header_line line;
    pattern->header.has_position = true;
    for (int byte; (byte = lc_input_peek(input)) >= 0;) {
        if (byte == '\n' || byte == '\r') {
            lc_input_newline(input, input->next++);
            continue;
        }
        if (byte != '#')
            return LC_OK;
        if (!lc_header_line_next(input, &line))
            break;
        char *text = line.text + 1;
        if (lc_is_life_version(line.text, line.length, "1.0"))
            continue;
        lc_status status;
        if (*text == 'R') {
            text += 1 + (lc_skip_blanks(text + 1) - (text + 1));
            status = lc_header_rule(pattern, &line, text, NULL, message);
        } else {
            bool marked = *text == 'D' || *text == 'C';
            status = lc_comment_add(pattern, lc_skip_blanks(marked ? text + 1 : text), message);
        }
        if (status != LC_OK)
            return status;
    }
    return lc_input_end(input, message);
}

// Parses "x y". Empty lines and '#' lines contain no cell.
static lc_status read_cell(const lc_header_line *line, int64_t *x, int64_t *y, bool *any,
                           lc_message *message)
{
    const char *at = lc_skip_blanks(line->text);
    *any = *at != '\0' && *at != '#';
    if (!*any)
        return LC_OK;
    int64_t *const place[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        const char *number = lc_skip_blanks(at);
        lc_number result = lc_read_number(number, &at, place[i]);
        if (result == LC_NUMBER_TOO_LARGE) {
            return lc_header_fail(line, number, message, LC_ERROR_FORMAT,
                                  "a coordinate is further than 2^62 from 0");
        }
        if (result == LC_NUMBER_NONE || (*at != '\0' && !lc_is_blank(*at))) {
            return lc_header_fail(line, number, message, LC_ERROR_FORMAT,
                                  "a line of a Life 1.06 pattern must be two numbers, x and y");
        }
    }
    at = lc_skip_blanks(at);
    if (*at != '\0' || line->cut) {
        return lc_header_fail(line, at, message, LC_ERROR_FORMAT,
                              "unexpected text behind a cell's coordinates");
    }
    return LC_OK;
}

// Joins consecutive cells of a row, which most writers list in this order, into one run.
static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_input *input = &pattern->input;
    lc_header_line line;
    int64_t run_x = 0;
    int64_t run_y = 0;
    int64_t length = 0;
    lc_status status;
    while (lc_header_line_next(input, &line)) {
        int64_t x;
        int64_t y;
        bool any;
        status = read_cell(&line, &x, &y, &any, message);
        if (status != LC_OK)
            return status;
        if (!any)
            continue;
        if (length > 0 && y == run_y && x == run_x + length) {
            length++;
            continue;
        }
        if (length > 0) {
            status = sink->run(sink->context, run_x, run_y, length);
            if (status != LC_OK)
                return status;
        }
        run_x = x;
        run_y = y;
        length = 1;
    }
    status = lc_input_end(input, message);
    if (status == LC_OK && length > 0)
        status = sink->run(sink->context, run_x, run_y, length);
    return status;
}

static void write_cell(lc_output *output, int64_t x, int64_t y)
{
    char *at = lc_output_reserve(output, 64);
    int length = snprintf(at, 64, "%lld %lld\n", (long long)x, (long long)y);
    lc_output_advance(output, at + length);
}

// Writes a span. The rectangle's top left cell is at (x, y).
static void write_span(lc_output *output, const lc_span *span, int64_t x, int64_t y)
{
    const int64_t word_count = span->words == NULL ? 0 : (span->length + 63) / 64;
    for (int64_t i = 0; i < word_count; i++)
        for (uint64_t cells = span->words[i]; cells != 0; cells &= cells - 1)
            write_cell(output, x + span->x + i * 64 + __builtin_ctzll(cells), y + span->y);
    for (int64_t i = 0; span->words == NULL && i < span->length && !lc_output_failed(output); i++)
        write_cell(output, x + span->x + i, y + span->y);
}

static lc_status write(lc_output *output, const lc_pattern_write_options *options,
                       lc_span_source next, void *context, lc_message *message)
{
    lc_span span;
    lc_status status;
    int64_t cells = 0;
    lc_output_text(output, "#Life 1.06\n");
    while ((status = next(context, &span)) == LC_OK && span.length > 0 &&
           !lc_output_failed(output)) {
        status = lc_span_count(&span, "Life 1.06", &cells, message);
        if (status != LC_OK)
            break;
        write_span(output, &span, options->x, options->y);
    }
    return status;
}

const lc_format_ops lc_format_life_106 = {
    .format = LC_FORMAT_LIFE_106,
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
    .write = write,
};
