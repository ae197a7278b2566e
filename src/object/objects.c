// See objects.h.
#include "object/objects.h"

#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "object/lineage.h"
#include "object/sparks.h"
#include "object/strip.h"
#include "object/union_find.h"

enum {
    FIRST_LIMIT = 64,
    MOSTLY = 4, // cells per active cell, up to which the whole is stepped
    FEW = 256,
    WORK_MAX = 1 << 24, // cells of all generations of groups that are stepped together
};

// Cells that are taken together.
typedef struct group {
    lc_live cells;
    lc_box box;
    const lc_fate *fate; // NULL: not asked yet
} group;

typedef struct groups {
    group *at;
    size_t count;
    uint32_t *up;   // a union-find over groups
    uint64_t apart; // as of lc_objects
} groups;

void lc_objects_free(lc_objects *objects)
{
    lc_free(objects->at);
    lc_live_free(&objects->active);
    *objects = (lc_objects){0};
}

static void free_groups(groups *g)
{
    for (size_t i = 0; i < g->count; i++)
        lc_live_free(&g->at[i].cells);
    lc_free(g->at);
    lc_free(g->up);
}

static bool is_ship(const group *g)
{
    return g->fate != NULL && g->fate->period != 0 && lc_fate_moves(g->fate);
}

// ---- meeting ------------------------------------------------------------------------------------

// Returns whether two objects may come near each other, now or later. Both are at their places at
// the same time.
static bool will_meet(const lc_part *a, const lc_part *b)
{
    const lc_strip of_a = lc_strip_of(a), of_b = lc_strip_of(b);
    return lc_strips_will_meet(&of_a, &of_b, NULL, 0);
}

static bool have_one_velocity(const lc_fate *a, const lc_fate *b)
{
    return (lc_wide)a->dx * (lc_wide)b->period == (lc_wide)b->dx * (lc_wide)a->period &&
           (lc_wide)a->dy * (lc_wide)b->period == (lc_wide)b->dy * (lc_wide)a->period;
}

bool lc_objects_move_alike(const lc_objects *objects, int64_t *dx, int64_t *dy)
{
    *dx = *dy = 0;
    if (objects->count == 0 || objects->period == 0)
        return false;
    const lc_fate *first = objects->at[0].fate;
    for (size_t i = 1; i < objects->count; i++)
        if (!have_one_velocity(first, objects->at[i].fate))
            return false;
    const lc_wide periods = (lc_wide)(objects->period / first->period), most = INT64_MAX;
    const lc_wide x = periods * first->dx, y = periods * first->dy;
    if (x > most || x < -most || y > most || y < -most)
        return false;
    *dx = (int64_t)x;
    *dy = (int64_t)y;
    return true;
}

// Spaceships with one velocity are apart for ever, or lc_objects_find has stepped them together.
bool lc_objects_will_meet(const lc_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        if (!lc_fate_moves(objects->at[i].fate))
            continue;
        for (size_t k = 0; k < objects->count; k++)
            if (k != i && (k < i || !lc_fate_moves(objects->at[k].fate)) &&
                !have_one_velocity(objects->at[i].fate, objects->at[k].fate) &&
                will_meet(&objects->at[i], &objects->at[k]))
                return true;
    }
    return false;
}

// ---- groups -------------------------------------------------------------------------------------

static lc_status make_groups(groups *g, const lc_live *cells, bool square)
{
    lc_status status = LC_ERROR_MEMORY;
    uint32_t *group_of = lc_malloc(cells->count * sizeof *group_of);
    uint32_t *scratch = lc_malloc(cells->count * sizeof *scratch);
    if (group_of != NULL && scratch != NULL) {
        g->count = lc_live_groups(cells, square, group_of, scratch);
        g->at = lc_calloc(g->count, sizeof *g->at);
        g->up = lc_malloc(g->count * sizeof *g->up);
        status = g->at != NULL && g->up != NULL ? LC_OK : LC_ERROR_MEMORY;
        g->count = g->at != NULL ? g->count : 0;
    }
    for (size_t i = 0; i < cells->count && status == LC_OK; i++)
        if (!lc_live_add(&g->at[group_of[i]].cells, cells->at[i].x, cells->at[i].y))
            status = LC_ERROR_MEMORY;
    lc_free(group_of);
    lc_free(scratch);
    return status;
}

