// On all surfaces but the sphere, a row of a copy is a row of the board, possibly reversed. It is
// read run by run, each as long as its copy. On the sphere half of the copies are turned by a
// quarter, so squares of 64 x 64 cells are read and turned.
#include "cover/halo_unfold.h"

#include <string.h>

#include "base/least.h"
#include "grid/unfold.h"

typedef struct reading {
    lc_cover *board;
    const lc_cells *to;
    lc_message *message;
} reading;

static lc_status read_run(void *context, const lc_unfolded *run)
{
    const reading *r = context;
    uint64_t span[LC_SPAN_WORDS];
    const int planes = r->to->planes;
    const int64_t i = run->plane_y - r->to->y, to_bit = run->plane_x - r->to->x;
    const int64_t count = run->columns, most = lc_span_cells_max(planes);
    if (run->is_dead) {
        lc_cells_fill(r->to, i, to_bit, count, 0);
        return LC_OK;
    }
    for (int64_t done = 0, now; done < count; done += now) {
        now = lc_least(count - done, most - ((run->x + done) & 63));
        const lc_cells cells = lc_span_cells(run->x + done, run->y, now, planes, span);
        const lc_status status = r->board->vtable->read(r->board, &cells, r->message);
        if (status != LC_OK)
            return status;
        if (run->from_right)
            lc_cells_copy_reversed(r->to, i, to_bit + count - done - now, &cells, 0, 0, now);
        else
            lc_cells_copy(r->to, i, to_bit + done, &cells, 0, 0, now);
    }
    return LC_OK;
}

static lc_status read_square(void *context, const lc_unfolded *square)
{
    const reading *r = context;
    uint64_t block[LC_PLANES_MAX][64]; // planes follow each other, and rows are words
    const int planes = r->to->planes;
    const lc_cells from = {.x = square->x,
                           .y = square->y,
                           .width_cells = square->width_cells,
                           .height_cells = square->height_cells,
                           .planes = planes,
                           .words = block[0],
                           .pitch_words = 1,
                           .plane_words = 64};
    memset(block, 0, (size_t)planes * sizeof block[0]);
    const lc_status status = r->board->vtable->read(r->board, &from, r->message);
    for (int plane = 0; plane < planes; plane++)
        lc_unfolded_turn(square, block[plane]);
    for (int64_t i = 0; i < square->rows && status == LC_OK; i++)
        lc_cells_copy(r->to, square->plane_y - r->to->y + i, square->plane_x - r->to->x, &from, i,
                      0, square->columns);
    return status;
}

lc_status lc_unfolded_read(lc_cover *board, const lc_cells *to, lc_message *message)
{
    const bool sphere = board->asked.topology.kind == LC_TOPOLOGY_SPHERE;
    const int64_t most_columns = sphere ? 64 : to->width_cells, most_rows = sphere ? 64 : 1;
    const int64_t x1 = to->x + to->width_cells, y1 = to->y + to->height_cells;
    const lc_surface surface = lc_surface_of(&board->asked.topology);
    reading r = {board, to, message};
    lc_status status = LC_OK;
    for (int64_t y = to->y; y < y1; y += most_rows) {
        for (int64_t x = to->x; x < x1 && status == LC_OK; x += most_columns) {
            const lc_cells area = {.x = x,
                                   .y = y,
                                   .width_cells = lc_least(most_columns, x1 - x),
                                   .height_cells = lc_least(most_rows, y1 - y)};
            status = lc_unfold(&surface, &area, sphere ? read_square : read_run, &r);
        }
    }
    return status;
}

// Halos ------------------------------------------------------------------------------------------

lc_status lc_unfolded_pieces(lc_cover *board, lc_area area, uint64_t *strip, lc_unfolded_call call,
                             void *context, lc_message *message)
{
    const int planes = lc_cover_planes(board);
    for (lc_area part = area; part.x0 < area.x1; part.x0 = part.x1) {
        part.x1 = lc_least(area.x1, part.x0 + lc_span_cells_max(planes));
        const int64_t rows = LC_STRIP_WORDS / (int64_t)lc_area_row_words(part, planes);
        for (part.y0 = area.y0; part.y0 < area.y1; part.y0 = part.y1) {
            part.y1 = lc_least(area.y1, part.y0 + rows);
            const lc_cells piece = lc_area_cells(part, planes, strip);
            lc_status status = lc_unfolded_read(board, &piece, message);
            if (status == LC_OK)
                status = call(context, piece, message);
            if (status != LC_OK)
                return status;
        }
    }
    return LC_OK;
}

// Writes a piece of a block's halo, in coordinates of the board.
static lc_status give(void *context, lc_cells piece, lc_message *message)
{
    const lc_block *b = context;
    piece.x -= b->x;
    piece.y -= b->y;
    return b->vtable->write(b->engine, &piece, message);
}

int lc_halo_areas(const lc_block *b, int64_t depth, lc_area areas[LC_HALO_AREAS])
{
    const lc_frame *f = &b->config.frame;
    const bool all = f->left == LC_EDGE_OPEN;
    const int64_t x0 = b->x, x1 = x0 + f->width_cells, y0 = b->y, y1 = y0 + f->height_cells;
    int count = 0;
    if (all || f->top == LC_EDGE_OPEN)
        areas[count++] = (lc_area){x0 - depth, y0 - depth, x1 + depth, y0};
    if (all || f->bottom == LC_EDGE_OPEN)
        areas[count++] = (lc_area){x0 - depth, y1, x1 + depth, y1 + depth};
    if (all) {
        areas[count++] = (lc_area){x0 - depth, y0, x0, y1};
        areas[count++] = (lc_area){x1, y0, x1 + depth, y1};
    }
    return count;
}

lc_status lc_unfolded_give(lc_cover *board, const lc_block *b, int64_t depth, uint64_t *strip,
                           lc_message *message)
{
    lc_area areas[LC_HALO_AREAS];
    const int count = lc_halo_areas(b, depth, areas);
    lc_status status = LC_OK;
    for (int i = 0; i < count && status == LC_OK; i++)
        status =
            lc_unfolded_pieces(board, areas[i], strip, give, (lc_block *)(uintptr_t)b, message);
    return status;
}
