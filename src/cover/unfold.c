// Reading the unfolded plane, by the board's own reading.
//
// Away from the sphere a row of a copy is a row of the board, as it is or reversed
// (kernels/topology_map.h), and so a row is read run by run, each as far as its copy reaches. On
// the sphere half of the copies show the board on its side; there squares of 64 x 64 cells are read
// and turned.
#include "cover/unfold.h"

#include "base/least.h"
#include "grid/topology.h"

// `count` cells from (x, y) of the board on to bit `to_bit` of a row.
static lc_status read_run(lc_cover *board, int64_t x, int64_t y, int64_t count, bool reversed,
                          uint64_t *row, int64_t to_bit, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    for (int64_t done = 0, now; done < count; done += now) {
        now = lc_least(count - done, LC_SPAN_CELLS - ((x + done) & 63));
        const lc_cells cells = lc_row_cells(x + done, y, now, span);
        const lc_status status = board->vtable->read(board, &cells, message);
        if (status != LC_OK)
            return status;
        if (reversed)
            lc_bits_copy_reversed(row, to_bit + count - done - now, span, 0, now);
        else
            lc_bits_copy(row, to_bit + done, span, 0, now);
    }
    return LC_OK;
}

static lc_status read_row(lc_cover *board, const lc_cells *to, int64_t row, lc_message *message)
{
    const lc_topology *t = &board->asked.topology;
    const lc_surface surface = lc_surface_of(t);
    for (int64_t done = 0, run; done < to->width_cells; done += run) {
        long long x = to->x + done, y = to->y + row;
        const int kind = lc_place(&surface, &x, &y);
        const int64_t left = to->width_cells - done;
        if (kind == LC_COPY_NONE) {
            run = x < 0 && y >= 0 && y < t->height_cells ? lc_least(left, -x) : left;
            lc_bits_fill(lc_cells_row(to, row), done, run, false);
            continue;
        }
        const bool reversed = kind == LC_COPY_REVERSED;
        run = lc_least(left, reversed ? x + 1 : t->width_cells - x);
        const lc_status status = read_run(board, reversed ? x - run + 1 : x, y, run, reversed,
                                          lc_cells_row(to, row), done, message);
        if (status != LC_OK)
            return status;
    }
    return LC_OK;
}

// The sphere -------------------------------------------------------------------------------------

// A part of `to`, at most 64 x 64 cells of one copy: `x` and `y` are on the unfolded plane.
typedef struct square {
    int64_t x, y, columns, rows;
} square;

static void put_row(const lc_cells *to, const square *s, int64_t row, uint64_t word)
{
    lc_bits_copy(lc_cells_row(to, s->y - to->y + row), s->x - to->x, &word, 0, s->columns);
}

static lc_status read_square(lc_cover *board, const lc_cells *to, const square *s,
                             lc_message *message)
{
    const lc_topology *t = &board->asked.topology;
    const lc_surface surface = lc_surface_of(t);
    uint64_t block[64] = {0};
    long long x = s->x, y = s->y;
    const int kind = lc_place(&surface, &x, &y);
    const bool on_side = kind == LC_COPY_TRANSPOSED;
    // In a copy beside the board or one like it, what goes right here goes up there and what goes
    // down goes right; above and below, it goes down and left.
    const bool beside = lc_floor_mod(s->x, 2 * t->width_cells) >= t->width_cells;
    const bool from_right = kind == LC_COPY_REVERSED || (on_side && !beside);
    const bool from_below = kind == LC_COPY_REVERSED || (on_side && beside);
    lc_cells from = {.width_cells = on_side ? s->rows : s->columns,
                     .height_cells = on_side ? s->columns : s->rows,
                     .planes = 1,
                     .words = block,
                     .pitch_words = 1};
    from.x = from_right ? x - from.width_cells + 1 : x;
    from.y = from_below ? y - from.height_cells + 1 : y;
    const lc_status status = board->vtable->read(board, &from, message);
    if (status != LC_OK)
        return status;
    if (on_side && from_below) { // columns of `to`, the last one first
        for (int64_t i = 0; i < s->columns / 2; i++) {
            const uint64_t first = block[i];
            block[i] = block[s->columns - 1 - i];
            block[s->columns - 1 - i] = first;
        }
    }
    if (on_side)
        lc_bits_transpose(block);
    for (int64_t row = 0; row < s->rows; row++) {
        const int64_t upside_down = s->rows - 1 - row;
        if (kind == LC_COPY_REVERSED) {
            uint64_t word = 0;
            lc_bits_copy_reversed(&word, 0, &block[upside_down], 0, s->columns);
            put_row(to, s, row, word);
        } else {
            put_row(to, s, row, block[on_side && from_right ? upside_down : row]);
        }
    }
    return LC_OK;
}

