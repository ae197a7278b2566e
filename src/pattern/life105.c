// Life 1.05: pictures, each placed by the line before it.
//
//     #Life 1.05
//     #D description      #N normal rule   or   #R 23/3 (survival/birth)
//     #P -1 -1            the top left cell of the next block
//     .*                  . is dead, * is alive; an empty line is not a row
//     ..*
//     ***
//
// The writer divides the rectangle into bands of rows, and each band into blocks of 80 columns,
// because rows arrive one by one and no line may be longer. Only blocks with a live cell are stored
// and written.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "pattern/gather.h"
#include "pattern/text.h"

enum {
    BLOCK_COLUMNS = 80,
    BAND_ROWS = 64,
    LONG_RUN = 64 * BLOCK_COLUMNS,
    MOST_BLOCKS = 4096,     // 4 MiB, after which a band ends with the current row
    DESCRIPTION_BYTES = 76, // of text per line, after "#D "
};

static bool probe(const char *text, size_t length)
{
    if (lc_is_life_version(text, length, "1.05"))
        return true;
    // Some programs put blocks on the clipboard without the first line. RLE may begin with a "#P"
    // line as well, so the first line without '#' decides.
    if (length < 3 || memcmp(text, "#P", 2) != 0 ||
        !(lc_is_blank(text[2]) || text[2] == '\n' || text[2] == '\r'))
        return false;
    const char *end = text + length;
    const char *line = lc_skip_hash_lines(text, end);
    for (; line < end && *line != '\n' && *line != '\r'; line++)
        if (*line != '.' && *line != '*' && !lc_is_blank(*line))
            return false;
    return true;
}

