// Functions of covers of one block, which the block's engine carries out.
#include "cover/block/one_block.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grid/facts.h"

lc_area lc_one_block_rounded(const lc_cover *cover, lc_area area)
{
    if (cover->free_x) {
        area.x0 &= ~INT64_C(63);
        area.x1 = (area.x1 + 63) & ~INT64_C(63);
    } else {
        area.x0 = 0;
        area.x1 = cover->asked.topology.width_cells;
    }
    if (cover->free_y) {
        area.y0 &= ~INT64_C(15);
        area.y1 = (area.y1 + 15) & ~INT64_C(15);
    } else {
        area.y0 = 0;
        area.y1 = cover->asked.topology.height_cells;
    }
    return area;
}

// The distance between the two ends would not fit into 64 bits.
int64_t lc_rest_of_world(int64_t live0, int64_t live1)
{
    return LC_UNIVERSE_REACH - lc_greatest(-live0, live1 - 1);
}

lc_status lc_refuse_end_of_world(lc_message *message)
{
    return lc_fail(message, LC_ERROR_LIMIT,
                   "life has reached the end of the coordinates, 2^62 cells from (0, 0)");
}

void lc_one_block_destroy(lc_cover *cover)
{
    lc_one_block *s = lc_one_block_of(cover);
    s->block.vtable->destroy(s->block.engine);
    lc_free(s->strip);
    lc_free(s);
}

// The block --------------------------------------------------------------------------------------

lc_area lc_one_block_area(const lc_cover *cover)
{
    const lc_block *b = lc_block_of(cover);
    return (lc_area){.x0 = b->x,
                     .y0 = b->y,
                     .x1 = b->x + b->config.frame.width_cells,
                     .y1 = b->y + b->config.frame.height_cells};
}

lc_status lc_one_block_advance(lc_cover *cover, uint64_t generations, uint64_t *done,
                               lc_message *message)
{
    lc_one_block *s = lc_one_block_of(cover);
    const lc_status status = s->block.vtable->step(s->block.engine, generations, done, message);
    if (status == LC_OK)
        s->safe_generations -= *done < s->safe_generations ? *done : s->safe_generations;
    return status;
}

bool lc_one_block_set_rule(lc_cover *cover, const lc_rule *rule, const lc_rule *then)
{
    lc_one_block *s = lc_one_block_of(cover);
    if (rule == s->rule && then == NULL && !s->alternates)
        return true;
    if (!s->block.vtable->set_rule(s->block.engine, rule, then))
        return false;
    s->rule = s->block.config.rule = rule;
    s->alternates = then != NULL;
    return true;
}

uint64_t lc_one_block_period(const lc_cover *cover)
{
    const lc_block *b = lc_block_of(cover);
    const lc_plane_ops *plane = b->vtable->plane;
    return plane != NULL && plane->period != NULL ? plane->period(b->engine) : 0;
}

double lc_one_block_soup_bytes(const lc_cover *cover, double cells, double density)
{
    const lc_block *b = lc_block_of(cover);
    const lc_plane_ops *plane = b->vtable->plane;
    return plane != NULL && plane->soup_bytes != NULL ? plane->soup_bytes(b->engine, cells, density)
                                                      : 0;
}

// Cells ------------------------------------------------------------------------------------------
//
// Where words of the rectangle are words of the block, the engine takes or gives it whole.
// Elsewhere it goes row by row through a span.

static bool is_aligned(const lc_block *b, const lc_cells *cells)
{
    return (cells->x - b->x) % 64 == 0;
}

static lc_cells in_block(const lc_block *b, const lc_cells *cells)
{
    lc_cells same = *cells;
    same.x -= b->x;
    same.y -= b->y;
    return same;
}

// The part of a row that a span takes, in the block's coordinates: whole words of the block round
// cells x .. x + length - 1, as far as the block reaches.
typedef struct piece {
    lc_cells cells;
    int64_t offset, count; // of the cells wanted, in it
} piece;

