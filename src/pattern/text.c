// Lines, numbers, comments and rules of the text formats.
#include "pattern/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"

bool lc_header_line_next(lc_input *input, lc_header_line *line)
{
    return lc_input_line(input, line->text, sizeof line->text, &line->length, &line->cut,
                         &line->number);
}

const char *lc_skip_blanks(const char *text)
{
    while (lc_is_blank(*text))
        text++;
    return text;
}

const char *lc_skip_hash_lines(const char *text, const char *end)
{
    while (text < end && (*text == '#' || *text == '\n' || *text == '\r')) {
        while (text < end && *text != '\n' && *text != '\r')
            text++;
        if (text < end)
            text++;
    }
    return text;
}

bool lc_is_life_version(const char *text, size_t length, const char *version)
{
    static const char mark[] = "Life";
    const size_t rest = strlen(version);
    size_t at = 1;
    if (length == 0 || *text != '#')
        return false;
    while (at < length && lc_is_blank(text[at]))
        at++;
    if (length - at < sizeof mark - 1 || strncasecmp(text + at, mark, sizeof mark - 1) != 0)
        return false;
    at += sizeof mark - 1;
    while (at < length && lc_is_blank(text[at]))
        at++;
    return length - at >= rest && memcmp(text + at, version, rest) == 0;
}

lc_number lc_read_number(const char *text, const char **end, int64_t *value)
{
    const char *start = text;
    bool negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    if (*text < '0' || *text > '9') {
        *end = start;
        return LC_NUMBER_NONE;
    }
    const uint64_t limit = (uint64_t)LC_UNIVERSE_REACH;
    uint64_t number = 0;
    bool too_large = false;
    for (; *text >= '0' && *text <= '9'; text++) {
        number = number * 10 + (uint64_t)(*text - '0'); // below 10 * 2^62 + 10
        if (number > limit) {
            too_large = true;
            number = limit;
        }
    }
    *end = text;
    *value = negative ? -(int64_t)number : (int64_t)number;
    return too_large ? LC_NUMBER_TOO_LARGE : LC_NUMBER_OK;
}

lc_status lc_header_fail(const lc_header_line *line, const char *at, lc_message *message,
                         lc_status status, const char *what)
{
    return lc_fail_at_line(message, status, line->number, (uint64_t)(at - line->text) + 1, "%s",
                           what);
}

lc_status lc_cell_fail(const lc_input *input, const unsigned char *at, lc_message *message,
                       const char *where, char alive)
{
    if (*at < ' ' || *at > '~')
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT, "unexpected byte 0x%02x %s", *at,
                             where);
    if (alive == 0)
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT, "unexpected character '%c' %s",
                             *at, where);
    return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                         "unexpected character '%c' %s, whose cells are '.' (dead) and '%c' "
                         "(alive)",
                         *at, where, alive);
}

lc_status lc_comment_add(lc_pattern *pattern, const char *text, lc_message *message)
{
    size_t length = strlen(text);
    if (pattern->comments == NULL) {
        pattern->comments = lc_malloc(LC_COMMENTS_BYTES);
        if (pattern->comments == NULL)
            return lc_fail_memory(message, "reading comments");
        memcpy(pattern->comments, text, length + 1); // a line is shorter than the buffer
        pattern->comments_length = length;
        pattern->header.comments = pattern->comments;
        return LC_OK;
    }
    if (length + 2 <= LC_COMMENTS_BYTES - pattern->comments_length) {
        pattern->comments[pattern->comments_length] = '\n';
        memcpy(pattern->comments + pattern->comments_length + 1, text, length + 1);
        pattern->comments_length += 1 + length;
    }
    return LC_OK;
}

// Returns the length of `text` without trailing spaces and commas.
static size_t trimmed(const char *text, size_t length)
{
    while (length > 0 && (lc_is_blank(text[length - 1]) || text[length - 1] == ','))
        length--;
    return length;
}

// Returns the length of `text` without its last word; 0 if it is one word.
static size_t without_word(const char *text, size_t length)
{
    while (length > 0 && !lc_is_blank(text[length - 1]))
        length--;
    return trimmed(text, length);
}

// Returns the text after the first `length` characters, without the spaces and commas between.
static const char *behind(const char *text, size_t length)
{
    return lc_skip_blanks(text + length + (text[length] == ','));
}

