// See lineage.h.
#include "object/lineage.h"

#include <string.h>

#include "base/area.h"
#include "base/error.h"
#include "base/memory.h"
#include "object/union_find.h"

enum { MAP_MAX = 1 << 22 }; // cells of the map

// The live cells of a generation, and for each of them a cell of the first generation that it
// descends from.
typedef struct generation {
    lc_live cells;
    uint32_t *of;
    size_t room; // of `of`
} generation;

typedef struct lineage {
    const lc_field_rule *rule;
    generation now, before;
    uint32_t *group_of, *scratch; // by cell of `now`
    size_t room;
    uint32_t *up;
    size_t sets;
    // A map of cells near which there may be cells of other sets: ancestor + 1 of each; 0: none.
    uint32_t *map;
    size_t map_room;
    lc_box map_box;
} lineage;

static bool reserve(uint32_t **numbers, size_t *room, size_t count)
{
    return lc_grow(numbers, room, count, sizeof **numbers);
}

static bool reserve_scratch(lineage *l)
{
    size_t room = l->room;
    return reserve(&l->group_of, &room, l->now.cells.count) &&
           reserve(&l->scratch, &l->room, l->now.cells.count);
}

static void join(lineage *l, uint32_t a, uint32_t b)
{
    l->sets -= lc_set_join(l->up, a, b);
}

// Joins the sets whose cells around (x, y) affect each other: the next state of that cell is not
// what one of them alone would make of it.
static void join_around(lineage *l, int64_t x, int64_t y)
{
    const lc_box *box = &l->map_box;
    uint32_t sets[9];
    unsigned masks[9] = {0}, all = 0, count = 0, alive = 0;
    for (unsigned bit = 0; bit < 9; bit++) { // as in lc_rule_next: bit 8 is the upper left one
        const int64_t column = x + 1 - bit % 3 - box->x, row = y + 1 - bit / 3 - box->y;
        if (column < 0 || column >= box->width_cells || row < 0 || row >= box->height_cells)
            continue;
        const uint32_t ancestor = l->map[row * box->width_cells + column];
        if (ancestor == 0)
            continue;
        const uint32_t set = lc_set_root(l->up, ancestor - 1);
        unsigned i = 0;
        while (i < count && sets[i] != set)
            i++;
        sets[i] = set;
        count += i == count;
        masks[i] |= 1U << bit;
        all |= 1U << bit;
    }
    for (unsigned i = 0; i < count; i++)
        alive += l->rule->next[masks[i]] != 0;
    if (count > 1 && (alive > 1 || alive != (l->rule->next[all] != 0)))
        for (unsigned i = 1; i < count; i++)
            join(l, sets[0], sets[i]);
}

// Groups that have cells of several sets.
typedef struct mixed_groups {
    uint32_t *first; // by group: the set of its first cell, or MIXED
    lc_box box;      // of their cells
} mixed_groups;

enum { MIXED = INT32_MAX };

// Finds the groups of cells near each other that have cells of several sets.
static bool find_mixed(lineage *l, mixed_groups *mixed)
{
    const size_t count = l->now.cells.count;
    if (!reserve_scratch(l))
        return false;
    (void)lc_live_groups(&l->now.cells, l->rule->groups_are_square, l->group_of, l->scratch);
    mixed->first = l->scratch;
    mixed->box = (lc_box){.empty = true};
    for (size_t i = 0, known = 0; i < count; i++) {
        const uint32_t group = l->group_of[i], set = lc_set_root(l->up, l->now.of[i]);
        if (group == known) // groups are numbered in the order of their first cells
            mixed->first[known++] = set;
        else if (mixed->first[group] != set)
            mixed->first[group] = MIXED;
    }
    for (size_t i = 0; i < count; i++) {
        const lc_live_cell cell = l->now.cells.at[i];
        const lc_box one = {.x = cell.x, .y = cell.y, .width_cells = 1, .height_cells = 1};
        if (mixed->first[l->group_of[i]] == MIXED)
            mixed->box = lc_box_union(mixed->box, one);
    }
    return true;
}

// Prepares an empty map of a box. The caller clears the map after use. Returns false if the box is
// too large, or if out of memory.
static bool make_map(lineage *l, const lc_box *box)
{
    if (box->width_cells > MAP_MAX || box->height_cells > MAP_MAX ||
        box->width_cells * box->height_cells > MAP_MAX)
        return false;
    const size_t old = l->map_room, size = (size_t)(box->width_cells * box->height_cells);
    if (!reserve(&l->map, &l->map_room, size))
        return false;
    memset(l->map + old, 0, (l->map_room - old) * sizeof *l->map);
    l->map_box = *box;
    return true;
}

