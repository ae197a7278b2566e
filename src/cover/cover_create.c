// Chooses the kind of a cover, takes the cover's settings out of the engine's, and creates it.
#include "cover/cover.h"

#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "choice/auto_start.h"
#include "cover/block/one_block.h"
#include "cover/disk/disk_board_internal.h"
#include "cover/halo_unfold.h"
#include "cover/ranks/rank_board.h"
#include "cover/slabs/board_slabs.h"

// Describes the one-block cover for options that have no settings of a cover.
static lc_one_block described(const lc_cover_options *options)
{
    const lc_topology *t = &options->topology;
    const bool is_auto = options->engine == NULL;
    const bool starts_sparse =
        is_auto && lc_auto_starts_sparse(t, options->rule, options->max_memory_bytes);
    const bool adapts = is_auto && !options->is_part && lc_auto_adapts(t, options->rule);
    lc_one_block s = {
        .base = {.asked = *options, .free_x = t->width_cells == 0, .free_y = t->height_cells == 0},
        .rule = options->rule,
    };
    if (starts_sparse) {
        s.base.asked.engine = &lc_engine_sparse;
        lc_fail(&s.reason, LC_OK, "steps only the active parts of the plane");
    }
    s.base.vtable = adapts || starts_sparse ? &lc_cover_adaptive
                    : options->engine != NULL && options->engine->plane != NULL
                        ? &lc_cover_self_covering
                    : s.base.free_x || s.base.free_y ? &lc_cover_growing_block
                                                     : &lc_cover_whole_board;
    return s;
}

// The same at the start of a run, with the area rounded. "auto" starts boards on the CPU if they
// may move to a GPU later.
static lc_one_block described_at_first(const lc_cover_options *options, lc_area *area)
{
    lc_one_block s = described(options);
    *area = lc_one_block_rounded(&s.base, *area);
    s.history.avoids_gpu = s.base.vtable == &lc_cover_adaptive && !s.base.free_x &&
                           !s.base.free_y &&
                           lc_auto_may_start_on_cpu(&options->topology, options->every_cell) &&
                           lc_one_block_any_holds(&s, *area, true);
    return s;
}

// Checks whether a self-covering engine steps the rule on the topology.
static lc_status check_unbounded(const lc_engine_vtable *engine, const lc_cover_options *asked,
                                 lc_message *message)
{
    const lc_engine_config config = {
        .engine = engine, .rule = asked->rule, .topology = asked->topology};
    uint64_t bytes;
    return engine->check(&config, &bytes, message);
}

static bool has_ranks(const lc_cover_options *options)
{
    const lc_ranks *ranks = options->context != NULL ? options->context->options.ranks : NULL;
    return ranks != NULL && lc_ranks_count(ranks) > 1;
}

// Copies the options without the cover's settings, which go to *parts.
static lc_status take_settings(const lc_cover_options *options, lc_cover_options *asked,
                               lc_parts *parts, lc_message *message)
{
    *asked = *options;
    lc_status status = lc_board_slabs_take_settings(asked, parts, message);
    if (status == LC_OK && asked->engine != NULL && asked->engine->plane != NULL)
        status = check_unbounded(asked->engine, asked, message);
    if (status == LC_OK && asked->settings[0] != '\0' && !asked->engine->traits.has_settings)
        return lc_fail_setting(message, asked->settings, "blocks=N and shares=N+N", "engine \"%s\"",
                               asked->engine->name);
    return status == LC_OK && parts->blocks > 0 ? lc_board_slabs_lay_out(asked, parts, message)
                                                : status;
}

