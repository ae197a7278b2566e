#include "edit/edit_area.h"

lc_status lc_area_of_rectangle(lc_area *out, const lc_rectangle *r, lc_message *message)
{
    *out = (lc_area){.x0 = r->x, .y0 = r->y};
    if (r->width_cells < 1 || r->height_cells < 1 ||
        __builtin_add_overflow(r->x, r->width_cells, &out->x1) ||
        __builtin_add_overflow(r->y, r->height_cells, &out->y1))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "invalid rectangle: %lld x %lld cells at (%lld, %lld)",
                       (long long)r->width_cells, (long long)r->height_cells, (long long)r->x,
                       (long long)r->y);
    return LC_OK;
}

bool lc_edits_wraps(const lc_universe *universe)
{
    const lc_topology *t = lc_universe_topology(universe);
    return t->kind == LC_TOPOLOGY_TORUS && t->shift_x_cells == 0 && t->shift_y_cells == 0;
}

// Divides one direction of an area into its parts, as [first, end). Returns their number.
static size_t divide(int64_t *start, int64_t length, int64_t side, bool joined, int64_t *around,
                     int64_t parts[2][2])
{
    *around = 0;
    if (!joined || side == 0 || length > side) {
        parts[0][0] = *start;
        parts[0][1] = *start + length;
        return 1;
    }
    *start = *start % side + (*start % side < 0 ? side : 0);
    *around = side;
    const int64_t end = *start + length;
    parts[0][0] = *start;
    parts[0][1] = end < side ? end : side;
    parts[1][0] = 0;
    parts[1][1] = end - side;
    return end > side ? 2 : 1;
}

void lc_place_area(lc_placement *out, const lc_universe *universe, lc_area a, bool wraps)
{
    const lc_topology *t = lc_universe_topology(universe);
    const lc_area all = lc_area_of_universe(universe);
    int64_t across[2][2], down[2][2];
    *out = (lc_placement){.x = a.x0, .y = a.y0};
    const size_t columns =
        divide(&out->x, a.x1 - a.x0, t->width_cells, wraps, &out->around_x, across);
    const size_t rows = divide(&out->y, a.y1 - a.y0, t->height_cells, wraps, &out->around_y, down);
    for (size_t i = 0; i < columns * rows; i++) {
        const int64_t *h = across[i % columns], *v = down[i / columns];
        const lc_area part = lc_area_intersection((lc_area){h[0], v[0], h[1], v[1]}, all);
        if (!lc_area_is_empty(part))
            out->parts[out->count++] = part;
    }
}
