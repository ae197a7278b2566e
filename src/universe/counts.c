// Downsampled views: the number of live cells in each square of a view, and the numbers as grey
// levels. Engines compute both. If the background is alive, or the engine computes no grey levels,
// this file computes them from the numbers.
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "universe/universe_internal.h"

enum { PIECE_PIXELS = 1 << 17 }; // computed at a time; at least one row

_Static_assert(LC_CELLS_PER_PIXEL_MAX == 1 << LC_TONE_SIDE_MAX, "each square has its tone");

// Returns how many of the cells begin .. begin + side - 1 exist.
static int64_t existing(bool is_free, int64_t size, int64_t begin, int64_t side)
{
    return is_free ? side : lc_greatest(0, lc_least(begin + side, size) - lc_greatest(begin, 0));
}

// Cells are stored as differences from the background.
static void turn_over(const lc_universe *u, const lc_view *p)
{
    const int64_t side = (int64_t)1 << p->log2_side;
    for (int64_t j = 0; j < p->height; j++) {
        const int64_t rows = existing(u->free_y, u->topology.height_cells, p->y + j * side, side);
        for (int64_t i = 0; i < p->width; i++) {
            const int64_t columns =
                existing(u->free_x, u->topology.width_cells, p->x + i * side, side);
            uint32_t *count = &p->counts[j * p->width + i];
            *count = (uint32_t)(rows * columns) - *count;
        }
    }
}

static bool within_reach(int64_t begin, int64_t cells)
{
    return begin >= -LC_UNIVERSE_REACH && begin <= LC_UNIVERSE_REACH + 1 - cells;
}

// Returns whether the background differs in the next generation.
static bool background_changes(const lc_universe *u)
{
    return (u->free_x || u->free_y) &&
           lc_background_after(u->rule, u->background, lc_count_of(1)) != u->background;
}

// Checks a request for a view. Sets *p, without counts and tones.
static lc_status check_view(lc_view *p, int64_t x, int64_t y, int64_t cells_per_pixel,
                            int64_t width, int64_t height, lc_message *message)
{
    if (cells_per_pixel < 1 || cells_per_pixel > LC_CELLS_PER_PIXEL_MAX ||
        (cells_per_pixel & (cells_per_pixel - 1)) != 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a pixel of %lld cells: a power of two from 1 to %d is possible",
                       (long long)cells_per_pixel, LC_CELLS_PER_PIXEL_MAX);
    if (width < 1 || height < 1 || width > LC_PICTURE_SIDE_MAX || height > LC_PICTURE_SIDE_MAX ||
        !within_reach(x, width * cells_per_pixel) || !within_reach(y, height * cells_per_pixel))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a view of %lld x %lld pixels at (%lld, %lld): it is empty, too large, or "
                       "out of reach",
                       (long long)width, (long long)height, (long long)x, (long long)y);
    *p = (lc_view){.x = x,
                   .y = y,
                   .log2_side = __builtin_ctzll((uint64_t)cells_per_pixel),
                   .width = width,
                   .height = height};
    return LC_OK;
}

static lc_status count_squares(const lc_universe *u, const lc_view *p, lc_message *message)
{
    const lc_status status = u->cover->vtable->view(u->cover, p, message);
    if (status == LC_OK && u->background)
        turn_over(u, p);
    return status;
}

lc_status lc_universe_counts(const lc_universe *u, int64_t x, int64_t y, int64_t cells_per_pixel,
                             int64_t width, int64_t height, uint32_t *counts, lc_message *message)
{
    lc_view p;
    lc_status status = check_view(&p, x, y, cells_per_pixel, width, height, message);
    if (status != LC_OK)
        return status;
    LC_RETURN_FAILURE(u, message);
    p.counts = counts;
    return count_squares(u, &p, message);
}

// Computes some rows of squares at a time.
static lc_status make_tones(const lc_universe *u, const lc_view *p, lc_message *message)
{
    const int64_t rows = lc_least(p->height, PIECE_PIXELS / p->width);
    uint32_t *counts = lc_malloc((size_t)(rows * p->width) * sizeof *counts);
    if (counts == NULL)
        return lc_fail_memory(message, "a picture");
    lc_status status = LC_OK;
    for (int64_t j = 0; j < p->height && status == LC_OK; j += rows) {
        lc_view piece = *p;
        piece.y += j << p->log2_side;
        piece.height = lc_least(rows, p->height - j);
        piece.counts = counts;
        piece.tones = NULL;
        status = count_squares(u, &piece, message);
        if (status == LC_OK)
            lc_tones_of_counts(p->tones_of, counts, (size_t)(piece.height * p->width),
                               p->tones + j * p->width);
    }
    lc_free(counts);
    return status;
}

lc_status lc_universe_picture(const lc_universe *u, int64_t x, int64_t y, int64_t cells_per_pixel,
                              int64_t width, int64_t height, uint8_t *tones, lc_message *message)
{
    lc_view p;
    lc_status status = check_view(&p, x, y, cells_per_pixel, width, height, message);
    if (status != LC_OK)
        return status;
    LC_RETURN_FAILURE(u, message);
    lc_tones tables;
    lc_tones_prepare(&tables, p.log2_side);
    p.tones = tones;
    p.tones_of = &tables;
    p.forming = !background_changes(u);
    const lc_cover_vtable *cover = u->cover->vtable;
    return cover->has_grey_levels != NULL && cover->has_grey_levels(u->cover) && !u->background
               ? cover->view(u->cover, &p, message)
               : make_tones(u, &p, message);
}
