// The cells that an object occupies in the course of time lie in a strip: a rectangle that moves at
// constant speed. Tells whether two strips ever come near each other, without stepping.
#ifndef LC_OBJECT_STRIP_H
#define LC_OBJECT_STRIP_H

#include "object/fate.h"

__extension__ typedef __int128 lc_wide;

// In generation t, counted from now, each live cell (x, y) fulfils
//     low[0] <= period * x - dx * t <= high[0], and the same of y with low[1], high[1] and dy
typedef struct lc_strip {
    int64_t period, dx, dy;
    lc_wide low[2], high[2];
} lc_strip;

// Cells further apart than that, in x or in y, have no common neighbour.
enum { LC_NEAR = 2 };

// Something that repeats itself without end: `generations` later, and (dx, dy) away, the same
// strips are there again.
typedef struct lc_strip_repeat {
    int64_t generations, dx, dy;
} lc_strip_repeat;

// Returns the strip of an object at its place.
lc_strip lc_strip_of(const lc_part *part);

// Advances *strip by `generations`, and moves it by (-dx, -dy).
void lc_strip_shift(lc_strip *strip, int64_t generations, int64_t dx, int64_t dy);

// Returns whether two strips may come within LC_NEAR rows and columns of each other, now or later.
// At most two repeats can be given. Then the function considers strip `a` shifted by all multiples
// of each of them, 0 included. False is a proof. The function returns true for strips that are too
// far away or too fast.
bool lc_strips_will_meet(const lc_strip *a, const lc_strip *b, const lc_strip_repeat *repeats,
                         size_t repeat_count);

// Returns whether two strips may come so near within so many generations from now.
bool lc_strips_meet_within(const lc_strip *a, const lc_strip *b, int64_t generations);

#endif