// Parses "#P x y". Without numbers the position does not change.
static lc_status read_place(const lc_header_line *line, int64_t *x, int64_t *y, bool *placed,
                            lc_message *message)
{
    int64_t place[2];
    const char *at = lc_skip_blanks(line->text + 2);
    *placed = *at != '\0';
    if (!*placed)
        return LC_OK;
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

// Reads lines up to and including the first "#P", or up to the first cells.
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
        if (byte != '#')
            return LC_OK;
        if (!lc_header_line_next(input, &line))
            break;
        char *text = line.text + 1;
        if (lc_is_life_version(line.text, line.length, "1.0"))
            continue;
        switch (*text) {
        case 'P':
            return read_place(&line, &pattern->block_x, &pattern->block_y, &header->has_position,
                              message);
        case 'N':
            header->has_rule = true;
            lc_rule_release(&header->rule);
            header->rule = lc_rule_life();
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

// Reads the cells of one line without its line end.
static lc_status read_row(lc_input *input, lc_gather *gather, lc_message *message)
{
    bool blank = false;
    for (int byte; (byte = lc_input_peek(input)) >= 0 && byte != '\n' && byte != '\r';
         input->next++) {
        if (lc_is_blank(byte)) {
            blank = true;
            continue;
        }
        if ((byte != '.' && byte != '*') || blank)
            return lc_cell_fail(input, input->next, message, "in a Life 1.05 pattern", '*');
        if (lc_gather_cell(gather, byte == '*')) {
            lc_status status = lc_gather_flush_words(gather);
            if (status != LC_OK)
                return lc_gather_fail(gather, status, input, input->next, message);
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
            if (!lc_header_line_next(input, &line))
                break;
            if (line.text[1] == 'R') {
                return lc_header_fail(&line, line.text, message, LC_ERROR_FORMAT,
                                      "a rule behind the first cells");
            }
            if (line.text[1] == 'P') {
                bool placed;
                y = gather.y;
                status = read_place(&line, &x, &y, &placed, message);
                if (status != LC_OK)
                    return status;
                lc_gather_start(&gather, sink, x, y);
            }
            continue;
        }
        status = read_row(input, &gather, message);
        if (status != LC_OK)
            return status;
        status = lc_gather_next_row(&gather, 1, x);
        if (status != LC_OK)
            return lc_gather_fail(&gather, status, input, input->next, message);
    }
    return lc_input_end(input, message);
}

// Writing ------------------------------------------------------------------------------------

// 80 cells of a row.
typedef struct block_row {
    uint64_t low;  // 64 cells
    uint64_t high; // the other 16
} block_row;

typedef struct block {
    int64_t column; // the first, a multiple of BLOCK_COLUMNS
    size_t next;    // the next block to the right in the band; 0: none
    block_row rows[BAND_ROWS];
} block;

// The stored rows from `y` on, before they are written. The blocks form a list from left to right
// that begins at blocks[0], which holds no cells.
typedef struct band {
    lc_output *output;
    int64_t x0, y0; // of the rectangle
    int64_t y;
    int64_t row;   // row of the current cells
    size_t cursor; // the last block that received cells, or one further left
    size_t count, room;
    block *blocks;
} band;

static void write_place(const band *b, int64_t x, int64_t y)
{
    lc_output_print(b->output, "#P %lld %lld\n", (long long)(b->x0 + x), (long long)(b->y0 + y));
}

static bool is_empty(const block_row *row)
{
    return (row->low | row->high) == 0;
}

static void write_block(const band *b, const block *from)
{
    size_t first = 0;
    size_t end = BAND_ROWS;
    while (first < end && is_empty(&from->rows[first]))
        first++;
    while (end > first && is_empty(&from->rows[end - 1]))
        end--;
    write_place(b, from->column, b->y + (int64_t)first);
    for (size_t i = first; i < end; i++) {
        block_row row = from->rows[i];
        char *at = lc_output_reserve(b->output, BLOCK_COLUMNS + 1);
        do { // a row without live cells is one '.', because an empty line is not a row
            *at++ = (row.low & 1) != 0 ? '*' : '.';
            row.low = row.low >> 1 | row.high << 63;
            row.high >>= 1;
        } while (!is_empty(&row));
        *at++ = '\n';
        lc_output_advance(b->output, at);
    }
}

// Writes the stored rows and begins a band at row y.
static void next_band(band *b, int64_t y)
{
    for (size_t i = b->blocks[0].next; i != 0 && !lc_output_failed(b->output);
         i = b->blocks[i].next)
        write_block(b, &b->blocks[i]);
    b->blocks[0].next = 0;
    b->count = 1;
    b->cursor = 0;
    b->y = y;
}

static bool make_room(band *b)
{
    return lc_grow(&b->blocks, &b->room, b->count + 1, sizeof *b->blocks);
}

// Returns the block of a column. The column is not further left than that of the previous call.
// NULL: out of memory.
static block *find_block(band *b, int64_t column)
{
    size_t next;
    while ((next = b->blocks[b->cursor].next) != 0 && b->blocks[next].column <= column)
        b->cursor = next;
    if (b->cursor == 0 || b->blocks[b->cursor].column != column) {
        if (!make_room(b))
            return NULL;
        const size_t added = b->count++;
        b->blocks[added] = (block){.column = column, .next = next};
        b->blocks[b->cursor].next = added;
        b->cursor = added;
    }
    return &b->blocks[b->cursor];
}

// Writes a run directly, because its blocks are whole lines.
static void write_long_run(const band *b, const lc_span *span)
{
    char line[BLOCK_COLUMNS + 1];
    memset(line, '*', sizeof line);
    for (int64_t i = 0; i < span->length && !lc_output_failed(b->output); i += BLOCK_COLUMNS) {
        const int64_t rest = span->length - i;
        const size_t length = rest < BLOCK_COLUMNS ? (size_t)rest : BLOCK_COLUMNS;
        write_place(b, span->x + i, span->y);
        lc_output_write(b->output, line, length);
        lc_output_text(b->output, "\n");
    }
}

// Stores a span's cells. Returns false if out of memory.
static bool gather_span(band *b, const lc_span *span)
{
    if (span->y != b->row) {
        if (span->y - b->y >= BAND_ROWS || b->count > MOST_BLOCKS)
            next_band(b, span->y);
        b->row = span->y;
        b->cursor = 0;
    }
    for (int64_t i = 0, count; i < span->length; i += count) {
        const int64_t place = (span->x + i) % BLOCK_COLUMNS;
        uint64_t part[2] = {0};
        count = BLOCK_COLUMNS - place < span->length - i ? BLOCK_COLUMNS - place : span->length - i;
        if (span->words == NULL)
            lc_bits_fill(part, place, count, true);
        else
            lc_bits_copy(part, place, span->words, i, count);
        if ((part[0] | part[1]) == 0)
            continue;
        block *to = find_block(b, span->x + i - place);
        if (to == NULL)
            return false;
        block_row *row = &to->rows[span->y - b->y];
        row->low |= part[0];
        row->high |= part[1];
    }
    return true;
}

static void write_rule(lc_output *output, const lc_rule *rule)
{
    char text[32];
    char *at = text;
    lc_counts counts = {0};
    (void)lc_rule_counts(rule, &counts); // lc_pattern_check_rule refuses other rules
    for (unsigned i = 0; i <= 8; i++)
        if ((counts.survival >> i & 1) != 0)
            *at++ = (char)('0' + i);
    *at++ = '/';
    for (unsigned i = 0; i <= 8; i++)
        if ((counts.birth >> i & 1) != 0)
            *at++ = (char)('0' + i);
    *at = '\0';
    if (strcmp(text, "23/3") == 0)
        lc_output_text(output, "#N\n");
    else
        lc_output_print(output, "#R %s\n", text);
}

static lc_status write_spans(band *b, lc_span_source next, void *context, lc_message *message)
{
    lc_span span;
    lc_status status;
    int64_t cells = 0;
    while ((status = next(context, &span)) == LC_OK && span.length > 0 &&
           !lc_output_failed(b->output)) {
        status = lc_span_count(&span, "Life 1.05", &cells, message);
        if (status != LC_OK)
            return status;
        if (span.words == NULL && span.length > LONG_RUN)
            write_long_run(b, &span);
        else if (!gather_span(b, &span))
            return lc_fail_memory(message, "writing Life 1.05");
    }
    next_band(b, 0);
    return status;
}

static lc_status write(lc_output *output, const lc_pattern_write_options *options,
                       lc_span_source next, void *context, lc_message *message)
{
    band b = {.output = output, .x0 = options->x, .y0 = options->y, .row = -1};
    if (!make_room(&b))
        return lc_fail_memory(message, "writing Life 1.05");
    lc_output_text(output, "#Life 1.05\n");
    lc_comments_write(output, options->comments, "#D ", DESCRIPTION_BYTES);
    write_rule(output, options->rule);
    b.blocks[0].next = 0;
    b.count = 1;
    lc_status status = write_spans(&b, next, context, message);
    lc_free(b.blocks);
    return status;
}

const lc_format_ops lc_format_life_105 = {
    .format = LC_FORMAT_LIFE_105,
    .states_counts = true,
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
    .write = write,
};
