// Takes gliders away that fly out of a soup, in front of all other cells. src/census/gliders.h
// explains why nothing overtakes them. Gliders of one direction may fly near each other; all other
// cells must be outside of a square around a glider: 8 x 8 cells, and 16 on each side of these.
#ifndef LC_KERNELS_SOUP_GLIDERS_H
#define LC_KERNELS_SOUP_GLIDERS_H

#include "soup_view.h"

#define GLIDER_CELLS 5
#define AROUND_CELLS 16
#define SQUARE_CELLS (2 * AROUND_CELLS + 8)
#define TAKEN_MAX 16 // gliders of one direction at a time
// Blocks in which gliders are taken: the blocks around them lie on the canvas.
#define TAKEN_FIRST (32 / BLOCK_CELLS)
#define TAKEN_LAST (BLOCKS - 64 / BLOCK_CELLS)
// No other cells lie so near a glider. Those of another glider, which flies beside it, come nearer
// by one cell at most, so they never have a neighbour in common.
#define NEAR_CELLS 3
#define VIEW_CELLS_MAX 20 // live cells of a view in which a glider is looked for

// A direction: x and y are 1 or -1.
typedef struct direction {
    int x, y;
} direction;

// A glider: the corner of its 3 x 3 cells, and these: bit 3 y + x.
typedef struct glider {
    int x, y;
    lc_word shape;
} glider;

LC_INLINE lc_word mirrored_rows(lc_word shape)
{
    return shape >> 6 | (shape & 070) | (shape & 7) << 6;
}

LC_INLINE lc_word mirrored_columns(lc_word shape)
{
    return (shape & 0222) | (shape & 0111) << 2 | (shape & 0444) >> 2;
}

LC_INLINE bool is_glider(lc_word shape, direction to)
{
    shape = to.x > 0 ? shape : mirrored_columns(shape);
    shape = to.y > 0 ? shape : mirrored_rows(shape);
    return shape == 0742 || shape == 0265 || shape == 0654 || shape == 0361;
}

// Returns the active block that is foremost in a direction: column | row << 8. -1: none is active.
LC_INLINE int foremost_block(const soup *s, direction to)
{
    lc_word best = 0;
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        if (s->active[i] == 0)
            continue;
        const int row = (int)s->lane + 32 * i;
        const int column =
            to.x > 0 ? 63 - __clzll((long long)s->active[i]) : __ffsll((long long)s->active[i]) - 1;
        const int at = 128 + to.x * column + to.y * row;
        best = max(best, (lc_word)at << 16 | (lc_word)row << 8 | (lc_word)column);
    }
    best = largest_of_lanes(best);
    return best == 0 ? -1 : (int)(best & 0xFFFF);
}

// Returns the live cell of a view that is foremost in a direction, in which x or y may be 0:
// column | row << 8. There is one.
LC_INLINE unsigned int foremost_cell(lc_word live, direction to, unsigned int lane)
{
    const int column = to.x > 0 ? 31 - __clz((int)live) : __ffs((int)live) - 1;
    const int at = 64 + to.x * column + to.y * (int)lane;
    const lc_word best = live == 0 ? 0 : (lc_word)at << 16 | lane << 8 | (lc_word)column;
    return largest_of_lanes(best) & 0xFFFF;
}

LC_INLINE lc_word spread_by(lc_word cells, int distance)
{
    LC_UNROLL(1)
    for (int i = 0; i < distance; i++) {
        cells |= cells << 1 | cells >> 1;
        cells |= __shfl_up_sync(~0u, cells, 1) | __shfl_down_sync(~0u, cells, 1);
    }
    return cells;
}

// Finds a glider that flies in the direction, in or beside a block, with no other cells near it.
LC_INLINE bool find_glider(glider *out, const soup *s, direction to, int block)
{
    const int column = block % 256, row = block / 256;
    const int around = (VIEW_CELLS - BLOCK_CELLS) / 2;
    const soup_view v = {BLOCK_CELLS * column - around, BLOCK_CELLS * row - around};
    if (column < TAKEN_FIRST || row < TAKEN_FIRST || column > TAKEN_LAST || row > TAKEN_LAST)
        return false;
    const lc_word live = load_view(s->canvas, v, s->lane);
    const lc_word cells = sum_of_lanes((lc_word)__popc(live));
    if (cells < GLIDER_CELLS || cells > VIEW_CELLS_MAX)
        return false;
    const unsigned int cell = foremost_cell(live, to, s->lane);
    const lc_word seed = s->lane == cell / 256 ? 1u << cell % 256 : 0;
    const lc_word group = joined_cells(seed, live, 1);
    const lc_word columns = or_of_lanes(group), rows = __ballot_sync(~0u, group != 0);
    const unsigned int x = (unsigned int)__ffs((int)columns) - 1;
    const unsigned int y = (unsigned int)__ffs((int)rows) - 1;
    const lc_word near = spread_by(group, NEAR_CELLS) & live & ~group;
    if (columns >> x != 7 || rows >> y != 7 || __any_sync(~0u, near != 0))
        return false;
    const lc_word three = group >> x;
    out->shape = __shfl_sync(~0u, three, y) | __shfl_sync(~0u, three, y + 1) << 3 |
                 __shfl_sync(~0u, three, y + 2) << 6;
    out->x = v.x + (int)x;
    out->y = v.y + (int)y;
    return is_glider(out->shape, to);
}

