#include "cover/slabs/slab_heights.h"

#include <stdbool.h>

#include "base/least.h"

enum {
    EVEN_ROWS = 16,      // slab heights are multiples of this, for faster downsampled views,
    LEAST_EVEN_ROWS = 64 // if slabs are at least this high
};

enum { NOT_FIXED = -1 };

__extension__ typedef unsigned __int128 wide;

typedef struct cutting {
    const lc_slab_ability *slabs;
    int count;
    bool weighs, limits; // weights and memory limits apply
    int64_t even, units; // rows of a unit, and units of the board
    int64_t more_rows;   // added to the last slab
    int64_t *fixed;      // units of each slab, or NOT_FIXED
    int64_t rest;        // units of the other slabs,
    uint64_t weight;     // and the sum of their weights
} cutting;

static uint64_t weight_of(const cutting *c, int i)
{
    return c->weighs ? c->slabs[i].weight : 1;
}

static void add_up(cutting *c)
{
    c->rest = c->units;
    c->weight = 0;
    for (int i = 0; i < c->count; i++)
        if (c->fixed[i] == NOT_FIXED)
            c->weight += weight_of(c, i);
        else
            c->rest -= c->fixed[i];
}

static int64_t most_units(const cutting *c, int i)
{
    const int64_t more = i == c->count - 1 ? c->more_rows : 0;
    return lc_greatest((c->slabs[i].most_rows - more) / c->even, 1);
}

// Fixes the slabs that would get less than one unit (`low`), or more than fits into their memory.
// Returns false if there are none.
static bool fix(cutting *c, bool low)
{
    bool found = false;
    for (int i = 0; i < c->count; i++) {
        const wide share = (wide)(uint64_t)c->rest * weight_of(c, i);
        const int64_t bound = low ? 1 : most_units(c, i);
        const wide bounded = (wide)(uint64_t)bound * c->weight;
        if (c->fixed[i] != NOT_FIXED || !(low ? share < bounded : share > bounded))
            continue;
        c->fixed[i] = bound;
        found = true;
    }
    if (found)
        add_up(c);
    return found;
}

// Returns false if all slabs are fixed and rows remain.
static bool fix_all(cutting *c)
{
    for (int i = 0; i < c->count; i++)
        c->fixed[i] = NOT_FIXED;
    add_up(c);
    while (fix(c, true) || (c->limits && fix(c, false)))
        ;
    return c->rest == 0 || c->weight > 0;
}

void lc_slab_first_rows(int64_t height, const lc_slab_ability *slabs, int count,
                        int64_t *first_rows)
{
    cutting c = {.slabs = slabs, .count = count, .weighs = true, .limits = true};
    uint64_t least = UINT64_MAX, all = 0;
    for (int i = 0; i < count; i++) {
        least = lc_least_u64(least, slabs[i].weight);
        all += slabs[i].weight;
    }
    c.weighs = least > 0;
    const int64_t lowest =
        c.weighs ? (int64_t)((wide)(uint64_t)height * least / all) : height / count;
    c.even = lowest >= LEAST_EVEN_ROWS ? EVEN_ROWS : 1;
    c.units = height / c.even;
    c.more_rows = height % c.even;
    c.fixed = first_rows;
    if (!fix_all(&c)) {
        c.limits = false;
        (void)fix_all(&c);
    }
    int64_t units = 0; // of the fixed slabs before
    uint64_t weight = 0;
    for (int i = 0; i < count; i++) {
        const int64_t fixed = c.fixed[i];
        const int64_t shared =
            c.weight > 0 ? (int64_t)((wide)(uint64_t)c.rest * weight / c.weight) : 0;
        first_rows[i] = (units + shared) * c.even;
        units += fixed != NOT_FIXED ? fixed : 0;
        weight += fixed == NOT_FIXED ? weight_of(&c, i) : 0;
    }
    first_rows[count] = height;
}
