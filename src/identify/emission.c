// See emission.h.
#include "identify/emission.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "identify/proof.h"
#include "universe/universe_live.h"

enum {
    MULTIPLES = 4,      // of the population's period; the objects may take turns that it hides
    PHASES = 4,         // in which each multiple is tried
    LONG = 2,           // phase from which on only the first one is: the search takes long there
    WORK_MAX = 1 << 28, // as of lc_field, of all divisions together: some seconds
    PERIOD_MIN = 64,
    PERIOD_MAX = 1 << 12, // of objects
};

void lc_emission_free(lc_emission *emission)
{
    lc_objects_free(&emission->emitted);
    *emission = (lc_emission){0};
}

static void free_engines(lc_proof *p)
{
    for (size_t i = 0; i < p->count; i++) {
        lc_live_free(&p->engines[i].cells);
        lc_objects_free(&p->engines[i].emitted);
    }
    p->count = 0;
}

// ---- engines ------------------------------------------------------------------------------------

// Live cells, in groups of cells near each other.
typedef struct division {
    const lc_live *cells;
    uint32_t *group_of;
    size_t groups;
} division;

static bool divide(division *d, const lc_live *cells, bool square)
{
    uint32_t *scratch = lc_malloc(cells->count * sizeof *scratch);
    d->cells = cells;
    d->group_of = lc_malloc(cells->count * sizeof *d->group_of);
    const bool ok = scratch != NULL && d->group_of != NULL;
    if (ok)
        d->groups = lc_live_groups(cells, square, d->group_of, scratch);
    lc_free(scratch);
    return ok;
}

// Returns the next cell of a group behind cell i; the number of cells if there is none.
static size_t next_of(const division *d, size_t i, uint32_t group)
{
    for (i++; i < d->cells->count && d->group_of[i] != group;)
        i++;
    return i;
}