static lc_status find_fates(groups *g, lc_fates *fates, uint64_t limit)
{
    for (size_t i = 0; i < g->count; i++) {
        group *one = &g->at[i];
        if (one->fate != NULL || one->cells.count == 0)
            continue;
        one->box = lc_live_box(&one->cells);
        const lc_status status = lc_fate_find(&one->fate, fates, &one->cells, limit);
        if (status != LC_OK && status != LC_ERROR_LIMIT)
            return status;
    }
    return LC_OK;
}

// Appends the footprint of a group at rest, at its place.
static bool add_footprint(lc_live *all, const group *one)
{
    const lc_live *footprint = &one->fate->footprint;
    for (size_t i = 0; i < footprint->count; i++)
        if (!lc_live_add(all, footprint->at[i].x + one->box.x, footprint->at[i].y + one->box.y))
            return false;
    return true;
}

static size_t place_of(const lc_live *all, int64_t x, int64_t y)
{
    size_t low = 0, high = all->count;
    const lc_live_cell cell = {x, y};
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(lc_live_compare(&all->at[middle], &cell) <= 0 ? &low : &high) = middle;
    }
    return low;
}

static bool is_at_rest(const group *one)
{
    return one->cells.count != 0 && one->fate != NULL && one->fate->period != 0 &&
           !lc_fate_moves(one->fate);
}

// Joins groups at rest whose footprints are near each other.
static lc_status join_near(groups *g, bool square, bool *joined)
{
    lc_live all = {0};
    lc_status status = LC_OK;
    for (size_t i = 0; i < g->count && status == LC_OK; i++)
        if (is_at_rest(&g->at[i]) && !add_footprint(&all, &g->at[i]))
            status = LC_ERROR_MEMORY;
    lc_live_sort(&all);
    uint32_t *near = lc_malloc(all.count * sizeof *near);
    uint32_t *first = lc_malloc(all.count * sizeof *first);
    if (near == NULL || first == NULL)
        status = LC_ERROR_MEMORY;
    const size_t count = status == LC_OK ? lc_live_groups(&all, square, near, first) : 0;
    if (status == LC_OK)
        memset(first, 0xFF, count * sizeof *first); // the first group of each set of near cells
    for (uint32_t i = 0; i < g->count && status == LC_OK; i++) {
        const group *one = &g->at[i];
        for (size_t k = 0; is_at_rest(one) && k < one->fate->footprint.count; k++) {
            const lc_live_cell cell = one->fate->footprint.at[k];
            uint32_t *owner =
                &first[near[place_of(&all, cell.x + one->box.x, cell.y + one->box.y)]];
            if (*owner == UINT32_MAX)
                *owner = i;
            else
                *joined |= lc_set_join(g->up, *owner, i);
        }
    }
    lc_free(near);
    lc_free(first);
    lc_live_free(&all);
    return status;
}

// Joins spaceships that keep near each other.
static lc_status join_ships(groups *g, bool *joined)
{
    uint32_t *ships = lc_malloc(LC_SHIPS_MAX * sizeof *ships);
    size_t count = 0;
    if (ships == NULL)
        return LC_ERROR_MEMORY;
    for (uint32_t i = 0; i < g->count && count <= LC_SHIPS_MAX; i++) {
        if (g->at[i].cells.count == 0 || !is_ship(&g->at[i]))
            continue;
        if (count < LC_SHIPS_MAX)
            ships[count] = i;
        count++;
    }
    for (size_t i = 0; i < count && count <= LC_SHIPS_MAX; i++) {
        for (size_t k = 0; k < i; k++) {
            const group *a = &g->at[ships[i]], *b = &g->at[ships[k]];
            const lc_part one = {a->fate, a->box.x, a->box.y},
                          other = {b->fate, b->box.x, b->box.y};
            if (have_one_velocity(a->fate, b->fate) && will_meet(&one, &other))
                *joined |= lc_set_join(g->up, ships[i], ships[k]);
        }
    }
    lc_free(ships);
    return count <= LC_SHIPS_MAX ? LC_OK : LC_ERROR_LIMIT;
}

