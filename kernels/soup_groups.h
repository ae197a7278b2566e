// Divides the cells of a settled soup into groups, finds each in a table of known groups, and puts
// it on the list of the soup's groups. The host gets a record of a group that is not known.
//
// Cells belong to one group if a chain of reached cells leads from one to the other, each near the
// next: dx^2 + dy^2 <= 5, or dx, dy <= 2 (src/object/live_groups.h).
#ifndef LC_KERNELS_SOUP_GROUPS_H
#define LC_KERNELS_SOUP_GROUPS_H

#include "soup_view.h"

#define GROUPS_MAX 512      // of a soup
#define LIVE_CELLS_MAX 2900 // of a soup: below apgsearch's line for megasized soups
#define MESSLESS_GENERATION 480
#define VIEW_EDGE 2 // a group that reaches so far may go on beyond the view
#define SEED_COLUMN 16
#define SEED_ROW 12
#define SHIFT_ACROSS 13 // of a view, if a group goes on beyond it
#define SHIFT_DOWN 9

// Returns the group of cell (x, y), and sets *v to a view that has all of it. 0 in all lanes: it is
// too large.
LC_INLINE lc_word find_group(soup_view *v, const soup *s, int x, int y, int square)
{
    bool moved_across = false, moved_down = false;
    v->x = min(max(x - SEED_COLUMN, 0), CANVAS_CELLS - VIEW_CELLS);
    v->y = min(max(y - SEED_ROW, 0), CANVAS_CELLS - VIEW_CELLS);
    for (;;) {
        const lc_word reached = load_view(s->reached, *v, s->lane);
        const lc_word seed = (int)s->lane == y - v->y ? 1u << (x - v->x) : 0;
        const lc_word group = joined_cells(seed, reached, square);
        const lc_word columns = or_of_lanes(group), rows = __ballot_sync(~0u, group != 0);
        const lc_word low = (1u << VIEW_EDGE) - 1, high = ~(~0u >> VIEW_EDGE);
        const bool left = (columns & low) != 0, right = (columns & high) != 0;
        const bool up = (rows & low) != 0, down = (rows & high) != 0;
        if (!left && !right && !up && !down)
            return group;
        if ((left && right) || (up && down) || ((left || right) && moved_across) ||
            ((up || down) && moved_down))
            return 0;
        // The cell stays in the view.
        v->x += left ? -SHIFT_ACROSS : right ? SHIFT_ACROSS : 0;
        v->y += up ? -SHIFT_DOWN : down ? SHIFT_DOWN : 0;
        moved_across |= left || right;
        moved_down |= up || down;
        if (v->x < 0 || x - v->x >= VIEW_CELLS || v->x > CANVAS_CELLS - VIEW_CELLS || v->x > x ||
            v->y < 0 || v->y > CANVAS_CELLS - VIEW_CELLS || v->y > y)
            return 0;
    }
}

// Moves the cells of a group to its corner: lane i gets row i.
LC_INLINE lc_word moved_to_corner(lc_word cells, unsigned int lane)
{
    const unsigned int top = (unsigned int)__ffs((int)__ballot_sync(~0u, cells != 0)) - 1;
    const unsigned int left = (unsigned int)__ffs((int)or_of_lanes(cells)) - 1;
    const lc_word row = __shfl_sync(~0u, cells, (lane + top) % 32);
    return lane + top < 32 ? row >> left : 0;
}

// Returns what the table has for a group; LC_CENSUS_GROUP_UNKNOWN: nothing.
LC_INLINE lc_word known_group(const lc_census_slot *slots, lc_word mask, const lc_word *rows,
                              lc_word row, unsigned int lane)
{
    const lc_word hash = sum_of_lanes(lc_census_row_hash(row, lane));
    for (lc_word i = hash & mask;; i = (i + 1) & mask) {
        const lc_census_slot slot = slots[i];
        if (slot.group == 0)
            return LC_CENSUS_GROUP_UNKNOWN;
        const lc_word number = (slot.group & ~LC_CENSUS_WANTED) - 1;
        if (slot.hash == hash &&
            __all_sync(~0u, rows[(lc_u64)number * LC_CENSUS_GROUP_ROWS + lane] == row))
            return slot.group;
    }
}

// Counting ---------------------------------------------------------------------------------------

