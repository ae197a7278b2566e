// Downsampled views of boards on disk. A view of the whole board reads the whole file. The first
// one leaves an overview, from which later views of the same scale or coarser are made while no
// cell changes.
#include <string.h>

#include "base/least.h"
#include "base/memory.h"
#include "cover/disk/disk_board_internal.h"

static const int least_log2_side = 6;
static const int most_log2_side = 15;        // so that counts of squares fit into 32 bits
static const int64_t most_squares = 1 << 22; // of an overview

// Counting cells ----------------------------------------------------------------------------------

typedef struct viewing {
    const lc_disk_board *s;
    const lc_view *p;
    int64_t x0, x1, y0, y1;
    const uint64_t *words; // rows y .. y + rows - 1
    int64_t y, rows;
    int64_t columns; // of squares, for a task
} viewing;

// Counts all rows of some columns of squares, so no two tasks count for one square.
static void view_columns(void *context, size_t index, int worker)
{
    (void)worker;
    const viewing *v = context;
    const lc_view *p = v->p;
    const int64_t left = (int64_t)index * v->columns, right = left + v->columns;
    const int64_t x0 = lc_greatest(v->x0, p->x + (left << p->log2_side));
    const int64_t x1 = lc_least(v->x1, p->x + (right << p->log2_side));
    const lc_cells rows =
        lc_disk_board_rows(v->s, (uint64_t *)(uintptr_t)v->words, 0, v->y, v->rows); // only read
    for (int64_t at = lc_greatest(v->y, v->y0); at < lc_least(v->y + v->rows, v->y1); at++) {
        uint32_t *counts = p->counts + ((at - p->y) >> p->log2_side) * p->width;
        for (int64_t x = x0, to; x < x1; x = to) {
            const int64_t square = (x - p->x) >> p->log2_side;
            to = lc_least(p->x + ((square + 1) << p->log2_side), x1);
            counts[square] += (uint32_t)lc_row_population(&rows, at - v->y, x, to);
        }
    }
}

static lc_status view_rows(void *context, const uint64_t *words, int64_t y, int64_t rows,
                           lc_message *message)
{
    viewing *v = context;
    (void)message;
    v->words = words;
    v->y = y;
    v->rows = rows;
    lc_pool_run(v->s->base.asked.pool, (size_t)((v->p->width + v->columns - 1) / v->columns),
                view_columns, v);
    return LC_OK;
}

static lc_status count_cells(lc_disk_board *s, const lc_view *p, lc_message *message)
{
    const lc_topology *t = &s->base.asked.topology;
    const int64_t unit = s->lay.shape.band_rows;
    viewing v = {.s = s,
                 .p = p,
                 .x0 = lc_greatest(p->x, 0),
                 .y0 = lc_greatest(p->y, 0),
                 .x1 = lc_least(p->x + (p->width << p->log2_side), t->width_cells),
                 .y1 = lc_least(p->y + (p->height << p->log2_side), t->height_cells)};
    v.columns = p->width / (4 * lc_pool_threads(s->base.asked.pool)) + 1;
    memset(p->counts, 0, (size_t)(p->width * p->height) * sizeof *p->counts);
    if (v.x0 >= v.x1 || v.y0 >= v.y1)
        return LC_OK;
    return lc_disk_board_look_through(s, v.y0 / unit, (v.y1 - 1) / unit + 1, view_rows, &v,
                                      message);
}

// The overview -----------------------------------------------------------------------------------

static int64_t squares_of(int64_t cells, int log2_side)
{
    return ((cells - 1) >> log2_side) + 1;
}

// Chooses the size of its squares and allocates the counts.
static bool lay_out(lc_disk_board *s)
{
    lc_disk_board_overview *o = &s->overview;
    const lc_topology *t = &s->base.asked.topology;
    if (o->counts != NULL)
        return true;
    o->log2_side = least_log2_side;
    while (squares_of(t->width_cells, o->log2_side) >
           most_squares / squares_of(t->height_cells, o->log2_side))
        o->log2_side++;
    o->width = squares_of(t->width_cells, o->log2_side);
    o->height = squares_of(t->height_cells, o->log2_side);
    if (o->log2_side <= most_log2_side)
        o->counts = lc_calloc((size_t)(o->width * o->height), sizeof *o->counts);
    return o->counts != NULL;
}

static lc_status look_over(lc_disk_board *s, lc_message *message)
{
    lc_disk_board_overview *o = &s->overview;
    const lc_view all = {
        .log2_side = o->log2_side, .width = o->width, .height = o->height, .counts = o->counts};
    if (o->is_known)
        return LC_OK;
    const lc_status status = count_cells(s, &all, message);
    o->is_known = status == LC_OK;
    if (status != LC_OK || s->known != 0)
        return status;
    uint64_t live = 0;
    for (int64_t i = 0; i < o->width * o->height; i++)
        live += o->counts[i];
    s->known = LC_FACT_POPULATION;
    s->facts = (lc_facts){.population = lc_count_of(live)};
    return LC_OK;
}

static void add_up(const lc_disk_board_overview *o, const lc_view *p)
{
    const int more = p->log2_side - o->log2_side;
    const int64_t left = p->x >> o->log2_side, top = p->y >> o->log2_side;
    memset(p->counts, 0, (size_t)(p->width * p->height) * sizeof *p->counts);
    for (int64_t y = lc_greatest(top, 0); y < lc_least(top + (p->height << more), o->height); y++) {
        const uint32_t *from = o->counts + y * o->width;
        uint32_t *to = p->counts + ((y - top) >> more) * p->width;
        for (int64_t x = lc_greatest(left, 0); x < lc_least(left + (p->width << more), o->width);
             x++)
            to[(x - left) >> more] += from[x];
    }
}

lc_status lc_disk_board_view(lc_cover *cover, const lc_view *p, lc_message *message)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    const lc_disk_board_overview *o = &s->overview;
    if (p->log2_side < least_log2_side || !lay_out(s) || p->log2_side < o->log2_side ||
        p->x % (INT64_C(1) << o->log2_side) != 0 || p->y % (INT64_C(1) << o->log2_side) != 0)
        return count_cells(s, p, message);
    const lc_status status = look_over(s, message);
    if (status == LC_OK)
        add_up(&s->overview, p);
    return status;
}
