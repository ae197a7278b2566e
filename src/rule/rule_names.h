// The tables of rules' names.
#ifndef LC_RULE_RULE_NAMES_H
#define LC_RULE_RULE_NAMES_H

#include <stddef.h>

// How many names at the beginning of lc_known_rules are well known.
enum { LC_WELL_KNOWN_RULES = 88 };

typedef struct lc_known_rule {
    const char *name, *rule;
} lc_known_rule;

// A rule of another family, which is a noun phrase.
typedef struct lc_refused_rule {
    const char *name, *family;
} lc_refused_rule;

// A name of two rules.
typedef struct lc_ambiguous_rule {
    const char *name, *one, *other;
} lc_ambiguous_rule;

extern const lc_known_rule lc_known_rules[];
extern const size_t lc_known_rule_count;
extern const lc_refused_rule lc_refused_rules[];
extern const size_t lc_refused_rule_count;
extern const lc_ambiguous_rule lc_ambiguous_rules[];
extern const size_t lc_ambiguous_rule_count;

#endif
