// Live cells as a list, in the order of rows and then of columns.
//
// Objects are small and may lie far apart, so a list needs less memory than a rectangle of bits.
#ifndef LC_OBJECT_LIVE_H
#define LC_OBJECT_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/cells.h"

typedef struct lc_live_cell {
    int64_t x, y;
} lc_live_cell;

// All zeros is an empty list.
typedef struct lc_live {
    lc_live_cell *at;
    size_t count;
    size_t room; // cells that fit in the memory at `at`
} lc_live;

void lc_live_free(lc_live *live);

// lc_live_add appends one cell. lc_live_add_bits appends cell x + i of row y for each bit i that is
// set in the first `length` bits of `words`.
// Returns false, with the list as it was before the first cell that did not fit, if out of memory.
bool lc_live_add(lc_live *live, int64_t x, int64_t y);
bool lc_live_add_bits(lc_live *live, int64_t x, int64_t y, const uint64_t *words, int64_t length);
bool lc_live_add_all(lc_live *live, const lc_live *more);

// Sorts the cells, and removes all but one of equal cells.
void lc_live_sort(lc_live *live);

// Compares two cells by the order of a list. Returns a number below, equal to or above 0.
int lc_live_compare(const lc_live_cell *a, const lc_live_cell *b);

// Returns whether `b` is `a` moved by (dx, dy). Both are sorted.
bool lc_live_equal(const lc_live *a, const lc_live *b, int64_t dx, int64_t dy);

// Returns whether the sorted list has the cell.
bool lc_live_has(const lc_live *live, int64_t x, int64_t y);

// Returns the number of the cell in the sorted list; live->count: it is not there.
size_t lc_live_find(const lc_live *live, int64_t x, int64_t y);

// Returns the hash that lc_facts would have of the cells of a sorted list.
uint64_t lc_live_hash(const lc_live *live);

// Returns the bounding box. Cells lie within LC_UNIVERSE_REACH of 0.
lc_box lc_live_box(const lc_live *live);

// Groups. Two cells belong to the same group if a chain of cells leads from one to the other and
// each is near the next. "Near" means that dx^2 + dy^2 is at most 5, or, with `square`, that
// neither dx nor dy is more than 2. Under most rules cells further apart than the first distance
// have no common neighbour that could be born because of both (lc_groups_are_square).
// The list is sorted. Sets group_of[i] to the number of the group of cell i; groups are numbered
// from 0 in the order of their first cells. `scratch` has room for one number a cell. Returns the
// number of groups.
size_t lc_live_groups(const lc_live *live, bool square, uint32_t *group_of, uint32_t *scratch);

#endif
