// Looks up the names of rules. A pattern must never run under another rule than its own, so the
// look-up skips only characters that separate words: "Conway++" and "Conway--" are other rules than
// "Conway".
#include "rule/rule_names.h"

#include <string.h>

#include "rule/rule_text.h"

// Returns whether the character at `at` belongs to the name. '-' separates words, but is a sign at
// an end of the name or beside another sign.
static bool counts(const char *name, const char *at, const char *end)
{
    if (*at != '-')
        return strchr(" \t_'&/.,()", *at) == NULL;
    return at == name || at + 1 == end || at[-1] == '+' || at[-1] == '-' || at[1] == '+' ||
           at[1] == '-';
}

// Compares two names without regard to case.
static bool same_name(const char *name, size_t length, const char *known)
{
    const char *at = name, *end = name + length;
    const char *known_at = known, *known_end = known + strlen(known);
    for (;;) {
        while (at < end && !counts(name, at, end))
            at++;
        while (known_at < known_end && !counts(known, known_at, known_end))
            known_at++;
        if (at == end || known_at == known_end)
            return at == end && known_at == known_end;
        if (lc_rule_lower(*at++) != lc_rule_lower(*known_at++))
            return false;
    }
}

bool lc_rule_name_at(size_t index, const char **name, const char **text)
{
    if (index >= lc_known_rule_count)
        return false;
    if (name != NULL)
        *name = lc_known_rules[index].name;
    if (text != NULL)
        *text = lc_known_rules[index].rule;
    return true;
}

bool lc_rule_named(size_t index, const char **name, const char **text)
{
    return index < LC_WELL_KNOWN_RULES && lc_rule_name_at(index, name, text);
}

bool lc_rule_by_name(const char *name, size_t length, lc_rule_value *rule)
{
    for (size_t i = 0; i < lc_known_rule_count; i++) {
        const char *text = lc_known_rules[i].rule;
        const lc_rule_cursor cursor = {text, text, text + strlen(text)};
        if (same_name(name, length, lc_known_rules[i].name))
            return lc_rule_parse_notation(&cursor, rule, NULL) == LC_OK;
    }
    return false;
}

const char *lc_rule_family_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < lc_refused_rule_count; i++)
        if (same_name(name, length, lc_refused_rules[i].name))
            return lc_refused_rules[i].family;
    return NULL;
}

bool lc_rule_two_by_name(const char *name, size_t length, const char *rules[2])
{
    for (size_t i = 0; i < lc_ambiguous_rule_count; i++) {
        const lc_ambiguous_rule *found = &lc_ambiguous_rules[i];
        if (same_name(name, length, found->name)) {
            rules[0] = found->one;
            rules[1] = found->other;
            return true;
        }
    }
    return false;
}
