// Isolated objects: what is alone in a window and fits into 8 x 8 cells, like a glider that has
// left, wherever it is.
//
// What such an object becomes in a round is remembered as a shape of 64 bits and a movement, so it
// is a look-up and two shifts, while a window would have to be remembered for each of its places.
#ifndef LC_ENGINE_SPARSE_SPARSE_ISOLATED_OBJECT_H
#define LC_ENGINE_SPARSE_SPARSE_ISOLATED_OBJECT_H

#include "level/level.h"

enum {
    LC_ISOLATED_POPULATION = 20, // objects with more are not tried
    LC_ISOLATED_LOG2 = 9,
    LC_ISOLATED_ENTRIES = 1 << LC_ISOLATED_LOG2,
};

// Cell (x, y) is bit 8 y + x, and it begins in its first row and column.
typedef uint64_t lc_isolated_shape;

typedef enum lc_isolated_state {
    LC_ISOLATED_UNKNOWN,
    LC_ISOLATED_MOVES, // becomes `next`, `x` and `y` cells further, or nothing: 0
    LC_ISOLATED_GROWS, // beyond 8 x 8 cells
} lc_isolated_state;

typedef struct lc_isolated_entry {
    lc_isolated_shape shape, next;
    int8_t x, y;
    uint8_t generations, state;
} lc_isolated_entry;

// Of one rule, and of one worker.
typedef struct lc_isolated_memo {
    lc_isolated_entry entries[LC_ISOLATED_ENTRIES];
} lc_isolated_memo;

typedef struct lc_isolated_object {
    int x, y; // where it begins
    lc_isolated_shape shape;
} lc_isolated_object;

// The one object that lives in four tiles, `live` of them with live cells, at least one; in the
// window's coordinates. False: it has no room in 8 x 8 cells.
bool lc_isolated_find(const uint32_t *const tiles[4], unsigned live, lc_isolated_object *object);

// What it is so many generations later if nothing else is near. False: too large. `step` is the
// level's for the rules.
bool lc_isolated_step(lc_isolated_memo *isolated, lc_isolated_object *object, int generations,
                      const lc_window_rules *rules, lc_window_step *step);

// The tile that begins at (x, y), with what of the object lies in it. Returns its population; if
// that is 0, nothing is written.
int lc_isolated_put(const lc_isolated_object *object, int x, int y, uint32_t cells[LC_TILE_WORDS]);

#endif
