// Plaintext (.cells): a picture of the pattern.
//
//     !Name: Glider        a comment begins with '!'
//     .O                   . and blanks are dead; O, o and * are alive
//     ..O                  each line is a row; cells after its end are dead
//     OOO
#include "base/error.h"
#include "pattern/gather.h"
#include "pattern/text.h"

static bool probe(const char *text, size_t length)
{
    if (text[0] == '!')
        return true;
    for (size_t i = 0; i < length && text[i] != '\n' && text[i] != '\r'; i++)
        if (text[i] != '.' && text[i] != 'O' && text[i] != 'o' && text[i] != '*' &&
            !lc_is_blank(text[i]))
            return false;
    return true;
}

static lc_status read_header(lc_pattern *pattern, lc_message *message)
{
    lc_header_line line;
    for (;;) {
        lc_input *input = &pattern->input;
        int byte = lc_input_peek(input);
        if (byte == '\n' && lc_input_second_half(input)) {
            lc_input_newline(input, input->next++);
            continue;
        }
        if (byte != '!')
            return byte < 0 ? lc_input_end(input, message) : LC_OK;
        if (!lc_header_line_next(input, &line))
            return lc_input_end(input, message);
        pattern->indent_cells = 0; // spaces before the file's first line are not cells
        pattern->indent_tab = false;
        // A bare '!' only marks the file as plaintext.
        if (line.length > 1) {
            lc_status status = lc_comment_add(pattern, line.text + 1, message);
            if (status != LC_OK)
                return status;
        }
    }
}

// Reads one cell, or whitespace. `tab`: the row has a tab before it. The width of a tab is unknown,
// so cells after one are an error.
static lc_status read_cell(lc_gather *gather, const lc_input *input, const unsigned char *at,
                           bool tab, lc_message *message)
{
    const bool alive = *at == 'O' || *at == '*' || *at == 'o';
    if (!alive && *at != '.' && *at != ' ')
        return lc_cell_fail(input, at, message, "in a plaintext pattern", 'O');
    if (tab && *at != ' ') {
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                             "a cell behind a tab in a plaintext pattern; dead cells are '.' or "
                             "blanks");
    }
    return lc_gather_cell(gather, alive) ? lc_gather_flush_words(gather) : LC_OK;
}

static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_input *input = &pattern->input;
    lc_gather gather;
    lc_gather_start(&gather, sink, pattern->indent_cells, 0);
    bool comment = false;
    bool tab = pattern->indent_tab;
    bool fresh = true; // nothing of this line has been read
    for (int byte; (byte = lc_input_peek(input)) >= 0; input->next++) {
        const unsigned char *at = input->next;
        lc_status status = LC_OK;
        if (byte == '\n' || byte == '\r') {
            bool half = lc_input_second_half(input);
            lc_input_newline(input, at);
            if (!half && !comment)
                status = lc_gather_next_row(&gather, 1, 0);
            comment = tab = false;
            fresh = true;
        } else if (byte == 0) {
            return lc_cell_fail(input, at, message, "in a plaintext pattern", 'O');
        } else if (comment) {
            continue;
        } else if (byte == '!' && fresh) {
            comment = true;
            fresh = false;
        } else if (byte != ' ' && lc_is_blank(byte)) {
            tab = true;
            fresh = false;
        } else {
            status = read_cell(&gather, input, at, tab, message);
            fresh = false;
        }
        if (status != LC_OK)
            return lc_gather_fail(&gather, status, input, at, message);
    }
    lc_status status = lc_input_end(input, message);
    if (status == LC_OK)
        status = lc_gather_flush(&gather);
    return status;
}

// The position of the writer: after cell x - 1 of row y.
typedef struct cells_writer {
    lc_output *output;
    int64_t x, y;
} cells_writer;

// Writes `length` cells: those of `words`, or without words all alike.
static void write_cells(cells_writer *writer, const uint64_t *words, char alike, int64_t length)
{
    for (int64_t i = 0; i < length && !lc_output_failed(writer->output);) {
        int64_t part = length - i < 1024 ? length - i : 1024;
        char *at = lc_output_reserve(writer->output, (size_t)part);
        for (int64_t end = i + part; i < end; i++)
            *at++ = words == NULL ? alike : (words[i / 64] >> i % 64 & 1) != 0 ? 'O' : '.';
        lc_output_advance(writer->output, at);
    }
    writer->x += length;
}

static void end_row(cells_writer *writer)
{
    lc_output_text(writer->output, writer->x > 0 ? "\n" : ".\n");
    writer->x = 0;
    writer->y++;
}

// Returns the length of a span of words without its trailing dead cells.
static int64_t live_length(const lc_span *span)
{
    int64_t i = (span->length + 63) / 64;
    while (i > 0 && span->words[i - 1] == 0)
        i--;
    return i == 0 ? 0 : i * 64 - __builtin_clzll(span->words[i - 1]);
}

// Writes a '.' for a row without live cells, and omits trailing dead cells.
static void write_span(cells_writer *writer, const lc_span *span)
{
    const int64_t length = span->words == NULL ? span->length : live_length(span);
    if (length == 0)
        return;
    while (writer->y < span->y && !lc_output_failed(writer->output))
        end_row(writer);
    write_cells(writer, NULL, '.', span->x - writer->x);
    write_cells(writer, span->words, 'O', length);
}

static lc_status check_size(int64_t width_cells, int64_t height_cells, lc_message *message)
{
    if (height_cells > 0 && width_cells > LC_TEXT_CELLS_MAX / height_cells) {
        return lc_fail(
            message, LC_ERROR_LIMIT,
            "%lld x %lld cells are too many for plaintext, which draws dead cells too: at "
            "most 2^36",
            (long long)width_cells, (long long)height_cells);
    }
    return LC_OK;
}

static lc_status write(lc_output *output, const lc_pattern_write_options *options,
                       lc_span_source next, void *context, lc_message *message)
{
    (void)message; // check_size has reported all errors
    if (options->comments != NULL && options->comments[0] != '\0')
        lc_comments_write(output, options->comments, "!", LC_LINE_BYTES - 8);
    else
        lc_output_text(output, "!\n"); // identifies the format by the file's first byte
    lc_span span;
    lc_status status;
    cells_writer writer = {.output = output};
    while ((status = next(context, &span)) == LC_OK && span.length > 0 && !lc_output_failed(output))
        write_span(&writer, &span);
    if (writer.x > 0)
        end_row(&writer);
    return status;
}

const lc_format_ops lc_format_cells = {
    .format = LC_FORMAT_CELLS,
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
    .check_size = check_size,
    .write = write,
};
