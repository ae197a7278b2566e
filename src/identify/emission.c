// See emission.h.
#include "identify/emission.h"

#include <string.h>

#include "base/error.h"
#include "universe/live.h"

enum {
    TRIES = 8, // multiples of the population's period; the objects may take turns that it hides
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

// How far the engine has moved from one generation to the other. False: it is not the same.
static bool find_move(const lc_objects *from, const lc_objects *to, int64_t *dx, int64_t *dy)
{
    const lc_live *a = &from->active, *b = &to->active;
    *dx = *dy = 0;
    if (a->count == 0 || a->count != b->count)
        return a->count == b->count;
    *dx = b->at[0].x - a->at[0].x;
    *dy = b->at[0].y - a->at[0].y;
    return lc_live_equal(a, b, *dx, *dy);
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
    if (status == LC_ERROR_MEMORY)
        return lc_fail_memory(message, "objects");
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
    lc_objects third = {0};
    int64_t dx, dy;
    lc_status status = find_objects(&emission->first, track, period, message);
    if (status == LC_OK)
        status = step(track, period, message);
    if (status == LC_OK)
        status = find_objects(&emission->second, track, period, message);
    if (status == LC_OK &&
        find_move(&emission->first, &emission->second, &emission->dx, &emission->dy)) {
        status = step(track, period, message);
        if (status == LC_OK)
            status = find_objects(&third, track, period, message);
        if (status == LC_OK && find_move(&emission->second, &third, &dx, &dy) &&
            dx == emission->dx && dy == emission->dy &&
            is_same_growth(&emission->first, &emission->second, &third))
            emission->period = period;
    }
    lc_objects_free(&third);
    return status;
}

lc_status lc_find_emission(lc_emission *emission, lc_track *track, lc_message *message)
{
    lc_status status = LC_OK;
    for (uint64_t i = 1; i <= TRIES && status == LC_OK && emission->period == 0; i++)
        status = try_period(emission, track, i * track->period, message);
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}
