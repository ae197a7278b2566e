#include "choice/engine_choice.h"

#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "choice/auto_start.h"
#include "choice/tuned.h"

// Whether "auto" may take the i-th engine for the block. Where no fast engine steps the rule, that
// is the engine "scalar".
static bool is_candidate(const lc_engine_request *r, const lc_engine_history *history,
                         const lc_engine_vtable *engine, size_t i)
{
    const char *reason;
    const lc_engine_config *config = &r->config;
    const int64_t width = config->frame.width_cells, height = config->frame.height_cells;
    uint64_t cells;
    if (!lc_mul_u64((uint64_t)width, (uint64_t)height, &cells))
        cells = UINT64_MAX - 1;
    const bool any_level = strcmp(config->cpu_level, "auto") == 0;
    if ((history->passed_over >> i & 1) != 0)
        return false;
    if (!lc_auto_has_fast_engine(config->rule))
        return engine == &lc_engine_scalar;
    return !(history->avoids_gpu && engine->traits.on_gpu) &&
           (engine->traits.has_levels || any_level) && engine->choice != NULL &&
           engine->choice->auto_cells <= cells && engine->choice->auto_width_cells <= width &&
           lc_engine_steps(engine, config->rule) &&
           lc_engine_available(engine, config->context, &reason);
}

// Returns the named engine, or the first candidate and its index in the registry; NULL if there is
// none.
static const lc_engine_vtable *find_engine(const lc_engine_request *r,
                                           const lc_engine_history *history, size_t *index)
{
    const lc_engine_vtable *engine = r->engine;
    *index = 0;
    if (engine != NULL)
        return engine;
    for (; (engine = lc_engine_get(*index)) != NULL; ++*index)
        if (is_candidate(r, history, engine, *index))
            break;
    return engine;
}

uint64_t lc_engine_limit_bytes(uint64_t max_memory_bytes, const lc_engine_config *config)
{
    if (max_memory_bytes != 0)
        return max_memory_bytes;
    const lc_choice_ops *choice = config->engine->choice;
    if (choice != NULL && choice->memory_limit_bytes != NULL)
        return choice->memory_limit_bytes(config);
    const uint64_t machine_bytes = lc_memory_of_machine();
    return machine_bytes != 0 ? machine_bytes / 2 : lc_tuned_unknown_memory_bytes;
}

lc_choice lc_choose_engine(const lc_engine_request *r)
{
    lc_choice c = {0};
    lc_engine_config config = r->config;
    c.engine = find_engine(r, r->history, &c.index);
    config.engine = c.engine;
    c.held_bytes = c.engine == r->old_engine ? r->old_bytes : 0;
    c.limit_bytes = lc_engine_limit_bytes(r->max_memory_bytes, &config);
    c.limit_bytes -= lc_least_u64(c.limit_bytes, r->kept_free_bytes);
    c.room_bytes = c.limit_bytes - lc_least_u64(c.limit_bytes, c.held_bytes);
    if (r->memory_share > 0)
        c.room_bytes = (uint64_t)((double)c.room_bytes * r->memory_share);
    config.room_bytes = c.room_bytes;
    (void)c.engine->check(&config, &c.bytes, NULL); // `create` refuses the board, if it must be
    return c;
}

bool lc_choice_fits(const lc_choice *c)
{
    return c->held_bytes <= c->limit_bytes && c->bytes <= c->limit_bytes - c->held_bytes;
}

lc_status lc_choice_refuse(const lc_choice *c, lc_area area, lc_message *message)
{
    const unsigned long long width = lc_extent(area.x0, area.x1);
    const unsigned long long height = lc_extent(area.y0, area.y1);
    if (c->bytes == UINT64_MAX || c->bytes > UINT64_MAX - c->held_bytes)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%llu x %llu cells are more than any memory could hold", width, height);
    if (c->held_bytes == 0)
        return lc_fail_limit(message, c->bytes, c->limit_bytes, "%llu x %llu cells need", width,
                             height);
    return lc_fail_limit(message, c->bytes + c->held_bytes, c->limit_bytes,
                         "copying the cells to a block of %llu x %llu cells needs", width, height);
}

bool lc_choice_pass_over(const lc_engine_request *r, const lc_choice *c, lc_engine_history *history,
                         const lc_message *why)
{
    size_t next;
    lc_engine_history after = *history;
    after.passed_over |= 1u << c->index;
    if (r->engine != NULL || find_engine(r, &after, &next) == NULL)
        return false;
    history->passed_over = after.passed_over;
    if (history->note.text[0] == '\0')
        lc_fail(&history->note, LC_OK, "the engine \"%s\" is not used: %.250s", c->engine->name,
                why->text);
    return true;
}
