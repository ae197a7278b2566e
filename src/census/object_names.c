#include "census/object_names.h"

#include <string.h>

#include "base/memory.h"
#include "base/mix.h"
#include "census/growth_name.h"

struct lc_known_group {
    uint64_t hash;
    lc_named_list objects;
    int height;
    uint64_t rows[]; // height
};

bool lc_named_add(lc_named_list *list, uint32_t kind, uint32_t count)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].kind == kind) {
            list->at[i].count += count;
            return true;
        }
    if (!lc_grow(&list->at, &list->room, list->count + 1, sizeof *list->at))
        return false;
    list->at[list->count++] = (lc_named){kind, count};
    return true;
}

lc_status lc_named_add_all(lc_named_list *list, const lc_named_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        if (!lc_named_add(list, more->at[i].kind, more->at[i].count))
            return LC_ERROR_MEMORY;
    return LC_OK;
}

lc_status lc_object_names_init(lc_object_names *names, const lc_rule *rule, lc_context *context,
                               lc_message *message)
{
    *names = (lc_object_names){.context = context};
    return lc_fates_init(&names->fates, rule, message);
}

void lc_object_names_free(lc_object_names *names)
{
    for (size_t i = 0; i < names->room; i++) {
        if (names->table[i] != NULL)
            lc_free(names->table[i]->objects.at);
        lc_free(names->table[i]);
    }
    lc_free(names->table);
    lc_kinds_free(&names->kinds);
    lc_fates_free(&names->fates);
}

static uint64_t hash_of(const lc_group *group)
{
    uint64_t hash = (uint64_t)group->height;
    for (int y = 0; y < group->height; y++)
        hash = (hash ^ group->rows[y]) * 0x9E3779B97F4A7C15;
    return lc_mixed(hash);
}

// Returns where the group is in the table, or belongs.
static lc_known_group **place_of(const lc_object_names *names, const lc_group *group, uint64_t hash)
{
    size_t i = (size_t)hash & (names->room - 1);
    for (; names->table[i] != NULL; i = (i + 1) & (names->room - 1)) {
        const lc_known_group *known = names->table[i];
        if (known->hash == hash && known->height == group->height &&
            memcmp(known->rows, group->rows, (size_t)group->height * sizeof known->rows[0]) == 0)
            break;
    }
    return &names->table[i];
}

static bool grow(lc_object_names *names)
{
    if (2 * (names->count + 1) <= names->room)
        return true;
    const size_t old_room = names->room, room = old_room == 0 ? 4096 : 2 * old_room;
    lc_known_group **old = names->table, **table = lc_calloc(room, sizeof(lc_known_group *));
    if (table == NULL)
        return false;
    for (size_t i = 0; i < old_room; i++) {
        if (old[i] == NULL)
            continue;
        size_t k = (size_t)old[i]->hash & (room - 1);
        while (table[k] != NULL)
            k = (k + 1) & (room - 1);
        table[k] = old[i];
    }
    lc_free(old);
    names->table = table;
    names->room = room;
    return true;
}

static lc_status add_name(lc_named_list *list, lc_object_names *names, const char *name)
{
    const uint32_t kind = lc_kinds_number(&names->kinds, name);
    return kind != UINT32_MAX && lc_named_add(list, kind, 1) ? LC_OK : LC_ERROR_MEMORY;
}

static lc_status add_fate(lc_named_list *list, lc_object_names *names, const lc_fate *fate)
{
    lc_status status = LC_OK;
    if (fate->part_count == 0) {
        const char *too_large = lc_fate_moves(fate) ? "ov_q" : fate->period == 1 ? "ov_s" : "ov_p";
        return add_name(list, names, fate->code == NULL ? too_large : fate->code);
    }
    for (size_t i = 0; i < fate->part_count && status == LC_OK; i++)
        status = add_fate(list, names, fate->parts[i].fate);
    return status;
}

lc_status lc_name_growth(lc_named_list *list, lc_object_names *names, const lc_live *cells,
                         lc_message *message)
{
    char *name = NULL;
    lc_status status =
        lc_growth_name(&name, cells, names->fates.rule.rule, names->context, message);
    if (status == LC_OK)
        status = add_name(list, names, name);
    lc_free(name);
    return status;
}

// Appends the objects of the cells, if these repeat themselves. Sets *repeats to whether they do.
static lc_status add_repeating(lc_named_list *list, lc_object_names *names, const lc_live *cells,
                               uint64_t limit, bool *repeats)
{
    const lc_fate *fate = NULL;
    const lc_status status = lc_fate_find(&fate, &names->fates, cells, limit);
    *repeats = status == LC_OK && fate->period != 0;
    if (*repeats)
        return add_fate(list, names, fate);
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}

lc_status lc_name_cells(lc_named_list *list, lc_object_names *names, const lc_live *cells,
                        uint64_t limit, lc_message *message)
{
    bool repeats;
    const lc_status status = add_repeating(list, names, cells, limit, &repeats);
    return status != LC_OK || repeats ? status : lc_name_growth(list, names, cells, message);
}

static bool list_cells(lc_live *live, const lc_group *group)
{
    for (int y = 0; y < group->height; y++)
        if (!lc_live_add_bits(live, 0, y, &group->rows[y], LC_GROUP_CELLS))
            return false;
    return true;
}

// Puts the group into the table, with the objects that it consists of.
static lc_status remember(lc_object_names *names, const lc_group *group, uint64_t hash,
                          lc_named_list *objects)
{
    const size_t rows_bytes = (size_t)group->height * sizeof group->rows[0];
    lc_known_group *known = lc_malloc(sizeof *known + rows_bytes);
    if (known == NULL || !grow(names)) {
        lc_free(known);
        return LC_ERROR_MEMORY;
    }
    *known = (lc_known_group){.hash = hash, .objects = *objects, .height = group->height};
    memcpy(known->rows, group->rows, rows_bytes);
    *place_of(names, group, hash) = known;
    names->count++;
    *objects = (lc_named_list){0};
    return LC_OK;
}

static lc_status name_new_group(lc_named_list *list, lc_object_names *names, const lc_group *group,
                                uint64_t hash, uint64_t limit, bool *repeats)
{
    lc_live cells = {0};
    lc_named_list objects = {0};
    lc_status status = list_cells(&cells, group) ? LC_OK : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = add_repeating(&objects, names, &cells, limit, repeats);
    if (status == LC_OK)
        status = lc_named_add_all(list, &objects);
    if (status == LC_OK && *repeats)
        status = remember(names, group, hash, &objects);
    lc_free(objects.at);
    lc_live_free(&cells);
    return status;
}

lc_status lc_name_repeating_group(lc_named_list *list, lc_object_names *names,
                                  const lc_group *group, uint64_t limit, bool *repeats)
{
    const uint64_t hash = hash_of(group);
    *repeats = false;
    if (!grow(names))
        return LC_ERROR_MEMORY;
    const lc_known_group *known = *place_of(names, group, hash);
    if (known == NULL)
        return name_new_group(list, names, group, hash, limit, repeats);
    *repeats = true;
    return lc_named_add_all(list, &known->objects);
}

lc_status lc_name_group(lc_named_list *list, lc_object_names *names, const lc_group *group,
                        uint64_t limit, lc_message *message)
{
    lc_live cells = {0};
    bool repeats;
    lc_status status = lc_name_repeating_group(list, names, group, limit, &repeats);
    if (status != LC_OK || repeats)
        return status;
    status =
        list_cells(&cells, group) ? lc_name_growth(list, names, &cells, message) : LC_ERROR_MEMORY;
    lc_live_free(&cells);
    return status;
}