// Whether the text after a rule seems to be part of it: "/S23", ":T10,10", "S23", "3".
static bool continues_rule(const char *rest)
{
    const bool letter = rest[0] != '\0' && strchr("BSCGbscg", rest[0]) != NULL;
    return strcspn(letter ? rest + 1 : rest, letter ? "0123456789" : "/:0123456789") == 0 &&
           rest[letter] != '\0';
}

// Finds the rule at the start of `text`: the longest sequence of whole words that is a rule,
// because a rule may contain spaces and other text may follow it. Tries no shorter sequence if it
// would be a different rule from the intended one. Errors refer to the whole text.
static lc_status parse_rule(lc_pattern *pattern, const char *text, size_t *length, lc_message *why)
{
    lc_pattern_header *header = &pattern->header;
    lc_message of_part;
    lc_message *said = why;
    for (size_t part = *length; part > 0 || said == why; part = without_word(text, part)) {
        memcpy(pattern->rule_text, text, part);
        pattern->rule_text[part] = '\0';
        const lc_rule *rule;
        lc_status status = lc_rule_parse(pattern->rule_text, &rule, &header->topology, said);
        if (status == LC_OK && continues_rule(behind(text, part))) {
            lc_rule_release(&rule);
            break;
        }
        if (status == LC_OK) {
            lc_rule_release(&header->rule);
            header->rule = rule;
            *length = part;
            return LC_OK;
        }
        if (status != LC_ERROR_FORMAT) {
            *why = *said;
            return status;
        }
        said = &of_part;
    }
    return LC_ERROR_FORMAT;
}

// Takes the rule at `text`. At first *length includes the text after the rule; the function reduces
// it to the rule.
static lc_status take_rule(lc_pattern *pattern, const lc_header_line *line, const char *text,
                           size_t *length, lc_message *message)
{
    lc_message why;
    if (line->cut || *length >= LC_RULE_BYTES)
        return lc_header_fail(line, text, message, LC_ERROR_UNSUPPORTED,
                              "the rule is longer than any rule of lightcone");
    const lc_status status = parse_rule(pattern, text, length, &why);
    return status == LC_OK ? LC_OK
                           : lc_header_fail(line, text + (why.column > 0 ? why.column - 1 : 0),
                                            message, status, why.text);
}

// Fills the header of a file with an unknown rule. Its topology is still used.
static void do_without_rule(lc_pattern *pattern, const char *text, size_t length)
{
    lc_pattern_header *header = &pattern->header;
    char with_life[LC_RULE_BYTES + 8];
    lc_message ignored;
    const char *colon = memchr(text, ':', length);
    snprintf(pattern->rule_text, sizeof pattern->rule_text, "%.*s", (int)length, text);
    snprintf(with_life, sizeof with_life, "B3/S23%.*s",
             colon != NULL ? (int)(length - (size_t)(colon - text)) : 0,
             colon != NULL ? colon : "");
    lc_rule_release(&header->rule);
    header->rule = lc_rule_life();
    if (lc_rule_parse(with_life, NULL, &header->topology, &ignored) != LC_OK)
        header->topology = (lc_topology){.kind = LC_TOPOLOGY_PLANE};
    header->rule_error = &pattern->rule_error;
}

lc_status lc_header_rule(lc_pattern *pattern, lc_header_line *line, char *text, const char **rest,
                         lc_message *message)
{
    size_t length = trimmed(text, strlen(text));
    lc_message *const why = pattern->takes_any_rule ? &pattern->rule_error : message;
    const lc_status status = take_rule(pattern, line, text, &length, why);
    if (status != LC_OK && !pattern->takes_any_rule)
        return status;
    if (status != LC_OK)
        do_without_rule(pattern, text, length < LC_RULE_BYTES ? length : LC_RULE_BYTES - 1);
    else
        pattern->header.rule_error = NULL; // of an earlier line
    pattern->header.has_rule = status == LC_OK;
    if (rest != NULL)
        *rest = status == LC_OK ? behind(text, length) : "";
    return LC_OK;
}

void lc_comments_write(lc_output *output, const char *comments, const char *mark, size_t limit)
{
    const char *from = comments != NULL ? comments : "";
    while (*from != '\0') {
        size_t length = strcspn(from, "\n");
        size_t part = length < limit ? length : limit;
        lc_output_text(output, mark);
        for (size_t i = 0; i < part; i++) {
            char byte = (unsigned char)from[i] < ' ' ? ' ' : from[i];
            lc_output_write(output, &byte, 1);
        }
        lc_output_write(output, "\n", 1);
        from += part;
        if (part == length && *from == '\n')
            from++;
    }
}