// With "auto", shares a board that is too large for one GPU among all GPUs. Returns false if the
// board needs one block only, or several cannot step it.
static bool takes_several(const lc_one_block *one, lc_cover_options *several, lc_parts *parts)
{
    const lc_cover_options *asked = &one->base.asked;
    const lc_topology *t = &asked->topology;
    const lc_frame board = lc_frame_of(t);
    lc_universe_needs needs;
    if (one->history.avoids_gpu || asked->engine != NULL || t->width_cells == 0 ||
        t->height_cells == 0 || lc_frame_is_open(&board))
        return false;
    const lc_choice c = lc_one_block_choose(one, (lc_area){0, 0, t->width_cells, t->height_cells});
    if (!lc_auto_shares_gpus(t, &c))
        return false;
    *several = *asked;
    several->engine = c.engine;
    *parts = (lc_parts){0};
    if (c.engine->choice->devices(asked->context, LC_SLABS_MAX, parts->devices,
                                  &parts->device_count, NULL) != LC_OK)
        return false;
    parts->blocks = parts->device_count;
    return parts->blocks > 1 && lc_board_slabs_lay_out(several, parts, NULL) == LC_OK &&
           lc_board_slabs_check(several, parts, &needs, NULL) == LC_OK;
}

// With "auto", gives a board that is too large for every dense engine to one that stores only live
// areas.
static void take_one_that_holds(lc_one_block *s, lc_area area)
{
    lc_cover_options *asked = &s->base.asked;
    const lc_engine_vtable *other;
    if (asked->engine != NULL || asked->is_part || s->base.free_x || s->base.free_y ||
        lc_rule_traits(s->rule)->has_b0 ||
        lc_one_block_any_holds(s, area, false)) // with B0 all cells are alive
        return;
    for (size_t i = 0; (other = lc_auto_for_large(i)) != NULL && asked->engine == NULL; i++)
        if (check_unbounded(other, asked, NULL) == LC_OK && lc_engine_steps(other, s->rule))
            asked->engine = other;
    if (asked->engine == NULL)
        return;
    s->base.vtable = &lc_cover_self_covering;
    lc_fail(&s->reason, LC_OK, "a dense board of this size does not fit in memory");
}

lc_status lc_cover_check(const lc_cover_options *options, lc_area area, lc_universe_needs *needs,
                         lc_message *message)
{
    lc_cover_options asked, several;
    lc_parts parts;
    if (options->disk != NULL)
        return lc_disk_board_check(options, needs, message);
    if (has_ranks(options))
        return lc_rank_board_check(options, needs, message);
    lc_status status = take_settings(options, &asked, &parts, message);
    if (status != LC_OK || parts.blocks > 0)
        return status != LC_OK ? status : lc_board_slabs_check(&asked, &parts, needs, message);
    lc_one_block s = described_at_first(&asked, &area);
    if (takes_several(&s, &several, &parts))
        return lc_board_slabs_check(&several, &parts, needs, message);
    take_one_that_holds(&s, area);
    const lc_choice c = lc_one_block_choose(&s, area);
    *needs = (lc_universe_needs){
        .engine = c.engine->name,
        .on_gpu = c.engine->traits.on_gpu,
        .memory_bytes = c.bytes,
        .limit_bytes = c.limit_bytes,
    };
    lc_engine_config config = lc_one_block_config(&s, area);
    config.engine = c.engine;
    config.room_bytes = c.room_bytes;
    if (!lc_choice_fits(&c))
        return lc_choice_refuse(&c, area, message);
    uint64_t bytes;
    return c.engine->check(&config, &bytes, message);
}

lc_status lc_cover_create(lc_cover **out, const lc_cover_options *options, lc_area area,
                          lc_message *message)
{
    lc_cover_options asked, several;
    lc_parts parts;
    *out = NULL;
    if (options->disk != NULL)
        return lc_disk_board_create(out, options, message);
    if (has_ranks(options))
        return lc_rank_board_create(out, options, message);
    lc_status status = take_settings(options, &asked, &parts, message);
    if (status != LC_OK || parts.blocks > 0)
        return status != LC_OK ? status : lc_board_slabs_create(out, &asked, &parts, message);
    lc_one_block description = described_at_first(&asked, &area);
    if (takes_several(&description, &several, &parts) &&
        lc_board_slabs_create(out, &several, &parts, message) == LC_OK)
        return LC_OK;
    take_one_that_holds(&description, area);
    const bool settles = description.base.vtable == &lc_cover_adaptive;
    lc_one_block *s = lc_calloc(1, settles ? lc_adaptive_bytes : sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "a universe");
    *s = description;
    const lc_block_request request = lc_one_block_request(s, area);
    status = lc_one_block_make(s, &request, &s->block, message);
    if (status != LC_OK) {
        lc_free(s);
        return status;
    }
    const lc_block *b = &s->block;
    if (b->vtable->board == NULL && b->vtable->traits.takes_halo &&
        lc_frame_is_open(&b->config.frame)) {
        s->strip = lc_malloc(LC_STRIP_WORDS * sizeof *s->strip);
        if (s->strip == NULL) {
            lc_one_block_destroy(&s->base);
            return lc_fail_memory(message, "a halo");
        }
    }
    *out = &s->base;
    return LC_OK;
}

