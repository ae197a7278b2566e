// See lightcone/object.h: the objects of a universe with their places.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "identify/names.h"
#include "lightcone/object.h"
#include "object/objects.h"
#include "universe/live.h"

enum { PERIOD_DEFAULT = 4096, CELLS_DEFAULT = 1000000 };

struct lc_census {
    lc_fates fates; // the objects' codes belong to them
    lc_objects objects;
    lc_placed_object *at;
};

void lc_census_destroy(lc_census **census)
{
    if (census == NULL || *census == NULL)
        return;
    lc_objects_free(&(*census)->objects);
    lc_fates_free(&(*census)->fates);
    lc_free((*census)->at);
    lc_free(*census);
    *census = NULL;
}

const lc_placed_object *lc_census_get_objects(const lc_census *census, size_t *count)
{
    *count = census->objects.count;
    return census->at;
}

uint64_t lc_census_other_cells(const lc_census *census)
{
    return census->objects.active.count;
}

static lc_identity_kind kind_of(const lc_fate *fate)
{
    return lc_fate_moves(fate) ? LC_IDENTITY_SPACESHIP
           : fate->period == 1 ? LC_IDENTITY_STILL_LIFE
                               : LC_IDENTITY_OSCILLATOR;
}

static int64_t magnitude(int64_t number)
{
    return number < 0 ? -number : number;
}

static lc_placed_object describe(const lc_part *part)
{
    const lc_fate *fate = part->fate;
    const int64_t x = magnitude(fate->dx), y = magnitude(fate->dy);
    const char *code = fate->code != NULL ? fate->code : "";
    lc_box box = fate->box;
    box.x += part->x;
    box.y += part->y;
    return (lc_placed_object){.object = {.code = code,
                                         .name = lc_object_name(code),
                                         .kind = kind_of(fate),
                                         .count = 1,
                                         .period = fate->period,
                                         .dx = x > y ? x : y,
                                         .dy = x > y ? y : x,
                                         .population_min = fate->cells_min,
                                         .population_max = fate->cells_max},
                              .box = box};
}

static lc_status find(lc_census *census, const lc_universe *universe,
                      const lc_identify_options *limits, lc_message *message)
{
    lc_live live = {0};
    const uint64_t period = limits->generations_max != 0 ? limits->generations_max : PERIOD_DEFAULT;
    const uint64_t cells = limits->cells_max != 0 ? limits->cells_max : CELLS_DEFAULT;
    lc_status status = lc_fates_init(&census->fates, lc_universe_rule(universe), message);
    if (status == LC_OK)
        status = lc_universe_live(universe, cells, &live, message);
    if (status == LC_OK) {
        status = lc_objects_find(&census->objects, &census->fates, &live, period);
        if (status == LC_ERROR_LIMIT)
            (void)lc_fail(message, status, "there are more than %d spaceships", LC_SHIPS_MAX);
        else if (status == LC_ERROR_MEMORY)
            (void)lc_fail_memory(message, "objects");
    }
    lc_live_free(&live);
    if (status != LC_OK || census->objects.count == 0)
        return status;
    census->at = lc_calloc(census->objects.count, sizeof *census->at);
    if (census->at == NULL)
        return lc_fail_memory(message, "a list of objects");
    for (size_t i = 0; i < census->objects.count; i++)
        census->at[i] = describe(&census->objects.at[i]);
    return LC_OK;
}

lc_status lc_census_take(lc_census **out, const lc_universe *universe,
                         const lc_identify_options *options, lc_message *message)
{
    lc_identify_options limits = {.struct_bytes = sizeof limits};
    const lc_topology *topology = lc_universe_topology(universe);
    *out = NULL;
    lc_status status = lc_universe_failure(universe, message);
    if (status == LC_OK && options != NULL)
        status = lc_structure_take(&limits, sizeof limits, options, "lc_identify_options", message);
    if (status == LC_OK && (topology->kind != LC_TOPOLOGY_PLANE || topology->width_cells != 0 ||
                            topology->height_cells != 0))
        status = lc_fail(message, LC_ERROR_UNSUPPORTED,
                         "objects can be separated only on an infinite plane");
    if (status != LC_OK)
        return status;
    lc_census *census = lc_calloc(1, sizeof *census);
    if (census == NULL)
        return lc_fail_memory(message, "a list of objects");
    status = find(census, universe, &limits, message);
    if (status != LC_OK)
        lc_census_destroy(&census);
    *out = census;
    return status;
}
