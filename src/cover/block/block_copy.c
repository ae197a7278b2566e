#include "cover/block/block_copy.h"

#include "base/clock.h"
#include "base/error.h"

enum {
    COPIED_ROWS = 64,
    BUFFER_WORDS = 32 * COPIED_ROWS,
    PIECES = 64, // between two looks at the clock
};

typedef struct copying {
    const lc_block *from, *to;
    lc_area area;
    const lc_engine_watch *watch;
    uint64_t looked_ns;
    unsigned pieces;
    uint64_t words[BUFFER_WORDS];
} copying;

static int planes_of(const copying *c)
{
    return lc_rule_traits(c->from->config.rule)->planes;
}

static bool is_stopped(copying *c)
{
    const lc_engine_watch *w = c->watch;
    if (w == NULL || w->call == NULL || ++c->pieces % PIECES != 0 ||
        lc_clock_ns() - c->looked_ns < w->interval_ns)
        return false;
    const bool stops = w->call(w->context);
    c->looked_ns = lc_clock_ns();
    return stops;
}

static bool is_dead(const lc_cells *cells)
{
    bool dead = true;
    for (int64_t i = 0; i < cells->height_cells && dead; i++)
        dead = lc_cells_row_is_dead(cells, i);
    return dead;
}

static lc_status copy_piece(copying *c, lc_area piece, lc_message *message)
{
    lc_cells cells = lc_area_cells(piece, planes_of(c), c->words);
    cells.x -= c->from->x;
    cells.y -= c->from->y;
    if (is_stopped(c))
        return lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch");
    const lc_status status = c->from->vtable->read(c->from->engine, &cells, message);
    if (status != LC_OK || is_dead(&cells))
        return status;
    cells.x = piece.x0 - c->to->x;
    cells.y = piece.y0 - c->to->y;
    return c->to->vtable->write(c->to->engine, &cells, message);
}

// Some rows at a time, each piece as wide as the buffer allows.
static lc_status copy_rows(copying *c, lc_area rows, lc_message *message)
{
    const int64_t height = rows.y1 - rows.y0;
    const int64_t columns = BUFFER_WORDS / (height * planes_of(c)) * 64;
    lc_status status = LC_OK;
    lc_area piece = rows;
    for (piece.x0 = rows.x0; piece.x0 < rows.x1 && status == LC_OK; piece.x0 = piece.x1) {
        piece.x1 = lc_least((piece.x0 & ~INT64_C(63)) + columns, rows.x1);
        status = copy_piece(c, piece, message);
    }
    return status;
}

// From an engine that finds the spans itself: the area may be huge and empty.
static lc_status copy_found(copying *c, lc_message *message)
{
    lc_status status = LC_OK;
    lc_cells at = {.x = c->area.x0, .y = c->area.y0, .height_cells = 1};
    while (status == LC_OK && at.y < c->area.y1) {
        status = c->from->vtable->plane->seek(c->from->engine, &c->area, &at, message);
        if (status != LC_OK || at.width_cells == 0)
            return status;
        status = copy_rows(c, (lc_area){at.x, at.y, at.x + at.width_cells, at.y + 1}, message);
        at.x += at.width_cells;
        if (at.x >= c->area.x1) {
            at.x = c->area.x0;
            at.y++;
        }
    }
    return status;
}

static lc_status copy_all(copying *c, lc_message *message)
{
    lc_status status = LC_OK;
    for (lc_area rows = c->area; rows.y0 < c->area.y1 && status == LC_OK; rows.y0 = rows.y1) {
        rows.y1 = lc_least(rows.y0 + COPIED_ROWS, c->area.y1);
        status = copy_rows(c, rows, message);
    }
    return status;
}

lc_status lc_block_copy(const lc_block *from, const lc_block *to, lc_area area,
                        const lc_engine_watch *watch, lc_message *message)
{
    copying c = {.from = from, .to = to, .area = area, .watch = watch, .looked_ns = lc_clock_ns()};
    // Several rows are read faster together. A block with a frame fits into memory, so its area is
    // small.
    return from->vtable->plane != NULL && to->vtable->plane != NULL ? copy_found(&c, message)
                                                                    : copy_all(&c, message);
}
