// Rules of the 3 x 3 square as plain values. The parser makes values of the notations, and rule.c
// makes rules (lc_rule) of values.
#ifndef LC_RULE_RULE_VALUE_H
#define LC_RULE_RULE_VALUE_H

#include <stddef.h>

#include "lightcone/rule.h"

enum {
    LC_ALL_COUNTS = 0x1ff, // of live neighbours, 0 to 8
    LC_NEIGHBOURHOODS = 512,
    LC_MIDDLE = 1 << 4, // the bit of the cell itself in a neighbourhood
};

// Each rule has exactly one value, without padding, so equal rules have equal bytes.
typedef struct lc_rule_value {
    uint8_t family;     // lc_family
    uint8_t symmetry;   // LC_SYMMETRY_...
    uint8_t totalistic; // bool
    uint8_t last_state; // one less than the number of states
    lc_counts counts;   // if totalistic; 0 otherwise
    uint8_t table[64];  // otherwise, as in lc_rule_from_map; 0 if totalistic
} lc_rule_value;

// Sets the bit of a neighbourhood in a table as lc_value_from_map reads it.
void lc_table_set(uint8_t table[64], unsigned neighbourhood);

lc_rule_value lc_value_from_counts(lc_counts counts);
// Becomes outer-totalistic if the table is.
void lc_value_from_map(const uint8_t table[64], lc_rule_value *value);
// As lc_rule_next.
bool lc_value_next(const lc_rule_value *value, unsigned neighbourhood);
bool lc_values_equal(const lc_rule_value *a, const lc_rule_value *b);

// The sentence that refuses Generations rules with B0.
#define LC_NO_B0 "a Generations rule cannot have B0: empty space would come alive and then age"
// The same for rules with history.
#define LC_NO_B0_WITH_HISTORY "a rule with history cannot have B0: all cells would have been alive"

enum { LC_HISTORY_STATES = 7, LC_HISTORY_KILLS = 6 }; // and the state beside which live cells die

// The end of a canonical text, and the canonical text of Life's rule with history.
#define LC_HISTORY "History"
#define LC_LIFE_HISTORY "LifeHistory"

// Changes a rule of two states without B0 into the rule with history of the same births and
// survivals.
void lc_value_set_history(lc_rule_value *value);

// Changes a rule without B0 into one of 2 to LC_STATES_MAX states with the same births and
// survivals.
void lc_value_set_states(lc_rule_value *value, int states);

// Returns whether a value is one of two states that lc_value_from_counts or lc_value_from_map
// makes: for values from files of old versions.
bool lc_value_is_valid(const lc_rule_value *value);

bool lc_value_is_life(const lc_rule_value *value);

// Reads a canonical text without a topology. Returns false for any other text.
bool lc_value_from_text(const char *text, lc_rule_value *value);

// Writes the canonical text, without a topology. The text is terminated.
void lc_value_format(const lc_rule_value *value, char text[LC_RULE_TEXT_BYTES]);

// Makes the rule of a value, or finds the one that there is. The caller releases *rule.
// Returns LC_OK; LC_ERROR_MEMORY. On error *rule is NULL.
lc_status lc_rule_from_value(const lc_rule_value *value, const lc_rule **rule, lc_message *message);

// Returns LC_OK; LC_ERROR_UNSUPPORTED (the rule has more than two states). `what` begins the
// message: "a census".
lc_status lc_rule_need_two_states(const lc_rule *rule, const char *what, lc_message *message);

// Returns the number of rules that were made and not yet freed; lc_rule_life is not counted. For
// tests of leaks. Any thread.
size_t lc_rule_count(void);

#endif
