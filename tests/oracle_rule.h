// The oracles' own type of rules.
#ifndef LC_TESTS_ORACLE_RULE_H
#define LC_TESTS_ORACLE_RULE_H

#include <stdbool.h>
#include <stdint.h>

// Bit n of birth says whether a dead cell with n live neighbours is born, and bit n of survival
// whether a live one survives. A map has a table instead: bit 7 - i % 8 of table[i / 8] is what
// becomes of the centre of neighbourhood i, whose digits are its nine cells row by row, the upper
// left one being the highest. With more than two states only cells of state 1 are alive to their
// neighbours, and one that dies passes through the other states.
typedef struct oracle_rule {
    bool is_map;
    int states; // 0: two
    // Seven states: 1, 3 and 5 are alive; dead ones have been alive (2), are marked (4) or kill
    // (6).
    bool has_history;
    uint16_t birth, survival;
    uint8_t table[64];
} oracle_rule;

#endif
