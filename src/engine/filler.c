// Blocks that fill their halo from their own cells.
#include "engine/engine.h"

static lc_status fill(void *context, lc_engine *engine, int64_t depth_cells, lc_message *message)
{
    return engine->vtable->fill(engine, context, depth_cells, message);
}

lc_filler lc_filler_of(const lc_topology *topology)
{
    return (lc_filler){fill, (void *)topology};
}
