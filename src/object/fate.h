// Finds the future of a few cells that are alone on the plane. Cells that repeat themselves are
// divided into objects.
//
// **Objects.** Cells that repeat themselves, in place or moved, consist of islands: a cell of one
// phase and a cell of the same phase or the next one belong to the same island if they are
// neighbours or at the same place. If each island alone has the same phases as in company, the
// islands are objects by themselves. Otherwise the islands are divided into two sets, or three, and
// so on, until each set alone has the same phases as in company; these sets are then divided in the
// same way. Cells that cannot be divided are one object. This is how apgsearch separates objects: a
// bi-block is two blocks, and a table on a table, which would both die alone, is one object.
//
// Fates are remembered by the shape of the cells, so blocks and blinkers cost a look in a table.
#ifndef LC_OBJECT_FATE_H
#define LC_OBJECT_FATE_H

#include "object/field.h"

typedef struct lc_fate lc_fate;

// An object, and the upper left corner of its cells' box relative to the whole.
typedef struct lc_part {
    const lc_fate *fate;
    int64_t x, y;
} lc_part;

struct lc_fate {
    lc_live cells; // the upper left corner of their box is (0, 0)
    lc_box box;
    uint64_t hash;
    uint64_t tried;  // generations that were made in search of the period
    uint64_t period; // the cells repeat after so many generations; 0: not within `tried`
    int64_t dx, dy;  // how far they have moved then, right and down
    // The following are known if the cells repeat.
    uint64_t cells_min, cells_max; // live cells of the phases
    lc_box swept;                  // contains the cells of all phases 0 to period
    // Bounds of the cells relative to their movement, times the period: the minimum and maximum of
    // period * x - dx * generation over all cells and phases, and the same for y and dy.
    int64_t x_low, x_high, y_low, y_high;
    lc_live footprint;      // cells of all phases, sorted; empty if they move
    uint64_t *phase_hashes; // lc_facts' hash of each phase
    // One object: 0 parts. Several: each of them.
    lc_part *parts;
    size_t part_count;
    char *code; // of one object: its apgcode; NULL: too large for one
};

static inline bool lc_fate_moves(const lc_fate *fate)
{
    return fate->dx != 0 || fate->dy != 0;
}

// Returns whether two objects are the same, in any orientation and phase. Objects that are too
// large for a code are compared by period and population.
bool lc_fates_are_alike(const lc_fate *a, const lc_fate *b);

// Returns whether cells that were `first` and are `now` have become so many that they are given up:
// 8 times as many and 1,000 more. Oscillators do not grow so much.
static inline bool lc_explodes(uint64_t now, uint64_t first)
{
    return now > 8 * first + 1000;
}

// The fates under one rule. One thread at a time uses them.
typedef struct lc_fates {
    lc_field_rule rule;
    lc_fate **table; // by hash
    size_t count, room;
    lc_field field; // scratch
} lc_fates;

// Prepares a structure of zeros. Returns LC_OK; LC_ERROR_UNSUPPORTED (a rule with B0).
lc_status lc_fates_init(lc_fates *fates, const lc_rule *rule, lc_message *message);
void lc_fates_free(lc_fates *fates);

// Finds the fate of a sorted list of cells, which is not empty. Periods of up to `limit`
// generations are found. *out belongs to `fates`. Returns LC_OK; LC_ERROR_LIMIT (the cells spread
// too far to be stepped alone); LC_ERROR_MEMORY; LC_ERROR_STOPPED (by lc_set_give_up).
lc_status lc_fate_find(const lc_fate **out, lc_fates *fates, const lc_live *cells, uint64_t limit);

#endif
