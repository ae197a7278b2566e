// The sparse engine: see sparse.h.
#include "engine/sparse/sparse.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "engine/sparse/sparse_tile_update.h"
#include "grid/topology.h"

enum {
    CLOCK_VISITS = 1 << 13, // between two readings of the clock
};

static const uint64_t pass_ns = 4000000;

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    (void)config;
    (void)message;
    *memory_bytes = 1 << 20; // the first tiles
    return LC_OK;
}

static void take_rules(lc_sparse *s, const lc_rule *const rules[2])
{
    memset(s->isolated_memos, 0, (size_t)s->config.threads * sizeof *s->isolated_memos);
    s->odd = 0;
    for (int i = 0; i < 2; i++)
        s->rules[i] = rules[i];
    lc_window_steps_set(&s->steps, s->level, rules, lc_context_cache(s->config.context));
}

static void destroy(lc_engine *engine)
{
    lc_sparse *s = (lc_sparse *)engine;
    lc_sparse_hide(s);
    lc_view_counts_end(&s->view_counts, &s->plane);
    lc_facts_cache_clear(s);
    lc_free(s->facts_cache.workers);
    lc_period_search_stop(s);
    for (int i = 0; s->memos != NULL && i < s->config.threads; i++)
        lc_plane_give(&s->plane, s->memos[i].entries, lc_memo_bytes());
    lc_plane_free(&s->plane);
    lc_free(s->memos);
    lc_free(s->isolated_memos);
    lc_free(s->populations);
    lc_free(s->touched.items);
    lc_free(s->changed.items);
    lc_free(s->at_edge.items);
    lc_free(s->lacking.items);
    lc_free(s->due.items);
    lc_free(s->scheduled.items);
    lc_free(s->next.items);
    lc_free(s->order.items);
    lc_free(s->results);
    lc_free(s->ranges);
    lc_window_steps_free(&s->steps);
    lc_free(s);
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    *out = NULL;
    const lc_level *level = lc_level_find(config->cpu_level, message);
    if (level == NULL)
        return LC_ERROR_UNSUPPORTED;
    lc_sparse *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "an engine");
    s->base.vtable = &lc_engine_sparse;
    s->config = *config;
    s->level = level;
    s->touched.kind = s->order.kind = LC_LIST_PROMISED;
    const lc_surface surface = lc_surface_of(&config->topology);
    const bool is_board = surface.width_cells != 0 && surface.height_cells != 0;
    s->cycle_generations = is_board ? LC_SPARSE_FIRST_BOARD_CYCLE : LC_SPARSE_FIRST_CYCLE;
    s->populations = lc_calloc(2, sizeof *s->populations);
    s->memos = lc_calloc((size_t)config->threads, sizeof *s->memos);
    s->isolated_memos = lc_calloc((size_t)config->threads, sizeof *s->isolated_memos);
    s->ranges = lc_calloc((size_t)config->threads, sizeof(lc_task_range));
    const bool has_facts_cache = lc_facts_cache_init(&s->facts_cache, config->threads);
    lc_status status =
        s->populations != NULL && s->memos != NULL && s->isolated_memos != NULL &&
                s->ranges != NULL && has_facts_cache
            ? lc_plane_init(&s->plane, config->context, &surface, 1, config->limit_bytes, message)
            : lc_fail_memory(message, "an engine");
    if (status != LC_OK) {
        destroy(&s->base);
        return status;
    }
    take_rules(s, (const lc_rule *const[2]){config->rule, config->rule});
    lc_period_search_begin(s);
    lc_thread_choice_begin(&s->thread_choice);
    *out = &s->base;
    return LC_OK;
}

static void report(const lc_engine *engine, lc_engine_report *report)
{
    report->cpu_level = ((const lc_sparse *)engine)->level->name;
}

static uint64_t held_bytes(const lc_engine *engine)
{
    return ((const lc_sparse *)engine)->plane.held_bytes;
}

// Counts the tiles of an average soup that have a live cell.
static double soup_bytes(const lc_engine *engine, double cells, double density)
{
    const double tile_cells = LC_TILE_CELLS * LC_TILE_CELLS;
    return cells / tile_cells * (1 - pow(1 - density, tile_cells)) *
           (double)((const lc_sparse *)engine)->plane.tile_bytes;
}

// A tile holds 32 cells of the run. Refuses a run whose tiles exceed the memory limit.
static lc_status fill_run(lc_engine *engine, int64_t x, int64_t y, int64_t length,
                          lc_message *message)
{
    const lc_plane *plane = &((const lc_sparse *)engine)->plane;
    const double bytes = (double)length / LC_TILE_CELLS * (double)plane->tile_bytes;
    (void)x;
    (void)y;
    if (bytes <= (double)plane->limit_bytes)
        return LC_ERROR_UNSUPPORTED;
    return lc_fail_limit(message, bytes < 0x1p63 ? (uint64_t)bytes : INT64_MAX, plane->limit_bytes,
                         "as tiles, but not with \"hashlife\", a run of %lld live cells needs",
                         (long long)length);
}

static uint64_t extent(const lc_engine *engine)
{
    return ((uint64_t)((const lc_sparse *)engine)->plane.farthest + 2) * LC_TILE_CELLS;
}

