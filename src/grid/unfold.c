// Splits the plane that a board unfolds into.
#include "grid/unfold.h"

#include "base/least.h"

// If adjacent cells of the plane show adjacent cells of the board, both belong to the same copy,
// provided that a copy has at least this many cells in that direction. In a narrower copy the cell
// beyond the seam may be adjacent by chance.
static const int64_t least_side = 3;

static bool is_tiny(int64_t side)
{
    return side != 0 && side < least_side;
}

// Returns the number of dead cells from a coordinate beyond the edges of a plane on, at most
// `most`.
static int64_t run_outside(int64_t coordinate, int64_t most)
{
    return coordinate < 0 ? lc_least(most, -coordinate) : most;
}

// Sets the size of a dead piece. If its first row lies beyond the edges, so does every cell of that
// row; otherwise its first column lies beyond them.
static void put_dead(const lc_surface *s, lc_unfolded *p)
{
    const bool row_is = s->height_cells != 0 && (p->plane_y < 0 || p->plane_y >= s->height_cells);
    p->is_dead = true;
    if (row_is)
        p->rows = run_outside(p->plane_y, p->rows);
    else
        p->columns = run_outside(p->plane_x, p->columns);
}

typedef struct direction {
    int x, y; // a step on the board; 0, 0: none
} direction;

// Returns the step on the board from (from_x, from_y) to the cell that the plane shows at (x, y);
// 0, 0 if it is not one step.
static direction direction_to(const lc_surface *s, int64_t from_x, int64_t from_y, int64_t x,
                              int64_t y)
{
    long long to_x = x, to_y = y;
    if (lc_place(s, &to_x, &to_y) == LC_COPY_NONE)
        return (direction){0, 0};
    const int64_t dx = to_x - from_x, dy = to_y - from_y;
    const bool is_step = (dx == 0 && (dy == 1 || dy == -1)) || (dy == 0 && (dx == 1 || dx == -1));
    return is_step ? (direction){(int)dx, (int)dy} : (direction){0, 0};
}

static int64_t run_along(int step, int64_t from, int64_t side, int64_t most)
{
    return step < 0    ? side == 0 ? most : lc_least(most, from + 1)
              : side == 0 ? most
                       : lc_least(most, side - from);
}

// Returns the number of cells of the board in that direction, the first cell included.
static int64_t run_in(const lc_surface *s, direction d, int64_t x, int64_t y, int64_t most)
{
    if (d.x != 0)
        return run_along(d.x, x, s->width_cells, most);
    return d.y != 0 ? run_along(d.y, y, s->height_cells, most) : lc_least(1, most);
}

static lc_unfolded piece_at(const lc_surface *s, int64_t x, int64_t y, int64_t columns,
                            int64_t rows)
{
    lc_unfolded p = {.plane_x = x, .plane_y = y, .columns = columns, .rows = rows};
    long long at_x = x, at_y = y;
    if (lc_place(s, &at_x, &at_y) == LC_COPY_NONE) {
        put_dead(s, &p);
        return p;
    }
    direction right = {0, 0}, down = {0, 0};
    if (!is_tiny(s->width_cells))
        right = direction_to(s, at_x, at_y, x + 1, y);
    if (!is_tiny(s->height_cells))
        down = direction_to(s, at_x, at_y, x, y + 1);
    p.columns = run_in(s, right, at_x, at_y, columns);
    p.rows = run_in(s, down, at_x, at_y, rows);
    p.on_side = right.y != 0 || down.x != 0;
    p.from_right = right.x + down.x < 0;
    p.from_below = right.y + down.y < 0;
    p.width_cells = p.on_side ? p.rows : p.columns;
    p.height_cells = p.on_side ? p.columns : p.rows;
    p.x = p.from_right ? at_x - p.width_cells + 1 : at_x;
    p.y = p.from_below ? at_y - p.height_cells + 1 : at_y;
    return p;
}

// Copies may be offset, so the area right of a piece is split separately, within the piece's rows.
lc_status lc_unfold(const lc_surface *surface, const lc_cells *area, lc_unfold_call call,
                    void *context)
{
    lc_status status = LC_OK;
    lc_cells left = *area;
    while (left.height_cells > 0 && left.width_cells > 0 && status == LC_OK) {
        const lc_unfolded p =
            piece_at(surface, left.x, left.y, left.width_cells, left.height_cells);
        lc_cells beside = left;
        beside.x += p.columns;
        beside.width_cells -= p.columns;
        beside.height_cells = p.rows;
        left.y += p.rows;
        left.height_cells -= p.rows;
        status = call(context, &p);
        if (status == LC_OK)
            status = lc_unfold(surface, &beside, call, context);
    }
    return status;
}

static void reverse_rows(uint64_t *rows, int64_t count)
{
    for (int64_t i = 0; i < count / 2; i++) {
        const uint64_t first = rows[i];
        rows[i] = rows[count - 1 - i];
        rows[count - 1 - i] = first;
    }
}

void lc_unfolded_turn(const lc_unfolded *p, uint64_t rows[64])
{
    if (p->from_below)
        reverse_rows(rows, p->height_cells);
    if (p->on_side)
        lc_bits_transpose(rows);
    if (!p->from_right)
        return;
    if (p->on_side) { // columns of the board have become rows
        reverse_rows(rows, p->rows);
        return;
    }
    for (int64_t i = 0; i < p->rows; i++) {
        uint64_t reversed = 0;
        lc_bits_copy_reversed(&reversed, 0, &rows[i], 0, p->columns);
        rows[i] = reversed;
    }
}
