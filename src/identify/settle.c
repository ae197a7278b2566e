// Finds where a pattern settles without examining every generation.
//
// The universe runs ahead. Its population and hash are computed every STRIDE generations only,
// because they take as long as some twenty generations. When the population has repeated over
// several of these samples, the cells are divided into objects. If the objects never meet, the
// hashes of the samples show between which two samples the pattern settles:
//
//     sample                  1        2        3        4        5        6
//     hash of the objects,    differs  differs  differs  equal    equal    equal
//     traced back                                   ^^^^^
// Now and then the cells themselves were kept. From the last of these copies before that place
// another universe runs to the sample that differs. From there on every generation is compared, up
// to a generation from which the objects, at their places of that time, never meet.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "identify/track.h"
#include "universe/universe_internal.h"
#include "universe/universe_live.h"

enum {
    STRIDE = 16,
    STRIDE_LATE = 64,
    LATE = 4096, // generation from which samples are further apart
    BETWEEN_COPIES = 128,
    SAMPLES = 4,         // that must repeat, beside one period of them
    FIRST_GROWTH = 64,   // samples after which growth is looked for
    GROWTH_PERIODS = 3,  // for which the growth must have been constant
    PERIOD_SAMPLES = 16, // longest period of the population, in samples
    PERIOD_FIRST = 64,   // of objects, that the first division looks for
    PERIOD_MAX = 4096,   // of objects
    CELLS_MAX = 4096,    // of the first generation
    WORK_MAX = 1 << 21,  // live cells of all samples together; patterns that grow reach this soon
};

typedef struct sample {
    uint64_t at; // generation
    uint64_t population, hash;
} sample;

// The cells of a generation.
typedef struct copy {
    uint64_t at;
    lc_live cells;
} copy;

typedef struct search {
    lc_track *track;
    lc_universe *ahead, *again; // `again` starts at a copy
    bool is_stepped;            // `ahead` is
    sample *samples;            // of generations 0, STRIDE, 2 * STRIDE ...
    size_t count, room;
    copy *copies;
    size_t copy_count, copy_room;
    uint64_t work;
    uint64_t next_check, longest; // as in lc_track
    uint64_t next_copy;           // generation
    uint64_t next_growth;         // number of samples
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

static lc_status add_sample(search *s, uint64_t at)
{
    if (!lc_grow(&s->samples, &s->room, s->count + 1, sizeof *s->samples))
        return LC_ERROR_MEMORY;
    const lc_status status = take_sample(s->ahead, &s->samples[s->count], NULL);
    s->samples[s->count].at = at;
    if (status == LC_OK)
        s->work += s->samples[s->count++].population;
    return status;
}

// Makes a universe with these cells.
static lc_status make_universe(const lc_track *t, const lc_live *cells, lc_universe **out,
                               lc_message *message)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule = lc_universe_rule(t->universe),
        .engine = "sparse",
        .threads = 1,
        .max_memory_bytes = lc_universe_info_of(t->universe).limit_bytes,
        .context = t->universe->context,
    };
    const lc_status status = lc_universe_create(out, &options, message);
    return status == LC_OK ? lc_universe_write_live(*out, cells, message) : status;
}

static uint64_t now_of(const search *s)
{
    return s->samples[s->count - 1].at;
}

