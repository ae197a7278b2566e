// Isolated objects: all live cells of a window, if they fit into 8 x 8 cells, like a departing
// glider.
//
// The next state of such an object is memoised as a 64-bit shape and a displacement, so it takes a
// look-up and two shifts. Memoised windows would need an entry for each place of the object.
#ifndef LC_ENGINE_SPARSE_SPARSE_ISOLATED_OBJECT_H
#define LC_ENGINE_SPARSE_SPARSE_ISOLATED_OBJECT_H

#include "level/level.h"

enum {
    LC_ISOLATED_POPULATION = 20, // objects with more are not tried
    LC_ISOLATED_LOG2 = 9,
    LC_ISOLATED_ENTRIES = 1 << LC_ISOLATED_LOG2,
};

// Cell (x, y) is bit 8 y + x. The first row and the first column have a live cell.
typedef uint64_t lc_isolated_shape;

typedef enum lc_isolated_state {
    LC_ISOLATED_UNKNOWN,
    LC_ISOLATED_MOVES, // becomes `next`, displaced by (x, y); 0: dies
    LC_ISOLATED_GROWS, // beyond 8 x 8 cells
} lc_isolated_state;

typedef struct lc_isolated_entry {
    lc_isolated_shape shape, next;
    int8_t x, y;
    uint8_t generations, state;
} lc_isolated_entry;

// The memo table of one rule and one worker.
typedef struct lc_isolated_memo {
    lc_isolated_entry entries[LC_ISOLATED_ENTRIES];
} lc_isolated_memo;

typedef struct lc_isolated_object {
    int x, y; // of its first column and row
    lc_isolated_shape shape;
} lc_isolated_object;

// Finds the object in four tiles, in the window's coordinates. `live` is not 0, and its bit i says
// that tile i has live cells. Returns false if the live cells do not fit into 8 x 8 cells.
bool lc_isolated_find(const uint32_t *const tiles[4], unsigned live, lc_isolated_object *object);

// Steps the object by that many generations, as if it was alone. Returns false if it grows too
// large. `step` is the level's function for the rules.
bool lc_isolated_step(lc_isolated_memo *isolated, lc_isolated_object *object, int generations,
                      const lc_window_rules *rules, lc_window_step *step);

// Writes the tile that begins at (x, y), with its part of the object. Returns the population of the
// tile; if that is 0, nothing is written.
int lc_isolated_put(const lc_isolated_object *object, int x, int y, uint32_t cells[LC_TILE_WORDS]);

#endif
