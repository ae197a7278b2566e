// Functions that all engines share.
#include "engine/engine_interface.h"

#include "base/error.h"

static lc_status fill(void *context, lc_engine *engine, int64_t depth_cells, lc_message *message)
{
    return engine->vtable->board->fill_halo(engine, context, depth_cells, message);
}

lc_filler lc_filler_of(const lc_topology *topology)
{
    return (lc_filler){fill, (void *)topology};
}

lc_status lc_engine_end(lc_engine *engine, lc_status status, const lc_message *why)
{
    if (status != LC_OK && engine->failed == LC_OK) {
        engine->failed = status;
        engine->failure = *why;
    }
    return engine->failed;
}

lc_status lc_engine_failure(const lc_engine *engine, lc_message *message)
{
    return lc_fail_again(message, engine->failed, &engine->failure);
}

lc_engine_report lc_engine_report_of(const lc_engine *engine)
{
    lc_engine_report report = {.cpu_level = "", .plan = ""};
    if (engine->vtable->report != NULL)
        engine->vtable->report(engine, &report);
    return report;
}