// Returns whether group `b` of `to` is group `a` of `from`, moved by (*dx, *dy).
static bool is_moved(const division *from, uint32_t a, const division *to, uint32_t b, int64_t *dx,
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

// Adds group `a` to the engine that moves so.
static lc_status add_to_engine(lc_proof *p, const division *from, uint32_t a, int64_t dx,
                               int64_t dy)
{
    size_t i = 0;
    while (i < p->count && (p->engines[i].dx != dx || p->engines[i].dy != dy))
        i++;
    if (i == LC_ENGINES_MAX)
        return LC_NOT_PROVED;
    if (i == p->count)
        p->engines[p->count++] = (lc_emitter){.dx = dx, .dy = dy};
    for (size_t k = next_of(from, SIZE_MAX, a); k < from->cells->count; k = next_of(from, k, a))
        if (!lc_live_add(&p->engines[i].cells, from->cells->at[k].x, from->cells->at[k].y))
            return LC_ERROR_MEMORY;
    return LC_OK;
}

// Finds for each group a group of the later generation that has the same shape.
static lc_status match_groups(lc_proof *p, const division *from, const division *to, bool *taken)
{
    lc_status status = from->groups == to->groups ? LC_OK : LC_NOT_PROVED;
    for (uint32_t a = 0; a < from->groups && status == LC_OK; a++) {
        int64_t dx = 0, dy = 0;
        uint32_t b = 0;
        while (b < to->groups && (taken[b] || !is_moved(from, a, to, b, &dx, &dy)))
            b++;
        if (b == to->groups)
            return LC_NOT_PROVED;
        taken[b] = true;
        status = add_to_engine(p, from, a, dx, dy);
    }
    return status;
}

// Finds the engines by their cells in two generations.
static lc_status find_engines(lc_proof *p, const lc_live *first, const lc_live *second, bool square)
{
    if (first->count == 0 || first->count != second->count)
        return LC_NOT_PROVED;
    const int64_t dx = second->at[0].x - first->at[0].x, dy = second->at[0].y - first->at[0].y;
    if (lc_live_equal(first, second, dx, dy)) {
        p->engines[p->count++] = (lc_emitter){.dx = dx, .dy = dy};
        return lc_live_add_all(&p->engines[0].cells, first) ? LC_OK : LC_ERROR_MEMORY;
    }
    division from = {0}, to = {0};
    bool *taken = lc_calloc(second->count, sizeof *taken);
    lc_status status = LC_ERROR_MEMORY;
    if (taken != NULL && divide(&from, first, square) && divide(&to, second, square))
        status = match_groups(p, &from, &to, taken);
    for (size_t i = 0; i < p->count; i++)
        lc_live_sort(&p->engines[i].cells);
    lc_free(from.group_of);
    lc_free(to.group_of);
    lc_free(taken);
    return status;
}

// ---- what an engine does alone ------------------------------------------------------------------

// Returns whether the field has all cells of the engine, moved by (dx, dy).
static bool has_engine(const lc_field *f, const lc_emitter *e, int64_t dx, int64_t dy)
{
    if (f->population < e->cells.count)
        return false;
    for (size_t i = 0; i < e->cells.count; i++) {
        const int64_t x = e->cells.at[i].x + dx - f->x, y = e->cells.at[i].y + dy - f->y;
        if (!lc_field_has_any(f, x, y, x, y))
            return false;
    }
    return true;
}

// Widens the engine's strip by the field's cells, `generation` generations later.
static void widen_strip(lc_emitter *e, const lc_field *f, uint64_t generation)
{
    const lc_wide period = e->strip.period, t = (lc_wide)generation;
    const lc_wide low[] = {period * (f->x + f->left) - e->dx * t,
                           period * (f->y + f->top) - e->dy * t};
    const lc_wide high[] = {period * (f->x + f->right) - e->dx * t,
                            period * (f->y + f->bottom) - e->dy * t};
    for (size_t axis = 0; axis < 2; axis++) {
        if (generation == 0 || low[axis] < e->strip.low[axis])
            e->strip.low[axis] = low[axis];
        if (generation == 0 || high[axis] > e->strip.high[axis])
            e->strip.high[axis] = high[axis];
    }
}

// Divides the field's cells. All cells but those of the engine, which has moved, must be objects.
static lc_status find_emitted(lc_proof *p, lc_emitter *e)
{
    lc_live all = {0};
    lc_status status = lc_field_read(&p->field, &all) ? LC_OK : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lc_objects_find(&e->emitted, &p->track->fates, &all, p->limit);
    if (status == LC_OK && (!lc_live_equal(&e->cells, &e->emitted.active, e->dx, e->dy) ||
                            lc_objects_will_meet(&e->emitted)))
        status = LC_NOT_PROVED;
    lc_live_free(&all);
    return status;
}

// Steps an engine for a period.
static lc_status run_engine(lc_proof *p, lc_emitter *e)
{
    e->strip = (lc_strip){.period = (int64_t)p->period, .dx = e->dx, .dy = e->dy};
    lc_status status = lc_field_set(&p->field, &e->cells);
    for (uint64_t t = 0; t < p->period && status == LC_OK; t++) {
        if (p->field.population == 0)
            return LC_NOT_PROVED;
        widen_strip(e, &p->field, t);
        status = lc_field_step(&p->field);
    }
    if (status == LC_OK && !has_engine(&p->field, e, e->dx, e->dy))
        status = LC_NOT_PROVED;
    return status == LC_OK ? find_emitted(p, e) : status;
}

// Clears fails[t] for those t after which all engines have the same cells again, at places on their
// ways. The whole period may be a multiple of such a t, since emitted objects can hide it.
static lc_status find_periods(lc_proof *p, bool *fails)
{
    const uint64_t whole = p->period, grows_in = p->track->period;
    const int64_t growth = p->track->growth, of = (int64_t)whole;
    lc_status status = LC_OK;
    for (size_t i = 0; i < p->count && status == LC_OK; i++) {
        const lc_emitter *e = &p->engines[i];
        status = lc_field_set(&p->field, &e->cells);
        for (uint64_t t = 1; t < whole && status == LC_OK; t++) {
            const int64_t x = e->dx * (int64_t)t, y = e->dy * (int64_t)t;
            status = lc_field_step(&p->field);
            fails[t] |= whole % t != 0 || x % of != 0 || y % of != 0 ||
                        growth * (int64_t)t % (int64_t)grows_in != 0 ||
                        !has_engine(&p->field, e, x / of, y / of);
        }
    }
    return status;
}

// ---- the search ---------------------------------------------------------------------------------

// An engine also needs the objects that it touches in later periods, such as a glider on its way
// between two reflectors. So in later phases groups are stepped together for longer.
static uint64_t limit_of(uint64_t period, uint64_t phase)
{
    const uint64_t times = UINT64_C(1) << 2 * phase;
    return period < PERIOD_MIN / times   ? PERIOD_MIN
           : period > PERIOD_MAX / times ? PERIOD_MAX
                                         : times * period;
}

static lc_status find_objects(lc_objects *objects, lc_track *track, uint64_t limit,
                              lc_message *message)
{
    lc_status status = lc_universe_live(track->universe, track->cells_max, &track->live, message);
    if (status == LC_OK)
        status = lc_objects_find(objects, &track->fates, &track->live, limit);
    return status;
}

static lc_status set_emission(lc_emission *emission, const lc_proof *p)
{
    emission->period = p->period;
    emission->start = p->start;
    emission->dx = p->engines[0].dx;
    emission->dy = p->engines[0].dy;
    for (size_t i = 0; i < p->count; i++) {
        const lc_emitter *e = &p->engines[i];
        emission->moves |= e->dx != 0 || e->dy != 0;
        if (!lc_objects_add_all(&emission->emitted, &e->emitted))
            return LC_ERROR_MEMORY;
    }
    if (p->count > 1) // engines with one movement are one engine
        emission->dx = emission->dy = 0;
    return LC_OK;
}

static size_t count_emitted(const lc_proof *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        count += p->engines[i].emitted.count;
    return count;
}

// Proves that the engines do the same in each `period`.
static lc_status prove_period(lc_proof *p, uint64_t period)
{
    lc_status status = LC_OK;
    for (size_t i = 0; i < p->count; i++) {
        lc_emitter *e = &p->engines[i];
        e->dx = e->dx * (int64_t)period / (int64_t)p->period;
        e->dy = e->dy * (int64_t)period / (int64_t)p->period;
    }
    p->period = period;
    for (size_t i = 0; i < p->count && status == LC_OK; i++)
        status = run_engine(p, &p->engines[i]);
    return status == LC_OK && count_emitted(p) == 0 ? LC_NOT_PROVED
           : status == LC_OK                        ? lc_proof_compare(p)
                                                    : status;
}

// Returns what the hash of the cells is after so many periods, according to the proof.
static uint64_t hash_after(const lc_proof *p, int64_t periods)
{
    const int64_t period = (int64_t)p->period;
    uint64_t hash = lc_objects_hash(p->objects, periods * period);
    for (size_t i = 0; i < p->count; i++) {
        const lc_emitter *e = &p->engines[i];
        hash = lc_hash_joined(
            hash, lc_hash_moved(lc_live_hash(&e->cells), periods * e->dx, periods * e->dy));
        for (int64_t k = 0; k < periods; k++)
            hash = lc_hash_joined(
                hash, lc_hash_moved(lc_objects_hash(&e->emitted, (periods - 1 - k) * period),
                                    k * e->dx, k * e->dy));
    }
    return hash;
}

// Compares the hashes that follow from the proof with those of the track.
static lc_status compare_with_track(const lc_proof *p)
{
    for (uint64_t at = p->start + p->period; at <= p->track->now; at += p->period)
        if (hash_after(p, (int64_t)((at - p->start) / p->period)) != p->track->history[at].hash)
            return LC_NOT_PROVED;
    return LC_OK;
}

static lc_status prove(lc_emission *emission, lc_proof *p)
{
    const lc_proof whole = *p;
    bool *fails = lc_calloc((size_t)whole.period + 1, sizeof *fails);
    lc_status status = fails != NULL ? find_periods(p, fails) : LC_ERROR_MEMORY;
    bool proved = false;
    for (uint64_t t = 1; t <= whole.period && !proved && status == LC_OK; t++) {
        if (fails[t])
            continue;
        for (size_t i = 0; i < p->count; i++) {
            p->engines[i].dx = whole.engines[i].dx;
            p->engines[i].dy = whole.engines[i].dy;
        }
        p->period = whole.period;
        status = prove_period(p, t);
        if (status == LC_OK)
            status = compare_with_track(p);
        proved = status == LC_OK;
        status = status == LC_NOT_PROVED ? LC_OK : status;
    }
    lc_free(fails);
    return proved ? set_emission(emission, p) : status;
}

// Tries to prove that the engines of `first` are there again, on their ways, in `second`.
static lc_status try_period(lc_emission *emission, lc_track *track, const lc_objects *first,
                            const lc_objects *second, uint64_t period, uint64_t limit)
{
    lc_proof p = {.track = track,
                  .objects = first,
                  .start = track->now - period,
                  .limit = limit,
                  .period = period,
                  .field = lc_field_of(&track->fates.rule)};
    lc_status status =
        find_engines(&p, &first->active, &second->active, track->fates.rule.groups_are_square);
    if (status == LC_OK)
        status = prove(emission, &p);
    free_engines(&p);
    lc_field_free(&p.field);
    lc_objects_free(&p.near);
    return status == LC_NOT_PROVED ? LC_OK : status;
}

static bool has_worked_enough(const lc_track *track)
{
    return track->fates.field.work > WORK_MAX;
}

// Tries the first multiples of the population's period in one phase.
static lc_status try_phase(lc_emission *emission, lc_track *track, uint64_t multiples,
                           uint64_t limit, lc_message *message)
{
    lc_objects first = {0}, second = {0};
    lc_status status = find_objects(&first, track, limit, message);
    for (uint64_t i = 1;
         i <= multiples && status == LC_OK && emission->period == 0 && !has_worked_enough(track);
         i++) {
        status = lc_track_advance(track, track->period, message);
        if (status == LC_OK)
            status = find_objects(&second, track, limit, message);
        if (status == LC_OK)
            status = try_period(emission, track, &first, &second, i * track->period, limit);
    }
    lc_objects_free(&first);
    lc_objects_free(&second);
    return status;
}

lc_status lc_find_emission(lc_emission *emission, lc_track *track, lc_message *message)
{
    lc_status status = LC_OK;
    for (uint64_t i = 0;
         i < PHASES && status == LC_OK && emission->period == 0 && !has_worked_enough(track); i++) {
        // In another phase the engine may be further away from its debris.
        if (i != 0)
            status = lc_track_advance(track, track->period / PHASES + 1, message);
        if (status == LC_OK)
            status = try_phase(emission, track, i < LONG ? MULTIPLES : 1,
                               limit_of(track->period, i), message);
    }
    // There are too many cells or spaceships, or generations: the growth stays unproved.
    if (status == LC_ERROR_LIMIT)
        return LC_OK;
    return status == LC_ERROR_MEMORY ? lc_fail_memory(message, "objects") : status;
}

// ---- what a front leaves behind -----------------------------------------------------------------

static size_t count_like(const lc_objects *objects, size_t most, const lc_fate *fate)
{
    size_t count = 0;
    for (size_t i = 0; i < most; i++)
        count += lc_fates_are_alike(objects->at[i].fate, fate);
    return count;
}

// Adds those objects of `second` that are more than in `first`. False: out of memory.
static bool add_more(lc_objects *added, const lc_objects *first, const lc_objects *second)
{
    for (size_t i = 0; i < second->count; i++) {
        const lc_objects one = {.at = &second->at[i], .count = 1};
        const lc_fate *fate = second->at[i].fate;
        if (count_like(second, i, fate) >= count_like(first, first->count, fate) &&
            !lc_objects_add_all(added, &one))
            return false;
    }
    return true;
}

lc_status lc_find_left_behind(lc_emission *emission, lc_track *track, int64_t dx, int64_t dy,
                              lc_message *message)
{
    const uint64_t limit = limit_of(track->period, 0);
    lc_objects first = {0}, second = {0};
    lc_status status = find_objects(&first, track, limit, message);
    for (uint64_t i = 0; i < PHASES && status == LC_OK && emission->period == 0; i++) {
        status = lc_track_advance(track, track->period, message);
        if (status == LC_OK)
            status = find_objects(&second, track, limit, message);
        if (status == LC_OK && first.active.count != 0 &&
            lc_live_equal(&first.active, &second.active, dx, dy) && second.count > first.count) {
            *emission = (lc_emission){.period = track->period, .moves = true, .dx = dx, .dy = dy};
            status = add_more(&emission->emitted, &first, &second) ? LC_OK : LC_ERROR_MEMORY;
        } else if (status == LC_OK) {
            status = lc_track_advance(track, track->period / PHASES + 1, message);
            if (status == LC_OK)
                status = find_objects(&first, track, limit, message);
        }
    }
    lc_objects_free(&first);
    lc_objects_free(&second);
    if (status == LC_ERROR_LIMIT)
        return LC_OK;
    return status == LC_ERROR_MEMORY ? lc_fail_memory(message, "objects") : status;
}