static piece piece_at(const lc_block *b, int64_t x, int64_t y, int64_t length, uint64_t *span)
{
    const int64_t begin = x & ~INT64_C(63), offset = x - begin;
    const int planes = lc_rule_traits(b->config.rule)->planes;
    const int64_t count = lc_least(length, lc_span_cells_max(planes) - offset);
    const int64_t words = (offset + count + 63) & ~INT64_C(63);
    const int64_t width =
        b->vtable->plane != NULL ? words : lc_least(b->config.frame.width_cells - begin, words);
    return (piece){lc_span_cells(begin, y, width, planes, span), offset, count};
}

// The i-th row of `to`, which is in the block's coordinates.
static lc_status read_row(const lc_block *b, const lc_cells *to, int64_t i, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    for (int64_t done = 0; done < to->width_cells;) {
        const piece p = piece_at(b, to->x + done, to->y + i, to->width_cells - done, span);
        const lc_status status = b->vtable->read(b->engine, &p.cells, message);
        if (status != LC_OK)
            return status;
        lc_cells_copy(to, i, done, &p.cells, 0, p.offset, p.count);
        done += p.count;
    }
    return LC_OK;
}

static lc_status write_row(const lc_block *b, const lc_cells *from, int64_t i, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    for (int64_t done = 0; done < from->width_cells;) {
        const piece p = piece_at(b, from->x + done, from->y + i, from->width_cells - done, span);
        lc_status status = LC_OK;
        if (p.offset != 0 || p.count != p.cells.width_cells)
            status = b->vtable->read(b->engine, &p.cells, message);
        lc_cells_copy(&p.cells, 0, p.offset, from, i, done, p.count);
        if (status == LC_OK)
            status = b->vtable->write(b->engine, &p.cells, message);
        if (status != LC_OK)
            return status;
        done += p.count;
    }
    return LC_OK;
}

lc_status lc_one_block_read(lc_cover *cover, const lc_cells *to, lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    const lc_cells cells = in_block(b, to);
    if (is_aligned(b, to))
        return b->vtable->read(b->engine, &cells, message);
    const size_t row_words = (size_t)((cells.width_cells + 63) / 64);
    lc_status status = LC_OK;
    for (int64_t j = 0; j < cells.height_cells && status == LC_OK; j++) {
        for (int plane = 0; plane < cells.planes && row_words > 0; plane++)
            lc_cells_plane(&cells, plane, j)[row_words - 1] = 0;
        status = read_row(b, &cells, j, message);
    }
    return status;
}

lc_status lc_one_block_write(lc_cover *cover, const lc_cells *from, lc_message *message)
{
    lc_one_block *s = lc_one_block_of(cover);
    const lc_block *b = &s->block;
    const lc_cells cells = in_block(b, from);
    s->safe_generations = 0;
    cover->changes++;
    if (is_aligned(b, from))
        return b->vtable->write(b->engine, &cells, message);
    lc_status status = LC_OK;
    for (int64_t j = 0; j < cells.height_cells && status == LC_OK; j++)
        status = write_row(b, &cells, j, message);
    return status;
}

lc_status lc_one_block_fill_run(lc_cover *cover, int64_t x, int64_t y, int64_t length,
                                lc_message *message)
{
    lc_one_block *s = lc_one_block_of(cover);
    const lc_block *b = &s->block;
    const lc_plane_ops *plane = b->vtable->plane;
    if (plane == NULL || plane->fill_run == NULL)
        return LC_ERROR_UNSUPPORTED;
    s->safe_generations = 0;
    cover->changes++;
    return plane->fill_run(b->engine, x - b->x, y - b->y, length, message);
}

void lc_one_block_announce_buffer(lc_cover *cover, void *memory, size_t size_bytes)
{
    const lc_block *b = lc_block_of(cover);
    const lc_board_ops *board = b->vtable->board;
    if (board != NULL && board->announce_buffer != NULL)
        board->announce_buffer(b->engine, memory, size_bytes);
}

lc_status lc_cover_seek_row(lc_cover *cover, const lc_area *within, lc_cells *at,
                            lc_message *message)
{
    (void)cover;
    (void)message;
    if (at->x >= within->x1) {
        at->x = within->x0;
        at->y++;
    }
    at->width_cells = at->y < within->y1 ? lc_extent_within(at->x, within->x1, INT64_MAX) : 0;
    return LC_OK;
}

lc_status lc_one_block_seek(lc_cover *cover, const lc_area *within, lc_cells *at,
                            lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    return b->vtable->plane->seek(b->engine, within, at, message);
}

