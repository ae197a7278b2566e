// On all surfaces but the sphere, a row of a copy is a row of the board, possibly reversed. It is
// read run by run, each as long as its copy. On the sphere half of the copies are turned by a
// quarter, so squares of 64 x 64 cells are read and turned.
#include "cover/halo_unfold.h"

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
    uint64_t *row = lc_cells_row(r->to, run->plane_y - r->to->y);
    const int64_t to_bit = run->plane_x - r->to->x, count = run->columns;
    if (run->is_dead) {
        lc_bits_fill(row, to_bit, count, false);
        return LC_OK;
    }
    for (int64_t done = 0, now; done < count; done += now) {
        now = lc_least(count - done, LC_SPAN_CELLS - ((run->x + done) & 63));
        const lc_cells cells = lc_row_cells(run->x + done, run->y, now, span);
        const lc_status status = r->board->vtable->read(r->board, &cells, r->message);
        if (status != LC_OK)
            return status;
        if (run->from_right)
            lc_bits_copy_reversed(row, to_bit + count - done - now, span, 0, now);
        else
            lc_bits_copy(row, to_bit + done, span, 0, now);
    }
    return LC_OK;
}

static lc_status read_square(void *context, const lc_unfolded *square)
{
    const reading *r = context;
    uint64_t block[64] = {0};
    lc_cells from = lc_row_cells(square->x, square->y, square->width_cells, block);
    from.height_cells = square->height_cells;
    const lc_status status = r->board->vtable->read(r->board, &from, r->message);
    lc_unfolded_turn(square, block);
    for (int64_t i = 0; i < square->rows && status == LC_OK; i++)
        lc_bits_copy(lc_cells_row(r->to, square->plane_y - r->to->y + i),
                     square->plane_x - r->to->x, &block[i], 0, square->columns);
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

// Writes a rectangle of a block's halo, in coordinates of the board.
static lc_status give(lc_cover *board, const lc_block *b, lc_area area, uint64_t *strip,
                      lc_message *message)
{
    lc_cells piece = {.words = strip};
    for (piece.x = area.x0; piece.x < area.x1; piece.x += piece.width_cells) {
        piece.width_cells = lc_least(area.x1 - piece.x, LC_SPAN_CELLS);
        piece.pitch_words = (size_t)((piece.width_cells + 63) / 64);
        const int64_t rows = LC_STRIP_WORDS / (int64_t)piece.pitch_words;
        for (piece.y = area.y0; piece.y < area.y1; piece.y += piece.height_cells) {
            piece.height_cells = lc_least(area.y1 - piece.y, rows);
            lc_status status = lc_unfolded_read(board, &piece, message);
            lc_cells of_block = piece;
            of_block.x -= b->x;
            of_block.y -= b->y;
            if (status == LC_OK)
                status = b->vtable->write(b->engine, &of_block, message);
            if (status != LC_OK)
                return status;
        }
    }
    return LC_OK;
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
        status = give(board, b, areas[i], strip, message);
    return status;
}
