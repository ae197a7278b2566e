// See lightcone/object.h: the objects of one generation, with their places.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "lightcone/object.h"
#include "object/names.h"
#include "object/objects.h"
#include "universe/universe_live.h"

enum { PERIOD_DEFAULT = 64, CELLS_DEFAULT = 1000000 };

struct lc_census {
    lc_fates fates; // has the codes
    lc_objects found;
    lc_placed_object *objects;
    bool will_meet;
};

static lc_placed_object place(const lc_part *part)
{
    const lc_fate *fate = part->fate;
    const bool moves = lc_fate_moves(fate);
    const char *code = fate->code != NULL ? fate->code : "";
    return (lc_placed_object){
        .code = code,
        .name = lc_object_name(code),
        .kind = moves               ? LC_IDENTITY_SPACESHIP
                : fate->period == 1 ? LC_IDENTITY_STILL_LIFE
                                    : LC_IDENTITY_OSCILLATOR,
        .period = fate->period,
        .dx = fate->dx,
        .dy = fate->dy,
        .population = fate->cells.count,
        .box = {.x = part->x,
                .y = part->y,
                .width_cells = fate->box.width_cells,
                .height_cells = fate->box.height_cells},
    };
}

static int compare(const void *a, const void *b)
{
    const lc_box *one = &((const lc_placed_object *)a)->box;
    const lc_box *other = &((const lc_placed_object *)b)->box;
    if (one->y != other->y)
        return one->y < other->y ? -1 : 1;
    return one->x < other->x ? -1 : one->x > other->x;
}

static lc_status find(lc_census *census, const lc_universe *universe,
                      const lc_census_options *options, lc_message *message)
{
    const uint64_t period_max = options->period_max != 0 ? options->period_max : PERIOD_DEFAULT;
    const uint64_t cells_max = options->cells_max != 0 ? options->cells_max : CELLS_DEFAULT;
    lc_live live = {0};
    lc_status status = lc_universe_live(universe, cells_max, &live, message);
    const bool is_read = status == LC_OK;
    if (is_read)
        status = lc_objects_find(&census->found, &census->fates, &live, period_max);
    lc_live_free(&live);
    if (is_read && status == LC_ERROR_LIMIT)
        return lc_fail(message, status, "there are more than %d spaceships", LC_SHIPS_MAX);
    if (is_read && status != LC_OK)
        return lc_fail(message, status, "%s", lc_status_text(status));
    if (status != LC_OK || census->found.count == 0)
        return status;
    census->objects = lc_malloc(census->found.count * sizeof *census->objects);
    if (census->objects == NULL)
        return lc_fail_memory(message, "a list of objects");
    for (size_t i = 0; i < census->found.count; i++)
        census->objects[i] = place(&census->found.at[i]);
    qsort(census->objects, census->found.count, sizeof *census->objects, compare);
    census->will_meet = lc_objects_will_meet(&census->found);
    return LC_OK;
}

static lc_status check(const lc_universe *universe, lc_message *message)
{
    lc_status status = lc_universe_failure(universe, message);
    if (status == LC_OK)
        status = lc_universe_need_two_states(universe, "a list of objects", message);
    if (status != LC_OK)
        return status;
    const lc_topology *topology = lc_universe_topology(universe);
    if (topology->kind != LC_TOPOLOGY_PLANE || topology->width_cells != 0 ||
        topology->height_cells != 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "objects can be found on the infinite plane only");
    return LC_OK;
}

lc_status lc_census_create(lc_census **out, const lc_universe *universe,
                           const lc_census_options *options, lc_message *message)
{
    lc_census_options limits = {.struct_bytes = sizeof limits};
    *out = NULL;
    lc_status status = check(universe, message);
    if (status == LC_OK && options != NULL)
        status = lc_structure_take(&limits, sizeof limits, options, "lc_census_options", message);
    if (status != LC_OK)
        return status;
    lc_census *census = lc_calloc(1, sizeof *census);
    if (census == NULL)
        return lc_fail_memory(message, "a list of objects");
    status = lc_fates_init(&census->fates, lc_universe_rule(universe), message);
    if (status == LC_OK)
        status = find(census, universe, &limits, message);
    if (status != LC_OK)
        lc_census_destroy(&census);
    *out = census;
    return status;
}

void lc_census_destroy(lc_census **census)
{
    if (census == NULL || *census == NULL)
        return;
    lc_objects_free(&(*census)->found);
    lc_fates_free(&(*census)->fates);
    lc_free((*census)->objects);
    lc_free(*census);
    *census = NULL;
}

const lc_placed_object *lc_census_get_objects(const lc_census *census, size_t *count)
{
    *count = census->found.count;
    return census->objects;
}

uint64_t lc_census_active_cells(const lc_census *census)
{
    return census->found.active.count;
}

bool lc_census_will_meet(const lc_census *census)
{
    return census->will_meet;
}
