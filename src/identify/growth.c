// Recognises regular growth by the populations of the generations so far.
#include "identify/track.h"

enum {
    PERIODS = 3,  // that the growth must have been the same for
    STEADY = 240, // and at least for so many generations
};

// How much more cells are alive in generation `at` than a period before; with `twice`, how much
// more that is than a period earlier.
static int64_t growth_at(const lc_track *t, uint64_t at, uint64_t period, bool twice)
{
    const int64_t now = (int64_t)t->moments[at].population;
    const int64_t before = (int64_t)t->moments[at - period].population;
    return twice ? now - 2 * before + (int64_t)t->moments[at - 2 * period].population
                 : now - before;
}

// Returns for how many generations up to now the growth was the same.
static uint64_t steady_for(const lc_track *t, uint64_t period, bool twice)
{
    const uint64_t first = (twice ? 2 : 1) * period;
    const int64_t growth = growth_at(t, t->now, period, twice);
    uint64_t length = 0;
    while (length <= t->now - first && growth_at(t, t->now - length, period, twice) == growth)
        length++;
    return length;
}

static bool grows_so(lc_track *t, bool twice)
{
    const uint64_t parts = PERIODS + (twice ? 2 : 1);
    for (uint64_t period = 1; period <= t->now / parts; period++) {
        const uint64_t wanted = PERIODS * period > STEADY ? PERIODS * period : STEADY;
        if (wanted + (twice ? 2 : 1) * period > t->now)
            break;
        const int64_t growth = growth_at(t, t->now, period, twice);
        if (growth == 0)
            continue;
        const uint64_t length = steady_for(t, period, twice);
        if (length < wanted)
            continue;
        t->end = twice ? LC_END_GROWS_TWICE : LC_END_GROWS;
        t->period = period;
        t->growth = growth;
        t->settles = t->now - length + 1 - (twice ? 2 : 1) * period;
        t->periods_seen = length / period;
        return true;
    }
    return false;
}

bool lc_track_grows(lc_track *track)
{
    return grows_so(track, false) || grows_so(track, true);
}
