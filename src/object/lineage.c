// See lineage.h.
#include "object/lineage.h"

#include "base/error.h"
#include "base/memory.h"
#include "object/union_find.h"

// The live cells of a generation, and for each of them a cell of the first generation that it
// descends from.
typedef struct generation {
    lc_live cells;
    uint32_t *of;
    size_t room; // of `of`
} generation;

typedef struct lineage {
    generation now, before;
    uint32_t *group_of, *scratch; // by cell of `now`
    size_t room;
    uint32_t *up;
    size_t sets;
} lineage;

static bool reserve(uint32_t **numbers, size_t *room, size_t count)
{
    if (count <= *room)
        return true;
    uint32_t *at = lc_realloc(*numbers, 2 * count * sizeof *at);
    if (at == NULL)
        return false;
    *numbers = at;
    *room = 2 * count;
    return true;
}

static bool reserve_scratch(lineage *l)
{
    size_t room = l->room;
    return reserve(&l->group_of, &room, l->now.cells.count) &&
           reserve(&l->scratch, &l->room, l->now.cells.count);
}

// Joins the ancestors of cells that are near each other now.
static bool join_near(lineage *l, bool square)
{
    const size_t count = l->now.cells.count;
    if (!reserve_scratch(l))
        return false;
    (void)lc_live_groups(&l->now.cells, square, l->group_of, l->scratch);
    uint32_t *first = l->scratch; // an ancestor of each group's first cell
    for (size_t i = 0, known = 0; i < count; i++)
        if (l->group_of[i] == known)
            first[known++] = l->now.of[i]; // groups are numbered in the order of their first cells
        else if (lc_set_join(l->up, first[l->group_of[i]], l->now.of[i]))
            l->sets--;
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

lc_status lc_lineage_join(lc_field *field, const lc_live *cells, uint64_t generations, uint32_t *up)
{
    lineage l = {.up = up, .sets = cells->count};
    lc_status status = lc_field_set(field, cells);
    if (status == LC_OK &&
        !(lc_live_add_all(&l.now.cells, cells) && reserve(&l.now.of, &l.now.room, cells->count)))
        status = LC_ERROR_MEMORY;
    for (uint32_t i = 0; i < cells->count && status == LC_OK; i++)
        l.now.of[i] = up[i] = i;
    for (uint64_t t = 0; t <= generations && l.sets > 1 && status == LC_OK; t++) {
        status = join_near(&l, field->rule->groups_are_square) ? lc_check_give_up(NULL)
                                                               : LC_ERROR_MEMORY;
        if (status == LC_OK && t < generations)
            status = step(&l, field);
    }
    lc_live_free(&l.now.cells);
    lc_live_free(&l.before.cells);
    lc_free(l.now.of);
    lc_free(l.before.of);
    lc_free(l.group_of);
    lc_free(l.scratch);
    return status;
}