// Moves the cells of groups that were joined to the first of them.
static lc_status put_together(groups *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        group *to = &g->at[lc_set_root(g->up, i)], *from = &g->at[i];
        if (to == from || from->cells.count == 0)
            continue;
        if (!lc_live_add_all(&to->cells, &from->cells))
            return LC_ERROR_MEMORY;
        lc_live_free(&from->cells);
        from->fate = to->fate = NULL;
    }
    for (uint32_t i = 0; i < g->count; i++)
        if (g->at[i].fate == NULL)
            lc_live_sort(&g->at[i].cells);
    return LC_OK;
}

// Joins groups at rest, and spaceships, that affect each other, until none does.
static lc_status join_all(groups *g, lc_fates *fates, uint64_t limit)
{
    bool joined = true;
    lc_status status = LC_OK;
    while (joined && status == LC_OK) {
        joined = false;
        status = find_fates(g, fates, limit);
        if (status == LC_OK)
            status = join_near(g, fates->rule.groups_are_square, &joined);
        if (status == LC_OK)
            status = join_ships(g, &joined);
        if (status == LC_OK && joined)
            status = put_together(g);
    }
    return status;
}

// ---- groups that do not repeat themselves alone -------------------------------------------------

// Groups that are stepped together, since they need each other.
typedef struct joint_groups {
    lc_live start;   // their cells
    bool *is_member; // by group
    bool restarts;   // they must be stepped from the beginning once more, with a new member
    uint64_t period; // after which the cells repeat; 0: they do not
} joint_groups;

static bool is_active(const group *one)
{
    return one->cells.count != 0 && (one->fate == NULL || one->fate->period == 0);
}

static bool add_member(joint_groups *c, const groups *g, size_t i)
{
    c->is_member[i] = true;
    return lc_live_add_all(&c->start, &g->at[i].cells);
}

bool lc_part_is_near(const lc_part *part, const lc_field *field, uint64_t generations)
{
    const lc_fate *fate = part->fate;
    const int64_t periods = lc_fate_moves(fate) ? (int64_t)(generations / fate->period) : 0;
    const int64_t x = part->x + periods * fate->dx - field->x;
    const int64_t y = part->y + periods * fate->dy - field->y;
    const lc_box *swept = &fate->swept;
    if (!lc_field_has_any(field, x + swept->x - LC_NEAR, y + swept->y - LC_NEAR,
                          x + swept->x + swept->width_cells - 1 + LC_NEAR,
                          y + swept->y + swept->height_cells - 1 + LC_NEAR))
        return false;
    for (size_t i = 0; i < fate->footprint.count; i++) {
        const int64_t column = x + fate->footprint.at[i].x, row = y + fate->footprint.at[i].y;
        if (lc_field_has_any(field, column - LC_NEAR, row - LC_NEAR, column + LC_NEAR,
                             row + LC_NEAR))
            return true;
    }
    return lc_fate_moves(fate);
}

static bool is_touched(const group *one, const lc_field *f, uint64_t generations)
{
    const lc_fate *fate = one->fate;
    const lc_part whole = {fate, one->box.x, one->box.y};
    if (fate->part_count == 0)
        return lc_part_is_near(&whole, f, generations);
    for (size_t i = 0; i < fate->part_count; i++) {
        const lc_part part = {fate->parts[i].fate, one->box.x + fate->parts[i].x,
                              one->box.y + fate->parts[i].y};
        if (lc_part_is_near(&part, f, generations))
            return true;
    }
    return false;
}

// Returns whether two groups, neither of them a member, come near each other within so many
// generations.
static bool do_meet(const group *a, const group *b, uint64_t generations)
{
    if (have_one_velocity(a->fate, b->fate))
        return false;
    const lc_part of_a = {a->fate, a->box.x, a->box.y}, of_b = {b->fate, b->box.x, b->box.y};
    const lc_strip strip_a = lc_strip_of(&of_a), strip_b = lc_strip_of(&of_b);
    return lc_strips_meet_within(&strip_a, &strip_b, (int64_t)generations);
}

