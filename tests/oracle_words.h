// The second oracle: 64 cells a word, for comparisons that are too large for bytes. It uses no code
// from src/, and of the first oracle only oracle_ring, which says what lies beyond an edge.
// test_oracle.c compares both over whole boards.
//
// Of row y, cell x is bit x % 64 of word x / 64. A word lies before and one behind, and a row above
// and one below: so there is room for the ring of cells round the rectangle, which is filled before
// every generation.
//
//     word -1             0 ..                       last           last + 1
//     bit 63: ring cell   64 cells each              cells, then    the ring cell, if the last
//                                                    the ring cell  word is full of cells
//
// Counts of live neighbours are added up by full and half adders, bit by bit for 64 cells at once.
#ifndef LC_TESTS_ORACLE_WORDS_H
#define LC_TESTS_ORACLE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "lightcone/universe.h"
#include "oracle_rule.h"

// A bit of the ring, and the cell that it shows.
typedef struct word_oracle_ring {
    size_t to_word, from_word;
    unsigned to_bit, from_bit;
} word_oracle_ring;

typedef struct word_oracle {
    int64_t width, height;
    oracle_rule rule;
    size_t row_words;       // that cells lie in: (width + 63) / 64
    size_t pitch;           // row_words + 2
    uint64_t last_mask;     // of the last word of a row: its cells
    uint64_t *cells;        // (height + 2) rows; bits that are no cells of the rectangle are ring
    uint64_t *next;         // the same, between generations
    word_oracle_ring *ring; // without those that show no cell, which stay dead
    size_t ring_count;
} word_oracle;

// All dead. Ends the program if there is no memory: a test cannot go on without it.
word_oracle *word_oracle_create(int64_t width, int64_t height, oracle_rule rule,
                                const lc_topology *topology);
void word_oracle_destroy(word_oracle *board);

// The row_words words of row y from 0 to height - 1. Bits past the width are 0, and have to be
// after a change.
static inline uint64_t *word_oracle_row(const word_oracle *board, int64_t y)
{
    return board->cells + (size_t)(y + 1) * board->pitch + 1;
}

// A rule that is assigned to board->rule holds from the next call on.
void word_oracle_step(word_oracle *board, uint64_t generations);

#endif
