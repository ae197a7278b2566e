// Rectangles of cells inside the viewer's edits: where they meet, and what of them is in a
// universe.
#ifndef LC_EDIT_AREA_H
#define LC_EDIT_AREA_H

#include "base/area.h"
#include "lightcone/universe.h"

static inline bool lc_area_is_empty(lc_area a)
{
    return a.x1 <= a.x0 || a.y1 <= a.y0;
}

static inline lc_area lc_area_intersection(lc_area a, lc_area b)
{
    return (lc_area){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                     a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

static inline lc_area lc_area_union(lc_area a, lc_area b)
{
    if (lc_area_is_empty(a))
        return b;
    return (lc_area){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                     a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

// Widens `box` by those of `count` cells from (x, y) on that are not `background`; bits past them
// are 0.
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

// All cells of the universe.
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

// The remainder of dividing by a positive number, 0 or more.
static inline int64_t wrapped(int64_t value, int64_t size)
{
    const int64_t rest = value % size;
    return rest < 0 ? rest + size : rest;
}

// One direction of an area or a clip: its parts, as [first, end), if what goes beyond an edge comes
// in at the other one; only as it is if it is larger than the universe. Returns how many there are.
static inline size_t lc_divide_side(int64_t *start, int64_t length, int64_t side, bool joined,
                                    int64_t *around, int64_t parts[2][2])
{
    *around = 0;
    if (!joined || side == 0 || length > side) {
        parts[0][0] = *start;
        parts[0][1] = *start + length;
        return 1;
    }
    *start = wrapped(*start, side);
    *around = side;
    const int64_t end = *start + length;
    parts[0][0] = *start;
    parts[0][1] = end < side ? end : side;
    parts[1][0] = 0;
    parts[1][1] = end - side;
    return end > side ? 2 : 1;
}

// What of an area is in the universe, in up to four parts. Returns how many.
static inline size_t lc_area_place(const lc_universe *universe, lc_area a, bool wraps,
                                   lc_area parts[4])
{
    const lc_topology *t = lc_universe_topology(universe);
    const lc_area all = lc_area_of_universe(universe);
    int64_t across[2][2], down[2][2], around;
    size_t count = 0;
    if (wraps && t->width_cells != 0 && a.x1 - a.x0 > t->width_cells)
        a.x1 = a.x0 + t->width_cells; // once round
    if (wraps && t->height_cells != 0 && a.y1 - a.y0 > t->height_cells)
        a.y1 = a.y0 + t->height_cells;
    const size_t columns =
        lc_divide_side(&a.x0, a.x1 - a.x0, t->width_cells, wraps, &around, across);
    const size_t rows = lc_divide_side(&a.y0, a.y1 - a.y0, t->height_cells, wraps, &around, down);
    for (size_t i = 0; i < columns * rows; i++) {
        const int64_t *h = across[i % columns], *v = down[i / columns];
        parts[count] = lc_area_intersection((lc_area){h[0], v[0], h[1], v[1]}, all);
        count += !lc_area_is_empty(parts[count]);
    }
    return count;
}

#endif
