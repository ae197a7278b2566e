// Lines, numbers, comments and rules of the text formats.
#ifndef LC_PATTERN_TEXT_H
#define LC_PATTERN_TEXT_H

#include "pattern/format.h"

// One line of a header and its position.
typedef struct lc_header_line {
    char text[LC_LINE_BYTES];
    size_t length;
    bool cut; // longer than that
    uint64_t number;
} lc_header_line;

// Returns false at the end and on error (see lc_input_end).
bool lc_header_line_next(lc_input *input, lc_header_line *line);

static inline bool lc_is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

const char *lc_skip_blanks(const char *text);

// Returns the first line before `end` that is neither empty nor begins with '#'; `end`: none.
const char *lc_skip_hash_lines(const char *text, const char *end);

// Whether a file of `length` bytes begins with "#Life VERSION", in any case, or "# Life VERSION".
bool lc_is_life_version(const char *text, size_t length, const char *version);

typedef enum lc_number { LC_NUMBER_OK, LC_NUMBER_NONE, LC_NUMBER_TOO_LARGE } lc_number;

// Reads a decimal integer with an optional sign and sets *end to the position after it. Beyond
// LC_UNIVERSE_REACH it is TOO_LARGE, and *value is the limit with the sign.
lc_number lc_read_number(const char *text, const char **end, int64_t *value);

// Reports an error in a header line at `at` within its text.
lc_status lc_header_fail(const lc_header_line *line, const char *at, lc_message *message,
                         lc_status status, const char *what);

// Reports a wrong character among cells: "unexpected character '?' WHERE", or "unexpected byte 0x07
// WHERE". Adds how dead and live cells are written, unless `alive`, the character of live cells, is
// 0.
lc_status lc_cell_fail(const lc_input *input, const unsigned char *at, lc_message *message,
                       const char *where, char alive);

// Adds a line to the header's comments. Drops it beyond LC_COMMENTS_BYTES.
lc_status lc_comment_add(lc_pattern *pattern, const char *text, lc_message *message);

// Parses the rule at `text` into the header. Ignores text after a space behind the rule, and sets
// *rest to it, or to "" if there is none. `rest` may be NULL.
lc_status lc_header_rule(lc_pattern *pattern, lc_header_line *line, char *text, const char **rest,
                         lc_message *message);

// Writes each line of `comments` after `mark`. Replaces control characters by spaces and breaks
// lines longer than `limit` bytes. NULL: no comments.
void lc_comments_write(lc_output *output, const char *comments, const char *mark, size_t limit);

#endif
