// The universe from far away: how many cells are alive in each square of a picture, and pictures
// that show that as bytes. An engine makes either by itself. Where there is a live background, or
// the engine looks at nothing but rows, bytes are made here of counts.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "universe/state.h"

enum { PIECE_PIXELS = 1 << 17 }; // that bytes are made of at a time; a row at least

_Static_assert(LC_CELLS_PER_PIXEL_MAX == 1 << LC_TONE_SIDE_MAX, "each square has its tone");

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static uint32_t live_bits(const uint64_t *words, int64_t begin, int64_t end)
{
    uint32_t count = 0;
    while (begin < end) {
        const int64_t here = least(end - begin, 64 - begin % 64);
        const uint64_t word = words[begin / 64] >> (begin % 64) << (64 - here);
        count += (uint32_t)__builtin_popcountll(word);
        begin += here;
    }
    return count;
}

// Adds cells x0 .. x1-1 of row y of the block to one row of squares.
static lc_status add_row(const lc_universe *u, const lc_squares *p, int64_t x0, int64_t x1,
                         int64_t y, uint32_t *counts, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    const int64_t block_width = u->config.topology.width_cells;
    for (int64_t x = x0 - u->origin_x, end = x1 - u->origin_x; x < end;) {
        const int64_t begin = x & ~INT64_C(63);
        const int64_t width = least(block_width - begin, LC_SPAN_CELLS);
        const lc_cells cells = lc_row_cells(begin, y - u->origin_y, width, span);
        const lc_status status = u->vtable->read(u->engine, &cells, message);
        if (status != LC_OK)
            return status;
        for (const int64_t stop = least(end, begin + width); x < stop;) {
            const int64_t square = (x + u->origin_x - p->x) >> p->log2_side;
            const int64_t next = p->x + ((square + 1) << p->log2_side) - u->origin_x;
            const int64_t to = least(next, stop);
            counts[square] += live_bits(span, x - begin, to - begin);
            x = to;
        }
    }
    return LC_OK;
}

// What an engine's count_squares gives, for those that have none.
static lc_status count_rows(const lc_universe *u, const lc_squares *p, lc_message *message)
{
    lc_status status = LC_OK;
    const lc_area block = lc_block_area(u);
    const int64_t x0 = greatest(p->x, block.x0);
    const int64_t x1 = least(p->x + (p->width << p->log2_side), block.x1);
    memset(p->counts, 0, (size_t)(p->width * p->height) * sizeof *p->counts);
    const int64_t y1 = least(p->y + (p->height << p->log2_side), block.y1);
    for (int64_t y = greatest(p->y, block.y0); y < y1 && x0 < x1 && status == LC_OK; y++)
        status =
            add_row(u, p, x0, x1, y, p->counts + ((y - p->y) >> p->log2_side) * p->width, message);
    return status;
}

// How many of the cells begin .. begin+side-1 exist.
static int64_t existing(bool is_free, int64_t size, int64_t begin, int64_t side)
{
    return is_free ? side : greatest(0, least(begin + side, size) - greatest(begin, 0));
}

// Cells are stored as differences from the background.
static void turn_over(const lc_universe *u, const lc_squares *p)
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
    return begin > -LC_UNIVERSE_REACH && begin < LC_UNIVERSE_REACH - cells;
}

// Whether cells that are one pass apart are differences from two backgrounds.
static bool background_changes(const lc_universe *u)
{
    bool next = u->background;
    if (u->free_x || u->free_y)
        (void)lc_stored_rule(&u->rule, u->background, &next);
    return next != u->background;
}

// Checks what is asked for; *p has neither counts nor tones.
static lc_status check_view(lc_squares *p, int64_t x, int64_t y, int64_t cells_per_pixel,
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
    *p = (lc_squares){.x = x,
                      .y = y,
                      .log2_side = __builtin_ctzll((uint64_t)cells_per_pixel),
                      .width = width,
                      .height = height};
    return LC_OK;
}

// By the engine, in its own coordinates.
static lc_status ask_engine(const lc_universe *u, const lc_squares *p, lc_message *message)
{
    lc_squares of_block = *p;
    of_block.x -= u->origin_x;
    of_block.y -= u->origin_y;
    return u->vtable->count_squares(u->engine, &of_block, message);
}

static lc_status count_squares(const lc_universe *u, const lc_squares *p, lc_message *message)
{
    const lc_status status =
        u->vtable->count_squares != NULL ? ask_engine(u, p, message) : count_rows(u, p, message);
    if (status == LC_OK && u->background)
        turn_over(u, p);
    return status;
}

lc_status lc_universe_counts(const lc_universe *u, int64_t x, int64_t y, int64_t cells_per_pixel,
                             int64_t width, int64_t height, uint32_t *counts, lc_message *message)
{
    lc_squares p;
    lc_status status = check_view(&p, x, y, cells_per_pixel, width, height, message);
    if (status != LC_OK)
        return status;
    LC_RETURN_FAILURE(u, message);
    p.counts = counts;
    return count_squares(u, &p, message);
}

// Some rows of squares at a time.
static lc_status make_tones(const lc_universe *u, const lc_squares *p, lc_message *message)
{
    const int64_t rows = least(p->height, PIECE_PIXELS / p->width);
    uint32_t *counts = lc_malloc((size_t)(rows * p->width) * sizeof *counts);
    if (counts == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "there is no memory for a picture");
    lc_status status = LC_OK;
    for (int64_t j = 0; j < p->height && status == LC_OK; j += rows) {
        lc_squares piece = *p;
        piece.y += j << p->log2_side;
        piece.height = least(rows, p->height - j);
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
    lc_squares p;
    lc_status status = check_view(&p, x, y, cells_per_pixel, width, height, message);
    if (status != LC_OK)
        return status;
    LC_RETURN_FAILURE(u, message);
    lc_tones tables;
    lc_tones_prepare(&tables, p.log2_side);
    p.tones = tones;
    p.tones_of = &tables;
    p.forming = !background_changes(u);
    return u->vtable->count_squares != NULL && !u->background ? ask_engine(u, &p, message)
                                                              : make_tones(u, &p, message);
}
