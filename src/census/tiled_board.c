#include "census/tiled_board.h"

#include <limits.h>

#include "base/least.h"

enum { SIDE = LC_BOARD_WORDS };

// Returns for how many generations the copy in the middle is right in one direction.
static int margin(int side)
{
    return SIDE % side == 0 ? INT_MAX : (SIDE - side) / 2;
}

static int start(int side)
{
    return SIDE % side == 0 ? 0 : margin(side);
}

bool lc_tiling_set(lc_tiling *t, const lc_level *level, int64_t width, int64_t height)
{
    if (width > SIDE || height > SIDE || margin((int)width) == 0 || margin((int)height) == 0)
        return false;
    *t = (lc_tiling){.width = (int)width,
                     .height = (int)height,
                     .left = start((int)width),
                     .top = start((int)height),
                     .generations = (int)lc_least(margin((int)width), margin((int)height)),
                     .columns = UINT64_MAX >> (SIDE - width)};
    t->fits = t->generations == INT_MAX;
    for (int y = 0; y < SIDE; y++) {
        t->word[y] = (uint8_t)(level == NULL ? y : lc_board_word(level, y));
        t->row[y] = (uint8_t)((y - t->top + SIDE * t->height) % t->height);
    }
    return true;
}

void lc_tiling_read(const lc_tiling *t, const uint64_t *cells, uint64_t *rows)
{
    for (int y = 0; y < t->height; y++)
        rows[y] = cells[t->word[t->top + y]] >> t->left & t->columns;
}

// Returns a row of the board: copies of a row of the torus. The middle one begins at `left`.
static uint64_t repeated(const lc_tiling *t, uint64_t row)
{
    const int turn = t->left % t->width;
    row &= t->columns;
    if (turn != 0)
        row = (row << turn | row >> (t->width - turn)) & t->columns;
    for (int filled = t->width; filled < SIDE; filled *= 2)
        row |= row << filled;
    return row;
}

void lc_tiling_write(const lc_tiling *t, uint64_t *cells, const uint64_t *rows)
{
    uint64_t whole[SIDE];
    for (int y = 0; y < t->height; y++)
        whole[y] = repeated(t, rows[y]);
    for (int y = 0; y < SIDE; y++)
        cells[t->word[y]] = whole[t->row[y]];
}

static void refill(const lc_tiling *t, uint64_t *cells)
{
    uint64_t rows[SIDE];
    lc_tiling_read(t, cells, rows);
    lc_tiling_write(t, cells, rows);
}

void lc_tiling_step(const lc_tiling *t, lc_board_step *step, uint64_t *cells, int generations,
                    const lc_window_rules *rules)
{
    while (generations > 0) {
        const int now = (int)lc_least(generations, t->generations);
        step(cells, now, rules);
        if (!t->fits)
            refill(t, cells);
        generations -= now;
    }
}
