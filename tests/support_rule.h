// Rules for tests. The program releases all of them at its end.
#ifndef LC_TESTS_SUPPORT_RULE_H
#define LC_TESTS_SUPPORT_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/rule.h"
#include "oracle_rule.h"

#define LIFE (lc_rule_life())

// Return the rule of a text, of counts (bits, as in lc_counts) and of a table. An invalid rule ends
// the program. Any thread.
const lc_rule *rule_of(const char *text);
const lc_rule *rule_of_counts(unsigned birth, unsigned survival);
const lc_rule *rule_of_map(const uint8_t table[64]);
// The same for a text that may also state a topology.
const lc_rule *rule_and_topology(const char *text, lc_topology *topology);

// Returns a rule by number: first the important named ones (0 is B3/S23), then random ones from the
// seed, at most as many different ones as LC_TEST_RULES allows.
#define RULES_NAMED 16
const lc_rule *rule_at(size_t index, uint64_t seed);

// Converts a rule for the oracles.
oracle_rule oracle_rule_of(const lc_rule *rule);

// Returns the counts of an outer-totalistic rule.
lc_counts counts_of(const lc_rule *rule);

// Releases all these rules and returns whether the library then has freed every rule. If not, the
// test or the library still holds a reference, and this prints so.
bool rules_end(void);

#endif