// The tables of a census, and where it writes.
typedef struct census_tables {
    const lc_census_slot *slots;
    const lc_word *rows; // of known groups
    lc_word *counts;     // of them
    lc_census_record *records;
    lc_u64 *counters;
} census_tables;

// The groups of a soup.
typedef struct soup_groups {
    const census_tables *tables;
    const lc_census_job *job;
    lc_word soup;  // counted from the first one
    lc_word *list; // known groups
    int count;     // of them
    int cells;     // of all groups
    bool rests;    // all groups have period 1 or 2
} soup_groups;

// Writes a record. Returns whether there was room.
LC_INLINE bool write_record(const soup_groups *g, lc_word group, lc_word row, unsigned int lane)
{
    lc_u64 at = 0;
    if (lane == 0)
        at = atomicAdd(&g->tables->counters[LC_CENSUS_RECORDS], 1ull);
    at = __shfl_sync(~0u, at, 0);
    if (at >= g->job->records_max)
        return false;
    lc_census_record *record = &g->tables->records[at];
    if (lane == 0) {
        record->soup = g->soup | LC_CENSUS_PASS * LC_CENSUS_SECOND_PASS;
        record->group = group;
    }
    record->rows[lane] = row;
    return true;
}

// Counts a group. Each lane has a row of its live cells. Returns as step_by.
LC_INLINE int count_group(soup_groups *g, lc_word live, unsigned int lane)
{
    const lc_word row = moved_to_corner(live, lane);
    const lc_word known =
        known_group(g->tables->slots, g->job->slot_mask, g->tables->rows, row, lane);
    const lc_word which =
        known == LC_CENSUS_GROUP_UNKNOWN ? known : (known & ~LC_CENSUS_WANTED) - 1;
    g->cells += (int)sum_of_lanes((lc_word)__popc(live));
    if ((known & LC_CENSUS_WANTED) != 0 && !write_record(g, which, row, lane))
        return LC_CENSUS_LEFT_RECORDS;
    if (known == LC_CENSUS_GROUP_UNKNOWN) // which may not repeat itself, unless the soup rests
        return g->rests ? LC_CENSUS_LEFT_REASONS : LC_CENSUS_LEFT_UNKNOWN;
    if (g->count == GROUPS_MAX || g->cells > LIVE_CELLS_MAX)
        return LC_CENSUS_LEFT_GROUPS;
    if (lane == 0)
        g->list[g->count] = which;
    g->count++;
    return LC_CENSUS_LEFT_REASONS;
}

// Takes the group of a live cell away. Returns as step_by.
LC_INLINE int take_group(soup *s, soup_groups *g, int x, int y)
{
    soup_view v;
    const lc_word group = find_group(&v, s, x, y, g->job->groups_are_square);
    if (!__any_sync(~0u, group != 0))
        return LC_CENSUS_LEFT_GROUP;
    const lc_word live = load_view(s->canvas, v, s->lane) & group;
    __syncwarp();
    erase_from_view(s->canvas, v, s->lane, group);
    erase_from_view(s->reached, v, s->lane, group);
    __syncwarp();
    return count_group(g, live, s->lane);
}

// Takes all groups. Returns as step_by.
LC_INLINE int take_groups(soup *s, soup_groups *g)
{
    const int top = first_row(s), bottom = end_row(s);
    int left = LC_CENSUS_LEFT_REASONS, column = first_column(s), y = top;
    while (column < end_column(s) && left == LC_CENSUS_LEFT_REASONS) {
        const int mine = y + (int)s->lane;
        lc_word word = 0;
        if (mine < bottom)
            word = s->canvas[column * CANVAS_CELLS + mine];
        const lc_word found = __ballot_sync(~0u, word != 0);
        if (found == 0) {
            y += 32;
            column += y >= bottom;
            y = y >= bottom ? top : y;
            continue;
        }
        const int row = __ffs((int)found) - 1;
        const int bit = __ffs((int)__shfl_sync(~0u, word, row)) - 1;
        left = take_group(s, g, 32 * column + bit, y + row);
    }
    if (left == LC_CENSUS_LEFT_REASONS && g->cells + 5 * (int)s->gliders > LIVE_CELLS_MAX)
        return LC_CENSUS_LEFT_GROUPS;
    if (left == LC_CENSUS_LEFT_REASONS && g->cells == 0 && s->gliders == 0 &&
        s->generation >= MESSLESS_GENERATION)
        return LC_CENSUS_LEFT_LINE;
    return left;
}

#endif
