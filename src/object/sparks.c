// See sparks.h.
#include "object/sparks.h"

#include "base/memory.h"
#include "object/union_find.h"

enum { SPARK_MAX = 64 }; // generations after which sparks have died out

// The cells of one set.
typedef struct set {
    lc_live cells;
    bool dies, repeats;
} set;

static lc_status step(lc_field *field, uint64_t generations)
{
    lc_status status = LC_OK;
    for (uint64_t t = 0; t < generations && status == LC_OK; t++)
        status = lc_field_step(field);
    return status;
}

// Finds out which sets die soon, and which repeat themselves. Sets *sparks if any dies.
static lc_status find_fates(lc_fates *fates, set *sets, size_t count, uint64_t limit, bool *sparks)
{
    lc_status status = LC_OK;
    *sparks = false;
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        const lc_fate *fate = NULL;
        status = lc_fate_find(&fate, fates, &sets[i].cells, limit);
        if (status == LC_OK && fate->period == 0)
            status = lc_field_set(&fates->field, &sets[i].cells);
        if (status == LC_OK && fate->period == 0)
            status = step(&fates->field, SPARK_MAX);
        sets[i].repeats = status != LC_OK || fate->period != 0;
        sets[i].dies = !sets[i].repeats && fates->field.population == 0;
        *sparks |= sets[i].dies;
        status = status == LC_ERROR_LIMIT ? LC_OK : status;
    }
    return status;
}

// Steps a set until it repeats itself. Sets *whole to the object's cells in generation 0; none if
// it does not repeat itself.
static lc_status find_whole(lc_fates *fates, const set *one, uint64_t limit, lc_live *whole)
{
    lc_live ripe = {0};
    const lc_fate *fate = NULL;
    whole->count = 0;
    lc_status status = lc_field_set(&fates->field, &one->cells);
    if (status == LC_OK)
        status = step(&fates->field, SPARK_MAX);
    if (status == LC_OK && !lc_field_read(&fates->field, &ripe))
        status = LC_ERROR_MEMORY;
    if (status == LC_OK && ripe.count != 0)
        status = lc_fate_find(&fate, fates, &ripe, limit);
    if (fate != NULL && fate->period != 0) {
        const uint64_t periods = (SPARK_MAX + fate->period - 1) / fate->period;
        status = lc_field_set(&fates->field, &ripe);
        if (status == LC_OK)
            status = step(&fates->field, periods * fate->period - SPARK_MAX);
        if (status == LC_OK && !lc_field_read(&fates->field, whole))
            status = LC_ERROR_MEMORY;
        for (size_t i = 0; i < whole->count; i++) {
            whole->at[i].x -= (int64_t)periods * fate->dx;
            whole->at[i].y -= (int64_t)periods * fate->dy;
        }
    }
    lc_live_free(&ripe);
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}

// Joins the sets of all cells of an object, if all of its cells are there.
static void join(const lc_live *cells, const lc_live *whole, uint32_t *up)
{
    size_t k = 0;
    for (size_t i = 0; i < whole->count; i++)
        if (!lc_live_has(cells, whole->at[i].x, whole->at[i].y))
            return;
    uint32_t first = 0;
    for (size_t i = 0; i < whole->count; i++, k++) {
        while (lc_live_compare(&cells->at[k], &whole->at[i]) < 0)
            k++;
        first = i == 0 ? (uint32_t)k : first;
        (void)lc_set_join(up, first, (uint32_t)k);
    }
}

// Copies the cells of each set.
static bool fill_sets(set *sets, const lc_live *cells, const uint32_t *number)
{
    for (size_t i = 0; i < cells->count; i++)
        if (!lc_live_add(&sets[number[i]].cells, cells->at[i].x, cells->at[i].y))
            return false;
    return true;
}

lc_status lc_sparks_join(lc_fates *fates, const lc_live *cells, uint64_t limit, uint32_t *up)
{
    uint32_t *number = lc_malloc(cells->count * sizeof *number);
    const size_t count = number != NULL ? lc_set_number(up, (uint32_t)cells->count, number) : 0;
    set *sets = number != NULL ? lc_calloc(count, sizeof *sets) : NULL;
    lc_live whole = {0};
    bool sparks = false;
    lc_status status = LC_ERROR_MEMORY;
    if (sets != NULL && fill_sets(sets, cells, number))
        status = find_fates(fates, sets, count, limit, &sparks);
    for (size_t i = 0; sparks && i < count && status == LC_OK; i++) {
        if (sets[i].repeats || sets[i].dies)
            continue;
        status = find_whole(fates, &sets[i], limit, &whole);
        if (status == LC_OK)
            join(cells, &whole, up);
    }
    for (size_t i = 0; sets != NULL && i < count; i++)
        lc_live_free(&sets[i].cells);
    lc_live_free(&whole);
    lc_free(number);
    lc_free(sets);
    return status;
}
