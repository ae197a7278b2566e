// The oracles' own type of rules.
#ifndef LC_TESTS_ORACLE_RULE_H
#define LC_TESTS_ORACLE_RULE_H

#include <stdbool.h>
#include <stdint.h>

// Bit n of birth says whether a dead cell with n live neighbours is born, and bit n of survival
// whether a live one survives. A map has a table instead: bit 7 - i % 8 of table[i / 8] is what
// becomes of the centre of neighbourhood i, whose digits are its nine cells row by row, the upper
// left one being the highest.
typedef struct oracle_rule {
    bool is_map;
    uint16_t birth, survival;
    uint8_t table[64];
} oracle_rule;

#endif
