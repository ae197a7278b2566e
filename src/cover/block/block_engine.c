// The engine of a block: its configuration, its choice by "auto", and its creation.
#include "base/error.h"
#include "cover/block/one_block.h"
#include "cover/halo_unfold.h"

// The filler of a block that is all of a board. (Unbounded directions leave no edge open.)
static lc_status fill_whole(void *context, lc_engine *engine, int64_t depth_cells,
                            lc_message *message)
{
    lc_one_block *s = context;
    const lc_topology *t = &s->base.asked.topology;
    if (engine->vtable->board != NULL)
        return engine->vtable->board->fill_halo(engine, t, depth_cells, message);
    return lc_unfolded_give(&s->base, &s->block, depth_cells, s->strip, message);
}

static bool has_own_plane(const lc_engine_vtable *engine)
{
    return engine != NULL && engine->plane != NULL;
}

static lc_engine_config config_of(const lc_one_block *s, const lc_block_request *request)
{
    const lc_cover_options *asked = &s->base.asked;
    const lc_area area = request->area;
    lc_engine_config config = {.rule = s->rule,
                               .topology = asked->topology,
                               .every_cell = asked->every_cell,
                               .threads = asked->threads,
                               .pool = asked->pool,
                               .context = asked->context,
                               .cpu_level = asked->cpu_level,
                               .settings = asked->settings,
                               .watch = request->watch};
    if (has_own_plane(request->engine))
        return config; // it has no frame
    if (s->base.free_x && s->base.free_y)
        config.topology.kind = LC_TOPOLOGY_TORUS;
    config.topology.width_cells = area.x1 - area.x0;
    config.topology.height_cells = area.y1 - area.y0;
    config.frame = s->slab.is_part ? s->slab.frame : lc_frame_of(&config.topology);
    config.filler = s->slab.is_part ? s->slab.filler : (lc_filler){fill_whole, (void *)s};
    return config;
}

lc_block_request lc_one_block_request(const lc_one_block *s, lc_area area)
{
    const lc_cover_options *asked = &s->base.asked;
    return (lc_block_request){.area = area, .engine = asked->engine, .watch = asked->watch};
}

lc_engine_config lc_one_block_config(const lc_one_block *s, lc_area area)
{
    const lc_block_request request = lc_one_block_request(s, area);
    return config_of(s, &request);
}

static lc_engine_request engine_request(const lc_one_block *s, const lc_block_request *request)
{
    return (lc_engine_request){.engine = request->engine,
                               .history = &s->history,
                               .config = config_of(s, request),
                               .max_memory_bytes = s->base.asked.max_memory_bytes,
                               .kept_free_bytes = request->kept_free_bytes,
                               .memory_share = s->memory_share,
                               .old_engine = s->block.vtable,
                               .old_bytes = s->block.bytes};
}

lc_choice lc_one_block_choose(const lc_one_block *s, lc_area area)
{
    const lc_block_request request = lc_one_block_request(s, area);
    const lc_engine_request r = engine_request(s, &request);
    return lc_choose_engine(&r);
}

uint64_t lc_one_block_limit_bytes(const lc_cover *cover)
{
    const lc_one_block *s = lc_one_block_of(cover);
    return lc_engine_limit_bytes(cover->asked.max_memory_bytes, &s->block.config);
}

bool lc_one_block_any_holds(const lc_one_block *s, lc_area area, bool avoids_gpu)
{
    const lc_block_request request = lc_one_block_request(s, area);
    const lc_message too_large = {0};
    lc_engine_history history = s->history;
    lc_engine_request r = engine_request(s, &request);
    history.avoids_gpu = history.avoids_gpu || avoids_gpu;
    r.history = &history;
    for (;;) {
        const lc_choice c = lc_choose_engine(&r);
        if (lc_choice_fits(&c))
            return true;
        if (!lc_choice_pass_over(&r, &c, &history, &too_large))
            return false;
    }
}

lc_status lc_one_block_make(lc_one_block *s, const lc_block_request *request, lc_block *out,
                            lc_message *message)
{
    const lc_engine_request r = engine_request(s, request);
    lc_engine_config config = r.config;
    *out = (lc_block){.x = request->area.x0, .y = request->area.y0};
    if (has_own_plane(request->engine)) // its coordinates are the universe's (self_covering.c)
        out->x = out->y = 0;
    for (;;) {
        lc_message why = {0};
        const lc_choice c = lc_choose_engine(&r);
        config.engine = c.engine;
        config.limit_bytes = c.limit_bytes;
        config.room_bytes = c.room_bytes;
        const lc_status status = lc_choice_fits(&c) ? c.engine->create(&out->engine, &config, &why)
                                                    : lc_choice_refuse(&c, request->area, &why);
        if (status == LC_OK) {
            out->vtable = c.engine;
            out->config = config;
            out->bytes = c.bytes;
        }
        if (status == LC_OK || !lc_choice_pass_over(&r, &c, &s->history, &why))
            return lc_fail_again(message, status, &why);
    }
}
