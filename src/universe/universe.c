// Creates, steps and describes universes, and reads and sets single cells.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/structure.h"
#include "choice/auto_start.h"
#include "cover/disk/disk_board.h"
#include "universe/universe_internal.h"

enum { FIRST_BLOCK = 64 };

static const lc_count none = {{0}};

static lc_status check_options(const lc_universe_options *options, lc_message *message)
{
    if (options->threads < 0 || options->threads > LC_THREADS_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "%d threads: 0 (automatic) to %d are possible",
                       options->threads, LC_THREADS_MAX);
    return lc_rule_check_topology(options->rule, &options->topology, message);
}

static lc_status refuse_engine(const char *name, lc_message *message)
{
    char names[160] = "";
    const lc_engine_vtable *engine;
    if (strncmp(name, "auto:", 5) == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the engine \"auto\" takes no settings; name the one that they are for");
    for (size_t i = 0; (engine = lc_engine_get(i)) != NULL; i++) {
        strncat(names, i == 0 ? "" : ", ", sizeof names - 1 - strlen(names));
        strncat(names, engine->name, sizeof names - 1 - strlen(names));
    }
    return lc_fail(message, LC_ERROR_ARGUMENT, "no engine is called \"%s\"; there are auto, %s",
                   name, names);
}

// Whether the engine asked for steps the rule. "auto" steps all rules of the reference.
static lc_status check_family(const lc_cover_options *asked, lc_message *message)
{
    const lc_engine_vtable *engine = asked->engine != NULL ? asked->engine : &lc_engine_scalar;
    return lc_engine_steps(engine, asked->rule)
               ? LC_OK
               : lc_fail(message, LC_ERROR_UNSUPPORTED, "the engine \"%s\" does not step %s rules",
                         engine->name, lc_family_name((int)lc_rule_traits(asked->rule)->family));
}

static int threads_of(const lc_universe_options *options)
{
    if (options->threads != 0)
        return options->threads;
    return options->context != NULL ? lc_context_threads(options->context) : lc_cpu_count();
}

// Returns the options of the cover, without the pool and the watch.
static lc_status ask(const lc_universe_options *options, lc_cover_options *asked,
                     lc_message *message)
{
    const char *reason;
    const bool automatic = options->engine == NULL || strcmp(options->engine, "auto") == 0;
    *asked = (lc_cover_options){.rule = options->rule,
                                .topology = options->topology,
                                .every_cell = options->every_generation,
                                .threads = threads_of(options),
                                .context = options->context,
                                .max_memory_bytes = options->max_memory_bytes,
                                .disk = options->disk,
                                .disk_settings = options->disk_settings};
    if (!automatic) {
        asked->engine = lc_engine_find(options->engine);
        if (asked->engine == NULL)
            return refuse_engine(options->engine, message);
    }
    const lc_status status = check_family(asked, message);
    if (status != LC_OK)
        return status;
    if (!automatic && !lc_engine_available(asked->engine, options->context, &reason))
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "the engine \"%s\" cannot run here: %s",
                       asked->engine->name, reason);
    const char *colon = automatic ? NULL : strchr(options->engine, ':');
    if (colon != NULL && strlen(colon) > sizeof asked->settings)
        return lc_fail(message, LC_ERROR_ARGUMENT, "settings of an engine have at most %zu letters",
                       sizeof asked->settings - 1);
    strcpy(asked->settings, colon != NULL ? colon + 1 : "");
    const char *level = options->cpu_level != NULL ? options->cpu_level : "auto";
    if (strlen(level) >= sizeof asked->cpu_level)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "no CPU level is called \"%s\"", level);
    strcpy(asked->cpu_level, level);
    return LC_OK;
}

static const lc_area first_block = {-FIRST_BLOCK, -FIRST_BLOCK, FIRST_BLOCK, FIRST_BLOCK};

static bool is_infinite_plane(const lc_topology *t)
{
    return t->kind == LC_TOPOLOGY_PLANE && t->width_cells == 0 && t->height_cells == 0;
}

