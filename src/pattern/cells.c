// Plaintext (.cells): a picture of the pattern.
//
//     !Name: Glider        lines that begin with '!' are comments
//     .O                   . is dead and so is a blank, O or o or * is alive
//     ..O                  each line is a row; what it leaves out at its end is dead
//     OOO
#include "base/memory.h"
#include "pattern/gather.h"
#include "pattern/text.h"

static bool probe(const char *text, size_t length)
{
    if (text[0] == '!') {
        return true;
    }
    for (size_t i = 0; i < length && text[i] != '\n' && text[i] != '\r'; i++) {
        if (text[i] != '.' && text[i] != 'O' && text[i] != 'o' && text[i] != '*' &&
            !lc_is_blank(text[i])) {
            return false;
        }
    }
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
        if (byte != '!') {
            return byte < 0 ? lc_input_end(input, message) : LC_OK;
        }
        if (!lc_header_line_next(input, &line)) {
            return lc_input_end(input, message);
        }
        pattern->indent_cells = 0; // the blanks before the file's first line were no cells
        pattern->indent_tab = false;
        // A bare '!' only marks the file as plaintext.
        if (line.length > 1) {
            lc_status status = lc_comment_add(pattern, line.text + 1, message);
            if (status != LC_OK) {
                return status;
            }
        }
    }
}

static lc_status wrong_character(const lc_input *input, const unsigned char *at,
                                 lc_message *message)
{
    if (*at < ' ' || *at > '~') {
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                             "unexpected byte 0x%02x in a plaintext pattern", *at);
    }
    return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                         "unexpected character '%c' in a plaintext pattern, whose cells are "
                         "'.' (dead) and 'O' (alive)",
                         *at);
}

// One cell, or a blank. `tab`: there is a tab before it in its row, and nobody can tell how many cells
// that is.
static lc_status read_cell(lc_gather *gather, const lc_input *input, const unsigned char *at,
                           bool tab, lc_message *message)
{
    const bool alive = *at == 'O' || *at == '*' || *at == 'o';
    if (!alive && *at != '.' && *at != ' ') {
        return wrong_character(input, at, message);
    }
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
    bool fresh = true; // nothing of this line was seen
    for (int byte; (byte = lc_input_peek(input)) >= 0; input->next++) {
        const unsigned char *at = input->next;
        lc_status status = LC_OK;
        if (byte == '\n' || byte == '\r') {
            bool half = lc_input_second_half(input);
            lc_input_newline(input, at);
            if (!half && !comment) {
                status = lc_gather_next_row(&gather, 1, 0);
            }
            comment = tab = false;
            fresh = true;
        } else if (byte == 0) {
            return wrong_character(input, at, message);
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
        if (status != LC_OK) {
            return lc_gather_fail(&gather, status, input, at, message);
        }
    }
    lc_status status = lc_input_end(input, message);
    if (status == LC_OK) {
        status = lc_gather_flush(&gather);
    }
    return status;
}

static void write_row(lc_output *output, const uint64_t *words, size_t used)
{
    size_t length = used * 64 - (size_t)__builtin_clzll(words[used - 1]);
    for (size_t x = 0; x < length;) {
        size_t part = length - x < 1024 ? length - x : 1024;
        char *at = lc_output_room(output, part);
        for (size_t end = x + part; x < end; x++) {
            *at++ = (words[x / 64] >> x % 64 & 1) != 0 ? 'O' : '.';
        }
        lc_output_filled(output, at);
    }
}

static lc_status write(lc_output *output, const lc_pattern_write_options *options,
                       lc_row_source row, void *context, lc_message *message)
{
    size_t count;
    lc_status status = LC_OK;
    uint64_t *words = lc_row_alloc(options, 1, &count, &status, message);
    if (!words) {
        return status;
    }
    if (options->comments && options->comments[0] != '\0') {
        lc_comments_write(output, options->comments, "!", LC_LINE_BYTES - 8);
    } else {
        lc_output_text(output, "!\n"); // so that the file is known by its first byte
    }
    int64_t empty_rows = 0; // owed; those at the bottom are never written
    for (int64_t y = 0; y < options->height_cells && !lc_output_failed(output); y++) {
        status = row(context, y, words);
        if (status != LC_OK) {
            break;
        }
        size_t used = count;
        while (used > 0 && words[used - 1] == 0) {
            used--;
        }
        if (used == 0) {
            empty_rows++;
            continue;
        }
        for (; empty_rows > 0 && !lc_output_failed(output); empty_rows--) {
            lc_output_text(output, ".\n");
        }
        write_row(output, words, used);
        lc_output_text(output, "\n");
    }
    lc_free(words);
    return status;
}

const lc_format_ops lc_format_cells = {
    .format = LC_FORMAT_CELLS,
    .name = "plaintext",
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
    .write = write,
};
