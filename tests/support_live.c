// Live cells of a universe and the objects among them.
#include "support_live.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "object/apgcode_search.h"
#include "universe/universe_live.h"

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static void add(lc_live *live, lc_live_cell cell)
{
    if (!lc_live_add(live, cell.x, cell.y))
        abort();
}

lc_live live_read(const lc_universe *universe)
{
    lc_live live = {0};
    lc_message message;
    if (lc_universe_live(universe, UINT64_MAX, &live, &message) != LC_OK)
        abort();
    return live;
}

// A translation keeps the first cell by rows first.
bool live_alike(const lc_live *a, const lc_live *b)
{
    if (a->count == 0 || a->count != b->count)
        return a->count == b->count;
    return lc_live_equal(a, b, b->at[0].x - a->at[0].x, b->at[0].y - a->at[0].y);
}

// Wraps a cell that left at one side to the opposite side, shifted along it or mirrored.
static lc_live_cell wrapped(lc_live_cell c, const lc_topology *t)
{
    while (t->width_cells != 0 && (c.x < 0 || c.x >= t->width_cells)) {
        const int64_t laps = c.x < 0 ? -1 : 1;
        c.x -= laps * t->width_cells;
        c.y = t->twist_y ? t->height_cells - 1 - c.y : c.y + laps * t->shift_y_cells;
    }
    while (t->height_cells != 0 && (c.y < 0 || c.y >= t->height_cells)) {
        const int64_t laps = c.y < 0 ? -1 : 1;
        c.y -= laps * t->height_cells;
        c.x = t->twist_x ? t->width_cells - 1 - c.x : c.x + laps * t->shift_x_cells;
    }
    const bool is_in = t->width_cells == 0 || (c.x >= 0 && c.x < t->width_cells);
    return is_in ? c : wrapped(c, t);
}

void live_move(lc_live *cells, const lc_topology *topology, int64_t dx, int64_t dy)
{
    for (size_t i = 0; i < cells->count; i++)
        cells->at[i] = wrapped((lc_live_cell){cells->at[i].x + dx, cells->at[i].y + dy}, topology);
    lc_live_sort(cells);
}

static bool is_in(const lc_box *box, lc_live_cell cell)
{
    return !box->empty && cell.x >= box->x && cell.x < box->x + box->width_cells &&
           cell.y >= box->y && cell.y < box->y + box->height_cells;
}

lc_live live_within(const lc_live *cells, const lc_box *box, bool inside)
{
    lc_live some = {0};
    for (size_t i = 0; i < cells->count; i++)
        if (is_in(box, cells->at[i]) == inside)
            add(&some, cells->at[i]);
    return some;
}

lc_live live_others(const lc_live *all, const lc_live *some)
{
    lc_live others = {0};
    for (size_t i = 0; i < all->count; i++)
        if (!lc_live_has(some, all->at[i].x, all->at[i].y))
            add(&others, all->at[i]);
    return others;
}

// Returns a text that is equal for all phases and orientations of an oscillating or moving pattern,
// even of several objects.
static char *code_of(lc_fates *fates, const lc_fate *fate)
{
    lc_apgcode_search search = {0};
    lc_live phase = {0};
    lc_status status = lc_field_set(&fates->field, &fate->cells);
    for (uint64_t t = 0; t < fate->period && status == LC_OK; t++) {
        phase.count = 0;
        if (!lc_field_read(&fates->field, &phase))
            abort();
        status = lc_apgcode_add_phase(&search, &phase, fates->rule.symmetry);
        if (status == LC_OK)
            status = lc_field_step(&fates->field);
    }
    char *code = lc_apgcode_finish(&search, 0, fate->period, lc_fate_moves(fate));
    if (status != LC_OK || code == NULL)
        abort();
    lc_live_free(&phase);
    lc_apgcode_free(&search);
    return code;
}

bool live_is_object(const lc_live *cells, lc_fates *fates, const lc_fate *object)
{
    const lc_fate *fate;
    if (object == NULL || cells->count == 0 ||
        lc_fate_find(&fate, fates, cells, object->period) != LC_OK ||
        fate->period != object->period || fate->cells_min != object->cells_min ||
        fate->cells_max != object->cells_max)
        return false;
    char *code = code_of(fates, fate), *other = code_of(fates, object);
    const bool same = strcmp(code, other) == 0;
    lc_free(code);
    lc_free(other);
    return same;
}

size_t live_count_objects(const lc_live *cells, lc_fates *fates, const lc_fate *object,
                          const lc_box *box, lc_live *rest)
{
    uint32_t *group_of = allocate(cells->count, sizeof *group_of);
    uint32_t *scratch = allocate(cells->count, sizeof *scratch);
    const size_t groups = lc_live_groups(cells, true, group_of, scratch);
    lc_live *all = allocate(groups, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++)
        add(&all[group_of[i]], cells->at[i]);
    if (rest != NULL)
        *rest = (lc_live){0};
    for (size_t i = 0; i < groups; i++) {
        bool counts = live_is_object(&all[i], fates, object);
        for (size_t k = 0; box != NULL && counts && k < all[i].count; k++)
            counts = !is_in(box, all[i].at[k]);
        count += counts;
        if (rest != NULL && !counts && !lc_live_add_all(rest, &all[i]))
            abort();
        lc_live_free(&all[i]);
    }
    if (rest != NULL)
        lc_live_sort(rest);
    free(all);
    free(scratch);
    free(group_of);
    return count;
}
