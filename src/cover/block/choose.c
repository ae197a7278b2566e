// Which engine a block gets, whether it fits into memory, and making it.
//
// Where the engine is chosen automatically it is chosen for each block, so that a pattern that has
// grown large enough moves to a faster one. An engine that fails when it is made is passed over
// from then on.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cover/block/one_block.h"
#include "cover/halo_unfold.h"

static const uint64_t memory_if_unknown = (uint64_t)2 << 30;

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

// What an engine is told of a block.
lc_engine_config lc_one_block_config(const lc_one_block *s, lc_area area)
{
    const lc_cover_options *asked = &s->base.asked;
    lc_engine_config config = {.rule = s->rule,
                               .topology = asked->topology,
                               .every_cell = asked->every_cell,
                               .threads = asked->threads,
                               .pool = asked->pool,
                               .context = asked->context,
                               .cpu_level = asked->cpu_level,
                               .settings = asked->settings,
                               .watch = asked->watch};
    if (asked->engine != NULL && asked->engine->plane != NULL)
        return config; // it has no frame
    if (s->base.free_x && s->base.free_y)
        config.topology.kind = LC_TOPOLOGY_TORUS;
    config.topology.width_cells = area.x1 - area.x0;
    config.topology.height_cells = area.y1 - area.y0;
    config.frame = s->is_slab ? s->slab : lc_frame_of(&config.topology);
    config.filler = s->is_slab ? s->filler : (lc_filler){fill_whole, (void *)s};
    return config;
}

// Whether the i-th engine is to be tried for such a block.
static bool is_candidate(const lc_one_block *s, const lc_engine_vtable *engine, size_t i,
                         const lc_engine_config *config)
{
    const char *reason;
    uint64_t cells;
    if (!lc_mul_u64((uint64_t)config->frame.width_cells, (uint64_t)config->frame.height_cells,
                    &cells))
        cells = UINT64_MAX - 1;
    const int64_t width = config->frame.width_cells;
    const bool any_level = strcmp(config->cpu_level, "auto") == 0;
    return (s->passed_over >> i & 1) == 0 && !(s->avoids_gpu && engine->traits.on_gpu) &&
           (engine->traits.has_levels || any_level) && engine->choice != NULL &&
           engine->choice->auto_cells <= cells && engine->choice->auto_width_cells <= width &&
           lc_engine_steps(engine, config->rule) &&
           lc_engine_available(engine, config->context, &reason);
}

// The engine for a block: the one asked for, or the best candidate, whose place in the list goes to
// *index; NULL if none is left.
static const lc_engine_vtable *engine_for(const lc_one_block *s, const lc_engine_config *config,
                                          size_t *index)
{
    const lc_engine_vtable *engine = s->base.asked.engine;
    *index = 0;
    if (engine != NULL)
        return engine;
    for (; (engine = lc_engine_get(*index)) != NULL; ++*index)
        if (is_candidate(s, engine, *index, config))
            break;
    return engine;
}

static uint64_t limit_bytes(const lc_one_block *s, const lc_engine_config *config)
{
    if (s->base.asked.max_memory_bytes != 0)
        return s->base.asked.max_memory_bytes;
    const lc_choice_ops *choice = config->engine->choice;
    if (choice != NULL && choice->memory_limit_bytes != NULL)
        return choice->memory_limit_bytes(config);
    const uint64_t machine_bytes = lc_memory_of_machine();
    return machine_bytes != 0 ? machine_bytes / 2 : memory_if_unknown;
}

uint64_t lc_one_block_limit_bytes(const lc_cover *cover)
{
    const lc_one_block *s = (const lc_one_block *)cover;
    return limit_bytes(s, &s->block.config);
}

lc_choice lc_one_block_choose(const lc_one_block *s, lc_area area)
{
    lc_engine_config config = lc_one_block_config(s, area);
    lc_choice c = {.engine = engine_for(s, &config, &c.index)};
    config.engine = c.engine;
    c.held_bytes = c.engine == s->block.vtable ? s->block.bytes : 0;
    c.limit_bytes = limit_bytes(s, &config);
    c.limit_bytes -= lc_least_u64(c.limit_bytes, s->kept_free_bytes);
    c.room_bytes = c.limit_bytes - lc_least_u64(c.limit_bytes, c.held_bytes);
    if (s->part > 0)
        c.room_bytes = (uint64_t)((double)c.room_bytes * s->part);
    config.room_bytes = c.room_bytes;
    (void)c.engine->check(&config, &c.bytes, NULL); // a board that it refuses, `create` refuses
    return c;
}

lc_status lc_choice_refuse(const lc_choice *c, lc_area area, lc_message *message)
{
    unsigned long long width = lc_extent(area.x0, area.x1), height = lc_extent(area.y0, area.y1);
    if (c->bytes == UINT64_MAX || c->bytes > UINT64_MAX - c->held_bytes)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%llu x %llu cells are more than any memory could hold", width, height);
    if (c->held_bytes == 0)
        return lc_fail_limit(message, c->bytes, c->limit_bytes, "%llu x %llu cells need", width,
                             height);
    return lc_fail_limit(message, c->bytes + c->held_bytes, c->limit_bytes,
                         "copying the cells to a block of %llu x %llu cells needs", width, height);
}

bool lc_choice_fits(const lc_choice *c)
{
    return c->held_bytes <= c->limit_bytes && c->bytes <= c->limit_bytes - c->held_bytes;
}

// Leaves an engine that failed for the next one, if any will do.
static bool pass_over(lc_one_block *s, const lc_engine_config *config, const lc_choice *c,
                      const lc_message *why)
{
    size_t next;
    if (s->base.asked.engine != NULL)
        return false;
    s->passed_over |= 1u << c->index;
    if (engine_for(s, config, &next) == NULL) {
        s->passed_over &= ~(1u << c->index);
        return false;
    }
    if (s->note.text[0] == '\0')
        lc_fail(&s->note, LC_OK, "the engine \"%s\" is not used: %.250s", c->engine->name,
                why->text);
    return true;
}

bool lc_one_block_any_holds(const lc_one_block *s, lc_area area)
{
    lc_one_block trial = *s; // which passes engines over
    const lc_engine_config config = lc_one_block_config(s, area);
    const lc_message too_large = {0};
    for (;;) {
        const lc_choice c = lc_one_block_choose(&trial, area);
        if (lc_choice_fits(&c))
            return true;
        if (!pass_over(&trial, &config, &c, &too_large))
            return false;
    }
}

lc_status lc_one_block_make(lc_one_block *s, lc_area area, lc_block *out, lc_message *message)
{
    lc_engine_config config = lc_one_block_config(s, area);
    const lc_engine_vtable *asked = s->base.asked.engine;
    *out = (lc_block){.x = area.x0, .y = area.y0};
    if (asked != NULL &&
        asked->plane != NULL) // its coordinates are the universe's (self_covering.c)
        out->x = out->y = 0;
    for (;;) {
        lc_message why = {0};
        const lc_choice c = lc_one_block_choose(s, area);
        config.engine = c.engine;
        config.limit_bytes = c.limit_bytes;
        config.room_bytes = c.room_bytes;
        const lc_status status = lc_choice_fits(&c) ? c.engine->create(&out->engine, &config, &why)
                                                    : lc_choice_refuse(&c, area, &why);
        if (status == LC_OK) {
            out->vtable = c.engine;
            out->config = config;
            out->bytes = c.bytes;
        }
        if (status == LC_OK || !pass_over(s, &config, &c, &why)) {
            if (status != LC_OK && message != NULL)
                *message = why;
            return status;
        }
    }
}