// Adds a group that others have met, those others, and all that they meet: they may have changed
// each other before the members touch them.
static bool add_with_company(joint_groups *c, const groups *g, size_t first, uint64_t generations)
{
    size_t *list = lc_malloc(g->count * sizeof *list), count = 0;
    bool ok = list != NULL && add_member(c, g, first);
    if (ok)
        list[count++] = first;
    for (size_t i = 0; i < count && ok; i++) {
        for (size_t k = 0; k < g->count && ok; k++) {
            if (g->at[k].cells.count == 0 || c->is_member[k] ||
                !do_meet(&g->at[list[i]], &g->at[k], generations))
                continue;
            ok = add_member(c, g, k);
            list[count++] = k;
        }
    }
    lc_free(list);
    return ok;
}

// Returns whether a group was alone up to generation `t`: it met no group that is not a member
// either.
static bool was_alone(const joint_groups *c, const groups *g, const group *one, uint64_t t)
{
    for (size_t i = 0; i < g->count; i++)
        if (&g->at[i] != one && g->at[i].cells.count != 0 && !c->is_member[i] &&
            do_meet(one, &g->at[i], t))
            return false;
    return true;
}

// Appends the cells of a group that was alone, in generation `t`.
static lc_status add_later_cells(lc_live *to, const group *one, const lc_field_rule *rule,
                                 uint64_t t)
{
    const lc_fate *fate = one->fate;
    const int64_t periods = (int64_t)(t / fate->period);
    lc_field alone = lc_field_of(rule);
    lc_status status = lc_field_set(&alone, &one->cells);
    for (uint64_t i = 0; i < t % fate->period && status == LC_OK; i++)
        status = lc_field_step(&alone);
    alone.x += periods * fate->dx;
    alone.y += periods * fate->dy;
    if (status == LC_OK && !lc_field_read(&alone, to))
        status = LC_ERROR_MEMORY;
    lc_field_free(&alone);
    return status;
}

// Groups that the members touch in generation `t` become members. Those that were alone up to now
// join the field's cells; otherwise all must be stepped again from the beginning.
static lc_status add_touched(joint_groups *c, const groups *g, lc_field *field, uint64_t t,
                             uint64_t generations)
{
    lc_live more = {0};
    lc_status status = LC_OK;
    for (size_t i = 0; i < g->count && status == LC_OK; i++) {
        const group *one = &g->at[i];
        if (one->cells.count == 0 || c->is_member[i] || !is_touched(one, field, t))
            continue;
        c->period = 0;
        if (was_alone(c, g, one, t)) {
            status =
                add_member(c, g, i) ? add_later_cells(&more, one, field->rule, t) : LC_ERROR_MEMORY;
        } else {
            c->restarts = true;
            status = add_with_company(c, g, i, generations) ? LC_OK : LC_ERROR_MEMORY;
        }
    }
    if (status == LC_OK && more.count != 0) {
        lc_live_sort(&c->start);
        status = lc_field_read(field, &more) ? LC_OK : LC_ERROR_MEMORY;
        lc_live_sort(&more);
        if (status == LC_OK)
            status = lc_field_set(field, &more);
    }
    lc_live_free(&more);
    return status;
}

// Returns whether the field's cells are those of the first generation, in place or moved.
static bool is_start(const joint_groups *c, const lc_field *field)
{
    int64_t dx, dy;
    if (field->population != c->start.count)
        return false;
    const lc_box box = lc_live_box(&c->start);
    return lc_field_is_moved(field, &c->start, &box, &dx, &dy);
}

// Steps the members' cells together, and the groups that they touch.
static lc_status step_jointly(joint_groups *c, const groups *g, lc_field *field,
                              uint64_t generations)
{
    uint64_t work = 0;
    c->restarts = false;
    c->period = 0;
    lc_live_sort(&c->start);
    lc_status status = lc_field_set(field, &c->start);
    for (uint64_t t = 0; t <= generations && status == LC_OK && !c->restarts; t++) {
        work += field->population;
        if (work > WORK_MAX || lc_explodes(field->population, c->start.count))
            return LC_ERROR_LIMIT;
        status = add_touched(c, g, field, t, generations);
        if (status == LC_OK && t != 0 && c->period == 0 && is_start(c, field))
            c->period = t;
        if (status == LC_OK)
            status = lc_check_give_up(NULL);
        if (status == LC_OK)
            status = lc_field_step(field);
    }
    return status;
}

