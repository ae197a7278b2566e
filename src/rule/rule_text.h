// Helpers of the parsers of rules and topologies.
#ifndef LC_RULE_RULE_TEXT_H
#define LC_RULE_RULE_TEXT_H

#include <stddef.h>

#include "rule/rule_value.h"

// A piece of the text that is being parsed. `start` is the text's first byte, for columns.
typedef struct lc_rule_cursor {
    const char *start;
    const char *at;
    const char *end;
} lc_rule_cursor;

// One based; bytes.
static inline uint64_t lc_rule_column(const char *start, const char *at)
{
    return (uint64_t)(at - start) + 1;
}

static inline bool lc_rule_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool lc_rule_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Changes ASCII letters only, in every locale.
static inline char lc_rule_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool lc_rule_is_letter(char c)
{
    return lc_rule_lower(c) >= 'a' && lc_rule_lower(c) <= 'z';
}

// Reads counts, a table, or one of Wolfram's numbers; not a name. The text is not empty.
lc_status lc_rule_parse_notation(const lc_rule_cursor *c, lc_rule_value *rule, lc_message *message);

// Looks the name up, without regard to case, blanks and punctuation.
bool lc_rule_by_name(const char *name, size_t length, lc_rule_value *rule);

// The family of a well-known rule that is not supported ("Brian's Brain"), as a noun phrase; NULL
// if the name is not known.
const char *lc_rule_family_by_name(const char *name, size_t length);

// Whether two rules have this name, as far as is known; then they are their texts.
bool lc_rule_two_by_name(const char *name, size_t length, const char *rules[2]);

// Fills the message, its column being that of `at`, and returns the status.
lc_status lc_rule_fail(lc_message *message, lc_status status, const char *start, const char *at,
                       const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

// A printable form of one byte for messages: 'x' or byte 0xNN.
typedef struct lc_rule_byte {
    char text[16];
} lc_rule_byte;
lc_rule_byte lc_rule_quote(char c);

// Parses what follows the colon of a rule, from cursor.at to cursor.end.
lc_status lc_topology_parse_suffix(lc_rule_cursor cursor, lc_topology *topology,
                                   lc_message *message);

#endif