// How many of `left` cells from a coordinate on are one copy's, at most 64.
static int64_t within_copy(int64_t coordinate, int64_t side, int64_t left)
{
    return lc_least(lc_least(64, left), side - lc_floor_mod(coordinate, side));
}

static lc_status read_sphere(lc_cover *board, const lc_cells *to, lc_message *message)
{
    const int64_t side = board->asked.topology.width_cells;
    const int64_t x1 = to->x + to->width_cells, y1 = to->y + to->height_cells;
    lc_status status = LC_OK;
    for (square s = {.y = to->y}; s.y < y1; s.y += s.rows) {
        s.rows = within_copy(s.y, side, y1 - s.y);
        for (s.x = to->x; s.x < x1 && status == LC_OK; s.x += s.columns) {
            s.columns = within_copy(s.x, side, x1 - s.x);
            status = read_square(board, to, &s, message);
        }
    }
    return status;
}

lc_status lc_unfolded_read(lc_cover *board, const lc_cells *to, lc_message *message)
{
    if (board->asked.topology.kind == LC_TOPOLOGY_SPHERE)
        return read_sphere(board, to, message);
    lc_status status = LC_OK;
    for (int64_t row = 0; row < to->height_cells && status == LC_OK; row++)
        status = read_row(board, to, row, message);
    return status;
}

// Halos ------------------------------------------------------------------------------------------

// Gives a block a rectangle of its halo; coordinates are the board's.
static lc_status give(lc_cover *board, const lc_block *b, lc_area area, uint64_t *strip,
                      lc_message *message)
{
    lc_cells piece = {.planes = 1, .words = strip};
    for (piece.x = area.x0; piece.x < area.x1; piece.x += piece.width_cells) {
        piece.width_cells = lc_least(area.x1 - piece.x, LC_SPAN_CELLS);
        piece.pitch_words = (size_t)((piece.width_cells + 63) / 64);
        const int64_t rows = LC_STRIP_WORDS / (int64_t)piece.pitch_words;
        for (piece.y = area.y0; piece.y < area.y1; piece.y += piece.height_cells) {
            piece.height_cells = lc_least(area.y1 - piece.y, rows);
            const lc_status status = lc_unfolded_read(board, &piece, message);
            if (status != LC_OK)
                return status;
            lc_cells of_block = piece;
            of_block.x -= b->x;
            of_block.y -= b->y;
            b->vtable->give(b->engine, &of_block);
        }
    }
    return LC_OK;
}

lc_status lc_unfolded_give(lc_cover *board, const lc_block *b, int64_t depth, uint64_t *strip,
                           lc_message *message)
{
    const lc_frame *f = &b->config.frame;
    const bool all = f->left == LC_EDGE_OPEN;
    const int64_t x0 = b->x, x1 = x0 + f->width_cells, y0 = b->y, y1 = y0 + f->height_cells;
    const struct {
        bool wanted;
        lc_area area;
    } parts[] = {
        {all || f->top == LC_EDGE_OPEN, {x0 - depth, y0 - depth, x1 + depth, y0}},
        {all || f->bottom == LC_EDGE_OPEN, {x0 - depth, y1, x1 + depth, y1 + depth}},
        {all, {x0 - depth, y0, x0, y1}},
        {all, {x1, y0, x1 + depth, y1}},
    };
    lc_status status = LC_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == LC_OK; i++)
        if (parts[i].wanted)
            status = give(board, b, parts[i].area, strip, message);
    return status;
}