// Keeps a copy of the cells of a universe in generation `at`.
static lc_status add_copy(search *s, const lc_universe *universe, uint64_t at, uint64_t most)
{
    if (!lc_grow(&s->copies, &s->copy_room, s->copy_count + 1, sizeof *s->copies))
        return LC_ERROR_MEMORY;
    copy *new = &s->copies[s->copy_count++];
    *new = (copy){.at = at};
    s->next_copy = at + (at / 8 > BETWEEN_COPIES ? at / 8 : BETWEEN_COPIES);
    return lc_universe_live(universe, most, &new->cells, NULL);
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

// Returns whether the population has grown by the same number in each period: then it need not be
// followed any further here.
static bool is_growing(search *s)
{
    if (s->count < s->next_growth)
        return false;
    s->next_growth = s->count + s->count / 2;
    const sample *last = &s->samples[s->count - 1];
    for (uint64_t period = 1; (GROWTH_PERIODS + 2) * period <= s->count; period++) {
        const int64_t more = (int64_t)(last->population - last[-(int64_t)period].population);
        uint64_t i = 0;
        while (i < GROWTH_PERIODS * period &&
               (int64_t)(last[-(int64_t)i].population - last[-(int64_t)(i + period)].population) ==
                   more)
            i++;
        if (more > 0 && i == GROWTH_PERIODS * period)
            return true;
    }
    return false;
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
    s->next_check = now + 2 * STRIDE + now / (s->longest < PERIOD_MAX ? 16 : 2);
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

// Returns whether the objects never meet from `ago` generations before on, a multiple of their
// period.
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

// Makes the universe `again`, and runs it from the last copy before to generation `to`.
static lc_status run_again(search *s, uint64_t to, lc_message *message)
{
    size_t i = s->copy_count - 1;
    while (s->copies[i].at > to)
        i--;
    const lc_status status = make_universe(s->track, &s->copies[i].cells, &s->again, message);
    return status == LC_OK ? step(s->again, to - s->copies[i].at, message) : status;
}

// Goes from generation `from`, in which the cells are not yet the objects, on until they are and
// stay so.
static lc_status find_first(search *s, uint64_t from, lc_message *message)
{
    lc_track *t = s->track;
    const uint64_t now = now_of(s), period = t->objects.period;
    sample one;
    lc_status status = run_again(s, from, message);
    for (uint64_t at = from + 1; status == LC_OK && at <= now; at++) {
        status = step(s->again, 1, message);
        if (status == LC_OK)
            status = take_sample(s->again, &one, message);
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
static lc_status find_populations(search *s, lc_message *message)
{
    lc_track *t = s->track;
    sample one;
    lc_status status = LC_OK;
    t->population_min = UINT64_MAX;
    for (uint64_t i = 0; i < t->period && status == LC_OK; i++) {
        status = take_sample(s->again, &one, message);
        if (status != LC_OK)
            break;
        t->population_min = one.population < t->population_min ? one.population : t->population_min;
        t->population_max = one.population > t->population_max ? one.population : t->population_max;
        status = step(s->again, 1, message);
    }
    return status;
}

// The objects of the universe ahead never meet. Traces them back.
static lc_status trace_back(search *s, lc_message *message)
{
    lc_track *t = s->track;
    const uint64_t now = now_of(s);
    uint64_t first = s->count - 1;
    while (first > 0 && lc_objects_hash(&t->objects, -(int64_t)(now - s->samples[first - 1].at)) ==
                            s->samples[first - 1].hash)
        first--;
    if (first == 0) // from the start: no methuselah
        return LC_OK;
    lc_status status = find_first(s, s->samples[first - 1].at, message);
    t->period = t->objects.period;
    if (status == LC_OK && lc_objects_move_alike(&t->objects, &t->dx, &t->dy))
        status = find_populations(s, message);
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
    uint64_t at = s->samples[s->count - 2].at;
    lc_status status = run_again(s, at, message);
    while (status == LC_OK && one.population != 0) {
        status = step(s->again, 1, message);
        if (status == LC_OK)
            status = take_sample(s->again, &one, message);
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

// Chooses the universe that runs ahead: the track's, unless its engine is slow at small patterns.
static lc_status take_ahead(search *s)
{
    lc_track *t = s->track;
    if (strcmp(lc_universe_info_of(t->universe).engine, "sparse") != 0)
        return make_universe(t, &s->copies[0].cells, &s->ahead, NULL);
    s->ahead = t->universe;
    return LC_OK;
}

static uint64_t stride_at(uint64_t now)
{
    return now < LATE ? STRIDE : STRIDE_LATE;
}

// Returns whether the next sample is still to be taken.
static bool goes_on(search *s)
{
    const uint64_t now = now_of(s);
    return s->samples[s->count - 1].population != 0 && s->work <= WORK_MAX &&
           stride_at(now) <= s->track->generations_max - now && !is_growing(s);
}

// Runs ahead to the next sample.
static lc_status run_ahead(search *s, lc_message *message)
{
    const uint64_t now = now_of(s), stride = stride_at(now);
    s->is_stepped = true;
    lc_status status = step(s->ahead, stride, message);
    if (status == LC_OK)
        status = add_sample(s, now + stride);
    if (status == LC_OK && now + stride >= s->next_copy)
        status = add_copy(s, s->ahead, now + stride, s->track->cells_max);
    return status;
}

static lc_status run(search *s, lc_message *message)
{
    lc_track *t = s->track;
    bool settled = false;
    lc_status status = add_copy(s, t->universe, 0, CELLS_MAX);
    if (status == LC_OK)
        status = take_ahead(s);
    if (status == LC_OK)
        status = add_sample(s, 0);
    while (status == LC_OK && !settled && goes_on(s)) {
        status = run_ahead(s, NULL);
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
    search s = {.track = track,
                .next_check = SAMPLES * STRIDE,
                .longest = PERIOD_FIRST,
                .next_growth = FIRST_GROWTH};
    lc_status status = run(&s, message);
    if (status == LC_OK && track->end == LC_END_LIMIT && s.ahead == track->universe &&
        s.is_stepped) {
        status = make_universe(track, &s.copies[0].cells, &track->own, message);
        track->universe = track->own;
    } else if (s.ahead != track->universe) {
        lc_universe_destroy(&s.ahead);
    }
    lc_universe_destroy(&s.again);
    for (size_t i = 0; i < s.copy_count; i++)
        lc_live_free(&s.copies[i].cells);
    lc_free(s.copies);
    lc_free(s.samples);
    return status;
}