// Makes options.rule a reference of the caller's, from either way to state the rule.
static lc_status take_rule(lc_universe_options *options, lc_message *message)
{
    lc_topology topology;
    if ((options->rule != NULL) == (options->rule_text != NULL))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a universe needs a rule: set rule or rule_text, and not both");
    if (options->rule != NULL) {
        (void)lc_rule_retain(options->rule);
        return LC_OK;
    }
    const lc_status status = lc_rule_parse(options->rule_text, &options->rule, &topology, message);
    if (status != LC_OK || is_infinite_plane(&topology))
        return status;
    if (!is_infinite_plane(&options->topology)) {
        lc_rule_release(&options->rule);
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the rule \"%s\" states a topology, and the options state another",
                       options->rule_text);
    }
    options->topology = topology;
    return LC_OK;
}

// Checks the options and copies them. Also sets the options of the cover, without the pool and the
// watch. The caller releases options.rule, unless this fails.
static lc_status take_options(const lc_universe_options *stated, lc_universe_options *options,
                              lc_cover_options *asked, lc_message *message)
{
    if (stated == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a universe needs options, a rule at least");
    lc_status status =
        lc_structure_take(options, sizeof *options, stated, "lc_universe_options", message);
    if (status == LC_OK)
        status = take_rule(options, message);
    if (status != LC_OK)
        return status;
    status = check_options(options, message);
    if (status == LC_OK)
        status = ask(options, asked, message);
    if (status != LC_OK)
        lc_rule_release(&options->rule);
    return status;
}

// Takes the context of the options, or creates one for the universe.
static lc_status enter_context(lc_universe *u, const lc_cover_options *asked, lc_message *message)
{
    const lc_context_options own = {.struct_bytes = sizeof own, .threads = asked->threads};
    return asked->context != NULL ? lc_context_hold(&u->context, asked->context, message)
                                  : lc_context_create(&u->context, &own, message);
}

// Gives the universe its context, threads and cover.
static lc_status furnish(lc_universe *u, lc_cover_options *asked, lc_message *message)
{
    lc_status status = enter_context(u, asked, message);
    if (status != LC_OK)
        return status;
    if (asked->threads != lc_context_threads(u->context))
        status = lc_pool_create(&u->own_pool, asked->threads);
    if (status != LC_OK)
        return lc_fail(message, status, "out of memory for %d threads", asked->threads);
    u->pool = u->own_pool != NULL ? u->own_pool : u->context->pool;
    asked->context = u->context;
    asked->pool = u->pool;
    asked->watch = &u->watch;
    return lc_cover_create(&u->cover, asked, first_block, message);
}

lc_status lc_universe_create(lc_universe **out, const lc_universe_options *stated,
                             lc_message *message)
{
    return lc_universe_make(out, stated, false, message);
}

lc_status lc_universe_make(lc_universe **out, const lc_universe_options *stated, bool disk_exists,
                           lc_message *message)
{
    lc_universe_options options;
    lc_cover_options asked;
    *out = NULL;
    lc_status status = take_options(stated, &options, &asked, message);
    asked.disk_exists = disk_exists;
    if (status != LC_OK)
        return status;
    lc_universe *u = lc_calloc(1, sizeof *u);
    if (u == NULL) {
        lc_rule_release(&options.rule);
        return lc_fail_memory(message, "a universe");
    }
    u->rule = u->stored_rule = options.rule;
    u->topology = options.topology;
    u->free_x = options.topology.width_cells == 0;
    u->free_y = options.topology.height_cells == 0;
    u->audit_generations = options.audit_generations;
    u->every_generation = options.every_generation || options.audit_generations != 0;
    status = lc_background_begin(u, message);
    if (status == LC_OK)
        status = furnish(u, &asked, message);
    if (status == LC_OK && disk_exists)
        u->generation = u->next_audit = u->cover->generation;
    if (status != LC_OK)
        lc_universe_destroy(&u);
    *out = u;
    return status;
}

lc_status lc_universe_tune(const lc_universe_options *stated, lc_gpu_tuned callback,
                           void *callback_context, lc_message *message)
{
    lc_universe_options options;
    lc_cover_options asked;
    lc_context *context;
    lc_status status = take_options(stated, &options, &asked, message);
    if (status == LC_OK)
        status = lc_context_hold(&context, asked.context, message);
    if (status == LC_OK) {
        asked.context = context;
        asked.pool = context->pool;
        asked.threads = lc_context_threads(context);
        status = lc_cover_tune(&asked, callback, callback_context, message);
        lc_context_destroy(&context);
    }
    lc_rule_release(&options.rule);
    return status;
}

lc_status lc_universe_check(const lc_universe_options *stated, lc_universe_needs *needs,
                            lc_message *message)
{
    lc_universe_options options;
    lc_cover_options asked;
    *needs = (lc_universe_needs){.engine = ""};
    lc_status status = take_options(stated, &options, &asked, message);
    if (status != LC_OK)
        return status;
    status = lc_cover_check(&asked, first_block, needs, message);
    lc_rule_release(&options.rule);
    return status;
}

void lc_universe_destroy(lc_universe **universe)
{
    if (universe == NULL || *universe == NULL)
        return;
    lc_universe *u = *universe;
    if (u->cover != NULL && lc_disk_board_was_kept(u->cover))
        (void)lc_disk_keep(u, NULL);
    lc_cover_destroy(&u->cover);
    lc_cycle_forget(u);
    lc_pool_destroy(&u->own_pool);
    lc_context_destroy(&u->context);
    for (int i = 0; i < 2; i++)
        lc_rule_release(&u->stored_rules[i]);
    lc_rule_release(&u->rule);
    lc_free(u);
    *universe = NULL;
}

// Returns the area of one cell. All cells beyond the coordinates are alike, so they are moved to
// where x + 1 still fits in 64 bits.
static lc_area place_of(int64_t x, int64_t y)
{
    const int64_t outside = LC_UNIVERSE_REACH + 1;
    x = lc_least(x, outside);
    y = lc_least(y, outside);
    return (lc_area){x, y, x + 1, y + 1};
}

lc_status lc_universe_set(lc_universe *u, int64_t x, int64_t y, bool alive, lc_message *message)
{
    uint8_t now;
    const uint8_t state = alive;
    const lc_box box = {.x = x, .y = y, .width_cells = 1, .height_cells = 1};
    const lc_status may = lc_check_changeable(u, message);
    if (may != LC_OK)
        return may;
    if (!lc_has_area(u, place_of(x, y)))
        return lc_fail(message, LC_ERROR_ARGUMENT, "the cell (%lld, %lld) is outside the universe",
                       (long long)x, (long long)y);
    const lc_status status = lc_universe_read_states(u, &box, &now, 1, message);
    return status != LC_OK || now == state ? status
                                           : lc_universe_write_states(u, &box, &state, 1, message);
}

lc_status lc_universe_get(const lc_universe *u, int64_t x, int64_t y, bool *alive,
                          lc_message *message)
{
    uint8_t state = 0;
    const lc_area place = place_of(x, y);
    const lc_box box = {.x = place.x0, .y = place.y0, .width_cells = 1, .height_cells = 1};
    const lc_status status = lc_universe_read_states(u, &box, &state, 1, message);
    *alive = state != 0;
    return status;
}

static bool look(void *context)
{
    const lc_universe *u = context;
    return u->watcher(u->watcher_context, u);
}

void lc_universe_set_watch(lc_universe *u, lc_watch watch, void *context, uint64_t interval_ns)
{
    u->watcher = watch;
    u->watcher_context = context;
    u->watch = (lc_engine_watch){watch != NULL ? look : NULL, u, interval_ns};
}

static lc_status stopped(const lc_universe *u, lc_message *message)
{
    char text[LC_COUNT_TEXT_BYTES];
    lc_count_format(u->generation, text);
    return lc_fail(message, LC_ERROR_STOPPED, "stopped at generation %s", text);
}

lc_status lc_generation_after(const lc_universe *u, lc_count generations, lc_count *after,
                              lc_message *message)
{
    if (lc_count_add(u->generation, generations, after))
        return LC_OK;
    char more[LC_COUNT_TEXT_BYTES], now[LC_COUNT_TEXT_BYTES];
    lc_count_format(generations, more);
    lc_count_format(u->generation, now);
    return lc_fail(message, LC_ERROR_ARGUMENT,
                   "the generation would be beyond 2^256 - 1: %s more than %s", more, now);
}

// Sets the rules of the stored cells. If the background blinks and the engine supports this, these
// are two alternating rules. Otherwise it is the rule of the next generation. Returns the number of
// generations allowed.
static uint64_t set_stored_rules(lc_universe *u, uint64_t wanted, bool one_by_one)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    if (!u->free_x && !u->free_y)
        return wanted;
    const bool next = lc_background_after(u->rule, u->background, lc_count_of(1));
    const bool after = lc_background_after(u->rule, next, lc_count_of(1));
    u->stored_rule = u->stored_rules[u->background];
    if (next != u->background && after == u->background && !one_by_one &&
        cover->set_rule(u->cover, u->stored_rule, u->stored_rules[next]))
        return wanted;
    (void)cover->set_rule(u->cover, u->stored_rule, NULL);
    return next != u->background ? 1 : wanted;
}

