// The cycle that suits a pattern (sparse.h: what repeats within a cycle costs nothing).
//
// At first a cycle is 30 generations long. If much keeps on happening all the same, some tiles are
// listened to for a while, generation by generation, those that change and others. If some that
// change do so periodically, a cycle that holds their periods and those of the others is tried; in
// any case 30 and 32 are, of which the latter suits what moves: most spaceships are then where they
// were in a tile after a few rounds, and what they become is remembered (memo.h). The best is kept.
// It costs an eighth of the work at most.
#include <string.h>

#include "base/least.h"
#include "base/memory.h"
#include "engine/sparse/sparse.h"

enum {
    FIRST_VISITS = 1 << 16, // before it listens for the first time
    WARM_UP = 48,           // rounds besides a cycle
    MEASURED = 24,          // rounds besides a cycle
    SWITCHES = 3,           // rounds in which all tiles are awake because of what is tried
    SHARE = 8,              // of all work, that may be spent so
    PAIRS = 16,             // equal generations, at least, that make a period
    COMPUTED_COST = 5,      // of a window, in visits
    STRETCHED = 4,          // times, at most
};

static const double better = 0.95;  // than what is, or it is not changed
static const double too_much = 1.5; // times the work of the old cycle: a trial is ended

static lc_rhythm_cost cost_now(const lc_sparse *s)
{
    return (lc_rhythm_cost){s->visits + COMPUTED_COST * s->computed, s->rhythm.generations};
}

static double cost_since(const lc_sparse *s)
{
    const lc_rhythm_cost now = cost_now(s);
    return (double)(now.work - s->rhythm.begin.work) /
           (double)(now.generations - s->rhythm.begin.generations);
}

// Listening ---------------------------------------------------------------------------------------

// Takes a tile across a live one, so that windows of the present layer show it.
static void take_sample(const lc_sparse *s, lc_rhythm_sample *sample, lc_tile_index index, int q)
{
    const lc_tile *t = lc_tile_at(&s->plane, index);
    if (!t->used || t->layer != lc_sparse_layer(s) || t->across[q] == 0 ||
        lc_name_population(t->names[lc_sparse_copy(s, s->round)]) == 0)
        return;
    const lc_tile *c = lc_tile_at(&s->plane, t->across[q]);
    sample->index = t->across[q];
    sample->x = c->x;
    sample->y = c->y;
}

static void begin_to_listen(lc_sparse *s)
{
    lc_rhythm *r = &s->rhythm;
    r->samples = lc_calloc(LC_RHYTHM_SAMPLES, sizeof *r->samples);
    if (r->samples == NULL)
        return;
    for (int i = 0; i < LC_RHYTHM_SAMPLES; i++) {
        lc_rhythm_sample *sample = &r->samples[i];
        sample->is_awake = i < LC_RHYTHM_AWAKE;
        for (size_t attempt = 0; attempt < 64 && sample->index == 0; attempt++) {
            const uint64_t random =
                (s->visits + 64 * (uint64_t)i + attempt) * UINT64_C(0x9E3779B97F4A7C15) >> 16;
            lc_tile_index index = 0;
            if (sample->is_awake && s->changed.count > 0)
                index = s->changed.items[random % s->changed.count];
            else if (!sample->is_awake)
                index = (lc_tile_index)(random % lc_plane_end(&s->plane));
            if (lc_tile_if_used(&s->plane, index) != NULL)
                take_sample(s, sample, index, i % 4);
        }
    }
    r->state = LC_RHYTHM_LISTENS;
    r->began_at = s->visits;
    r->begin = cost_now(s);
    r->generation = 0;
    r->layer = lc_sparse_layer(s);
}

// What the samples are in the generations of the round that is to come.
static void listen(lc_sparse *s)
{
    lc_rhythm *r = &s->rhythm;
    const int generations = lc_sparse_generations(s), from = lc_sparse_copy(s, s->round);
    for (int i = 0; i < LC_RHYTHM_SAMPLES && lc_sparse_layer(s) == r->layer; i++) {
        _Alignas(64) uint32_t middle[LC_TILE_WORDS];
        lc_rhythm_sample *sample = &r->samples[i];
        const lc_tile *c = lc_tile_if_used(&s->plane, sample->index);
        if (c == NULL || c->x != sample->x || c->y != sample->y || c->layer == r->layer) {
            sample->index = 0;
            continue;
        }
        lc_window w = lc_sparse_window(s, c, from, 0, middle);
        for (int k = 1; k <= generations && r->generation + k < LC_RHYTHM_GENERATIONS; k++) {
            w.generations = k;
            memset(middle, 0, sizeof middle);
            const int live = s->step_window(&w).population;
            sample->names[r->generation + k] =
                lc_tile_name_of(&s->plane.secrets, middle, live).low | 1;
        }
    }
    r->generation += generations;
}

// The smallest period that nothing contradicts; 0: none.
static int period_of(const lc_rhythm_sample *sample)
{
    const uint64_t *names = sample->names;
    if (sample->index == 0)
        return 0;
    for (int period = 1; period <= LC_RHYTHM_GENERATIONS * 2 / 3; period++) {
        int pairs = 0;
        bool equal = true;
        for (int g = 0; g + period < LC_RHYTHM_GENERATIONS && equal; g++) {
            if (names[g] == 0 || names[g + period] == 0)
                continue;
            equal = names[g] == names[g + period];
            pairs++;
        }
        if (equal && pairs >= PAIRS)
            return period;
    }
    return 0;
}

