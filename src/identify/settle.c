// Finds where a pattern settles without examining every generation.
//
// A second universe runs ahead. Its population and hash are computed every STRIDE generations only,
// because they take as long as some twenty generations. When the population has repeated over
// several of these samples, the cells are divided into objects. If the objects never meet, the
// hashes of the samples show between which two samples the pattern settles:
//
//     sample                  1        2        3        4        5        6
//     hash of the objects,    differs  differs  differs  equal    equal    equal
//     traced back                                   ^^^^^
// The universe itself then runs to the sample that differs. From there on every generation is
// compared, up to a generation from which the objects, at their places of that time, never meet.
#include "base/error.h"
#include "base/memory.h"
#include "identify/track.h"
#include "universe/live.h"
#include "universe/state.h"

enum {
    STRIDE = 16,
    SAMPLES = 4,         // that must repeat, beside one period of them
    PERIOD_SAMPLES = 16, // longest period of the population, in samples
    PERIOD_FIRST = 64,   // of objects, that the first division looks for
    PERIOD_MAX = 4096,   // of objects
    CELLS_MAX = 4096,    // of the first generation
    WORK_MAX = 1 << 20,  // live cells of all samples together; patterns that grow reach this soon
};

typedef struct sample {
    uint64_t population, hash;
} sample;

typedef struct search {
    lc_track *track;
    lc_universe *ahead;
    sample *samples; // of generations 0, STRIDE, 2 * STRIDE ...
    uint64_t count, room;
    uint64_t work;
    uint64_t next_check, longest; // as in lc_track
} search;

static lc_status take_sample(lc_universe *universe, sample *out, lc_message *message)
{
    lc_facts facts;
    const lc_status status =
        lc_universe_facts(universe, LC_FACT_POPULATION | LC_FACT_HASH, &facts, message);
    if (status == LC_OK && !lc_count_to_u64(facts.population, &out->population))
        return LC_ERROR_LIMIT;
    out->hash = facts.hash;
    return status;
}

static lc_status add_sample(search *s, lc_message *message)
{
    if (s->count == s->room) {
        const uint64_t room = 2 * s->room + 64;
        sample *samples = lc_realloc(s->samples, room * sizeof *samples);
        if (samples == NULL)
            return LC_ERROR_MEMORY;
        s->samples = samples;
        s->room = room;
    }
    const lc_status status = take_sample(s->ahead, &s->samples[s->count], message);
    if (status == LC_OK)
        s->work += s->samples[s->count++].population;
    return status;
}

// Writes cell *i of a sorted list, and those that follow within 64 columns. Advances *i.
static lc_status write_word(lc_universe *universe, const lc_live *live, size_t *i,
                            lc_message *message)
{
    const lc_live_cell first = live->at[*i];
    uint64_t word = 0;
    int64_t width = 0;
    for (; *i < live->count && live->at[*i].y == first.y && live->at[*i].x - first.x < 64; ++*i) {
        word |= UINT64_C(1) << (live->at[*i].x - first.x);
        width = live->at[*i].x - first.x + 1;
    }
    const lc_cells cells = lc_row_cells(first.x, first.y, width, &word);
    return lc_universe_write(universe, &cells, message);
}

static lc_status make_ahead(search *s, lc_message *message)
{
    lc_track *t = s->track;
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule = *lc_universe_rule(t->universe),
        .engine = "sparse",
        .threads = 1,
        .max_memory_bytes = lc_universe_limit_bytes(t->universe),
        .context = t->universe->context,
    };
    lc_status status = lc_universe_live(t->universe, CELLS_MAX, &t->live, message);
    if (status == LC_OK)
        status = lc_universe_create(&s->ahead, &options, message);
    for (size_t i = 0; i < t->live.count && status == LC_OK;)
        status = write_word(s->ahead, &t->live, &i, message);
    return status;
}

static bool has_period(const search *s, uint64_t period)
{
    if (2 * period + SAMPLES > s->count)
        return false;
    const sample *last = &s->samples[s->count - 1];
    for (uint64_t i = 0; i < period + SAMPLES; i++)
        if (last[-(int64_t)i].population != last[-(int64_t)(i + period)].population)
            return false;
    return true;
}

static bool is_steady(const search *s)
{
    for (uint64_t period = 1; period <= PERIOD_SAMPLES; period++)
        if (has_period(s, period))
            return true;
    return false;
}

static uint64_t now_of(const search *s)
{
    return (s->count - 1) * STRIDE;
}

// Divides the cells of the universe ahead into objects. Sets *settled if they never meet.
static lc_status check_objects(search *s, bool *settled, lc_message *message)
{
    lc_track *t = s->track;
    const uint64_t now = now_of(s);
    *settled = false;
    if (now < s->next_check || !is_steady(s))
        return LC_OK;
    lc_status status = lc_universe_live(s->ahead, t->cells_max, &t->live, message);
    if (status == LC_OK)
        status = lc_objects_find(&t->objects, &t->fates, &t->live, s->longest);
    *settled = status == LC_OK && t->objects.active.count == 0 && t->objects.period != 0 &&
               t->objects.period <= PERIOD_MAX && !lc_objects_will_meet(&t->objects);
    s->next_check = now + 2 * STRIDE + now / 16;
    s->longest = 2 * s->longest < PERIOD_MAX ? 2 * s->longest : PERIOD_MAX;
    return status;
}

static bool is_given_up(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    (void)context;
    (void)universe;
    (void)done;
    (void)total;
    return lc_check_give_up(NULL) != LC_OK;
}

