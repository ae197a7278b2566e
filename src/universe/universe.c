// Universes: creating, looking at cells, stepping.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "universe/state.h"

enum { FIRST_BLOCK = 64 };

static lc_status check_options(const lc_universe_options *options, lc_message *message)
{
    if ((options->rule.birth | options->rule.survival) & ~0x1ff)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a rule speaks of 0 to 8 neighbours only");
    if (options->threads < 0 || options->threads > LC_THREADS_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "%d threads: 0 (automatic) to %d are possible",
                       options->threads, LC_THREADS_MAX);
    lc_status status = lc_topology_check(&options->topology, message);
    if (status != LC_OK)
        return status;
    const lc_topology *t = &options->topology;
    bool one_unbounded = (t->width_cells == 0) != (t->height_cells == 0);
    if (t->kind == LC_TOPOLOGY_PLANE && one_unbounded && (options->rule.birth & 1))
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a rule with B0 on a plane bounded in one direction only: its empty space "
                       "would fill with stripes without end (a torus, or bounds for both "
                       "directions, would do)");
    return LC_OK;
}

static lc_status refuse_engine(const char *name, lc_message *message)
{
    char names[160] = "";
    const lc_engine_vtable *engine;
    for (size_t i = 0; (engine = lc_engine_get(i)) != NULL; i++) {
        strncat(names, i == 0 ? "" : ", ", sizeof names - 1 - strlen(names));
        strncat(names, engine->name, sizeof names - 1 - strlen(names));
    }
    return lc_fail(message, LC_ERROR_ARGUMENT, "no engine is called \"%s\"; there are auto, %s",
                   name, names);
}

static lc_status choose_engine(lc_universe *u, const lc_universe_options *options,
                               lc_message *message)
{
    u->automatic = options->engine == NULL || strcmp(options->engine, "auto") == 0;
    if (!u->automatic) {
        const char *reason;
        u->vtable = lc_engine_find(options->engine);
        if (u->vtable == NULL)
            return refuse_engine(options->engine, message);
        if (!u->vtable->available(u->vtable, &reason))
            return lc_fail(message, LC_ERROR_UNSUPPORTED, "the engine \"%s\" cannot run here: %s",
                           u->vtable->name, reason);
    }
    const char *colon = u->automatic ? NULL : strchr(options->engine, ':');
    if (colon != NULL && strlen(colon) > sizeof u->settings)
        return lc_fail(message, LC_ERROR_ARGUMENT, "settings of an engine have at most %zu letters",
                       sizeof u->settings - 1);
    strcpy(u->settings, colon != NULL ? colon + 1 : "");
    const char *level = options->cpu_level != NULL ? options->cpu_level : "auto";
    if (strlen(level) >= sizeof u->cpu_level)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "no CPU level is called \"%s\"", level);
    strcpy(u->cpu_level, level);
    return LC_OK;
}

static const lc_area first_block = {-FIRST_BLOCK, -FIRST_BLOCK, FIRST_BLOCK, FIRST_BLOCK};