// Makes one pass of at most `wanted` generations, for which the block is large enough.
static lc_status pass(lc_universe *u, uint64_t wanted, uint64_t *passed, lc_message *message)
{
    const bool audited =
        u->audit_generations != 0 && lc_count_compare(u->generation, u->next_audit) >= 0;
    uint64_t to_audit;
    if (u->audit_generations != 0 && !audited && // a pass may be long
        lc_count_to_u64(lc_count_distance(u->next_audit, u->generation), &to_audit))
        wanted = lc_least_u64(wanted, to_audit);
    wanted = set_stored_rules(u, wanted, audited);
    u->cover->generation = u->generation;
    *passed = 0;
    lc_status status = audited ? lc_audited_step(u, wanted, passed, message)
                               : u->cover->vtable->advance(u->cover, wanted, passed, message);
    if (status == LC_ERROR_STOPPED)
        return stopped(u, message);
    if (status != LC_OK)
        return status;
    if (audited)
        u->next_audit = lc_capped_sum(u->generation, lc_count_of(u->audit_generations));
    if (u->free_x || u->free_y)
        u->background = lc_background_after(u->rule, u->background, lc_count_of(*passed));
    u->generation = lc_capped_sum(u->generation, lc_count_of(*passed));
    lc_cycle_passed(u, *passed);
    return LC_OK;
}