// Returns the column or the row in which the square around a glider at `x` begins.
LC_INLINE int square_of(int x)
{
    return x / 8 * 8 - AROUND_CELLS;
}

// Whether all cells in the square around a glider are dead, without its own.
LC_INLINE bool is_alone(const soup *s, const glider *g)
{
    warp_window w;
    load_window(&w, s->canvas, (unsigned int)square_of(g->x), (unsigned int)square_of(g->y),
                s->lane);
    const lc_word right = (1u << (SQUARE_CELLS - 32)) - 1;
    const lc_word found = w.cells[0] | w.cells[2] | ((w.cells[1] | w.cells[3]) & right);
    return !__any_sync(~0u, s->lane < SQUARE_CELLS / 2 && found != 0);
}

// Takes the cells of a glider away, or puts them back.
LC_INLINE void turn_glider(soup *s, const glider *g, bool back)
{
    const int y = (int)s->lane;
    if (y < 3) {
        lc_word *at = s->canvas + g->x / 32 * CANVAS_CELLS + g->y + y;
        const lc_u64 cells = (lc_u64)(g->shape >> 3 * y & 7) << g->x % 32;
        at[0] ^= (lc_word)cells;
        if (cells >> 32 != 0)
            at[CANVAS_CELLS] ^= (lc_word)(cells >> 32);
    }
    __syncwarp();
    const blocks_range around = still_blocks(square_of(g->x), square_of(g->y), SQUARE_CELLS);
    set_range(s->active, s->lane, around, back);
}

LC_INLINE int least_of(const glider *g, direction to)
{
    return to.x * (to.x > 0 ? g->x : g->x + 2) + to.y * (to.y > 0 ? g->y : g->y + 2);
}

// Whether there is a live cell with to.x * x + to.y * y >= least.
LC_INLINE bool is_any_in_front(const soup *s, direction to, int least)
{
    lc_word found = 0;
    for (int y = first_row(s) + (int)s->lane; y < end_row(s); y += 32) {
        const int x = to.x * (least - to.y * y); // cells from here on are in front
        for (int i = first_column(s); i < end_column(s); i++) {
            const int from = x - 32 * i; // bit of the word
            const lc_word in_front = to.x > 0 ? (from <= 0    ? ~0u
                                                 : from >= 32 ? 0
                                                              : ~0u << from)
                                              : (from >= 31 ? ~0u
                                                 : from < 0 ? 0
                                                            : ~0u >> (31 - from));
            if (in_front != 0)
                found |= s->canvas[i * CANVAS_CELLS + y] & in_front;
        }
    }
    return __any_sync(~0u, found != 0);
}

// Lane i has the i-th glider that was taken.
LC_INLINE glider glider_of_lane(const glider *mine, int lane)
{
    glider g;
    g.x = __shfl_sync(~0u, mine->x, lane);
    g.y = __shfl_sync(~0u, mine->y, lane);
    g.shape = __shfl_sync(~0u, mine->shape, lane);
    return g;
}

LC_INLINE void take_in_direction(soup *s, direction to)
{
    glider mine = {0, 0, 0}, next;
    int count = 0;
    for (; count < TAKEN_MAX; count++) {
        const int block = foremost_block(s, to);
        if (block < 0 || !find_glider(&next, s, to, block))
            break;
        turn_glider(s, &next, false);
        if ((int)s->lane == count)
            mine = next;
    }
    // A glider that must stay may keep others from being taken.
    lc_word gone = (1u << count) - 1, last = 0;
    while (gone != last) {
        last = gone;
        for (int i = 0; i < count; i++) {
            const glider g = glider_of_lane(&mine, i);
            if ((gone >> i & 1) == 0 ||
                (is_alone(s, &g) && !is_any_in_front(s, to, least_of(&g, to))))
                continue;
            turn_glider(s, &g, true);
            gone &= ~(1u << i);
        }
    }
    s->gliders += (lc_word)__popc(gone);
}

LC_INLINE void take_gliders(soup *s)
{
    LC_UNROLL(1)
    for (int i = 0; i < 4; i++) {
        const direction to = {i % 2 == 0 ? 1 : -1, i / 2 == 0 ? 1 : -1};
        take_in_direction(s, to);
    }
}

#endif
