// Rectangles of cells inside the viewer's edits: where they meet, and what of them is in a
// universe.
#ifndef LC_EDIT_AREA_H
#define LC_EDIT_AREA_H

#include "lightcone/universe.h"

// Right and bottom excluded; without cells if x1 <= x0 or y1 <= y0.
typedef struct bounds {
    int64_t x0, y0, x1, y1;
} bounds;

static inline bool is_empty(bounds a)
{
    return a.x1 <= a.x0 || a.y1 <= a.y0;
}

static inline bounds intersection(bounds a, bounds b)
{
    return (bounds){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                    a.y1 < b.y1 ? a.y1 : b.y1};
}

static inline bounds united(bounds a, bounds b)
{
    if (is_empty(a))
        return b;
    return (bounds){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, a.x1 > b.x1 ? a.x1 : b.x1,
                    a.y1 > b.y1 ? a.y1 : b.y1};
}

// Widens `box` by those of `count` cells from (x, y) on that are not `background`; bits past them
// are 0.
static inline void widen(bounds *box, const uint64_t *row, int64_t count, int64_t x, int64_t y,
                         bool background)
{
    for (int64_t i = 0; i < count; i += 64) {
        const uint64_t cells = ~UINT64_C(0) >> (count - i < 64 ? 64 - (count - i) : 0);
        const uint64_t word = background ? ~row[i / 64] & cells : row[i / 64];
        if (word != 0)
            *box = united(*box, (bounds){x + i + __builtin_ctzll(word), y,
                                         x + i + 64 - __builtin_clzll(word), y + 1});
    }
}

// All cells of the universe.
static inline bounds whole(const lc_universe *universe)
{
    const lc_topology *t = lc_universe_topology(universe);
    bounds all = {0, 0, t->width_cells, t->height_cells};
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

static inline bool is_bounded(const lc_universe *universe)
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
static inline size_t divide(int64_t *start, int64_t length, int64_t side, bool joined,
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
static inline size_t place_area(const lc_universe *universe, bounds a, bool wraps, bounds parts[4])
{
    const lc_topology *t = lc_universe_topology(universe);
    const bounds all = whole(universe);
    int64_t across[2][2], down[2][2], around;
    size_t count = 0;
    if (wraps && t->width_cells != 0 && a.x1 - a.x0 > t->width_cells)
        a.x1 = a.x0 + t->width_cells; // once round
    if (wraps && t->height_cells != 0 && a.y1 - a.y0 > t->height_cells)
        a.y1 = a.y0 + t->height_cells;
    const size_t columns = divide(&a.x0, a.x1 - a.x0, t->width_cells, wraps, &around, across);
    const size_t rows = divide(&a.y0, a.y1 - a.y0, t->height_cells, wraps, &around, down);
    for (size_t i = 0; i < columns * rows; i++) {
        const int64_t *h = across[i % columns], *v = down[i / columns];
        parts[count] = intersection((bounds){h[0], v[0], h[1], v[1]}, all);
        count += !is_empty(parts[count]);
    }
    return count;
}

#endif