// Puts the rules of set_rule in force. The history of other rules is discarded.
static lc_status change_rules(lc_sparse *s, lc_message *message)
{
    const bool are_same =
        s->next_rules[0] == s->rules[s->odd] && s->next_rules[1] == s->rules[1 - s->odd];
    const lc_status status = are_same ? LC_OK : lc_sparse_forget(s, message);
    if (status != LC_OK)
        return status;
    if (!are_same && s->plane.all_kept)
        lc_sparse_keep_some(s);
    if (!are_same)
        take_rules(s, s->next_rules);
    s->has_next_rules = false;
    return LC_OK;
}

// Returns whether dead tiles do not stay dead: a bounded board with B0.
static bool wants_all(const lc_sparse *s)
{
    const lc_surface *surface = &s->plane.surface;
    return surface->width_cells != 0 && surface->height_cells != 0 &&
           lc_rule_traits(s->rules[0])->has_b0;
}

static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    lc_sparse *s = (lc_sparse *)engine;
    s->next_rules[0] = rule;
    s->next_rules[1] = then != NULL ? then : rule;
    s->has_next_rules = true;
    return true;
}

// Returns the cycle length if all tiles sleep and no new rules wait, otherwise 0.
static uint64_t period(const lc_engine *engine)
{
    const lc_sparse *s = (const lc_sparse *)engine;
    const bool sleeps =
        s->changed.count == 0 && s->touched.count == 0 && s->due.begin == s->due.end;
    return sleeps && !s->has_next_rules ? (uint64_t)s->cycle_generations : 0;
}

// Skips whole cycles: all tiles sleep.
static uint64_t skip_cycles(lc_sparse *s, uint64_t generations)
{
    const uint64_t cycles = generations / (uint64_t)s->cycle_generations;
    s->round += cycles * (uint64_t)lc_sparse_cycle(s);
    return cycles * (uint64_t)s->cycle_generations;
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    lc_sparse *s = (lc_sparse *)engine;
    lc_status status = LC_OK;
    *done = 0;
    if (s->has_next_rules)
        status = change_rules(s, message);
    if (status == LC_OK && wants_all(s) && !s->plane.all_kept)
        status = lc_sparse_keep_all(s, message);
    if (status != LC_OK)
        return status;
    const uint64_t begin_ns = lc_clock_ns();
    size_t visits = 0;
    s->looked_ns = begin_ns;
    while (*done < generations) {
        if (s->offset == 0 && !s->plane.all_kept)
            lc_period_search_before_round(s);
        const uint64_t left = generations - *done;
        const uint64_t rest = (uint64_t)(lc_sparse_generations(s) - s->offset);
        s->is_shown = s->is_ordered = false;
        if (left < rest) {
            status = lc_sparse_surround(s, message); // lc_sparse_show needs the overlapping tiles
            if (status != LC_OK)
                return *done > 0 ? LC_OK : status;
            s->offset += (int)left;
            *done = generations;
            break;
        }
        status = lc_sparse_round(s, *done == 0, message);
        if (status != LC_OK) // earlier rounds of this pass count
            return *done > 0 ? LC_OK : status;
        *done += rest;
        if (period(engine) != 0)
            *done += skip_cycles(s, generations - *done);
        lc_window_steps_count(&s->steps, s->changed.count);
        visits += s->changed.count + CLOCK_VISITS / 64;
        if (visits < CLOCK_VISITS)
            continue;
        visits = 0;
        if (lc_clock_ns() - begin_ns > pass_ns)
            break;
    }
    return LC_OK;
}

static const lc_plane_ops plane = {
    .held_bytes = held_bytes,
    .extent = extent,
    .seek = lc_sparse_seek,
    .soup_bytes = soup_bytes,
    .fill_run = fill_run,
    .period = period,
};

// A round updates each tile whose window changes.
static double estimate_ns(const lc_engine_config *config, double cells, double changing)
{
    // Updating a tile of a soup takes 180 to 330 ns on an AMD EPYC (docs/lab/choosing-engines.md).
    // The constant is a little more, for slower machines.
    static const double update_ns = 400;
    static const double tile_cells = 32 * 32, round_generations = 15;
    return cells / tile_cells * changing * update_ns / round_generations / config->threads;
}

static const lc_choice_ops choice = {.auto_cells = UINT64_MAX, .estimate_ns = estimate_ns};

const lc_engine_vtable lc_engine_sparse = {
    .name = "sparse",
    .summary = "sparse tiles; inactive and periodic tiles are skipped",
    .reason = "planes, tubes and boards",
    .traits = {.families = LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC) | LC_FAMILY_BIT(LC_FAMILY_MAP),
               .states_max = 2,
               .planes_max = 1,
               .reach_max = 1,
               .every_surface = true,
               .has_levels = true},
    .check = check,
    .create = create,
    .destroy = destroy,
    .set_rule = set_rule,
    .read = lc_sparse_read,
    .write = lc_sparse_write,
    .step = step,
    .facts = lc_sparse_facts,
    .view = lc_sparse_view,
    .report = report,
    .plane = &plane,
    .choice = &choice,
};