// Makes room for more groups, without cells.
static bool add_groups(groups *g, size_t more)
{
    group *at = lc_realloc(g->at, (g->count + more) * sizeof *at);
    g->at = at != NULL ? at : g->at;
    uint32_t *up = at != NULL ? lc_realloc(g->up, (g->count + more) * sizeof *up) : NULL;
    g->up = up != NULL ? up : g->up;
    if (up == NULL)
        return false;
    memset(&at[g->count], 0, more * sizeof *at);
    for (size_t i = g->count; i < g->count + more; i++)
        up[i] = (uint32_t)i;
    g->count += more;
    return true;
}

// Replaces the members by new groups: of cells that affect each other within `limit` generations,
// and of objects with the sparks that they have thrown off. If all together repeat, so does each of
// the groups, and a period shows which cells affect each other.
static lc_status regroup(joint_groups *c, groups *g, lc_fates *fates, uint64_t limit)
{
    const size_t old = g->count;
    uint32_t *up = lc_malloc(c->start.count * sizeof *up);
    uint32_t *group_of = lc_malloc(c->start.count * sizeof *group_of);
    lc_status status = up != NULL && group_of != NULL ? LC_OK : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lc_lineage_join(&fates->field, &c->start, c->period != 0 ? c->period : limit,
                                 c->period != 0, up);
    if (status == LC_OK && c->period == 0)
        status = lc_sparks_join(fates, &c->start, limit, up);
    if (status == LC_OK && !add_groups(g, lc_set_number(up, (uint32_t)c->start.count, group_of)))
        status = LC_ERROR_MEMORY;
    for (size_t i = 0; i < c->start.count && status == LC_OK; i++)
        if (!lc_live_add(&g->at[old + group_of[i]].cells, c->start.at[i].x, c->start.at[i].y))
            status = LC_ERROR_MEMORY;
    for (size_t i = 0; i < old && status == LC_OK; i++)
        if (c->is_member[i])
            lc_live_free(&g->at[i].cells);
    lc_free(up);
    lc_free(group_of);
    return status;
}

// A group that does not repeat itself alone may do so with others: a queen bee needs the blocks at
// the ends of its path, and gliders between two engines are part of an oscillator. All such groups
// are stepped together, with the groups that they touch.
static lc_status find_joint_groups(groups *g, lc_fates *fates, uint64_t limit)
{
    joint_groups c = {.is_member = lc_calloc(g->count, sizeof *c.is_member), .restarts = true};
    lc_status status = c.is_member != NULL ? LC_OK : LC_ERROR_MEMORY;
    for (size_t i = 0; i < g->count && status == LC_OK; i++)
        if (is_active(&g->at[i]) && !add_member(&c, g, i))
            status = LC_ERROR_MEMORY;
    g->apart = limit;
    if (status == LC_OK && c.start.count != 0) {
        while (c.restarts && status == LC_OK)
            status = step_jointly(&c, g, &fates->field, limit);
        if (status == LC_OK)
            status = regroup(&c, g, fates, limit);
        if (status == LC_OK)
            status = join_all(g, fates, limit);
        if (status == LC_ERROR_LIMIT) { // the cells spread too far, and stay active
            g->apart = 0;
            status = LC_OK;
        }
    }
    lc_live_free(&c.start);
    lc_free(c.is_member);
    return status;
}

