// Takes spaceships away that reach the edge of the canvas and fly on beyond it.
#ifndef LC_KERNELS_SOUP_LEAVERS_H
#define LC_KERNELS_SOUP_LEAVERS_H

#include "soup_gliders.h"
#include "soup_groups.h"

#define LEAVER_GENERATIONS 4 // after which a spaceship has moved by one cell, or two
#define LEAVER_EDGE 4        // cells around it that a view must have
#define LEAVER_BESIDE 8      // cells of a view to the left of an active block, and above it
#define LEAVERS_MAX 4        // of a view

// Returns the cells of a view in the next generation.
LC_INLINE lc_word next_view(lc_word cells)
{
    const lc_word parity = LC_GATE(0x96, cells << 1, cells, cells >> 1);
    const lc_word majority = LC_GATE(0xE8, cells << 1, cells, cells >> 1);
    return lc_next(__shfl_up_sync(~0u, parity, 1), __shfl_up_sync(~0u, majority, 1), parity,
                   majority, __shfl_down_sync(~0u, parity, 1), __shfl_down_sync(~0u, majority, 1),
                   cells);
}

LC_INLINE lc_word moved_view(lc_word cells, int x, int y)
{
    cells = x < 0 ? cells >> -x : cells << x;
    const lc_word down = __shfl_up_sync(~0u, cells, y > 0 ? y : 0);
    const lc_word up = __shfl_down_sync(~0u, cells, y < 0 ? -y : 0);
    return y > 0 ? down : y < 0 ? up : cells;
}

// Returns the cells of a view that are alive now or in the next few generations.
LC_INLINE lc_word reached_in_view(lc_word cells)
{
    lc_word reached = cells;
    LC_UNROLL(1)
    for (int t = 0; t < LEAVER_GENERATIONS; t++) {
        cells = next_view(cells);
        reached |= cells;
    }
    return reached;
}

// Whether a group flies in a direction, alone: `x` and `y` are -1, 0 or 1. Its population must be
// the same in each second generation, because the soup's population is compared in those.
LC_INLINE bool flies(lc_word group, int x, int y)
{
    lc_word later = group;
    const int speed = x != 0 && y != 0 ? 1 : 2;
    LC_UNROLL(1)
    for (int t = 0; t < LEAVER_GENERATIONS; t++) {
        if (t == 2 && sum_of_lanes((lc_word)__popc(later)) != sum_of_lanes((lc_word)__popc(group)))
            return false;
        later = next_view(later);
    }
    return __all_sync(~0u, later == moved_view(group, speed * x, speed * y));
}

// Gliders that were taken away at an edge. They fly aslant: nothing may be in front of them.
typedef struct slanted {
    direction to;
    int least; // of to.x * x + to.y * y; INT_MAX: nothing
} slanted;

#define NOTHING 0x7FFFFFFF

// Takes the group away that has the live cell of a view that is foremost in a direction, and
// returns its cells. 0 in all lanes: it does not fly beyond the edge there. `sides`: the two
// directions between that one and the edge.
LC_INLINE lc_word take_leaver(soup *s, soup_view v, direction to, slanted sides[2])
{
    const lc_word live = load_view(s->canvas, v, s->lane);
    const unsigned int cell = foremost_cell(live, to, s->lane);
    const lc_word seed = s->lane == cell / 256 ? 1u << cell % 256 : 0;
    const lc_word group = joined_cells(seed, reached_in_view(live), 1) & live;
    const lc_word rows = __ballot_sync(~0u, group != 0), columns = or_of_lanes(group);
    const lc_word edge = ~(~0u >> LEAVER_EDGE) | ((1u << LEAVER_EDGE) - 1);
    if (((rows | columns) & edge) != 0)
        return 0;
    __syncwarp();
    erase_from_view(s->canvas, v, s->lane, group);
    __syncwarp();
    if (flies(group, to.x, to.y))
        return group;
    const int left = v.x + __ffs((int)columns) - 1, right = v.x + 31 - __clz((int)columns);
    const int top = v.y + __ffs((int)rows) - 1, bottom = v.y + 31 - __clz((int)rows);
    LC_UNROLL(1)
    for (int i = 0; i < 2; i++) {
        const direction aslant = sides[i].to;
        const int rear =
            aslant.x * (aslant.x > 0 ? left : right) + aslant.y * (aslant.y > 0 ? top : bottom);
        if (flies(group, aslant.x, aslant.y)) {
            sides[i].least = min(sides[i].least, rear);
            return group;
        }
    }
    return 0;
}

// Takes what leaves the canvas at an active block, across the edge at (x, y). Returns as step_by.
LC_INLINE int take_leavers(soup *s, soup_groups *g, int column, int row, int x, int y)
{
    const int last = CANVAS_CELLS - VIEW_CELLS;
    const soup_view v = {min(max(column * BLOCK_CELLS - LEAVER_BESIDE, 0), last),
                         min(max(row * BLOCK_CELLS - LEAVER_BESIDE, 0), last)};
    const direction to = {x, y};
    slanted sides[2] = {{{x != 0 ? x : -1, y != 0 ? y : -1}, NOTHING},
                        {{x != 0 ? x : 1, y != 0 ? y : 1}, NOTHING}};
    for (int i = 0; __any_sync(~0u, load_view(s->canvas, v, s->lane) != 0); i++) {
        const lc_word group = i < LEAVERS_MAX ? take_leaver(s, v, to, sides) : 0;
        if (!__any_sync(~0u, group != 0))
            return LC_CENSUS_LEFT_EDGE;
        const int why = count_group(g, group, s->lane);
        if (why != LC_CENSUS_LEFT_REASONS)
            return why;
    }
    // They may meet, if they fly in several directions, or something overtakes them.
    const bool first = sides[0].least != NOTHING, second = sides[1].least != NOTHING;
    if ((first || second) && (!g->job->takes_gliders || (first && second)))
        return LC_CENSUS_LEFT_EDGE;
    for (int i = 0; i < 2; i++)
        if (sides[i].least != NOTHING && is_any_in_front(s, sides[i].to, sides[i].least))
            return LC_CENSUS_LEFT_EDGE;
    set_range(s->active, s->lane, still_blocks(v.x, v.y, VIEW_CELLS), false);
    return LC_CENSUS_LEFT_REASONS;
}

// Takes away what leaves the canvas, until nothing is active near its edges. Returns as step_by.
LC_INLINE int clear_edges(soup *s, soup_groups *g)
{
    int left = LC_CENSUS_LEFT_REASONS;
    while (left == LC_CENSUS_LEFT_REASONS) {
        const lc_u64 rows = rows_of(s->active), columns = columns_of(s->active, s->lane, 0, BLOCKS);
        if (!is_at_edge(rows, columns))
            break;
        int x = 0, y = 0, column, row;
        if ((rows & EDGES) != 0) {
            row = __ffsll((long long)(rows & EDGES)) - 1;
            column = __ffsll((long long)columns_of(s->active, s->lane, (unsigned int)row, 1)) - 1;
            y = row < BLOCKS / 2 ? -1 : 1;
        } else {
            column = __ffsll((long long)(columns & EDGES)) - 1;
            lc_u64 in_column[2];
            in_column[0] = s->active[0] & 1ull << column;
            in_column[1] = s->active[1] & 1ull << column;
            row = __ffsll((long long)rows_of(in_column)) - 1;
            x = column < BLOCKS / 2 ? -1 : 1;
        }
        left = take_leavers(s, g, column, row, x, y);
    }
    return left;
}

#endif
