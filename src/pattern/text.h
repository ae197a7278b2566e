// What the text formats have in common: lines, numbers, comments, rules.
#ifndef LC_PATTERN_TEXT_H
#define LC_PATTERN_TEXT_H

#include "pattern/format.h"

// One line of a header, and where it stands.
typedef struct lc_header_line {
    char text[LC_LINE_BYTES];
    size_t length;
    bool cut; // longer than that
    uint64_t number;
} lc_header_line;

// False at the end and on error (see lc_input_end).
bool lc_header_line_next(lc_input *input, lc_header_line *line);

static inline bool lc_is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\v' || byte == '\f';
}

const char *lc_skip_blanks(const char *text);

// Whether a file of `length` bytes begins with "#Life VERSION", in capitals or not, or with
// "# Life VERSION".
bool lc_is_life_version(const char *text, size_t length, const char *version);

typedef enum lc_number { LC_NUMBER_OK, LC_NUMBER_NONE, LC_NUMBER_TOO_LARGE } lc_number;

// Reads a decimal integer, with a sign if it has one, and sets *end behind it. Beyond
// LC_UNIVERSE_REACH it is TOO_LARGE, and *value is the limit with the sign.
lc_number lc_read_number(const char *text, const char **end, int64_t *value);

// An error in a header line at `at` within its text.
lc_status lc_header_fail(const lc_header_line *line, const char *at, lc_message *message,
                         lc_status status, const char *what);

// Adds a line to the header's comments; beyond LC_COMMENTS_BYTES it is dropped.
lc_status lc_comment_add(lc_pattern *pattern, const char *text, lc_message *message);

// Parses the rule at `text` into the header. What stands behind it, parted by a blank, is not
// looked at, and *rest (may be NULL) is set to it; "" if there is nothing.
lc_status lc_header_rule(lc_pattern *pattern, lc_header_line *line, char *text, const char **rest,
                         lc_message *message);

// Writes each line of `comments` behind `mark`, control characters made blanks, lines longer than
// `limit` bytes broken there. NULL is none.
void lc_comments_write(lc_output *output, const char *comments, const char *mark, size_t limit);

#endif
