// Rules for tests. A test takes them and forgets them: all are released when its program ends.
#ifndef LC_TESTS_SUPPORT_RULE_H
#define LC_TESTS_SUPPORT_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/rule.h"
#include "oracle_rule.h"

#define LIFE (lc_rule_life())

// The rule of a text, of counts (bits, as in lc_counts) and of a table. They end the program where
// there is none. Any thread.
const lc_rule *rule_of(const char *text);
const lc_rule *rule_of_counts(unsigned birth, unsigned survival);
const lc_rule *rule_of_map(const uint8_t table[64]);
// The same of a text that may state a topology.
const lc_rule *rule_and_topology(const char *text, lc_topology *topology);

// A rule by number: the named ones that matter first (0 is B3/S23), then random ones from the seed;
// no more different ones than LC_TEST_RULES allows.
#define RULES_NAMED 16
const lc_rule *rule_at(size_t index, uint64_t seed);

// Converts a rule for the oracles.
oracle_rule oracle_rule_of(const lc_rule *rule);

// The counts of an outer-totalistic rule.
lc_counts counts_of(const lc_rule *rule);

// Releases all of these, and returns whether the library has freed every rule then. If it has not,
// the test or the library has kept a reference, and this says so.
bool rules_end(void);

#endif
