// Finds the patterns of an RLE file that holds several.
//
//     #N One
//     x = 3, y = 3, rule = B3/S23
//     bo$2bo$3o!
//     any text                        ignored, like all text behind '!'
//     #N Two                          head: the '#' lines directly before the header
//     x = 3, y = 1                    header: only this line begins another pattern
//     3o!
//
// The input cannot go back, so '#' lines stay in its window until the line behind them shows
// whether they are a head. If they fill the window (128 KiB), the pattern is counted, but its rule
// and place may be lost, so it cannot be selected.
//
// The search for a header ends after GAP_BYTES of text without one. So a large file with one
// pattern is not read to its end only to look for a second one. A limit for the whole search would
// also do that, but then the number of patterns could not be exact.
#include "pattern/rle_several.h"

#include <string.h>

#include "base/memory.h"
#include "pattern/text.h"

enum { GAP_BYTES = 1024 * 1024 };

static bool is_line_end(int byte)
{
    return byte == '\n' || byte == '\r';
}

// ---- names --------------------------------------------------------------------------------------

// Copies a name without the blanks around it. A long name is cut between two characters of UTF-8.
static void copy_name(char name[LC_NAME_BYTES], const char *text, size_t length)
{
    for (; length > 0 && lc_is_blank(*text); length--)
        text++;
    while (length > 0 && (lc_is_blank(text[length - 1]) || is_line_end(text[length - 1])))
        length--;
    if (length >= LC_NAME_BYTES)
        for (length = LC_NAME_BYTES - 1;
             length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    memcpy(name, text, length);
    name[length] = '\0';
}

void lc_rle_name_first(lc_pattern *pattern, const char *text)
{
    if (pattern->name[0] == '\0')
        copy_name(pattern->name, text, strlen(text));
}

// Copies the first name in the '#' lines of a head.
static void find_name(char name[LC_NAME_BYTES], const char *head, size_t head_bytes)
{
    const char *const end = head + head_bytes;
    name[0] = '\0';
    while (head < end && name[0] == '\0') {
        const char *line = head;
        while (head < end && !is_line_end(*head))
            head++;
        while (line < head && *line != '#')
            line++;
        if (head - line > 2 && line[1] == 'N')
            copy_name(name, line + 2, (size_t)(head - line) - 2);
        while (head < end && is_line_end(*head))
            head++;
    }
}

// Adds the pattern whose head begins at the input's next line.
static lc_status add_pattern(lc_pattern *pattern, size_t head_bytes, lc_message *message)
{
    char name[LC_NAME_BYTES];
    if (pattern->names == NULL) {
        pattern->names = lc_malloc(LC_COMMENTS_BYTES);
        if (pattern->names == NULL)
            return lc_fail_memory(message, "the names of patterns");
        pattern->names_length = strlen(pattern->name);
        memcpy(pattern->names, pattern->name, pattern->names_length + 1);
        pattern->header.names = pattern->names;
    }
    pattern->header.patterns++;
    find_name(name, (const char *)pattern->input.next, head_bytes);
    const size_t length = strlen(name);
    if (length + 2 > LC_COMMENTS_BYTES - pattern->names_length) {
        pattern->names_length = LC_COMMENTS_BYTES; // a later name would stand in the wrong line
        return LC_OK;
    }
    pattern->names[pattern->names_length] = '\n';
    memcpy(pattern->names + pattern->names_length + 1, name, length + 1);
    pattern->names_length += 1 + length;
    return LC_OK;
}

// ---- lines --------------------------------------------------------------------------------------

typedef enum line_kind { TEXT_LINE, HASH_LINE, HEADER_LINE } line_kind;

// Whether a line that begins with "x" is a header. The line may be cut.
static bool is_header(const char *at)
{
    for (int i = 0; i < 2; i++) {
        int64_t cells;
        if (*at != "xy"[i] || *(at = lc_skip_blanks(at + 1)) != '=')
            return false;
        at = lc_skip_blanks(at + 1);
        if (lc_read_number(at, &at, &cells) == LC_NUMBER_NONE || cells < 0)
            return false;
        at = lc_skip_blanks(at);
        if (*at == ',')
            at = lc_skip_blanks(at + 1);
    }
    return *at == '\0' || lc_rle_behind_key(at) != NULL ||
           (strncmp(at, "rule", 4) == 0 && *lc_skip_blanks(at + 4) == '=');
}

static line_kind kind_of_line(const unsigned char *line, size_t length)
{
    char text[LC_LINE_BYTES];
    for (; length > 0 && lc_is_blank(*line); length--)
        line++;
    while (length > 0 && is_line_end(line[length - 1]))
        length--;
    if (length == 0 || (*line != '#' && *line != 'x'))
        return TEXT_LINE;
    if (*line == '#')
        return HASH_LINE;
    length = length < sizeof text ? length : sizeof text - 1;
    memcpy(text, line, length);
    text[length] = '\0';
    return is_header(text) ? HEADER_LINE : TEXT_LINE;
}

// Returns the offset in the window behind the line that begins at offset `at`. The line may end
// with the input, or with a full window.
static size_t find_line_end(lc_input *input, size_t at)
{
    for (;; at++) {
        if (input->next + at == input->end && !lc_input_more(input))
            return at;
        const unsigned char byte = input->next[at];
        if (byte == '\n')
            return at + 1;
        if (byte != '\r')
            continue;
        const bool has_next = input->next + at + 1 < input->end || lc_input_more(input);
        return has_next && input->next[at + 1] == '\n' ? at + 2 : at + 1;
    }
}

// Whether a head, or a header without one, begins at the input's next line. Sets *hash_bytes to the
// length of the '#' lines there, which are in the window, and *is_cut to whether there are such
// lines and the window has no room for the line behind them.
static bool is_at_head(lc_input *input, size_t *hash_bytes, bool *is_cut)
{
    for (size_t at = 0;;) {
        const size_t end = find_line_end(input, at);
        const line_kind kind = kind_of_line(input->next + at, end - at);
        if (kind != HASH_LINE) {
            const bool has_end = end > at && is_line_end(input->next[end - 1]);
            *hash_bytes = at;
            *is_cut = at > 0 && !has_end;
            return kind == HEADER_LINE;
        }
        at = end;
    }
}

// ---- moving -------------------------------------------------------------------------------------

static void skip_bytes(lc_input *input, size_t length)
{
    const unsigned char *const end = input->next + length;
    for (; input->next < end; input->next++)
        if (is_line_end(*input->next))
            lc_input_newline(input, input->next);
}

// Skips the rest of a line and its end, but stops at the offset `limit`. The second half of a
// "\r\n" then looks like an empty line.
static void skip_line(lc_input *input, uint64_t limit)
{
    int byte;
    while ((byte = lc_input_peek(input)) >= 0 && lc_input_offset(input, input->next) < limit) {
        if (is_line_end(byte)) {
            lc_input_newline(input, input->next++);
            return;
        }
        input->next++;
    }
}

// Skips cells to behind their '!'. Returns false if there is none.
static bool skip_cells(lc_input *input)
{
    bool is_blank = true; // the line, up to here
    for (int byte; (byte = lc_input_peek(input)) >= 0;) {
        if (byte == '#' && is_blank) {
            skip_line(input, UINT64_MAX);
            continue;
        }
        if (is_line_end(byte))
            lc_input_newline(input, input->next);
        is_blank = is_line_end(byte) || (is_blank && lc_is_blank(byte));
        input->next++;
        if (byte == '!')
            return true;
        for (; input->next<input->end && * input->next> '#'; input->next++)
            is_blank = false;
    }
    return false;
}

// Looks behind a '!' for the next header, and stops at the first '#' line of its head.
static bool find_head(lc_pattern *pattern, size_t *hash_bytes)
{
    lc_input *input = &pattern->input;
    bool is_cut = false;
    const uint64_t limit = lc_input_offset(input, input->next) + GAP_BYTES;
    skip_line(input, limit);
    while (lc_input_peek(input) >= 0 && lc_input_offset(input, input->next) < limit) {
        pattern->head_is_cut = is_cut;
        if (is_at_head(input, hash_bytes, &is_cut))
            return true;
        skip_bytes(input, *hash_bytes);
        // Lines that fill the window may end in the middle of one.
        if (*hash_bytes == 0 || lc_input_offset(input, input->next) != input->line_offset)
            skip_line(input, limit);
    }
    return false;
}

lc_status lc_rle_next(lc_pattern *pattern, bool *found, lc_message *message)
{
    lc_input *input = &pattern->input;
    size_t hash_bytes;
    bool is_cut;
    if (is_at_head(input, &hash_bytes, &is_cut)) {
        skip_bytes(input, hash_bytes);
        skip_line(input, UINT64_MAX);
    }
    *found = skip_cells(input) && find_head(pattern, &hash_bytes);
    return *found ? add_pattern(pattern, hash_bytes, message) : lc_input_end(input, message);
}

lc_status lc_rle_count(lc_pattern *pattern, lc_message *message)
{
    size_t hash_bytes;
    bool found = find_head(pattern, &hash_bytes);
    lc_status status = found ? add_pattern(pattern, hash_bytes, message) : LC_OK;
    while (found && status == LC_OK)
        status = lc_rle_next(pattern, &found, message);
    return status;
}
