// Period detection: finds a good cycle length for a pattern (sparse.h: periods that divide a cycle
// cost nothing).
//
// On a plane or tube a cycle first has 32 generations. That suits spaceships: most return to the
// same place in a tile after a few rounds, and their windows are memoised (sparse_memo.h). Soon the
// search tries 30, which suits circuits. A board mostly settles, so it begins with 30 and tries 32.
// If the pattern stays active, the search samples some tiles for a while, changing ones and others,
// generation by generation. If some changing tiles are periodic, it tries cycles that are multiples
// of their periods. It tries 30 and 32 in any case, and keeps the best cycle. The search costs at
// most an eighth of the work, and less and less while it finds nothing better.
#include <string.h>

#include "base/least.h"
#include "engine/sparse/sparse.h"

enum {
    FIRST_VISITS = 1 << 13, // before 30 and 32 are compared
    VISITS = 1 << 16,       // before the first sampling
    WARM_UP = 48,           // rounds besides a cycle
    MEASURED = 24,          // rounds besides a cycle
    SWITCHES = 3,           // rounds of a trial in which all tiles are awake
    SHARE = 8,              // one part in so many of all work may go to trials
    PAIRS = 16,             // pairs of equal generations that a period needs
    COMPUTED_COST = 2,      // of computing a window, in tile updates
    STRETCHED = 4,          // largest factor of a cycle for longer rounds
    DOUBLINGS = 6,          // of the interval between trials, at most
};

static const size_t samples_bytes = LC_PERIOD_SEARCH_SAMPLES * sizeof(lc_period_search_sample);
static const double better = 0.95;        // factor: a new cycle must cost less than this
static const double far_better = 0.25;    // factor: at less than this the other trials are skipped
static const double of_a_copy = 1.0 / 32; // extra cost of a copy, because it takes more memory
static const double grown = 1.5;          // factor of the cost at the last decision: a trial is due
static const double too_much = 1.5;       // factor of the best cost so far: a trial is ended

static lc_period_search_cost cost_now(const lc_sparse *s)
{
    return (lc_period_search_cost){s->visits + COMPUTED_COST * s->computed,
                                   s->period_search.generations};
}

static double cost_since(const lc_sparse *s)
{
    const lc_period_search_cost now = cost_now(s);
    return (double)(now.work - s->period_search.begin.work) /
           (double)(now.generations - s->period_search.begin.generations) *
           (1 + s->plane.copies * of_a_copy);
}

// Sampling ----------------------------------------------------------------------------------------

// Samples a tile that overlaps a live one, so that windows of the current layer compute it.
static void take_sample(const lc_sparse *s, lc_period_search_sample *sample, lc_tile_index index,
                        int q)
{
    const lc_tile *t = lc_tile_at(&s->plane, index);
    if (!t->used || t->layer != lc_sparse_layer(s) || t->across[q] == 0 ||
        lc_tile_hash_population(t->names[lc_sparse_copy(s, s->round)]) == 0)
        return;
    const lc_tile *c = lc_tile_at(&s->plane, t->across[q]);
    if (c->edge)
        return;
    sample->index = t->across[q];
    sample->x = c->x;
    sample->y = c->y;
}

