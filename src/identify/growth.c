// Recognises regular growth by the populations of the generations so far.
//
// The population grows linearly with period p if each generation has as many more live cells than
// the generation p before as that one has than the generation 2p before: the second difference is
// 0. The number of added cells can depend on the phase, because emitted objects change their
// population. The population grows quadratically if the third difference is 0.
#include "identify/track.h"

enum {
    PERIODS = 3,  // for which the difference must have been 0
    STEADY = 240, // and at least for so many generations
};

static int64_t population(const lc_track *t, uint64_t generation)
{
    return (int64_t)t->history[generation].population;
}

// The first or the second difference.
static int64_t growth_at(const lc_track *t, uint64_t at, uint64_t period, unsigned order)
{
    const int64_t now = population(t, at), before = population(t, at - period);
    return order == 1 ? now - before : now - 2 * before + population(t, at - 2 * period);
}

// Returns for how many generations up to now the difference after that of `order` was 0.
static uint64_t steady_for(const lc_track *t, uint64_t period, unsigned order)
{
    const uint64_t first = (order + 1) * period;
    uint64_t length = 0;
    while (length <= t->now - first && growth_at(t, t->now - length, period, order) ==
                                           growth_at(t, t->now - length - period, period, order))
        length++;
    return length;
}

static bool is_constant(const lc_track *t, uint64_t period, unsigned order)
{
    for (uint64_t i = 0; i < period; i++)
        if (growth_at(t, t->now - i, period, order) != 0)
            return false;
    return true;
}

static bool grows_so(lc_track *t, unsigned order)
{
    for (uint64_t period = 1; period <= t->now / (PERIODS + order + 1); period++) {
        const uint64_t wanted = PERIODS * period > STEADY ? PERIODS * period : STEADY;
        if (wanted + (order + 1) * period > t->now)
            break;
        const uint64_t length = steady_for(t, period, order);
        if (length < wanted || is_constant(t, period, order))
            continue;
        t->end = order == 1 ? LC_END_GROWS : LC_END_GROWS_TWICE;
        t->period = period;
        t->settles = t->now - length + 1 - (order + 1) * period;
        t->growth = growth_at(t, t->settles + order * period, period, order);
        t->periods_seen = (t->now - t->settles) / period;
        return true;
    }
    return false;
}

bool lc_track_grows(lc_track *track)
{
    return grows_so(track, 1) || grows_so(track, 2);
}

lc_status lc_track_find_begin(lc_track *track, uint64_t start, lc_message *message)
{
    lc_track *t = track;
    const uint64_t period = t->period;
    lc_status status = LC_OK;
    if (t->now < start + 2 * period)
        status = lc_track_advance(t, start + 2 * period - t->now, message);
    t->settles = start;
    while (status == LC_OK && t->settles > 0 &&
           growth_at(t, t->settles - 1 + period, period, 1) ==
               growth_at(t, t->settles - 1 + 2 * period, period, 1))
        t->settles--;
    t->periods_seen = (t->now - t->settles) / period;
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}
