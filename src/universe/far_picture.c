// Views whose pixels have more cells than 32 bits can count.
//
// An engine with a quadtree counts whole squares itself. Other engines hold the live cells within
// LC_UNIVERSE_REACH. On an unbounded universe they count large squares, because they visit live
// cells only. On a dense board they count the largest squares they can, and the counts are added.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "universe/universe_internal.h"

enum {
    PIECE_PIXELS = 1 << 17, // computed at a time; at least one row
    NEAR_LOG2 = 61,         // the largest squares whose coordinates fit in 64 bits
    PART_SQUARES = 1 << 20, // of a board, counted at a time
};

// Returns value / 2^bits, rounded down, for any number of bits.
static int64_t halved(int64_t value, int bits)
{
    return bits < 63 ? value >> bits : value < 0 ? -1 : 0;
}

static int64_t doubled(int64_t value, int bits)
{
    return value == 0  ? 0
           : bits < 62 ? value * (INT64_C(1) << bits)
           : value < 0 ? INT64_MIN
                       : INT64_MAX;
}

// Adds the counts of squares of 2^from->log2_side cells to those of larger ones.
static void add_up(const lc_view *from, const lc_coarse_view *to)
{
    const int log2 = to->log2_side - from->log2_side;
    const int64_t x = from->x >> from->log2_side, y = from->y >> from->log2_side;
    for (int64_t j = 0; j < from->height; j++) {
        const int64_t row = halved(y + j, log2) - to->row;
        for (int64_t i = 0; i < from->width; i++) {
            const int64_t column = halved(x + i, log2) - to->column;
            to->counts[row * to->width + column] += from->counts[j * from->width + i];
        }
    }
}

typedef struct range {
    int64_t first, count;
} range;

// The squares of 2^log2 cells that have cells of begin .. end-1, as far as they lie within wanted
// ones that are 2^up times as large.
static range range_of(int64_t begin, int64_t end, int log2, int64_t first, int64_t size, int up)
{
    const int64_t low = lc_greatest(halved(begin, log2 + up), first);
    const int64_t high = lc_least(halved(end - 1, log2 + up) + 1, first + size);
    if (begin >= end || low >= high)
        return (range){0};
    const int64_t from = lc_greatest(begin >> log2, doubled(low, up));
    const int64_t to = lc_least(((end - 1) >> log2) + 1, doubled(high, up));
    return (range){from, to - from};
}

// Counts the live cells of an area in squares of 2^log2 cells, some squares at a time.
static lc_status count_area(const lc_universe *u, lc_area area, int log2, const lc_coarse_view *to,
                            uint32_t *counts, lc_message *message)
{
    const int up = to->log2_side - log2;
    const range across = range_of(area.x0, area.x1, log2, to->column, to->width, up);
    const range down = range_of(area.y0, area.y1, log2, to->row, to->height, up);
    lc_status status = LC_OK;
    if (across.count == 0 || down.count == 0)
        return LC_OK;
    const int64_t width = lc_least(across.count, PART_SQUARES);
    const int64_t height = lc_least(down.count, PART_SQUARES / width);
    for (int64_t j = 0; j < down.count && status == LC_OK; j += height) {
        for (int64_t i = 0; i < across.count && status == LC_OK; i += width) {
            const lc_view part = {.x = (across.first + i) * (INT64_C(1) << log2),
                                  .y = (down.first + j) * (INT64_C(1) << log2),
                                  .log2_side = log2,
                                  .width = lc_least(width, across.count - i),
                                  .height = lc_least(height, down.count - j),
                                  .counts = counts};
            status = u->cover->vtable->view(u->cover, &part, message);
            if (status == LC_OK)
                add_up(&part, to);
        }
    }
    return status;
}

// For engines without cells beyond LC_UNIVERSE_REACH.
static lc_status count_near(const lc_universe *u, const lc_coarse_view *p, lc_message *message)
{
    lc_facts facts;
    const lc_area held = lc_held_by(u);
    const uint64_t reach = (uint64_t)LC_UNIVERSE_REACH;
    const bool is_unbounded =
        lc_extent(held.x0, held.x1) > reach || lc_extent(held.y0, held.y1) > reach;
    int log2 = LC_TONE_SIDE_MAX;
    lc_status status = LC_OK;
    if (is_unbounded) {
        status = u->cover->vtable->facts(u->cover, LC_FACT_POPULATION, &facts, message);
        if (status == LC_OK && lc_count_log2(facts.population) < 32)
            log2 = p->log2_side < NEAR_LOG2 ? p->log2_side : NEAR_LOG2;
    }
    if (status != LC_OK)
        return status;
    uint32_t *counts = lc_malloc(PART_SQUARES * sizeof *counts);
    if (counts == NULL)
        return lc_fail_memory(message, "a picture");
    memset(p->counts, 0, (size_t)(p->width * p->height) * sizeof *p->counts);
    // In four parts, whose sizes fit in 64 bits.
    for (int i = 0; i < 4 && status == LC_OK; i++) {
        const lc_area part = {i % 2 == 0 ? held.x0 : lc_greatest(held.x0, 0),
                              i / 2 == 0 ? held.y0 : lc_greatest(held.y0, 0),
                              i % 2 == 0 ? lc_least(held.x1, 0) : held.x1,
                              i / 2 == 0 ? lc_least(held.y1, 0) : held.y1};
        status = count_area(u, part, log2, p, counts, message);
    }
    lc_free(counts);
    return status;
}

