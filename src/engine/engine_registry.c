// The list of engines: the library's own, best first, and those that programs have added.
#include <string.h>

#include "base/error.h"
#include "base/structure.h"
#include "engine/engine_interface.h"
#include "engine/guest/guest.h"

static const lc_engine_vtable *const engines[] = {
    &lc_engine_cuda, &lc_engine_simd, &lc_engine_sparse, &lc_engine_hashlife, &lc_engine_scalar};

static struct {
    lc_engine_vtable vtables[LC_GUEST_ENGINES_MAX];
    lc_guest_engine engines[LC_GUEST_ENGINES_MAX]; // the engines' own functions
    size_t count;
} guests;

const lc_engine_vtable *lc_engine_get(size_t index)
{
    return index < sizeof engines / sizeof engines[0] ? engines[index] : NULL;
}

// Returns whether `name`, up to a colon, is the engine's name.
static bool is_called(const lc_engine_vtable *engine, const char *name)
{
    const size_t length = strcspn(name, ":");
    return strncmp(name, engine->name, length) == 0 && engine->name[length] == '\0';
}

const lc_engine_vtable *lc_engine_find(const char *name)
{
    const lc_engine_vtable *engine;
    for (size_t i = 0; (engine = lc_engine_get(i)) != NULL; i++)
        if (is_called(engine, name))
            return engine;
    for (size_t i = 0; i < guests.count; i++)
        if (is_called(&guests.vtables[i], name))
            return &guests.vtables[i];
    return NULL;
}

const char *lc_engine_name(size_t index)
{
    const lc_engine_vtable *engine = lc_engine_get(index);
    return engine != NULL ? engine->name : NULL;
}

static bool describe(lc_context *context, const lc_engine_vtable *engine, lc_engine_info *info)
{
    if (engine == NULL)
        return false;
    *info = (lc_engine_info){
        .name = engine->name,
        .summary = engine->summary,
        .auto_cells = engine->choice != NULL ? engine->choice->auto_cells : UINT64_MAX,
        .on_gpu = engine->traits.on_gpu,
        .infinite_only = engine->plane != NULL && !engine->traits.every_surface,
    };
    info->available = lc_engine_available(engine, context, &info->reason);
    return true;
}

bool lc_engine_at(lc_context *context, size_t index, lc_engine_info *info)
{
    return describe(context, lc_engine_get(index), info);
}

bool lc_engine_named(lc_context *context, const char *name, lc_engine_info *info)
{
    return describe(context, lc_engine_find(name), info);
}

static bool is_whole(const lc_guest_engine *engine)
{
    return engine->name != NULL && engine->summary != NULL && engine->available != NULL &&
           engine->check != NULL && engine->create != NULL && engine->destroy != NULL &&
           engine->write_rows != NULL && engine->read_rows != NULL && engine->step != NULL &&
           engine->facts != NULL && engine->settings != NULL;
}

lc_status lc_engine_add(const lc_guest_engine *stated, lc_message *message)
{
    lc_guest_engine taken;
    const lc_guest_engine *engine = &taken;
    lc_status status = lc_structure_take(&taken, sizeof taken, stated, "lc_guest_engine", message);
    if (status != LC_OK)
        return status;
    if (!is_whole(engine))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "an engine has a name, a summary and all functions but those that may be "
                       "NULL");
    if (engine->takes_edges && (engine->write_halo == NULL || engine->halo_generations == 0))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the engine \"%s\" takes edges, so it needs write_halo and "
                       "halo_generations",
                       engine->name);
    if (engine->name[0] == '\0' || strpbrk(engine->name, ",: \t\n") != NULL ||
        strcmp(engine->name, "auto") == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "no engine can be called \"%s\"", engine->name);
    if (lc_engine_find(engine->name) != NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is an engine called \"%s\" already",
                       engine->name);
    if (guests.count == LC_GUEST_ENGINES_MAX)
        return lc_fail(message, LC_ERROR_LIMIT, "%d engines were added, which is the most",
                       (int)LC_GUEST_ENGINES_MAX);
    guests.engines[guests.count] = *engine;
    guests.vtables[guests.count] = lc_guest_vtable(&guests.engines[guests.count]);
    guests.count++;
    return LC_OK;
}
