// Eras, snapshots and population counts of a universe.
#include "history.h"

#include <stdlib.h>
#include <string.h>

// Snapshots lie this share of their distance to the universe apart, if memory allows it.
static const double closest = 1.0 / 16;

static bool is_before(lc_count a, lc_count b)
{
    return lc_count_compare(a, b) < 0;
}

// ---- the whole ---------------------------------------------------------------------------------

bool lc_history_create(lc_history *h, size_t limit_bytes)
{
    *h = (lc_history){.limit_bytes = limit_bytes,
                      .kept = calloc(LC_HISTORY_KEPT_MAX + 1, sizeof *h->kept),
                      .eras = calloc(LC_HISTORY_ERAS_MAX + 1, sizeof *h->eras),
                      .points = calloc(LC_HISTORY_POINTS_MAX + 1, sizeof *h->points)};
    if (h->kept != NULL && h->eras != NULL && h->points != NULL)
        return true;
    lc_history_free(h);
    return false;
}

void lc_history_clear(lc_history *h)
{
    for (size_t i = 0; i < h->kept_count; i++)
        free(h->kept[i].bytes);
    h->kept_count = h->era_count = h->at = h->point_count = h->held_bytes = 0;
    h->apart = 0;
    h->starts_at_origin = false;
    h->last = lc_count_of(0);
    h->line++;
}

void lc_history_free(lc_history *h)
{
    lc_history_clear(h);
    free(h->kept);
    free(h->eras);
    free(h->points);
    *h = (lc_history){0};
}

static void drop(lc_history *h, size_t index)
{
    h->held_bytes -= h->kept[index].size_bytes;
    free(h->kept[index].bytes);
    h->kept_count--;
    memmove(&h->kept[index], &h->kept[index + 1], (h->kept_count - index) * sizeof *h->kept);
}

static void drop_era(lc_history *h, uint64_t era)
{
    for (size_t i = h->kept_count; i-- > 0;)
        if (h->kept[i].era == era)
            drop(h, i);
}

// ---- eras --------------------------------------------------------------------------------------

// Returns the index of an era in the list; era_count if the list does not have it.
static size_t place_of(const lc_history *h, uint64_t era)
{
    size_t i = 0;
    while (i < h->era_count && h->eras[i].id != era)
        i++;
    return i;
}

// Discards the history after this generation of the universe's era.
static void cut(lc_history *h, lc_count generation)
{
    while (h->era_count > h->at + 1)
        drop_era(h, h->eras[--h->era_count].id);
    while (h->kept_count > 0 && is_before(generation, h->kept[h->kept_count - 1].generation))
        drop(h, h->kept_count - 1);
    while (h->point_count > 0 && is_before(generation, h->points[h->point_count - 1].generation))
        h->point_count--;
    h->last = generation;
    h->line++;
}

void lc_history_fork(lc_history *h, lc_count generation, bool strays, bool unsaved)
{
    while (h->at > 0 && is_before(generation, h->eras[h->at].from))
        h->at--;
    if (h->era_count > 0 && is_before(generation, h->eras[h->at].from))
        lc_history_clear(h); // no era contains this generation
    if (h->era_count > 0) {
        cut(h, generation);
        // The new era begins at the same generation, so the old one would be empty.
        if (lc_count_compare(h->eras[h->at].from, generation) == 0)
            drop_era(h, h->eras[--h->era_count].id);
        if (h->era_count == 0)
            lc_history_clear(h);
    }
    h->last = generation;
    h->eras[h->era_count++] = (lc_era){++h->ids, generation, strays, unsaved};
    if (h->era_count > LC_HISTORY_ERAS_MAX) {
        // Merges eras[1] into the next era without its snapshots. lc_history_find then returns an
        // earlier generation instead of those of eras[1].
        drop_era(h, h->eras[1].id);
        h->eras[2].from = h->eras[1].from;
        h->era_count--;
        memmove(&h->eras[1], &h->eras[2], (h->era_count - 1) * sizeof *h->eras);
    }
    h->at = h->era_count - 1;
}

void lc_history_pass(lc_history *h, lc_count generation)
{
    if (h->era_count == 0)
        return;
    if (h->at + 1 < h->era_count && is_before(h->eras[h->at + 1].from, generation))
        cut(h, h->eras[h->at + 1].from);
    if (is_before(h->last, generation))
        h->last = generation;
}

bool lc_history_enter(lc_history *h, uint64_t era, lc_count generation)
{
    const size_t i = place_of(h, era);
    if (i == h->era_count || is_before(generation, h->eras[i].from) ||
        is_before(i + 1 < h->era_count ? h->eras[i + 1].from : h->last, generation))
        return false;
    h->at = i;
    return true;
}

uint64_t lc_history_era(const lc_history *h)
{
    return h->era_count > 0 ? h->eras[h->at].id : 0;
}

// ---- snapshots ---------------------------------------------------------------------------------

// Returns the index of that snapshot in the list, or the index at which to insert it.
static size_t slot_of(const lc_history *h, uint64_t era, lc_count generation)
{
    size_t i = h->kept_count;
    while (i > 0 && is_before(generation, h->kept[i - 1].generation))
        i--;
    while (i > 0 && lc_count_compare(h->kept[i - 1].generation, generation) == 0 &&
           place_of(h, h->kept[i - 1].era) >= place_of(h, era))
        i--;
    return i;
}

static bool stands(const lc_history *h, size_t slot, uint64_t era, lc_count generation)
{
    return slot < h->kept_count && h->kept[slot].era == era &&
           lc_count_compare(h->kept[slot].generation, generation) == 0;
}

