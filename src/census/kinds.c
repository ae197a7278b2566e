#include "census/kinds.h"

#include <string.h>

#include "base/memory.h"
#include "base/mix.h"

void lc_kinds_free(lc_kinds *kinds)
{
    for (size_t i = 0; i < kinds->count; i++)
        lc_free(kinds->at[i].name);
    lc_free(kinds->at);
    lc_free(kinds->table);
    *kinds = (lc_kinds){0};
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0;
    for (; *name != 0; name++)
        hash = lc_mixed(hash ^ (uint8_t)*name) + 1;
    return hash;
}

// Returns where the name's number is in the table, or belongs.
static uint32_t *place_of(const lc_kinds *kinds, const char *name)
{
    const size_t mask = kinds->table_room - 1;
    size_t i = (size_t)hash_of(name) & mask;
    while (kinds->table[i] != 0 && strcmp(kinds->at[kinds->table[i] - 1].name, name) != 0)
        i = (i + 1) & mask;
    return &kinds->table[i];
}

static bool grow_table(lc_kinds *kinds)
{
    const size_t room = kinds->table_room == 0 ? 256 : 2 * kinds->table_room;
    uint32_t *table = lc_calloc(room, sizeof *table);
    if (table == NULL)
        return false;
    lc_free(kinds->table);
    kinds->table = table;
    kinds->table_room = room;
    for (size_t i = 0; i < kinds->count; i++)
        *place_of(kinds, kinds->at[i].name) = (uint32_t)i + 1;
    return true;
}

const lc_kind *lc_kinds_find(const lc_kinds *kinds, const char *name)
{
    const uint32_t entry = kinds->table_room > 0 ? *place_of(kinds, name) : 0;
    return entry == 0 ? NULL : &kinds->at[entry - 1];
}

uint32_t lc_kinds_number(lc_kinds *kinds, const char *name)
{
    const lc_kind *known = lc_kinds_find(kinds, name);
    if (known != NULL)
        return (uint32_t)(known - kinds->at);
    if (2 * (kinds->count + 1) > kinds->table_room && !grow_table(kinds))
        return UINT32_MAX;
    const size_t length = strlen(name) + 1;
    char *copy = lc_malloc(length);
    if (copy == NULL || !lc_grow(&kinds->at, &kinds->room, kinds->count + 1, sizeof *kinds->at)) {
        lc_free(copy);
        return UINT32_MAX;
    }
    memcpy(copy, name, length);
    kinds->at[kinds->count] = (lc_kind){.name = copy};
    *place_of(kinds, name) = (uint32_t)kinds->count + 1;
    return (uint32_t)kinds->count++;
}

// Keeps the least numbers.
static void add_sample(lc_kind *kind, uint64_t soup)
{
    int i = kind->sample_count;
    while (i > 0 && kind->samples[i - 1] > soup)
        i--;
    if (i == LC_KIND_SAMPLES || (i > 0 && kind->samples[i - 1] == soup))
        return;
    const int last =
        kind->sample_count < LC_KIND_SAMPLES ? kind->sample_count++ : LC_KIND_SAMPLES - 1;
    memmove(&kind->samples[i + 1], &kind->samples[i], (size_t)(last - i) * sizeof kind->samples[0]);
    kind->samples[i] = soup;
}

void lc_kinds_add(lc_kinds *kinds, uint32_t number, uint64_t count, uint64_t soup)
{
    kinds->at[number].count += count;
    add_sample(&kinds->at[number], soup);
}

bool lc_kinds_add_names(lc_kinds *kinds, const lc_kinds *more)
{
    for (size_t i = 0; i < more->count; i++)
        if (more->at[i].count > 0 && lc_kinds_number(kinds, more->at[i].name) == UINT32_MAX)
            return false;
    return true;
}

void lc_kinds_add_counts(lc_kinds *kinds, const lc_kinds *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const lc_kind *from = &more->at[i];
        if (from->count == 0)
            continue;
        lc_kind *to = &kinds->at[lc_kinds_number(kinds, from->name)];
        to->count += from->count;
        for (int k = 0; k < from->sample_count; k++)
            add_sample(to, from->samples[k]);
    }
}

void lc_kinds_clear_counts(lc_kinds *kinds)
{
    for (size_t i = 0; i < kinds->count; i++) {
        kinds->at[i].count = 0;
        kinds->at[i].sample_count = 0;
    }
}