static lc_status step(lc_universe *universe, uint64_t generations, lc_message *message)
{
    const lc_status status = lc_check_give_up(message);
    if (status != LC_OK)
        return status;
    return lc_universe_step(universe, lc_count_of(generations), is_given_up, NULL, message);
}

// Whether the objects never meet from `ago` generations before on, a multiple of their period.
static bool are_apart(const lc_objects *objects, uint64_t ago)
{
    for (size_t i = 0; i < objects->count; i++) {
        lc_part *part = &objects->at[i];
        part->x -= (int64_t)(ago / part->fate->period) * part->fate->dx;
        part->y -= (int64_t)(ago / part->fate->period) * part->fate->dy;
    }
    const bool meet = lc_objects_will_meet(objects);
    for (size_t i = 0; i < objects->count; i++) {
        lc_part *part = &objects->at[i];
        part->x += (int64_t)(ago / part->fate->period) * part->fate->dx;
        part->y += (int64_t)(ago / part->fate->period) * part->fate->dy;
    }
    return !meet;
}

// Runs the universe to generation `from`, in which the cells are not yet the objects, and on until
// they are and stay so.
static lc_status find_first(search *s, uint64_t from, lc_message *message)
{
    lc_track *t = s->track;
    const uint64_t now = now_of(s), period = t->objects.period;
    sample one;
    lc_status status = step(t->universe, from, message);
    for (uint64_t at = from + 1; status == LC_OK && at <= now; at++) {
        status = step(t->universe, 1, message);
        if (status == LC_OK)
            status = take_sample(t->universe, &one, message);
        if (status != LC_OK)
            break;
        if (lc_objects_hash(&t->objects, -(int64_t)(now - at)) != one.hash) {
            t->settles = 0;
        } else if (t->settles == 0) {
            t->settles = at;
            t->population = one.population;
        }
        if (t->settles != 0 &&
            (at == now || ((now - at) % period == 0 && are_apart(&t->objects, now - at))))
            break;
    }
    if (status == LC_OK && t->settles == 0)
        return lc_fail(message, LC_ERROR_MISMATCH, "two runs of the pattern differ");
    return status;
}

// Of cells that repeat as a whole: the least and the greatest population.
static lc_status find_populations(lc_track *t, lc_message *message)
{
    sample one;
    lc_status status = LC_OK;
    t->population_min = UINT64_MAX;
    for (uint64_t i = 0; i < t->period && status == LC_OK; i++) {
        status = take_sample(t->universe, &one, message);
        if (status != LC_OK)
            break;
        t->population_min = one.population < t->population_min ? one.population : t->population_min;
        t->population_max = one.population > t->population_max ? one.population : t->population_max;
        status = step(t->universe, 1, message);
    }
    return status;
}

// The objects of the universe ahead never meet. Traces them back.
static lc_status trace_back(search *s, lc_message *message)
{
    lc_track *t = s->track;
    const uint64_t now = now_of(s);
    uint64_t first = s->count - 1;
    while (first > 0 && lc_objects_hash(&t->objects, -(int64_t)(now - (first - 1) * STRIDE)) ==
                            s->samples[first - 1].hash)
        first--;
    if (first == 0) // from the start: no methuselah
        return LC_OK;
    lc_status status = find_first(s, (first - 1) * STRIDE, message);
    t->period = t->objects.period;
    if (status == LC_OK && lc_objects_move_alike(&t->objects, &t->dx, &t->dy))
        status = find_populations(t, message);
    t->now = now;
    if (status == LC_OK)
        t->end = LC_END_SETTLES;
    return status;
}

// The cells of the universe ahead have died within the last stride.
static lc_status find_death(search *s, lc_message *message)
{
    lc_track *t = s->track;
    sample one = {.population = 1};
    uint64_t at = now_of(s) - STRIDE;
    lc_status status = step(t->universe, at, message);
    while (status == LC_OK && one.population != 0) {
        status = step(t->universe, 1, message);
        if (status == LC_OK)
            status = take_sample(t->universe, &one, message);
        at++;
    }
    t->now = at;
    t->settles = at;
    t->period = 1;
    t->objects.count = 0;
    if (status == LC_OK)
        t->end = LC_END_SETTLES;
    return status;
}

static lc_status run(search *s, lc_message *message)
{
    lc_track *t = s->track;
    bool settled = false;
    lc_status status = make_ahead(s, NULL);
    if (status == LC_OK)
        status = add_sample(s, NULL);
    while (status == LC_OK && !settled && s->samples[s->count - 1].population != 0 &&
           s->work <= WORK_MAX && s->count * STRIDE <= t->generations_max) {
        status = step(s->ahead, STRIDE, message);
        if (status == LC_OK)
            status = add_sample(s, NULL);
        if (status == LC_OK)
            status = check_objects(s, &settled, NULL);
    }
    if (status == LC_ERROR_STOPPED)
        return status;
    if (status != LC_OK) // the universe itself may do better
        return LC_OK;
    if (settled)
        return trace_back(s, message);
    return s->count > 1 && s->samples[s->count - 1].population == 0 ? find_death(s, message)
                                                                    : LC_OK;
}

lc_status lc_track_settle(lc_track *track, lc_message *message)
{
    search s = {.track = track, .next_check = SAMPLES * STRIDE, .longest = PERIOD_FIRST};
    const lc_status status = run(&s, message);
    lc_universe_destroy(&s.ahead);
    lc_free(s.samples);
    return status;
}
