// The oracle: what the fast paths are compared with. One byte a cell, and no code from src/.
//
// Its topologies are those of Golly's definition of bounded grids, which says for each cell one
// step outside the rectangle which cell of the rectangle stands there. Before every generation that
// ring is filled, and then the rule is applied to every cell of the rectangle:
//
//     ring ring ring ring ring
//     ring cell cell cell ring      width + 2 bytes a row, height + 2 rows
//     ring cell cell cell ring
//     ring ring ring ring ring
#ifndef LC_TESTS_ORACLE_H
#define LC_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/universe.h"
#include "oracle_rule.h"

typedef struct oracle {
    int64_t width, height;
    oracle_rule rule;
    lc_topology topology;
    size_t pitch;      // width + 2
    uint8_t *cells;    // (height + 2) rows of states
    uint8_t *next;     // the same, between generations
    size_t *ring_to;   // for each ring cell: its place in `cells` ...
    size_t *ring_from; // ... and the place of the cell it shows, SIZE_MAX if none
    size_t ring_count;
} oracle;

// All dead. Ends the program if there is no memory: a test cannot go on without it.
oracle *oracle_create(int64_t width, int64_t height, oracle_rule rule, const lc_topology *topology);
void oracle_destroy(oracle *board);

// Cell (0, y) of the row; x and y from -1 to width and height (the ring).
static inline uint8_t *oracle_row(const oracle *board, int64_t y)
{
    return board->cells + (size_t)(y + 1) * board->pitch + 1;
}

void oracle_step(oracle *board, uint64_t generations);
uint64_t oracle_population(const oracle *board);
lc_box oracle_bounding_box(const oracle *board);

// Row y, of two states, as words: bit i % 64 of word i / 64 is cell x + i, bits past the width
// zero.
void oracle_pack(const oracle *board, int64_t x, int64_t y, int64_t width, uint64_t *words);

// The cell of the rectangle that ring cell (x, y), -1 <= x <= width, -1 <= y <= height, shows.
// False if it shows none (beyond the edge of a plane).
bool oracle_ring(const lc_topology *topology, int64_t *x, int64_t *y);

// The same for any coordinate, by crossing one edge after the other. It is another derivation than
// oracle_ring's table, and the tests compare the two. Unbounded directions stay as they are.
bool oracle_unfold(const lc_topology *topology, int64_t *x, int64_t *y);

// What a window of a board holds after some generations, from the starting cells of its light cone
// alone: the way to check a board that is too large for an oracle. `start(context, x, y)` gives the
// starting cell (x, y) of the rectangle (any coordinate where the topology is unbounded). `out`:
// width * height bytes, the cells (x .. x+width-1, y .. y+height-1).
typedef bool (*oracle_start)(void *context, int64_t x, int64_t y);
void oracle_window(oracle_rule rule, const lc_topology *topology, int64_t x, int64_t y,
                   int64_t width, int64_t height, int64_t generations, oracle_start start,
                   void *context, uint8_t *out);

#endif
