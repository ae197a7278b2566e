// Rectangles of cells by their ends, and the distances between these. Coordinates within
// LC_UNIVERSE_REACH differ by up to twice as much, which exceeds an int64_t.
#ifndef LC_BASE_AREA_H
#define LC_BASE_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/least.h"
#include "lightcone/cells.h"

// Right and bottom are excluded.
typedef struct lc_area {
    int64_t x0, y0, x1, y1;
} lc_area;

// An area without cells has x1 <= x0 or y1 <= y0.
static inline bool lc_area_is_empty(lc_area a)
{
    return a.x1 <= a.x0 || a.y1 <= a.y0;
}

static inline bool lc_area_contains(lc_area outer, lc_area inner)
{
    return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 &&
           outer.y1 >= inner.y1;
}

static inline lc_area lc_area_intersection(lc_area a, lc_area b)
{
    return (lc_area){lc_greatest(a.x0, b.x0), lc_greatest(a.y0, b.y0), lc_least(a.x1, b.x1),
                     lc_least(a.y1, b.y1)};
}

// Returns the smallest area that contains two areas. If `a` is empty, returns `b`.
static inline lc_area lc_area_union(lc_area a, lc_area b)
{
    if (lc_area_is_empty(a))
        return b;
    return (lc_area){lc_least(a.x0, b.x0), lc_least(a.y0, b.y0), lc_greatest(a.x1, b.x1),
                     lc_greatest(a.y1, b.y1)};
}

// Sets *out to those rows of a rectangle that are from y0 on and before y1. Returns false if there
// are none.
static inline bool lc_cells_between(const lc_cells *cells, int64_t y0, int64_t y1, lc_cells *out)
{
    *out = *cells;
    out->y = lc_greatest(cells->y, y0);
    out->height_cells = lc_least(cells->y + cells->height_cells, y1) - out->y;
    if (out->height_cells > 0)
        out->words = lc_cells_row(cells, out->y - cells->y);
    return out->height_cells > 0;
}

// Returns the distance from `begin` to `end`, which is not before `begin`.
static inline uint64_t lc_extent(int64_t begin, int64_t end)
{
    return (uint64_t)end - (uint64_t)begin;
}

// Like lc_extent, but at most `most`.
static inline int64_t lc_extent_within(int64_t begin, int64_t end, int64_t most)
{
    return lc_extent(begin, end) < (uint64_t)most ? end - begin : most;
}

static inline int64_t lc_end_of_side(int64_t begin, int64_t size)
{
    return size == INT64_MAX ? LC_UNIVERSE_REACH + 1 : begin + size;
}

// Returns the area of a box of live cells. A side of INT64_MAX stands for a longer one (cells.h),
// which then ends at the limit of coordinates.
static inline lc_area lc_area_of_box(const lc_box *box)
{
    return (lc_area){box->x, box->y, lc_end_of_side(box->x, box->width_cells),
                     lc_end_of_side(box->y, box->height_cells)};
}

// Moves *from to the smaller of two beginnings, and returns the size up to the larger end.
static inline int64_t lc_joined_size(int64_t *from, int64_t size, int64_t other, int64_t other_size)
{
    const int64_t end = lc_greatest(*from + size, other + other_size);
    *from = lc_least(*from, other);
    return lc_extent_within(*from, end, INT64_MAX);
}

// Returns the smallest box that contains two boxes.
static inline lc_box lc_box_union(lc_box a, lc_box b)
{
    if (a.empty)
        return b;
    if (b.empty)
        return a;
    a.width_cells = lc_joined_size(&a.x, a.width_cells, b.x, b.width_cells);
    a.height_cells = lc_joined_size(&a.y, a.height_cells, b.y, b.height_cells);
    return a;
}

#endif