static int least_common_multiple(int a, int b)
{
    int x = a, y = b;
    while (y != 0) {
        const int rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

// A cycle that holds all periods, as far as that is possible, those of tiles that change first.
// 0: none that change have a period.
static int cycle_of_samples(const lc_rhythm *r)
{
    int cycle = 1, awake = 0;
    for (int i = 0; i < LC_RHYTHM_SAMPLES; i++) {
        const int period = period_of(&r->samples[i]);
        if (period == 0 || least_common_multiple(cycle, period) > LC_SPARSE_CYCLE_MAX)
            continue;
        cycle = least_common_multiple(cycle, period);
        awake += r->samples[i].is_awake && r->cycles[0] % period != 0;
    }
    if (awake < 2)
        return 0;
    // A multiple whose rounds are long.
    int best = 0;
    for (int k = 1; k * cycle <= LC_SPARSE_CYCLE_MAX &&
                    (k <= STRETCHED || k * cycle <= 2 * LC_WINDOW_GENERATIONS_MAX);
         k++) {
        const double length = (double)(k * cycle) / lc_sparse_rounds_of(k * cycle);
        if (best == 0 || length > (double)best / lc_sparse_rounds_of(best) * 1.05)
            best = k * cycle;
    }
    return best;
}

// Trying ------------------------------------------------------------------------------------------

static void add_trial(lc_rhythm *r, int cycle)
{
    for (int i = 0; i < r->cycle_count; i++)
        if (r->cycles[i] == cycle)
            return;
    r->cycles[r->cycle_count++] = cycle;
}

static void rest(lc_sparse *s)
{
    lc_rhythm *r = &s->rhythm;
    r->state = LC_RHYTHM_WAITS;
    r->wakes_at = s->visits + SHARE * (s->visits - r->began_at) + FIRST_VISITS;
}

// Goes on with the next cycle to be tried, or with the best.
static void try_next(lc_sparse *s)
{
    lc_rhythm *r = &s->rhythm;
    while (++r->trial < r->cycle_count) {
        if (lc_sparse_set_cycle(s, r->cycles[r->trial], NULL) != LC_OK) {
            r->costs[r->trial] = r->costs[0] * 2; // there is no memory for it
            continue;
        }
        r->state = LC_RHYTHM_WARMS_UP;
        r->rounds_left = (uint64_t)(lc_sparse_cycle(s) + WARM_UP);
        const uint64_t rounds = r->rounds_left + (uint64_t)(lc_sparse_cycle(s) + MEASURED);
        r->most_work = cost_now(s).work + (uint64_t)(too_much * r->costs[0] * (double)rounds *
                                                     r->cycles[r->trial] / lc_sparse_cycle(s));
        return;
    }
    int best = 0;
    for (int i = 1; i < r->cycle_count; i++)
        if (r->costs[i] < r->costs[best] * better)
            best = i;
    if (r->cycles[best] != s->cycle_generations)
        (void)lc_sparse_set_cycle(s, r->cycles[best], NULL); // else it stays what it is
    rest(s);
}

static void end_listening(lc_sparse *s)
{
    lc_rhythm *r = &s->rhythm;
    r->cycles[0] = s->cycle_generations;
    r->costs[0] = cost_since(s);
    r->cycle_count = 1;
    r->trial = 0;
    const int heard = cycle_of_samples(r);
    if (heard != 0)
        add_trial(r, heard);
    add_trial(r, 30);
    add_trial(r, 32);
    lc_rhythm_stop(s);
    try_next(s);
}

// Only if all that sleeps may well be woken for it.
static void wake(lc_sparse *s)
{
    const uint64_t dear = SHARE * SWITCHES * s->plane.used_count;
    if (s->visits - s->rhythm.began_at < dear)
        s->rhythm.wakes_at = s->rhythm.began_at + dear;
    else
        begin_to_listen(s);
}

void lc_rhythm_stop(lc_sparse *s)
{
    lc_free(s->rhythm.samples);
    s->rhythm.samples = NULL;
    s->rhythm.state = LC_RHYTHM_WAITS;
}

void lc_rhythm_begin(lc_sparse *s)
{
    s->rhythm.wakes_at = FIRST_VISITS;
}

void lc_rhythm_before_round(lc_sparse *s)
{
    lc_rhythm *r = &s->rhythm;
    switch (r->state) {
    case LC_RHYTHM_WAITS:
        if (s->visits >= r->wakes_at)
            wake(s);
        break;
    case LC_RHYTHM_LISTENS:
        listen(s);
        if (r->generation >= LC_RHYTHM_GENERATIONS)
            end_listening(s);
        break;
    case LC_RHYTHM_WARMS_UP:
        if (cost_now(s).work > r->most_work) {
            r->costs[r->trial] = too_much * r->costs[0];
            try_next(s);
        } else if (--r->rounds_left == 0) {
            r->state = LC_RHYTHM_MEASURES;
            r->rounds_left = (uint64_t)(lc_sparse_cycle(s) + MEASURED);
            r->begin = cost_now(s);
        }
        break;
    case LC_RHYTHM_MEASURES:
        if (--r->rounds_left == 0) {
            r->costs[r->trial] = cost_since(s);
            try_next(s);
        }
        break;
    }
    r->generations += (uint64_t)lc_sparse_generations(s);
}