// Tones -------------------------------------------------------------------------------------------

// Returns how many cells of the i-th row or column of squares exist.
static double existing(bool is_free, int64_t size, int64_t i, int log2_side)
{
    const double side = ldexp(1, log2_side), begin = ldexp((double)i, log2_side);
    return is_free ? side : fmax(0, fmin(begin + side, (double)size) - fmax(begin, 0));
}

static uint8_t tone_of(double live, int log2_side)
{
    const double tone = round(255 * sqrt(ldexp(live, -2 * log2_side)));
    return (uint8_t)(live <= 0 ? 0 : fmin(255, fmax(1, tone)));
}

static void make_tones(const lc_universe *u, const lc_coarse_view *p, uint8_t *tones)
{
    const lc_topology *t = &u->topology;
    for (int64_t j = 0; j < p->height; j++) {
        const double rows = existing(u->free_y, t->height_cells, p->row + j, p->log2_side);
        for (int64_t i = 0; i < p->width; i++) {
            double live = p->counts[j * p->width + i];
            if (u->background) // cells are stored as differences from it
                live =
                    rows * existing(u->free_x, t->width_cells, p->column + i, p->log2_side) - live;
            tones[j * p->width + i] = tone_of(live, p->log2_side);
        }
    }
}

// Computes some rows at a time.
static lc_status make_far(const lc_universe *u, lc_coarse_view p, uint8_t *tones,
                          lc_message *message)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    const int64_t height = p.height,
                  rows = lc_least(height, lc_greatest(1, PIECE_PIXELS / p.width));
    lc_status status = LC_OK;
    p.counts = lc_malloc((size_t)(rows * p.width) * sizeof *p.counts);
    if (p.counts == NULL)
        return lc_fail_memory(message, "a picture");
    for (int64_t j = 0; j < height && status == LC_OK; j += rows) {
        p.height = lc_least(rows, height - j);
        status = cover->count_coarse != NULL ? cover->count_coarse(u->cover, &p, message)
                                             : LC_ERROR_UNSUPPORTED;
        if (status == LC_ERROR_UNSUPPORTED)
            status = count_near(u, &p, message);
        if (status == LC_OK)
            make_tones(u, &p, tones + j * p.width);
        p.row += p.height;
    }
    lc_free(p.counts);
    return status;
}

lc_status lc_check_far_view(int64_t column, int64_t row, int log2_side, int64_t width,
                            int64_t height, lc_message *message)
{
    if (log2_side < 0 || log2_side > LC_WIDE_REACH_LOG2)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a pixel of 2^%d cells: 2^0 to 2^%d are possible", log2_side,
                       LC_WIDE_REACH_LOG2);
    const int64_t reach = LC_UNIVERSE_REACH >> (log2_side <= LC_TONE_SIDE_MAX ? log2_side : 0);
    if (width < 1 || height < 1 || width > LC_PICTURE_SIDE_MAX || height > LC_PICTURE_SIDE_MAX ||
        column < -reach || column > reach || row < -reach || row > reach)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a view of %lld x %lld pixels from column %lld and row %lld: it is empty, "
                       "too large, or out of reach",
                       (long long)width, (long long)height, (long long)column, (long long)row);
    return LC_OK;
}

lc_status lc_universe_far_picture(const lc_universe *u, int64_t column, int64_t row, int log2_side,
                                  int64_t width, int64_t height, uint8_t *tones,
                                  lc_message *message)
{
    lc_status status = lc_check_far_view(column, row, log2_side, width, height, message);
    if (status != LC_OK)
        return status;
    if (log2_side <= LC_TONE_SIDE_MAX) {
        const int64_t side = INT64_C(1) << log2_side;
        return lc_universe_picture(u, column * side, row * side, side, width, height, tones,
                                   message);
    }
    LC_RETURN_FAILURE(u, message);
    return make_far(
        u,
        (lc_coarse_view){
            .log2_side = log2_side, .column = column, .row = row, .width = width, .height = height},
        tones, message);
}