// Jumps 2^64 generations or more, if the engine supports this and nothing asks for each generation.
// Sets *log2 to 0 if there was no jump.
static lc_status leap(lc_universe *u, lc_count left, int *log2, lc_message *message)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    *log2 = 0;
    if (cover->jump == NULL || u->every_generation ||
        set_stored_rules(u, UINT64_MAX, false) != UINT64_MAX)
        return LC_OK;
    const lc_status status = cover->jump(u->cover, lc_count_log2(left), log2, message);
    if (status == LC_ERROR_STOPPED)
        return stopped(u, message);
    if (status != LC_OK || *log2 == 0)
        return status;
    lc_count leapt = lc_count_of(0);
    (void)lc_count_shift_left(lc_count_of(1), (unsigned)*log2, &leapt);
    u->generation = lc_capped_sum(u->generation, leapt); // the background does not change
    lc_cycle_forget(u);
    return LC_OK;
}

// Advances by some of the generations left: skips whole periods, skips all if there are no live
// cells, jumps, or makes a pass.
static lc_status advance(lc_universe *u, lc_count left, lc_message *message)
{
    int leap_log2 = 0;
    uint64_t wanted, safe, passed;
    const lc_count skipped = lc_cycle_skip(u, left);
    if (lc_count_compare(skipped, none) != 0) {
        u->generation = lc_capped_sum(u->generation, skipped);
        return LC_OK;
    }
    const bool is_wide = !lc_count_to_u64(left, &wanted);
    if (is_wide) // more than any pass
        wanted = UINT64_MAX;
    lc_status status = u->cover->vtable->prepare(u->cover, wanted, &safe, message);
    if (status == LC_OK && safe == UINT64_MAX && is_wide)
        status = leap(u, left, &leap_log2, message);
    if (status != LC_OK || leap_log2 != 0)
        return status;
    if (safe != 0)
        return pass(u, safe, &passed, message);
    u->background = lc_background_after(u->rule, u->background, left);
    u->generation = lc_capped_sum(u->generation, left);
    return LC_OK;
}

