// The list of engines, best first.
#include <string.h>

#include "engine/engine.h"
#include "engine/guest/guest.h"

static const lc_engine_vtable *const engines[] = {&lc_engine_cuda, &lc_engine_simd,
                                                  &lc_engine_scalar};

const lc_engine_vtable *lc_engine_get(size_t index)
{
    return index < sizeof engines / sizeof engines[0] ? engines[index] : NULL;
}

const lc_engine_vtable *lc_engine_find(const char *name)
{
    const lc_engine_vtable *engine;
    for (size_t i = 0; (engine = lc_engine_get(i)) != NULL; i++)
        if (strcmp(name, engine->name) == 0)
            return engine;
    const size_t length = strcspn(name, ":");
    for (size_t i = 0; (engine = lc_guest_get(i)) != NULL; i++)
        if (strncmp(name, engine->name, length) == 0 && engine->name[length] == '\0')
            return engine;
    return NULL;
}

const char *lc_engine_name(size_t index)
{
    const lc_engine_vtable *engine = lc_engine_get(index);
    return engine != NULL ? engine->name : NULL;
}

static bool describe(const lc_engine_vtable *engine, lc_engine_info *info)
{
    if (engine == NULL)
        return false;
    *info = (lc_engine_info){
        .name = engine->name,
        .summary = engine->summary,
        .auto_cells = engine->auto_cells,
        .on_gpu = engine->on_gpu,
    };
    info->available = engine->available(engine, &info->reason);
    return true;
}

bool lc_engine_at(size_t index, lc_engine_info *info)
{
    return describe(lc_engine_get(index), info);
}

bool lc_engine_named(const char *name, lc_engine_info *info)
{
    return describe(lc_engine_find(name), info);
}