bool lc_history_has(const lc_history *h, uint64_t era, lc_count generation)
{
    return stands(h, slot_of(h, era, generation), era, generation);
}

// Returns whether the snapshot before snapshot i can replace it: the gap between its two neighbours
// is at most `share` of their distance from `around`.
static bool is_dense(const lc_history *h, size_t i, lc_count around, double share)
{
    const lc_kept *k = &h->kept[i];
    if (i == 0 || i + 1 >= h->kept_count || k[-1].era != k->era || k[1].era != k->era)
        return false;
    lc_count away = lc_count_of(0);
    if (is_before(k[1].generation, around))
        away = lc_count_distance(k[1].generation, around);
    else if (is_before(around, k[-1].generation))
        away = lc_count_distance(around, k[-1].generation);
    const lc_count gap = lc_count_distance(k[-1].generation, k[1].generation);
    return lc_count_to_double(gap) <= share * lc_count_to_double(away);
}

static bool is_full(const lc_history *h)
{
    return h->held_bytes > h->limit_bytes || h->kept_count > LC_HISTORY_KEPT_MAX;
}

// Drops snapshots that are too close together, then others until the history is within its limits;
// the one at `newest` goes last.
static void thin(lc_history *h, lc_count around, uint64_t era, lc_count newest)
{
    double share = closest;
    do {
        for (size_t i = 1; i + 1 < h->kept_count;)
            if (is_dense(h, i, around, share))
                drop(h, i);
            else
                i++;
        share *= 2;
    } while (is_full(h) && share < 1e80);
    for (size_t i = 1; is_full(h) && i < h->kept_count;)
        if (stands(h, i, era, newest))
            i++;
        else
            drop(h, i);
    while (is_full(h) && h->kept_count > 0)
        drop(h, h->kept_count - 1);
}

void lc_history_keep(lc_history *h, uint64_t era, lc_count generation, void *bytes,
                     size_t size_bytes, lc_count around)
{
    const size_t slot = slot_of(h, era, generation);
    if (place_of(h, era) == h->era_count || stands(h, slot, era, generation)) {
        free(bytes);
        return;
    }
    memmove(&h->kept[slot + 1], &h->kept[slot], (h->kept_count - slot) * sizeof *h->kept);
    h->kept[slot] = (lc_kept){era, generation, bytes, size_bytes};
    h->kept_count++;
    h->held_bytes += size_bytes;
    thin(h, around, era, generation);
}

void lc_history_limit(lc_history *h, size_t limit_bytes)
{
    h->limit_bytes = limit_bytes;
    thin(h, h->last, 0, h->last);
}

void lc_history_set_aside(lc_history *h, lc_history *past)
{
    lc_history fresh;
    if (!lc_history_create(&fresh, h->limit_bytes)) {
        lc_history_clear(h);
        return;
    }
    *past = *h;
    lc_history_limit(past, fresh.limit_bytes / 4);
    fresh.line = past->line + 1;
    *h = fresh;
}

void lc_history_restore(lc_history *h, lc_history *past)
{
    const lc_history now = *h;
    if (past->limit_bytes == 0) {
        lc_history_clear(h);
        return;
    }
    *h = *past;
    h->limit_bytes = now.limit_bytes;
    h->line = now.line + 1;
    *past = now;
}

const lc_kept *lc_history_find(const lc_history *h, lc_count *generation)
{
    size_t era = h->era_count;
    while (era > 0 && is_before(*generation, h->eras[era - 1].from))
        era--;
    for (; era > 0; era--) {
        const lc_era *e = &h->eras[era - 1];
        for (size_t i = h->kept_count; i-- > 0;)
            if (h->kept[i].era == e->id && !is_before(*generation, h->kept[i].generation))
                return &h->kept[i];
        *generation = e->from; // reached with the snapshots of the era before
    }
    return NULL;
}

// ---- population --------------------------------------------------------------------------------

static double gap(const lc_history_point *a, const lc_history_point *b)
{
    return lc_count_to_double(lc_count_distance(a->generation, b->generation));
}

// Drops every second point. Later points lie as far apart as the remaining ones.
static void halve(lc_history *h)
{
    const size_t last = h->point_count - 1;
    size_t count = 0;
    for (size_t i = 0; i < h->point_count; i++)
        if (i % 2 == 0 || i == last)
            h->points[count++] = h->points[i];
    h->point_count = count;
    h->apart = gap(&h->points[0], &h->points[count - 1]) / (LC_HISTORY_POINTS_MAX / 2.0);
}

void lc_history_count(lc_history *h, lc_count generation, lc_count population)
{
    const lc_history_point point = {generation, population};
    size_t i = h->point_count;
    while (i > 0 && is_before(generation, h->points[i - 1].generation))
        i--;
    if (i > 0 && lc_count_compare(h->points[i - 1].generation, generation) == 0) {
        h->points[i - 1] = point;
        return;
    }
    // The list always has the newest point. A newer one replaces it until it is far enough from the
    // point before.
    const bool is_newest = i == h->point_count;
    if (is_newest && i > 1 && gap(&h->points[i - 2], &h->points[i - 1]) < h->apart) {
        h->points[i - 1] = point;
        return;
    }
    if (!is_newest && ((i > 0 && gap(&h->points[i - 1], &point) < h->apart) ||
                       gap(&point, &h->points[i]) < h->apart))
        return;
    memmove(&h->points[i + 1], &h->points[i], (h->point_count - i) * sizeof *h->points);
    h->points[i] = point;
    h->point_count++;
    if (h->point_count > LC_HISTORY_POINTS_MAX)
        halve(h);
}
