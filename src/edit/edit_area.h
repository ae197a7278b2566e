// Rectangles of cells by their ends: intersections, and the parts that lie in a universe.
#ifndef LC_EDIT_AREA_H
#define LC_EDIT_AREA_H

#include "base/area.h"
#include "lightcone/edits.h"

// Returns LC_OK, or LC_ERROR_ARGUMENT: a side is below 1, or an end is beyond 64 bits.
lc_status lc_area_of_rectangle(lc_area *out, const lc_rectangle *r, lc_message *message);

// Widens `box` by those of `count` cells from (x, y) on that differ from `background`. Bits past
// them are 0.
static inline void lc_area_widen(lc_area *box, const uint64_t *row, int64_t count, int64_t x,
                                 int64_t y, bool background)
{
    for (int64_t i = 0; i < count; i += 64) {
        const uint64_t cells = ~UINT64_C(0) >> (count - i < 64 ? 64 - (count - i) : 0);
        const uint64_t word = background ? ~row[i / 64] & cells : row[i / 64];
        if (word != 0)
            *box = lc_area_union(*box, (lc_area){x + i + __builtin_ctzll(word), y,
                                                 x + i + 64 - __builtin_clzll(word), y + 1});
    }
}

// Returns the area of all cells of a universe.
static inline lc_area lc_area_of_universe(const lc_universe *universe)
{
    const lc_topology *t = lc_universe_topology(universe);
    lc_area all = {0, 0, t->width_cells, t->height_cells};
    if (t->width_cells == 0) {
        all.x0 = -LC_UNIVERSE_REACH;
        all.x1 = LC_UNIVERSE_REACH + 1;
    }
    if (t->height_cells == 0) {
        all.y0 = -LC_UNIVERSE_REACH;
        all.y1 = LC_UNIVERSE_REACH + 1;
    }
    return all;
}

static inline bool lc_is_bounded(const lc_universe *universe)
{
    const lc_topology *t = lc_universe_topology(universe);
    return t->width_cells != 0 && t->height_cells != 0;
}

// Reserves memory for live cells in an area. Returns LC_OK or the error of lc_universe_reserve.
static inline lc_status lc_area_reserve(lc_universe *universe, lc_area a, lc_message *message)
{
    return lc_universe_reserve(universe, a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0, message);
}

// Where an area lies in a universe: its parts, each within the universe, none empty. Where opposite
// edges are joined, what extends beyond an edge is a part at the opposite edge, unless the area is
// larger than the universe.
typedef struct lc_placement {
    int64_t x, y;               // the area's top left cell
    int64_t around_x, around_y; // sides of the universe at which the area continues; 0: it ends
    lc_area parts[4];
    size_t count;
} lc_placement;

void lc_place_area(lc_placement *out, const lc_universe *universe, lc_area a, bool wraps);

// Returns the column (or row) of the universe at which the area would begin, for the cells from
// `at` on: `start`, or one side of the universe before it.
static inline int64_t lc_placed_start(int64_t at, int64_t start, int64_t around)
{
    return at < start ? start - around : start;
}

#endif
