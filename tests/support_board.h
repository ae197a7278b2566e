// A bounded board of an engine beside the oracle's: the same soup, the same generations, and every
// cell compared.
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

// A soup that is drawn from `number`, and one thread. What lc_universe_create returns: LC_OK, or
// nothing is to be destroyed.
lc_status checked_board_create(checked_board *board, const char *engine, const shape *s,
                               const lc_rule *rule, uint64_t number, lc_message *message);
void checked_board_destroy(checked_board *board);

// Both of them.
void checked_board_step(checked_board *board, uint64_t generations);
void checked_board_edit(checked_board *board); // a cell somewhere

// Fails unless all cells and the population are equal; the population is asked for first, or last.
void checked_board_compare(const checked_board *board, bool population_first);

// Another universe of the same cells: only what is compared with the oracle changes.
void checked_board_replace(checked_board *board, lc_universe *universe, const char *engine);

#endif
