// Life 1.05: pictures, each placed by the line before it.
//
//     #Life 1.05
//     #D description      #N normal rule   or   #R 23/3 (survival/birth)
//     #P -1 -1            the top left cell of the block that follows
//     .*                  . is dead, * is alive; a line without any character is no row
//     ..*
//     ***
//
// Writing cuts the rectangle into bands of rows and each band into blocks of 80 columns, because
// rows come one after another and no line may be longer than that.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "pattern/gather.h"
#include "pattern/text.h"

enum {
    BLOCK_COLUMNS = 80,
    BAND_ROWS = 64,
    DESCRIPTION_BYTES = 76, // of text in a line; "#D " before it
};

static bool probe(const char *text, size_t length)
{
    if (lc_is_life_version(text, length, "1.05")) {
        return true;
    }
    // Some programs put blocks on the clipboard without the first line. RLE too may begin with a
    // "#P" line, so the first line without '#' decides.
    if (length < 3 || memcmp(text, "#P", 2) != 0 ||
        !(lc_is_blank(text[2]) || text[2] == '\n' || text[2] == '\r')) {
        return false;
    }
    const char *end = text + length;
    const char *line = text;
    while (line < end && (*line == '#' || *line == '\n' || *line == '\r')) {
        while (line < end && *line != '\n' && *line != '\r') {
            line++;
        }
        if (line < end) {
            line++;
        }
    }
    for (; line < end && *line != '\n' && *line != '\r'; line++) {
        if (*line != '.' && *line != '*' && !lc_is_blank(*line)) {
            return false;
        }
    }
    return true;
}

// "#P x y"; without numbers the place stays as it is.
static lc_status read_place(const lc_header_line *line, int64_t *x, int64_t *y, bool *placed,
                            lc_message *message)
{
    int64_t place[2];
    const char *at = lc_skip_blanks(line->text + 2);
    *placed = *at != '\0';
    if (!*placed) {
        return LC_OK;
    }
    for (int i = 0; i < 2; i++) {
        const char *number = lc_skip_blanks(at);
        if (lc_read_number(number, &at, &place[i]) != LC_NUMBER_OK ||
            (*at != '\0' && !lc_is_blank(*at))) {
            return lc_header_fail(line, number, message, LC_ERROR_FORMAT,
                                  "\"#P\" needs two numbers, at most 2^62 in size");
        }
    }
    at = lc_skip_blanks(at);
    if (*at != '\0') {
        return lc_header_fail(line, at, message, LC_ERROR_FORMAT,
                              "unexpected text behind the place of a block");
    }
    *x = place[0];
    *y = place[1];
    return LC_OK;
}

// Reads lines up to and with the first "#P", or up to the first cells.
static lc_status read_header(lc_pattern *pattern, lc_message *message)
{
    lc_input *input = &pattern->input;
    lc_pattern_header *header = &pattern->header;
    lc_header_line line;
    lc_status status = LC_OK;
    for (int byte; status == LC_OK && (byte = lc_input_peek(input)) >= 0;) {
        if (byte == '\n' || byte == '\r') {
            lc_input_newline(input, input->next++);
            continue;
        }
        if (byte != '#') {
            return LC_OK;
        }
        if (!lc_header_line_next(input, &line)) {
            break;
        }
        char *text = line.text + 1;
        if (strncasecmp(text, "Life", 4) == 0) {
            continue;
        }
        switch (*text) {
        case 'P':
            return read_place(&line, &pattern->block_x, &pattern->block_y, &header->has_position,
                              message);
        case 'N':
            header->has_rule = true;
            header->rule = (lc_rule){.birth = 1u << 3, .survival = 1u << 2 | 1u << 3};
            break;
        case 'R':
            text += 1 + (lc_skip_blanks(text + 1) - (text + 1));
            status = lc_header_rule(pattern, &line, text, NULL, message);
            break;
        case 'D':
        case 'C':
            status = lc_comment_add(pattern, lc_skip_blanks(text + 1), message);
            break;
        default:
            status = lc_comment_add(pattern, text, message);
            break;
        }
    }
    return status == LC_OK ? lc_input_end(input, message) : status;
}

static lc_status wrong_character(const lc_input *input, const unsigned char *at,
                                 lc_message *message)
{
    if (*at < ' ' || *at > '~') {
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                             "unexpected byte 0x%02x in a Life 1.05 pattern", *at);
    }
    return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                         "unexpected character '%c' in a Life 1.05 pattern, whose cells are '.' "
                         "(dead) and '*' (alive)",
                         *at);
}

// The cells of one line, without its end.
static lc_status read_row(lc_input *input, lc_gather *gather, lc_message *message)
{
    bool blank = false;
    for (int byte; (byte = lc_input_peek(input)) >= 0 && byte != '\n' && byte != '\r';
         input->next++) {
        if (lc_is_blank(byte)) {
            blank = true;
            continue;
        }
        if ((byte != '.' && byte != '*') || blank) {
            return wrong_character(input, input->next, message);
        }
        if (lc_gather_cell(gather, byte == '*')) {
            lc_status status = lc_gather_flush_words(gather);
            if (status != LC_OK) {
                return lc_gather_fail(gather, status, input, input->next, message);
            }
        }
    }
    return LC_OK;
}