static lc_status refuse_change(lc_message *message)
{
    return lc_fail(message, LC_ERROR_ARGUMENT,
                   "the universe is being stepped: until that ends it may be looked at, and not "
                   "stepped or changed");
}

lc_status lc_check_changeable(const lc_universe *u, lc_message *message)
{
    LC_RETURN_FAILURE(u, message);
    return atomic_load(&u->is_stepped) ? refuse_change(message) : LC_OK;
}

static lc_status step(lc_universe *u, lc_count generations, lc_progress progress, void *context,
                      lc_message *message)
{
    lc_count last;
    lc_status status = lc_generation_after(u, generations, &last, message);
    if (status != LC_OK)
        return status;
    for (lc_count left = generations; lc_count_compare(left, none) > 0;) {
        status = advance(u, left, message);
        if (status != LC_OK)
            return status;
        left = lc_count_distance(last, u->generation);
        if (progress != NULL &&
            progress(context, u, lc_count_distance(generations, left), generations))
            return stopped(u, message);
    }
    return LC_OK;
}

lc_status lc_universe_step(lc_universe *u, lc_count generations, lc_progress progress,
                           void *context, lc_message *message)
{
    LC_RETURN_FAILURE(u, message);
    if (atomic_exchange(&u->is_stepped, true))
        return refuse_change(message);
    const lc_status status = step(u, generations, progress, context, message);
    atomic_store(&u->is_stepped, false);
    return status;
}

lc_status lc_universe_failure(const lc_universe *u, lc_message *message)
{
    if (u == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no universe");
    return u->failed != LC_OK ? lc_fail_again(message, u->failed, &u->failure)
                              : u->cover->vtable->failure(u->cover, message);
}

lc_count lc_universe_generation(const lc_universe *u)
{
    return u->generation;
}

void lc_universe_set_generation(lc_universe *u, lc_count generation)
{
    u->generation = generation;
    u->next_audit = generation; // the old one may be far ahead
}

const lc_rule *lc_universe_rule(const lc_universe *u)
{
    return u->rule;
}

const lc_topology *lc_universe_topology(const lc_universe *u)
{
    return &u->topology;
}

void lc_universe_get_info(const lc_universe *u, lc_universe_info *info)
{
    lc_universe_info now;
    u->cover->vtable->describe(u->cover, &now);
    now.limit_bytes = u->cover->vtable->limit_bytes(u->cover);
    now.skipped_generations = u->cycle.skipped;
    now.threads = lc_pool_threads(u->pool);
    lc_structure_give(info, &now, sizeof now);
}

uint64_t lc_universe_left_bytes(const lc_universe *u)
{
    const lc_universe_info info = lc_universe_info_of(u);
    const lc_engine_vtable *engine = lc_engine_find(info.engine);
    const bool on_gpu = engine != NULL && engine->traits.on_gpu; // then cells take none of it
    const uint64_t limit =
        on_gpu ? lc_memory_limit(u->cover->asked.max_memory_bytes) : info.limit_bytes;
    const uint64_t held = on_gpu ? 0 : info.memory_bytes;
    return held < limit ? limit - held : 1;
}

bool lc_universe_background(const lc_universe *u)
{
    return u->background;
}

lc_status lc_universe_facts(const lc_universe *u, unsigned which, lc_facts *facts,
                            lc_message *message)
{
    *facts = (lc_facts){.box = {.empty = true}, .wide_box = {.empty = true}};
    LC_RETURN_FAILURE(u, message);
    const lc_status status = u->cover->vtable->facts(u->cover, which, facts, message);
    const lc_box *box = &facts->box;
    if (!facts->is_far) // engines leave that to us
        facts->wide_box = (lc_wide_box){
            box->empty, lc_coordinate_of(box->x), lc_coordinate_of(box->y),
            lc_count_of((uint64_t)box->width_cells), lc_count_of((uint64_t)box->height_cells)};
    return status;
}
