// Tables of 512 neighbourhoods from what notations say, and back.
#ifndef LC_RULE_RULE_TABLE_H
#define LC_RULE_RULE_TABLE_H

#include <stddef.h>

#include "rule/rule_value.h"

// Hensel's letters for the arrangements that so many live neighbours may have, in their order. ""
// for 0 and 8, which have one.
const char *lc_arrangements_of(unsigned count);

// Births and survivals of an isotropic rule: bit i of [0][n] is whether a dead cell is born with n
// neighbours in arrangement i; [1][n] says which live cells survive.
typedef uint16_t lc_arrangements[2][9];

// All arrangements of a count, as bits.
unsigned lc_arrangements_all(unsigned count);

void lc_value_from_arrangements(const lc_arrangements arrangements, lc_rule_value *rule);
// Of a rule with every symmetry.
void lc_value_to_arrangements(const lc_rule_value *rule, lc_arrangements arrangements);

// The neighbours that count, as bits of a neighbourhood.
enum {
    LC_HEXAGON = 0x1ef & ~(1 << 6 | 1 << 2),      // all but the upper right and lower left
    LC_CROSS = 1 << 7 | 1 << 5 | 1 << 3 | 1 << 1, // above, left, right, below
    LC_ABOVE = 1 << 8 | 1 << 7 | 1 << 6,          // the three in the row above
};

// The rule in which only the number of live ones among those neighbours counts: bit n of
// counts[0] is birth, of counts[1] survival.
void lc_value_from_neighbours(const uint16_t counts[2], unsigned neighbours, lc_rule_value *rule);
// Returns false, with `counts` undefined, if the rule is not of this kind.
bool lc_value_to_neighbours(const lc_rule_value *rule, unsigned neighbours, uint16_t counts[2]);

// Wolfram's rule of that number, 0 to 255, as Golly runs it: each row is made from the one above
// it, and live cells stay.
void lc_value_from_wolfram(unsigned number, lc_rule_value *rule);
// Returns its number, or -1 for other rules.
int lc_value_to_wolfram(const lc_rule_value *rule);

// The table in Base64 behind "MAP": 86 digits for all neighbourhoods, 22 for the hexagonal ones, 6
// for von Neumann's. The digits that must be there; 0 if no table has `length` digits.
enum { LC_MAP_DIGITS = 86, LC_HEXAGON_DIGITS = 22, LC_CROSS_DIGITS = 6 };
bool lc_map_has_length(size_t length);
// The value of a digit of Base64; -1 if it is none.
int lc_map_digit(char c);
// Of digits that were checked.
void lc_value_from_digits(const char *digits, size_t length, lc_rule_value *rule);
void lc_value_to_digits(const lc_rule_value *rule, char digits[LC_MAP_DIGITS]);

#endif