lc_status lc_one_block_facts(lc_cover *cover, unsigned which, lc_facts *facts, lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    const lc_status status = b->vtable->facts(b->engine, which, facts, message);
    *facts = lc_facts_moved(facts, b->x, b->y);
    return status;
}

// Looking ----------------------------------------------------------------------------------------

// Adds cells x0 .. x1-1 of row y of the block to one row of squares, all in its coordinates.
static lc_status add_row(const lc_block *b, const lc_view *p, int64_t x0, int64_t x1, int64_t y,
                         uint32_t *counts, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    const int64_t block_width = b->config.frame.width_cells;
    const int planes = lc_rule_traits(b->config.rule)->planes;
    for (int64_t x = x0; x < x1;) {
        const int64_t begin = x & ~INT64_C(63);
        const int64_t width = lc_least(block_width - begin, lc_span_cells_max(planes));
        const lc_cells cells = lc_span_cells(begin, y, width, planes, span);
        const lc_status status = b->vtable->read(b->engine, &cells, message);
        if (status != LC_OK)
            return status;
        for (const int64_t stop = lc_least(x1, begin + width); x < stop;) {
            const int64_t square = (x - p->x) >> p->log2_side;
            const int64_t to = lc_least(p->x + ((square + 1) << p->log2_side), stop);
            counts[square] += (uint32_t)lc_row_population(&cells, 0, x - begin, to - begin);
            x = to;
        }
    }
    return LC_OK;
}

// Whether the engine counts cells. Engines count those of one plane.
static bool has_view(const lc_block *b)
{
    return b->vtable->view != NULL && lc_rule_traits(b->config.rule)->planes == 1;
}

// Counts cells for engines that do not.
static lc_status count_rows(const lc_block *b, const lc_view *p, lc_message *message)
{
    lc_status status = LC_OK;
    const lc_frame *f = &b->config.frame;
    const int64_t x0 = lc_greatest(p->x, 0), y0 = lc_greatest(p->y, 0);
    const int64_t x1 = lc_least(p->x + (p->width << p->log2_side), f->width_cells);
    const int64_t y1 = lc_least(p->y + (p->height << p->log2_side), f->height_cells);
    memset(p->counts, 0, (size_t)(p->width * p->height) * sizeof *p->counts);
    for (int64_t y = y0; y < y1 && x0 < x1 && status == LC_OK; y++)
        status =
            add_row(b, p, x0, x1, y, p->counts + ((y - p->y) >> p->log2_side) * p->width, message);
    return status;
}

lc_status lc_one_block_view(lc_cover *cover, const lc_view *squares, lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    lc_view of_block = *squares;
    of_block.x -= b->x;
    of_block.y -= b->y;
    return has_view(b) ? b->vtable->view(b->engine, &of_block, message)
                       : count_rows(b, &of_block, message);
}

bool lc_one_block_has_grey_levels(const lc_cover *cover)
{
    return has_view(lc_block_of(cover));
}

// Description -------------------------------------------------------------------------------------

bool lc_one_block_reads_are_slow(const lc_cover *cover)
{
    const lc_engine_vtable *v = lc_block_of(cover)->vtable;
    return v->traits.on_gpu || v->guest != NULL;
}

void lc_one_block_describe(const lc_cover *cover, lc_universe_info *info)
{
    const lc_one_block *s = lc_one_block_of(cover);
    const lc_engine_report report = lc_engine_report_of(s->block.engine);
    *info = (lc_universe_info){
        .struct_bytes = sizeof *info,
        .engine = s->block.vtable->name,
        .cpu_level = report.cpu_level,
        .plan = report.plan,
        .engine_note = s->history.note.text,
        .engine_reason = s->base.asked.engine == NULL && s->reason.text[0] == '\0'
                             ? "fastest available engine for this size and rule"
                             : s->reason.text,
        .memory_bytes = s->block.bytes,
        .nodes = report.nodes,
        .traffic_bytes = report.traffic_bytes,
        .stepping_ns = report.stepping_ns,
        .step = report.step,
    };
}

lc_status lc_one_block_failure(const lc_cover *cover, lc_message *message)
{
    return lc_engine_failure(lc_block_of(cover)->engine, message);
}