// All of a universe but its block.
static lc_status create_without_block(lc_universe **out, const lc_universe_options *stated,
                                      lc_message *message)
{
    *out = NULL;
    if (stated == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a universe needs options, a rule at least");
    lc_universe_options all;
    const lc_universe_options *options = &all;
    lc_status status = lc_structure_take(&all, sizeof all, stated, "lc_universe_options", message);
    if (status == LC_OK)
        status = check_options(options, message);
    if (status != LC_OK)
        return status;
    lc_universe *u = lc_calloc(1, sizeof *u);
    if (u == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for a universe");
    u->rule = options->rule;
    u->topology = options->topology;
    u->free_x = options->topology.width_cells == 0;
    u->free_y = options->topology.height_cells == 0;
    u->max_memory_bytes = options->max_memory_bytes;
    u->audit_generations = options->audit_generations;
    u->every_generation = options->every_generation || options->audit_generations != 0;

    status = choose_engine(u, options, message);
    if (status == LC_OK) {
        int threads = options->threads != 0 ? options->threads : lc_cpu_count();
        status = lc_pool_create(&u->pool, threads);
        if (status != LC_OK)
            lc_fail(message, status, "cannot start %d threads", threads);
    }
    if (status != LC_OK)
        lc_universe_destroy(&u);
    *out = u;
    return status;
}

lc_status lc_universe_create(lc_universe **out, const lc_universe_options *options,
                             lc_message *message)
{
    lc_status status = create_without_block(out, options, message);
    if (status == LC_OK)
        status = lc_block_create(*out, first_block, message);
    if (status != LC_OK)
        lc_universe_destroy(out);
    return status;
}

lc_status lc_universe_check(const lc_universe_options *options, lc_universe_needs *needs,
                            lc_message *message)
{
    lc_universe *u;
    *needs = (lc_universe_needs){.engine = ""};
    lc_status status = create_without_block(&u, options, message);
    if (status == LC_OK)
        status = lc_block_check(u, first_block, needs, message);
    lc_universe_destroy(&u);
    return status;
}

void lc_universe_destroy(lc_universe **universe)
{
    if (universe == NULL || *universe == NULL)
        return;
    lc_universe *u = *universe;
    if (u->engine != NULL)
        u->vtable->destroy(u->engine);
    lc_cycle_forget(u);
    lc_pool_destroy(&u->pool);
    lc_free(u);
    *universe = NULL;
}

// Whether an unbounded direction has such a coordinate, or a bounded one of `size` cells.
static bool exists(bool is_free, int64_t size, int64_t coordinate)
{
    return is_free ? coordinate >= -LC_UNIVERSE_REACH && coordinate <= LC_UNIVERSE_REACH
                   : coordinate >= 0 && coordinate < size;
}

lc_status lc_universe_set(lc_universe *u, int64_t x, int64_t y, bool alive, lc_message *message)
{
    if (!exists(u->free_x, u->topology.width_cells, x) ||
        !exists(u->free_y, u->topology.height_cells, y))
        return lc_fail(message, LC_ERROR_ARGUMENT, "the cell (%lld, %lld) is outside the universe",
                       (long long)x, (long long)y);
    if (lc_universe_get(u, x, y) == alive)
        return lc_universe_failure(u, message);
    lc_status status = lc_block_include(u, (lc_area){x, y, x + 1, y + 1}, message);
    if (status != LC_OK)
        return status;
    uint64_t word = alive;
    lc_block_write(u, x, y, &word, 0, 1, false);
    return lc_universe_failure(u, message);
}

bool lc_universe_get(const lc_universe *u, int64_t x, int64_t y)
{
    uint64_t word;
    return lc_universe_read_row(u, x, y, 1, &word) == LC_OK && word;
}

// Cells x0 .. x1-1 of row y, all in the block, to bit `to_bit` of words.
static void read_block(const lc_universe *u, int64_t x0, int64_t x1, int64_t y, uint64_t *words,
                       int64_t to_bit)
{
    uint64_t span[LC_SPAN_WORDS];
    int64_t block_x = x0 - u->origin_x, end = x1 - u->origin_x;
    while (block_x < end) {
        int64_t begin = block_x & ~INT64_C(63);
        int64_t width = end - begin < LC_SPAN_CELLS ? end - begin : LC_SPAN_CELLS;
        u->vtable->read_row(u->engine, begin, y - u->origin_y, width, span);
        for (int64_t i = 0; u->background && i < (width + 63) / 64; i++)
            span[i] = ~span[i];
        int64_t count = begin + width - block_x;
        lc_bits_copy(words, to_bit, span, block_x - begin, count);
        block_x += count;
        to_bit += count;
    }
}

lc_status lc_universe_read_row(const lc_universe *u, int64_t x, int64_t y, int64_t width_cells,
                               uint64_t *words)
{
    int64_t end;
    if (width_cells < 0 || __builtin_add_overflow(x, width_cells, &end) ||
        __builtin_add_overflow(end, 63, &(int64_t){0}))
        return LC_ERROR_ARGUMENT;
    memset(words, 0, (size_t)(width_cells / 64 + (width_cells % 64 != 0)) * sizeof *words);
    if (!u->free_y && (y < 0 || y >= u->topology.height_cells))
        return LC_OK;
    // Of the row asked for, what is in the universe, and of that, what is in the block.
    int64_t x0 = x, x1 = end;
    if (!u->free_x) {
        x0 = x0 > 0 ? x0 : 0;
        x1 = x1 < u->topology.width_cells ? x1 : u->topology.width_cells;
    }
    if (x0 >= x1)
        return LC_OK;
    if (u->background)
        lc_bits_fill(words, x0 - x, x1 - x0, true);
    lc_area block = lc_block_area(u);
    if (y < block.y0 || y >= block.y1)
        return LC_OK;
    x0 = x0 > block.x0 ? x0 : block.x0;
    x1 = x1 < block.x1 ? x1 : block.x1;
    if (x0 < x1)
        read_block(u, x0, x1, y, words, x0 - x);
    return lc_universe_failure(u, NULL);
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
    return lc_fail(message, LC_ERROR_STOPPED, "stopped at generation %llu",
                   (unsigned long long)u->generation);
}

// At most `wanted` generations in one pass of the engine.
static lc_status pass(lc_universe *u, uint64_t wanted, uint64_t *passed, lc_message *message)
{
    bool next_background = false;
    if (u->free_x || u->free_y) {
        lc_rule rule = lc_stored_rule(&u->rule, u->background, &next_background);
        if (!lc_rule_equal(&rule, &u->config.rule)) {
            u->vtable->set_rule(u->engine, &rule);
            u->config.rule = rule;
        }
        if (next_background != u->background)
            wanted = 1; // the generation after it follows another rule
    }
    const bool audited = u->audit_generations != 0 && u->generation >= u->next_audit;
    *passed = 0;
    lc_status status = audited ? lc_audited_step(u, wanted, passed, message)
                               : u->vtable->step(u->engine, wanted, passed, message);
    if (status == LC_ERROR_STOPPED)
        return stopped(u, message);
    if (status != LC_OK)
        return status;
    if (audited && !lc_add_u64(u->generation, u->audit_generations, &u->next_audit))
        u->next_audit = UINT64_MAX;
    u->background = next_background;
    u->generation += *passed;
    lc_cycle_passed(u, *passed);
    return LC_OK;
}

lc_status lc_universe_step(lc_universe *u, uint64_t generations, lc_progress progress,
                           void *context, lc_message *message)
{
    uint64_t last;
    if (!lc_add_u64(u->generation, generations, &last))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the generation would be beyond 2^64 - 1: %llu more than %llu",
                       (unsigned long long)generations, (unsigned long long)u->generation);
    const bool bounded = !u->free_x && !u->free_y;
    LC_RETURN_FAILURE(u, message);
    for (uint64_t done = 0, passed; done < generations; done += passed) {
        const uint64_t left = generations - done;
        lc_status status = LC_OK;
        passed = lc_cycle_skip(u, left);
        if (passed != 0) {
            u->generation += passed;
        } else if (bounded) {
            status = pass(u, left, &passed, message);
        } else if (u->safe_generations == 0 && u->vtable->bounding_box(u->engine).empty) {
            LC_RETURN_FAILURE(u, message); // a board that could not be read looks empty
            passed = left;
            u->background = lc_background_after(&u->rule, u->background, left);
            u->generation = last;
        } else {
            if (u->safe_generations == 0)
                status = lc_block_prepare(u, left, message);
            if (status == LC_OK)
                status = pass(u, left < u->safe_generations ? left : u->safe_generations, &passed,
                              message);
            if (status == LC_OK)
                u->safe_generations -= passed;
        }
        if (status != LC_OK)
            return status;
        if (progress != NULL && progress(context, u, done + passed, generations))
            return stopped(u, message);
    }
    return LC_OK;
}

lc_status lc_universe_failure(const lc_universe *u, lc_message *message)
{
    if (u->failed != LC_OK) {
        if (message != NULL)
            *message = u->failure;
        return u->failed;
    }
    return u->vtable->failure != NULL ? u->vtable->failure(u->engine, message) : LC_OK;
}

uint64_t lc_universe_generation(const lc_universe *u)
{
    return u->generation;
}

void lc_universe_set_generation(lc_universe *u, uint64_t generation)
{
    u->generation = generation;
}

const lc_rule *lc_universe_rule(const lc_universe *u)
{
    return &u->rule;
}

const lc_topology *lc_universe_topology(const lc_universe *u)
{
    return &u->topology;
}

const char *lc_universe_engine(const lc_universe *u)
{
    return u->vtable->name;
}

const char *lc_universe_engine_note(const lc_universe *u)
{
    return u->note.text;
}

const char *lc_universe_cpu_level(const lc_universe *u)
{
    return u->vtable->cpu_level != NULL ? u->vtable->cpu_level(u->engine) : "";
}

const char *lc_universe_plan(const lc_universe *u)
{
    return u->vtable->plan != NULL ? u->vtable->plan(u->engine) : "";
}

int lc_universe_threads(const lc_universe *u)
{
    return lc_pool_threads(u->pool);
}

uint64_t lc_universe_memory_bytes(const lc_universe *u)
{
    return u->engine_bytes;
}

uint64_t lc_universe_traffic_bytes(const lc_universe *u)
{
    return u->vtable->traffic_bytes != NULL ? u->vtable->traffic_bytes(u->engine) : 0;
}

double lc_universe_stepping_ns(const lc_universe *u)
{
    return u->vtable->stepping_ns != NULL ? u->vtable->stepping_ns(u->engine) : 0;
}

void lc_universe_step_facts(const lc_universe *u, lc_step_facts *facts)
{
    *facts = (lc_step_facts){0};
    if (u->vtable->facts != NULL)
        u->vtable->facts(u->engine, facts);
}

bool lc_universe_background(const lc_universe *u)
{
    return u->background;
}

uint64_t lc_universe_population(const lc_universe *u)
{
    return u->vtable->population(u->engine);
}

lc_box lc_universe_bounding_box(const lc_universe *u)
{
    lc_box box = u->vtable->bounding_box(u->engine);
    if (!box.empty) {
        box.x += u->origin_x;
        box.y += u->origin_y;
    }
    return box;
}

uint64_t lc_universe_hash(const lc_universe *u)
{
    return u->vtable->hash(u->engine, u->origin_x, u->origin_y);
}
