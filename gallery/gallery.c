// The designs by name, and how they become engines.
#include "gallery.h"

#include <string.h>

#include "cpu_design.h"
#include "gpu_design.h"

const lc_design *lc_gallery_find(const char *name)
{
    const size_t length = strcspn(name, ":");
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++)
        if (strncmp(name, design->name, length) == 0 && design->name[length] == '\0')
            return design;
    return NULL;
}

static void make_engine(const lc_design *design, lc_guest_engine *engine)
{
    if (design->cpu != NULL)
        lc_cpu_guest(engine);
    else
        lc_gpu_guest(engine);
    engine->struct_bytes = sizeof *engine;
    engine->name = design->name;
    engine->summary = design->title;
    engine->context = design;
}

bool lc_gallery_available(const lc_design *design, const char **reason)
{
    lc_guest_engine engine;
    make_engine(design, &engine);
    return engine.available(design, reason);
}

lc_status lc_gallery_add_engines(lc_message *message)
{
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        if (design->engine != NULL)
            continue;
        lc_guest_engine engine;
        make_engine(design, &engine);
        lc_status status = lc_engine_add(&engine, message);
        if (status != LC_OK)
            return status;
    }
    return LC_OK;
}