// Tuning ------------------------------------------------------------------------------------------

// Adds to each report which slab is being tuned.
typedef struct listener {
    lc_gpu_tuned call;
    void *context;
    int slab, count;
} listener;

static bool hear(void *context, const lc_gpu_trial *trial)
{
    const listener *l = context;
    lc_gpu_trial one = *trial;
    one.slab = l->slab;
    one.slab_count = l->count;
    return l->call != NULL && l->call(l->context, &one);
}

static lc_status tune_area(const lc_one_block *s, lc_area area, const lc_engine_vtable *engine,
                           listener *l, lc_message *message)
{
    lc_engine_config config = lc_one_block_config(s, area);
    config.engine = engine;
    config.room_bytes = lc_one_block_choose(s, area).room_bytes;
    return engine->choice->tune(&config, hear, l, message);
}

static lc_status tune_slab(const lc_cover_options *asked, const lc_parts *parts, listener *l, int i,
                           lc_message *message)
{
    const lc_one_block s = lc_board_slabs_block(asked, parts, i);
    l->slab = i;
    return tune_area(&s, lc_board_slabs_area(asked, parts, i), asked->engine, l, message);
}

// Equal slabs get the plan of the first. Slabs of different heights share some settings, which are
// chosen for the highest: it is tuned first, and the others must agree with the result.
static lc_status tune_slabs(const lc_cover_options *asked, lc_parts *parts, listener *l,
                            lc_message *message)
{
    const int leader = parts->uneven ? lc_board_slabs_leader(asked, parts) : 0;
    lc_status status = LC_OK;
    parts->alike[0] = '\0';
    status = tune_slab(asked, parts, l, leader, message);
    if (status == LC_OK && parts->uneven)
        status = lc_board_slabs_lay_out(asked, parts, message);
    for (int i = 0; i < parts->blocks && parts->uneven && status == LC_OK; i++)
        if (i != leader)
            status = tune_slab(asked, parts, l, i, message);
    return status;
}

lc_status lc_cover_tune(const lc_cover_options *options, lc_gpu_tuned callback,
                        void *callback_context, lc_message *message)
{
    const lc_topology *t = &options->topology;
    lc_cover_options asked, several;
    lc_parts parts;
    listener l = {.call = callback, .context = callback_context, .count = 1};
    const lc_area area = {0, 0, t->width_cells, t->height_cells};
    if (t->width_cells == 0 || t->height_cells == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "only boards that are bounded in both directions can be tuned for");
    if (has_ranks(options))
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "ranks do not tune: one process does, with the devices of a machine");
    lc_status status = take_settings(options, &asked, &parts, message);
    const lc_one_block whole = described(&asked);
    if (status == LC_OK && takes_several(&whole, &several, &parts))
        asked = several;
    if (asked.engine == NULL)
        asked.engine = &lc_engine_cuda;
    if (status == LC_OK && (asked.engine->choice == NULL || asked.engine->choice->tune == NULL))
        status = lc_fail(message, LC_ERROR_UNSUPPORTED, "the engine \"%s\" has nothing to tune",
                         asked.engine->name);
    if (status != LC_OK)
        return status;
    l.count = parts.blocks > 0 ? parts.blocks : 1;
    if (parts.blocks > 0)
        return tune_slabs(&asked, &parts, &l, message);
    const lc_one_block s = described(&asked);
    return tune_area(&s, area, asked.engine, &l, message);
}

void lc_cover_destroy(lc_cover **cover)
{
    if (cover == NULL || *cover == NULL)
        return;
    (*cover)->vtable->destroy(*cover);
    *cover = NULL;
}