// If some group still does not repeat itself, all cells may do so together. The gliders of an
// engine, which are objects, may remove its debris.
static lc_status divide_whole(groups *g, lc_fates *fates, uint64_t limit)
{
    joint_groups c = {.is_member = lc_calloc(g->count, sizeof *c.is_member)};
    lc_status status = c.is_member != NULL ? LC_OK : LC_ERROR_MEMORY;
    size_t active = 0;
    for (size_t i = 0; i < g->count && status == LC_OK; i++) {
        active += is_active(&g->at[i]) ? g->at[i].cells.count : 0;
        if (!add_member(&c, g, i))
            status = LC_ERROR_MEMORY;
    }
    // With much debris the pattern rather grows.
    if (status == LC_OK && active != 0 && c.start.count <= MOSTLY * active + FEW) {
        status = step_jointly(&c, g, &fates->field, limit);
        if (status == LC_OK && c.period != 0)
            status = regroup(&c, g, fates, limit);
        if (status == LC_OK && c.period != 0)
            status = join_all(g, fates, limit);
        if (status == LC_ERROR_LIMIT)
            status = LC_OK;
    }
    lc_live_free(&c.start);
    lc_free(c.is_member);
    return status;
}

static lc_status find_groups(groups *g, lc_fates *fates, const lc_live *cells, uint64_t limit)
{
    lc_status status = make_groups(g, cells, fates->rule.groups_are_square);
    for (uint32_t i = 0; i < g->count && status == LC_OK; i++)
        g->up[i] = i;
    // Most cells that do not repeat themselves soon need others. So they are stepped together
    // before each group is stepped for long.
    if (status == LC_OK)
        status = join_all(g, fates, limit < FIRST_LIMIT ? limit : FIRST_LIMIT);
    if (status == LC_OK)
        status = find_joint_groups(g, fates, limit);
    return status == LC_OK ? divide_whole(g, fates, limit) : status;
}

// ---- objects ------------------------------------------------------------------------------------

static bool add_object(lc_objects *o, const lc_fate *fate, int64_t x, int64_t y)
{
    if (!lc_grow(&o->at, &o->room, o->count + 1, sizeof *o->at))
        return false;
    o->at[o->count++] = (lc_part){fate, x, y};
    return true;
}

bool lc_objects_add_all(lc_objects *objects, const lc_objects *more)
{
    for (size_t i = 0; i < more->count; i++)
        if (!add_object(objects, more->at[i].fate, more->at[i].x, more->at[i].y))
            return false;
    return true;
}

uint64_t lc_common_period(uint64_t a, uint64_t b)
{
    uint64_t product;
    return a != 0 && lc_mul_u64(a / lc_common_divisor(a, b), b, &product) ? product : 0;
}

static bool add_group(lc_objects *o, const group *one)
{
    if (one->cells.count == 0)
        return true;
    if (one->fate == NULL || one->fate->period == 0)
        return lc_live_add_all(&o->active, &one->cells);
    o->period = lc_common_period(o->period, one->fate->period);
    if (one->fate->part_count == 0)
        return add_object(o, one->fate, one->box.x, one->box.y);
    for (size_t i = 0; i < one->fate->part_count; i++) {
        const lc_part *part = &one->fate->parts[i];
        if (!add_object(o, part->fate, one->box.x + part->x, one->box.y + part->y))
            return false;
    }
    return true;
}

lc_status lc_objects_find(lc_objects *objects, lc_fates *fates, const lc_live *cells,
                          uint64_t limit)
{
    groups g = {0};
    objects->count = 0;
    objects->active.count = 0;
    objects->period = 1;
    objects->apart = limit;
    if (cells->count == 0)
        return LC_OK;
    if (cells->count > UINT32_MAX / 2)
        return LC_ERROR_LIMIT;
    lc_status status = find_groups(&g, fates, cells, limit);
    for (size_t i = 0; i < g.count && status == LC_OK; i++)
        if (!add_group(objects, &g.at[i]))
            status = LC_ERROR_MEMORY;
    lc_live_sort(&objects->active);
    objects->apart = g.apart;
    free_groups(&g);
    return status;
}

uint64_t lc_objects_hash(const lc_objects *objects, int64_t generations)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < objects->count; i++) {
        const lc_part *part = &objects->at[i];
        const lc_fate *fate = part->fate;
        const int64_t period = (int64_t)fate->period;
        int64_t phase = generations % period;
        phase += phase < 0 ? period : 0;
        const int64_t periods = (generations - phase) / period;
        hash = lc_hash_joined(hash,
                              lc_hash_moved(fate->phase_hashes[phase], part->x + periods * fate->dx,
                                            part->y + periods * fate->dy));
    }
    return hash;
}
