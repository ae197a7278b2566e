// See emission.h.
#include "identify/emission.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "universe/live.h"

enum {
    MULTIPLES = 4, // of the population's period; the objects may take turns that it hides
    PHASES = 4,    // in which each multiple is tried
    PERIOD_MIN = 64,
    PERIOD_MAX = 1 << 12, // of objects
};

void lc_emission_free(lc_emission *emission)
{
    lc_objects_free(&emission->first);
    lc_objects_free(&emission->second);
    *emission = (lc_emission){0};
}

static bool are_same_kind(const lc_fate *a, const lc_fate *b)
{
    if (a->code != NULL && b->code != NULL)
        return strcmp(a->code, b->code) == 0;
    return a->code == b->code && a->period == b->period && a->cells_min == b->cells_min &&
           a->cells_max == b->cells_max;
}

static int64_t count_of(const lc_objects *objects, const lc_fate *fate)
{
    int64_t count = 0;
    for (size_t i = 0; i < objects->count; i++)
        count += are_same_kind(objects->at[i].fate, fate);
    return count;
}

int64_t lc_emitted(const lc_emission *emission, const lc_fate *fate)
{
    return count_of(&emission->second, fate) - count_of(&emission->first, fate);
}

// Whether from the first to the second generation all objects become more, or as many, by the same
// numbers as from the second to the third.
static bool is_same_growth(const lc_objects *first, const lc_objects *second,
                           const lc_objects *third)
{
    const lc_objects *all[] = {first, third};
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < all[k]->count; i++) {
            const lc_fate *fate = all[k]->at[i].fate;
            const int64_t a = count_of(first, fate), b = count_of(second, fate);
            if (b < a || count_of(third, fate) - b != b - a)
                return false;
        }
    }
    return true;
}

// The cells of an engine, in groups of cells near each other.
typedef struct engine {
    const lc_live *cells;
    uint32_t *group_of;
    size_t groups;
} engine;

static bool divide(engine *e, const lc_live *cells, bool square)
{
    uint32_t *scratch = lc_malloc(cells->count * sizeof *scratch);
    e->cells = cells;
    e->group_of = lc_malloc(cells->count * sizeof *e->group_of);
    const bool ok = scratch != NULL && e->group_of != NULL;
    if (ok)
        e->groups = lc_live_groups(cells, square, e->group_of, scratch);
    lc_free(scratch);
    return ok;
}

// Returns the next cell of a group behind cell i; the number of cells if there is none.
static size_t next_of(const engine *e, size_t i, uint32_t group)
{
    for (i++; i < e->cells->count && e->group_of[i] != group;)
        i++;
    return i;
}

// Whether group `b` of `to` is group `a` of `from`, moved by (*dx, *dy).
static bool is_moved(const engine *from, uint32_t a, const engine *to, uint32_t b, int64_t *dx,
                     int64_t *dy)
{
    size_t i = next_of(from, SIZE_MAX, a), k = next_of(to, SIZE_MAX, b);
    *dx = to->cells->at[k].x - from->cells->at[i].x;
    *dy = to->cells->at[k].y - from->cells->at[i].y;
    while (i < from->cells->count && k < to->cells->count) {
        if (from->cells->at[i].x + *dx != to->cells->at[k].x ||
            from->cells->at[i].y + *dy != to->cells->at[k].y)
            return false;
        i = next_of(from, i, a);
        k = next_of(to, k, b);
    }
    return i == from->cells->count && k == to->cells->count;
}

// Finds for each group of one engine a group of the other that has the same shape. False: there is
// none. Sets the move that they have in common, or (0, 0).
static bool match(const engine *from, const engine *to, bool *taken, lc_move *move)
{
    *move = (lc_move){0};
    if (from->groups != to->groups)
        return false;
    for (uint32_t a = 0; a < from->groups; a++) {
        int64_t dx = 0, dy = 0;
        uint32_t b = 0;
        while (b < to->groups && (taken[b] || !is_moved(from, a, to, b, &dx, &dy)))
            b++;
        if (b == to->groups)
            return false;
        taken[b] = true;
        move->differs |= a != 0 && (dx != move->dx || dy != move->dy);
        move->moves |= dx != 0 || dy != 0;
        move->dx = dx;
        move->dy = dy;
    }
    if (move->differs)
        move->dx = move->dy = 0;
    return true;
}

// How far the engine has moved from one generation to the other. LC_ERROR_UNSUPPORTED: it is not
// the same.
static lc_status find_move(const lc_objects *first, const lc_objects *second, bool square,
                           lc_move *move)
{
    engine from = {0}, to = {0};
    bool *taken = lc_calloc(second->active.count + 1, sizeof *taken);
    lc_status status = LC_ERROR_MEMORY;
    if (taken != NULL && divide(&from, &first->active, square) &&
        divide(&to, &second->active, square))
        status = match(&from, &to, taken, move) ? LC_OK : LC_ERROR_UNSUPPORTED;
    lc_free(from.group_of);
    lc_free(to.group_of);
    lc_free(taken);
    return status;
}

static lc_status find_objects(lc_objects *objects, lc_track *track, uint64_t period,
                              lc_message *message)
{
    const uint64_t limit = period < PERIOD_MIN   ? PERIOD_MIN
                           : period > PERIOD_MAX ? PERIOD_MAX
                                                 : period;
    lc_status status = lc_universe_live(track->universe, track->cells_max, &track->live, message);
    if (status == LC_OK)
        status = lc_objects_find(objects, &track->fates, &track->live, limit);
    return status;
}

static lc_status step(lc_track *track, uint64_t generations, lc_message *message)
{
    lc_status status = LC_OK;
    for (uint64_t i = 0; i < generations && status == LC_OK; i++)
        status = lc_track_step(track, message);
    return status;
}

// One period is tried. LC_ERROR_LIMIT: there are too many cells or spaceships.
static lc_status try_period(lc_emission *emission, lc_track *track, uint64_t period,
                            lc_message *message)
{
    const bool square = track->fates.rule.groups_are_square;
    lc_objects third = {0};
    lc_move move, again;
    lc_status status = find_objects(&emission->first, track, period, message);
    if (status == LC_OK)
        status = step(track, period, message);
    if (status == LC_OK)
        status = find_objects(&emission->second, track, period, message);
    if (status == LC_OK)
        status = find_move(&emission->first, &emission->second, square, &move);
    if (status == LC_OK)
        status = step(track, period, message);
    if (status == LC_OK)
        status = find_objects(&third, track, period, message);
    if (status == LC_OK)
        status = find_move(&emission->second, &third, square, &again);
    if (status == LC_OK && move.dx == again.dx && move.dy == again.dy &&
        move.differs == again.differs && move.moves == again.moves &&
        is_same_growth(&emission->first, &emission->second, &third)) {
        emission->period = period;
        emission->move = move;
    }
    lc_objects_free(&third);
    if (status == LC_ERROR_MEMORY)
        return lc_fail_memory(message, "objects");
    return status == LC_ERROR_UNSUPPORTED ? LC_OK : status;
}

lc_status lc_find_emission(lc_emission *emission, lc_track *track, lc_message *message)
{
    lc_status status = LC_OK;
    for (uint64_t i = 0; i < PHASES * MULTIPLES && status == LC_OK; i++) {
        status = try_period(emission, track, (i % MULTIPLES + 1) * track->period, message);
        if (emission->period != 0)
            break;
        // In another phase the engine may be easier to tell from what it leaves behind.
        if (status == LC_OK && (i + 1) % MULTIPLES == 0)
            status = step(track, track->period / PHASES + 1, message);
    }
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}