static uint32_t *place_in_map(const lineage *l, lc_live_cell cell)
{
    const lc_box *box = &l->map_box;
    return &l->map[(cell.y - box->y) * box->width_cells + cell.x - box->x];
}

// Joins all sets of each mixed group.
static void join_groups(lineage *l, mixed_groups *mixed)
{
    for (size_t i = 0; i < l->now.cells.count; i++) {
        uint32_t *first = &mixed->first[l->group_of[i]];
        if (*first == MIXED)
            *first = l->now.of[i];
        else
            join(l, *first, l->now.of[i]);
    }
}

// Joins the sets whose cells affect each other in this generation.
static bool join_near(lineage *l)
{
    mixed_groups mixed;
    const lc_live *cells = &l->now.cells;
    if (!find_mixed(l, &mixed))
        return false;
    if (mixed.box.empty)
        return true;
    if (!make_map(l, &mixed.box)) {
        join_groups(l, &mixed);
        return true;
    }
    for (size_t i = 0; i < cells->count; i++)
        if (mixed.first[l->group_of[i]] == MIXED)
            *place_in_map(l, cells->at[i]) = l->now.of[i] + 1;
    for (size_t i = 0; i < cells->count; i++)
        for (int64_t k = 0; k < 9 && mixed.first[l->group_of[i]] == MIXED; k++)
            join_around(l, cells->at[i].x + k % 3 - 1, cells->at[i].y + k / 3 - 1);
    for (size_t i = 0; i < cells->count; i++)
        if (mixed.first[l->group_of[i]] == MIXED)
            *place_in_map(l, cells->at[i]) = 0;
    return true;
}

// Finds an ancestor of each cell: that of a cell that was alive beside it, or at its place.
static bool find_ancestors(lineage *l)
{
    size_t from[3] = {0};
    const lc_live *before = &l->before.cells;
    if (!reserve(&l->now.of, &l->now.room, l->now.cells.count))
        return false;
    for (size_t i = 0; i < l->now.cells.count; i++) {
        const lc_live_cell cell = l->now.cells.at[i];
        for (int row = 0; row < 3; row++) {
            const lc_live_cell first = {cell.x - 1, cell.y + row - 1};
            size_t *k = &from[row];
            while (*k < before->count && lc_live_compare(&before->at[*k], &first) < 0)
                (*k)++;
            if (*k < before->count && before->at[*k].y == first.y && before->at[*k].x <= cell.x + 1)
                l->now.of[i] = l->before.of[*k];
        }
    }
    return true;
}

static lc_status step(lineage *l, lc_field *field)
{
    const lc_status status = lc_field_step(field);
    if (status != LC_OK)
        return status;
    const generation old = l->before;
    l->before = l->now;
    l->now = old;
    l->now.cells.count = 0;
    return lc_field_read(field, &l->now.cells) && find_ancestors(l) ? LC_OK : LC_ERROR_MEMORY;
}

lc_status lc_lineage_join(lc_field *field, const lc_live *cells, uint64_t generations, bool repeats,
                          uint32_t *up)
{
    lineage l = {.rule = field->rule, .up = up, .sets = cells->count};
    lc_status status = lc_field_set(field, cells);
    if (status == LC_OK &&
        !(lc_live_add_all(&l.now.cells, cells) && reserve(&l.now.of, &l.now.room, cells->count)))
        status = LC_ERROR_MEMORY;
    for (uint32_t i = 0; i < cells->count && status == LC_OK; i++)
        l.now.of[i] = up[i] = i;
    for (uint64_t t = 0; t <= generations && l.sets > 1 && status == LC_OK; t++) {
        status = join_near(&l) ? lc_check_give_up(NULL) : LC_ERROR_MEMORY;
        if (status == LC_OK && t < generations)
            status = step(&l, field);
    }
    // Lists are sorted, so that cell i has come to the place of cell i.
    for (uint32_t i = 0; i < cells->count && repeats && l.sets > 1 && status == LC_OK; i++)
        l.sets -= lc_set_join(up, l.now.of[i], i);
    lc_live_free(&l.now.cells);
    lc_live_free(&l.before.cells);
    lc_free(l.now.of);
    lc_free(l.before.of);
    lc_free(l.group_of);
    lc_free(l.scratch);
    lc_free(l.map);
    return status;
}