static void begin_to_listen(lc_sparse *s)
{
    lc_period_search *r = &s->period_search;
    void *samples;
    if (lc_plane_take(&s->plane, &samples, samples_bytes, NULL) != LC_OK)
        return;
    r->samples = samples;
    for (int i = 0; i < LC_PERIOD_SEARCH_SAMPLES; i++) {
        lc_period_search_sample *sample = &r->samples[i];
        sample->is_awake = i < LC_PERIOD_SEARCH_AWAKE;
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
    r->state = LC_PERIOD_SEARCH_LISTENS;
    r->began_at = s->visits;
    r->begin = cost_now(s);
    r->generation = 0;
    r->layer = lc_sparse_layer(s);
}

// Records the hashes of the samples in each generation of the next round.
static void listen(lc_sparse *s)
{
    lc_period_search *r = &s->period_search;
    const int generations = lc_sparse_generations(s), from = lc_sparse_copy(s, s->round);
    for (int i = 0; i < LC_PERIOD_SEARCH_SAMPLES && lc_sparse_layer(s) == r->layer; i++) {
        _Alignas(64) uint32_t middle[LC_TILE_WORDS];
        lc_period_search_sample *sample = &r->samples[i];
        const lc_tile *c = lc_tile_if_used(&s->plane, sample->index);
        if (c == NULL || c->x != sample->x || c->y != sample->y || c->layer == r->layer) {
            sample->index = 0;
            continue;
        }
        lc_window w = lc_sparse_window(s, c, from, 0, middle);
        for (int k = 1; k <= generations && r->generation + k < LC_PERIOD_SEARCH_GENERATIONS; k++) {
            w.generations = k;
            memset(middle, 0, sizeof middle);
            const int live = s->steps.window(&w).population;
            sample->names[r->generation + k] =
                lc_tile_hash_of(&s->plane.secrets, middle, live).low | 1;
        }
    }
    r->generation += generations;
}

// Returns the smallest period that fits all samples of a tile; 0: none.
static int period_of(const lc_period_search_sample *sample)
{
    const uint64_t *names = sample->names;
    if (sample->index == 0)
        return 0;
    for (int period = 1; period <= LC_PERIOD_SEARCH_GENERATIONS * 2 / 3; period++) {
        int pairs = 0, moved = 0;
        bool equal = true;
        for (int g = 0; g + period < LC_PERIOD_SEARCH_GENERATIONS && equal; g++) {
            if (names[g] == 0 || names[g + period] == 0)
                continue;
            equal = names[g] == names[g + period];
            pairs++;
            moved += g > 0 && names[g - 1] != 0 && names[g] != names[g - 1];
        }
        if (equal && (period == 1 ? pairs : moved) >= PAIRS)
            return period;
    }
    return 0;
}

static int least_common_multiple(int a, int b)
{
    return a / (int)lc_common_divisor((uint64_t)a, (uint64_t)b) * b;
}

// Returns a multiple of the cycle with long rounds.
static int with_long_rounds(int cycle)
{
    int best = 0;
    for (int k = 1; k * cycle <= LC_SPARSE_CYCLE_MAX &&
                    (k <= STRETCHED || k * cycle <= 2 * LC_WINDOW_GENERATIONS_MAX);
         k++) {
        const double length = (double)(k * cycle) / lc_sparse_rounds_of(k * cycle);
        if (best == 0 || length > (double)best / lc_sparse_rounds_of(best) * 1.1)
            best = k * cycle;
    }
    return best;
}

// Returns the number of changing tiles whose period divides the cycle.
static int count_held(const int *periods, int cycle)
{
    int held = 0;
    for (int i = 0; i < LC_PERIOD_SEARCH_AWAKE; i++)
        held += periods[i] != 0 && cycle % periods[i] == 0;
    return held;
}

// Finds the shortest cycle that is a multiple of most periods of changing tiles, which are often
// few different ones. Also finds a cycle for all periods, as far as possible, if that holds at
// least two tiles more. Returns the number of cycles: 0 if the current cycle already suits the
// changing tiles.
static int cycles_of_samples(const lc_period_search *r, int heard[2])
{
    int periods[LC_PERIOD_SEARCH_SAMPLES], all = 1;
    for (int i = 0; i < LC_PERIOD_SEARCH_SAMPLES; i++) {
        periods[i] = period_of(&r->samples[i]);
        const int more = periods[i] == 0 ? all : least_common_multiple(all, periods[i]);
        all = more <= LC_SPARSE_CYCLE_MAX ? more : all;
    }
    const int held = count_held(periods, all);
    if (held < count_held(periods, r->cycles[0]) + 2)
        return 0;
    int most = all;
    for (int i = 0; i < LC_PERIOD_SEARCH_AWAKE * LC_PERIOD_SEARCH_AWAKE; i++) {
        const int a = periods[i / LC_PERIOD_SEARCH_AWAKE], b = periods[i % LC_PERIOD_SEARCH_AWAKE];
        const int cycle = a != 0 && b != 0 ? least_common_multiple(a, b) : all;
        if (cycle < most && count_held(periods, cycle) * 4 >= held * 3)
            most = cycle;
    }
    heard[0] = with_long_rounds(most);
    heard[1] = with_long_rounds(all);
    return held < count_held(periods, heard[0]) + 2 ? 1 : 2;
}

// Trials ------------------------------------------------------------------------------------------

static void add_trial(lc_period_search *r, int cycle)
{
    for (int i = 0; i < r->cycle_count; i++)
        if (r->cycles[i] == cycle)
            return;
    r->cycles[r->cycle_count++] = cycle;
}

static void rest(lc_sparse *s, uint64_t interval)
{
    lc_period_search *r = &s->period_search;
    r->state = LC_PERIOD_SEARCH_WAITS;
    r->interval = interval;
    r->wakes_at = s->visits + interval;
    r->patience = r->kept;
    r->begin = cost_now(s);
}

// Returns the best of the trials made.
static int best_of(const lc_period_search *r, int tried)
{
    int best = 0;
    for (int i = 1; i < tried; i++)
        if (r->costs[i] < r->costs[best] * better)
            best = i;
    return best;
}

static void end_trials(lc_sparse *s, int best)
{
    lc_period_search *r = &s->period_search;
    const bool is_first = r->decided == 0;
    r->decided = r->costs[best];
    if (r->cycles[best] != s->cycle_generations)
        (void)lc_sparse_set_cycle(s, r->cycles[best], NULL); // on error the cycle stays the same
    r->kept = best == 0 && !is_first ? (int)lc_least_u64((uint64_t)r->kept + 1, DOUBLINGS) : 0;
    rest(s, is_first ? VISITS : SHARE * (s->visits - r->began_at) + VISITS);
}

// Tries the next cycle, or sets the best one after the last trial.
static void try_next(lc_sparse *s)
{
    lc_period_search *r = &s->period_search;
    while (++r->trial < r->cycle_count) {
        const double best = r->costs[best_of(r, r->trial)];
        if (best < r->costs[0] * far_better)
            break;
        if (lc_sparse_set_cycle(s, r->cycles[r->trial], NULL) != LC_OK) {
            r->costs[r->trial] = r->costs[0] * 2; // out of memory
            continue;
        }
        r->state = LC_PERIOD_SEARCH_WARMS_UP;
        r->rounds_left = (uint64_t)(lc_sparse_cycle(s) + WARM_UP);
        const uint64_t rounds = r->rounds_left + (uint64_t)(lc_sparse_cycle(s) + MEASURED);
        r->most_work = cost_now(s).work + (uint64_t)(too_much * best * (double)rounds *
                                                     r->cycles[r->trial] / lc_sparse_cycle(s));
        return;
    }
    end_trials(s, best_of(r, r->trial));
}

// Begins trials of the cycles found by sampling, and of 30 and 32, against the current cycle.
static void begin_to_try(lc_sparse *s, const int *heard, int heard_count)
{
    lc_period_search *r = &s->period_search;
    r->cycles[0] = s->cycle_generations;
    r->costs[0] = cost_since(s);
    r->cycle_count = 1;
    r->trial = 0;
    for (int i = 0; i < heard_count; i++)
        if (heard[i] % 2 == 0 || !lc_sparse_alternates(s))
            add_trial(r, heard[i]);
    add_trial(r, 30);
    add_trial(r, 32);
    try_next(s);
}

static void end_listening(lc_sparse *s)
{
    int heard[2];
    s->period_search.cycles[0] = s->cycle_generations;
    const int heard_count = cycles_of_samples(&s->period_search, heard);
    lc_period_search_stop(s);
    begin_to_try(s, heard, heard_count);
}

// Begins a trial or a sampling, if the cost of waking all sleeping tiles is within the share.
// Trials that change nothing postpone the next one, unless the cost has grown much.
static void wake(lc_sparse *s)
{
    lc_period_search *r = &s->period_search;
    if (r->patience > 0 && r->begin.generations < r->generations &&
        (r->decided == 0 || cost_since(s) < grown * r->decided)) {
        r->patience--;
        r->interval *= 2;
        r->wakes_at = s->visits + r->interval;
        r->begin = cost_now(s);
        return;
    }
    const uint64_t dear = SHARE * SWITCHES * s->plane.used_count;
    if (s->visits - r->began_at < dear)
        r->wakes_at = r->began_at + dear;
    else if (r->decided == 0) { // first trial
        r->began_at = s->visits;
        begin_to_try(s, NULL, 0);
    } else
        begin_to_listen(s);
}

void lc_period_search_stop(lc_sparse *s)
{
    lc_plane_give(&s->plane, s->period_search.samples, samples_bytes);
    s->period_search.samples = NULL;
    s->period_search.state = LC_PERIOD_SEARCH_WAITS;
}

// The first half of the first updates is not measured, because patterns that grow cost almost
// nothing then.
void lc_period_search_begin(lc_sparse *s)
{
    rest(s, FIRST_VISITS / 2);
    s->period_search.interval = FIRST_VISITS / 4;
    s->period_search.patience = 1;
}

void lc_period_search_before_round(lc_sparse *s)
{
    lc_period_search *r = &s->period_search;
    switch (r->state) {
    case LC_PERIOD_SEARCH_WAITS:
        if (s->visits >= r->wakes_at)
            wake(s);
        break;
    case LC_PERIOD_SEARCH_LISTENS:
        listen(s);
        if (r->generation >= LC_PERIOD_SEARCH_GENERATIONS)
            end_listening(s);
        break;
    case LC_PERIOD_SEARCH_WARMS_UP:
        if (cost_now(s).work > r->most_work) {
            r->costs[r->trial] = too_much * r->costs[0];
            try_next(s);
        } else if (--r->rounds_left == 0) {
            r->state = LC_PERIOD_SEARCH_MEASURES;
            r->rounds_left = (uint64_t)(lc_sparse_cycle(s) + MEASURED);
            r->begin = cost_now(s);
        }
        break;
    case LC_PERIOD_SEARCH_MEASURES:
        if (--r->rounds_left == 0) {
            r->costs[r->trial] = cost_since(s);
            try_next(s);
        }
        break;
    }
    r->generations += (uint64_t)lc_sparse_generations(s);
}
