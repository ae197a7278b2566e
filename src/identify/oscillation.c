// See oscillation.h.
#include "identify/oscillation.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "universe/universe_live.h"

enum { ENTRIES_MAX = 1 << 22 }; // live cells of all phases together; they take 96 MiB

// A cell is alive in a phase.
typedef struct entry {
    lc_live_cell cell;
    uint64_t phase;
} entry;

typedef struct entries {
    entry *at;
    size_t count, room;
} entries;

static bool add_phase(entries *all, const lc_live *live, uint64_t phase)
{
    if (!lc_grow(&all->at, &all->room, all->count + live->count, sizeof *all->at))
        return false;
    for (size_t i = 0; i < live->count; i++)
        all->at[all->count++] = (entry){live->at[i], phase};
    return true;
}

// The number of cells that are in one list only.
static uint64_t differences(const lc_live *a, const lc_live *b)
{
    size_t i = 0, k = 0;
    uint64_t count = 0;
    while (i < a->count && k < b->count) {
        const int order = lc_live_compare(&a->at[i], &b->at[k]);
        count += order != 0;
        i += order <= 0;
        k += order >= 0;
    }
    return count + (a->count - i) + (b->count - k);
}

static int compare(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    const int order = lc_live_compare(&one->cell, &other->cell);
    return order != 0 ? order : one->phase < other->phase ? -1 : one->phase > other->phase;
}

static int compare_phase(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    return one->phase < other->phase ? -1 : one->phase > other->phase;
}

// Returns whether a cell that is alive in these phases repeats itself after `shift` generations.
static bool repeats_after(const entry *phases, size_t count, uint64_t period, uint64_t shift)
{
    for (size_t i = 0; i < count; i++) {
        const entry later = {.phase = (phases[i].phase + shift) % period};
        if (bsearch(&later, phases, count, sizeof later, compare_phase) == NULL)
            return false;
    }
    return true;
}

// Returns whether no period shorter than the whole's will do for the cell. Then none does that is
// the whole's divided by a prime number.
static bool has_full_period(const entry *phases, size_t count, uint64_t period)
{
    uint64_t rest = period;
    for (uint64_t prime = 2; rest > 1; prime++) {
        if (prime * prime > rest)
            prime = rest;
        if (rest % prime != 0)
            continue;
        if (repeats_after(phases, count, period, period / prime))
            return false;
        while (rest % prime == 0)
            rest /= prime;
    }
    return true;
}

static void count_cells(const entries *all, uint64_t period, lc_identity_facts *facts)
{
    for (size_t i = 0, end; i < all->count; i = end) {
        for (end = i;
             end < all->count && lc_live_compare(&all->at[i].cell, &all->at[end].cell) == 0;)
            end++;
        const size_t phases = end - i;
        facts->stator += phases == period;
        facts->rotor += phases != period;
        facts->full_period_cells +=
            phases != period && has_full_period(&all->at[i], phases, period);
    }
}

lc_status lc_measure_oscillation(lc_track *track, lc_identity_facts *facts, lc_message *message)
{
    entries all = {0};
    lc_live before = {0};
    uint64_t changes = 0;
    lc_status status = lc_universe_live(track->universe, track->cells_max, &before, message);
    for (uint64_t phase = 0; phase < track->period && status == LC_OK; phase++) {
        if (before.count > ENTRIES_MAX - all.count) {
            changes = all.count = 0;
            break;
        }
        if (!add_phase(&all, &before, phase))
            status = lc_fail_memory(message, "the phases of an oscillator");
        if (status == LC_OK)
            status = lc_track_step(track, message);
        if (status == LC_OK)
            status = lc_universe_live(track->universe, track->cells_max, &track->live, message);
        changes += status == LC_OK ? differences(&before, &track->live) : 0;
        const lc_live other = before;
        before = track->live;
        track->live = other;
    }
    if (status == LC_OK && all.count != 0) {
        qsort(all.at, all.count, sizeof *all.at, compare);
        facts->heat = (double)changes / (double)track->period;
        count_cells(&all, track->period, facts);
    }
    lc_live_free(&before);
    lc_free(all.at);
    return status;
}