static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_input *input = &pattern->input;
    int64_t x = pattern->block_x;
    int64_t y = pattern->block_y;
    lc_gather gather;
    lc_gather_start(&gather, sink, x, y);
    lc_header_line line;
    for (int byte; (byte = lc_input_peek(input)) >= 0;) {
        lc_status status;
        const unsigned char *at = input->next;
        if (byte == '\n' || byte == '\r') {
            lc_input_newline(input, at);
            input->next++;
            continue;
        }
        if (byte == '#') {
            if (!lc_header_line_next(input, &line)) {
                break;
            }
            if (line.text[1] == 'R') {
                return lc_header_fail(&line, line.text, message, LC_ERROR_FORMAT,
                                      "a rule behind the first cells");
            }
            if (line.text[1] == 'P') {
                bool placed;
                y = gather.y;
                status = read_place(&line, &x, &y, &placed, message);
                if (status != LC_OK) {
                    return status;
                }
                lc_gather_start(&gather, sink, x, y);
            }
            continue;
        }
        status = read_row(input, &gather, message);
        if (status != LC_OK) {
            return status;
        }
        status = lc_gather_next_row(&gather, 1, x);
        if (status != LC_OK) {
            return lc_gather_fail(&gather, status, input, input->next, message);
        }
    }
    return lc_input_end(input, message);
}

// Writing ------------------------------------------------------------------------------------

// Up to 80 cells of a row, from column x.
typedef struct block_row {
    uint64_t low;  // 64 cells
    uint64_t high; // the other 16
} block_row;

static block_row cut_row(const uint64_t *words, size_t count, size_t x)
{
    uint64_t part[3];
    for (size_t i = 0; i < 3; i++) {
        part[i] = x / 64 + i < count ? words[x / 64 + i] : 0;
    }
    unsigned shift = (unsigned)(x % 64);
    uint64_t low = part[0] >> shift;
    uint64_t high = part[1] >> shift;
    if (shift > 0) {
        low |= part[1] << (64 - shift);
        high |= part[2] << (64 - shift);
    }
    return (block_row){low, high & ((1u << (BLOCK_COLUMNS - 64)) - 1)};
}

static void write_block(lc_output *output, const block_row *rows, size_t count, int64_t x,
                        int64_t y)
{
    char text[96];
    (void)snprintf(text, sizeof text, "#P %lld %lld\n", (long long)x, (long long)y);
    lc_output_text(output, text);
    for (size_t i = 0; i < count; i++) {
        block_row row = rows[i];
        char *at = lc_output_room(output, sizeof text);
        do { // a row without live cells is one '.', because an empty line would be none
            *at++ = (row.low & 1) != 0 ? '*' : '.';
            row.low = row.low >> 1 | row.high << 63;
            row.high >>= 1;
        } while ((row.low | row.high) != 0);
        *at++ = '\n';
        lc_output_filled(output, at);
    }
}

static void write_band(lc_output *output, const lc_pattern_write_options *options,
                       const uint64_t *words, size_t row_words, size_t rows, int64_t y)
{
    const size_t width = (size_t)options->width_cells;
    for (size_t x = 0; x < width; x += BLOCK_COLUMNS) {
        block_row block[BAND_ROWS];
        size_t first = BAND_ROWS;
        size_t end = 0;
        for (size_t i = 0; i < rows; i++) {
            block[i] = cut_row(words + i * row_words, row_words, x);
            if ((block[i].low | block[i].high) != 0) {
                first = first < i ? first : i;
                end = i + 1;
            }
        }
        if (end > 0) {
            write_block(output, block + first, end - first, options->x + (int64_t)x,
                        options->y + y + (int64_t)first);
        }
    }
}

static void write_rule(lc_output *output, const lc_rule *rule)
{
    char text[32];
    char *at = text;
    for (unsigned i = 0; i <= 8; i++) {
        if ((rule->survival >> i & 1) != 0) {
            *at++ = (char)('0' + i);
        }
    }
    *at++ = '/';
    for (unsigned i = 0; i <= 8; i++) {
        if ((rule->birth >> i & 1) != 0) {
            *at++ = (char)('0' + i);
        }
    }
    *at = '\0';
    if (strcmp(text, "23/3") == 0) {
        lc_output_text(output, "#N\n");
        return;
    }
    lc_output_text(output, "#R ");
    lc_output_text(output, text);
    lc_output_text(output, "\n");
}

static lc_status write(lc_output *output, const lc_pattern_write_options *options,
                       lc_row_source row, void *context, lc_message *message)
{
    // A band takes 4 MiB at most, but always holds one row.
    size_t count = 0;
    size_t band_rows = BAND_ROWS;
    if (lc_row_words(options, &count) && count > 8192) {
        band_rows = count < (1u << 19) ? (1u << 19) / count : 1;
    }
    lc_status status = LC_OK;
    uint64_t *band = lc_row_alloc(options, band_rows, &count, &status, message);
    if (!band) {
        return status;
    }
    lc_output_text(output, "#Life 1.05\n");
    lc_comments_write(output, options->comments, "#D ", DESCRIPTION_BYTES);
    write_rule(output, options->rule);
    for (int64_t y = 0; y < options->height_cells && !lc_output_failed(output);) {
        size_t rows = 0;
        while (rows < band_rows && y + (int64_t)rows < options->height_cells) {
            status = row(context, y + (int64_t)rows, band + rows * count);
            if (status != LC_OK) {
                goto done;
            }
            rows++;
        }
        write_band(output, options, band, count, rows, y);
        y += (int64_t)rows;
    }
done:
    lc_free(band);
    return status;
}

const lc_format_ops lc_format_life_105 = {
    .format = LC_FORMAT_LIFE_105,
    .name = "Life 1.05",
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
    .write = write,
};
