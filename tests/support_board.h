// A bounded board that an engine and the oracle step: the same soup, the same generations, all
// cells compared.
#ifndef LC_TESTS_SUPPORT_BOARD_H
#define LC_TESTS_SUPPORT_BOARD_H

#include "lightcone/lightcone.h"
#include "oracle.h"
#include "support.h"

typedef struct shape {
    surface kind;
    int64_t width, height;
} shape;

typedef struct checked_board {
    lc_universe *universe;
    oracle *oracle;
    scene where;
    dice dice; // for edits
} checked_board;

// Creates a board with a soup drawn from `number`, and one thread. Returns the status of
// lc_universe_create; after an error the caller destroys nothing.
lc_status checked_board_create(checked_board *board, const char *engine, const shape *s,
                               const lc_rule *rule, uint64_t number, lc_message *message);
void checked_board_destroy(checked_board *board);

// Step and edit both boards.
void checked_board_step(checked_board *board, uint64_t generations);
void checked_board_edit(checked_board *board); // a random cell

// Fails unless all cells and the population are equal. Queries the population before or after the
// cells.
void checked_board_compare(const checked_board *board, bool population_first);

// Replaces the universe that is compared with the oracle by another one with the same cells.
void checked_board_replace(checked_board *board, lc_universe *universe, const char *engine);

#endif
