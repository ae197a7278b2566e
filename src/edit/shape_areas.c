// Shapes as rectangles of cells. viewer/page/shapes.js draws the same cells as a preview.
#include <math.h>
#include <stdlib.h>

#include "lightcone/edits.h"

static void add(lc_rectangle *areas, size_t *count, int64_t x, int64_t y, int64_t width,
                int64_t height)
{
    if (width > 0 && height > 0)
        areas[(*count)++] = (lc_rectangle){x, y, width, height};
}

static size_t rectangle_areas(const lc_rectangle *r, int64_t thickness, lc_rectangle areas[4])
{
    size_t count = 0;
    const int64_t inner_width = r->width_cells - 2 * thickness;
    const int64_t inner_height = r->height_cells - 2 * thickness;
    if (thickness == 0 || inner_width <= 0 || inner_height <= 0) {
        areas[0] = *r;
        return 1;
    }
    const int64_t top = r->y + thickness, right = r->x + r->width_cells - thickness;
    add(areas, &count, r->x, r->y, r->width_cells, thickness);
    add(areas, &count, r->x, top, thickness, inner_height);
    add(areas, &count, right, top, thickness, inner_height);
    add(areas, &count, r->x, top + inner_height, r->width_cells, thickness);
    return count;
}

// Returns the number of cells at each end of a row that are not in the ellipse; all cells of a row
// beyond it.
static int64_t left_out(const lc_rectangle *r, int64_t row)
{
    const double width = (double)r->width_cells, height = (double)r->height_cells;
    if (row < 0 || row >= r->height_cells)
        return r->width_cells;
    const double from_middle = (2 * (double)row + 1 - height) / height;
    const double half = width * sqrt(1 - from_middle * from_middle);
    const int64_t cells = (int64_t)ceil((width - 1 - half) / 2);
    return cells > 0 ? cells : 0;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// Like left_out, for the inside of the outline. A cell is inside if the cells at the distance of
// the thickness in all eight directions belong to the ellipse.
static int64_t left_of_inside(const lc_rectangle *r, int64_t row, int64_t thickness)
{
    const int64_t slanting = (int64_t)((double)thickness * 0.70710678118654752);
    int64_t most = left_out(r, row) + thickness;
    most = larger(most, left_out(r, row - thickness));
    most = larger(most, left_out(r, row + thickness));
    most = larger(most, left_out(r, row - slanting) + slanting);
    return larger(most, left_out(r, row + slanting) + slanting);
}

static size_t ellipse_areas(const lc_rectangle *r, int64_t thickness, lc_rectangle *areas)
{
    size_t count = 0;
    for (int64_t row = 0; row < r->height_cells; row++) {
        const int64_t out = left_out(r, row), width = r->width_cells - 2 * out;
        const int64_t inside = thickness > 0 ? left_of_inside(r, row, thickness) : r->width_cells;
        if (2 * inside >= r->width_cells) {
            add(areas, &count, r->x + out, r->y + row, width, 1);
            continue;
        }
        add(areas, &count, r->x + out, r->y + row, inside - out, 1);
        add(areas, &count, r->x + r->width_cells - inside, r->y + row, inside - out, 1);
    }
    return count;
}

static bool is_within_reach(int64_t start, int64_t size)
{
    return size >= 1 && size <= LC_UNIVERSE_REACH && start >= -LC_UNIVERSE_REACH &&
           start <= LC_UNIVERSE_REACH - size + 1;
}

lc_status lc_edit_shape_rectangles(lc_edit_shape shape, const lc_rectangle *box,
                                   int64_t thickness_cells, lc_rectangle **areas, size_t *count,
                                   lc_message *message)
{
    *areas = NULL;
    *count = 0;
    const bool is_ellipse = shape == LC_EDIT_SHAPE_ELLIPSE;
    if (!is_within_reach(box->x, box->width_cells) || !is_within_reach(box->y, box->height_cells) ||
        thickness_cells < 0 || (!is_ellipse && shape != LC_EDIT_SHAPE_RECTANGLE))
        return lc_fail(message, LC_ERROR_ARGUMENT, "invalid shape, rectangle or thickness");
    if (is_ellipse && box->height_cells > LC_ELLIPSE_ROWS_MAX)
        return lc_fail(message, LC_ERROR_LIMIT, "an ellipse can be %lld cells high, not %lld",
                       (long long)LC_ELLIPSE_ROWS_MAX, (long long)box->height_cells);
    const size_t most = is_ellipse ? 2 * (size_t)box->height_cells : 4;
    *areas = malloc(most * sizeof **areas);
    if (*areas == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for that shape");
    if (thickness_cells > larger(box->width_cells, box->height_cells))
        thickness_cells = 0;
    *count = is_ellipse ? ellipse_areas(box, thickness_cells, *areas)
                        : rectangle_areas(box, thickness_cells, *areas);
    return LC_OK;
}
