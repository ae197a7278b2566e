// The block of an unbounded universe: where it lies, when it moves, how it grows.
//
// A step first finds the bounding box. The smallest gap between the box and an unbounded edge is
// how many generations are safe. When it is too small for a decent chunk, a new block is made
// around the box, the rows are copied and the old block is freed. The margin is a quarter of the
// box on each side that life came close to, so the cost of copying is a constant share of the cost
// of stepping. Sides that life has left are trimmed, and so a spaceship takes its block along.
//
// Old and new block exist together while rows are copied, and together they stay within
// max_memory_bytes. If they would not, smaller margins are tried.
//
// Where the engine is chosen automatically it is chosen for each block, so that a pattern that has
// grown large enough moves to a faster one. An engine that fails when it is made is passed over
// from then on.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "universe/state.h"

// The usual least margin in cells, and the fewest safe generations that are left alone.
enum { LEAST_MARGIN = 192, LEAST_CHUNK = 64 };

// No side of a block is longer, so that sums of its coordinates and margins stay inside 64 bits.
static const uint64_t largest_extent = (uint64_t)1 << 60;

static const uint64_t memory_if_unknown = (uint64_t)2 << 30;

typedef struct margins {
    int64_t left, right, top, bottom;
} margins;

lc_area lc_block_area(const lc_universe *u)
{
    return (lc_area){.x0 = u->origin_x,
                     .y0 = u->origin_y,
                     .x1 = u->origin_x + u->config.topology.width_cells,
                     .y1 = u->origin_y + u->config.topology.height_cells};
}

// What is alive; the error that has made that unknown.
static lc_status find_live(const lc_universe *u, lc_area *live, bool *empty, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_block_facts(u, LC_FACT_BOX, &facts, message);
    const lc_box box = facts.box;
    *empty = box.empty;
    int64_t x = u->origin_x + box.x, y = u->origin_y + box.y;
    *live = (lc_area){x, y, x + box.width_cells, y + box.height_cells};
    return status;
}

static lc_area united(lc_area a, lc_area b)
{
    return (lc_area){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                     a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

static bool contains(lc_area outer, lc_area inner)
{
    return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 &&
           outer.y1 >= inner.y1;
}

static uint64_t extent(int64_t begin, int64_t end) // may be more than an int64_t holds
{
    return (uint64_t)end - (uint64_t)begin;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// Bounded directions to their full width, unbounded ones out to whole words and groups of rows:
// what is looked at from far away begins at multiples of 64 in both, and engines keep counts of 16
// rows.
static lc_area rounded(const lc_universe *u, lc_area area)
{
    if (u->free_x) {
        area.x0 &= ~INT64_C(63);
        area.x1 = (area.x1 + 63) & ~INT64_C(63);
    } else {
        area.x0 = 0;
        area.x1 = u->topology.width_cells;
    }
    if (u->free_y) {
        area.y0 &= ~INT64_C(15);
        area.y1 = (area.y1 + 15) & ~INT64_C(15);
    } else {
        area.y0 = 0;
        area.y1 = u->topology.height_cells;
    }
    return area;
}

static lc_area widened(const lc_universe *u, lc_area area, margins m)
{
    return rounded(
        u, (lc_area){area.x0 - m.left, area.y0 - m.top, area.x1 + m.right, area.y1 + m.bottom});
}

// What an engine is told of a block.
static lc_engine_config engine_config(const lc_universe *u, lc_area area)
{
    lc_engine_config config = {.rule = u->rule,
                               .topology = u->topology,
                               .pool = u->pool,
                               .cpu_level = u->cpu_level,
                               .settings = u->settings,
                               .watch = &u->watch};
    if (u->free_x && u->free_y)
        config.topology.kind = LC_TOPOLOGY_TORUS;
    config.topology.width_cells = area.x1 - area.x0;
    config.topology.height_cells = area.y1 - area.y0;
    return config;
}

// Whether the i-th engine is to be tried for such a block.
static bool is_candidate(const lc_universe *u, const lc_engine_vtable *engine, size_t i,
                         const lc_engine_config *config)
{
    const char *reason;
    uint64_t cells;
    if (!lc_mul_u64((uint64_t)config->topology.width_cells, (uint64_t)config->topology.height_cells,
                    &cells))
        cells = UINT64_MAX - 1;
    const int64_t width = config->topology.width_cells;
    const bool any_level = strcmp(config->cpu_level, "auto") == 0;
    return (u->passed_over >> i & 1) == 0 && (engine->cpu_level != NULL || any_level) &&
           engine->auto_cells <= cells && engine->auto_width_cells <= width &&
           lc_engine_steps(engine, &config->rule) && engine->available(engine, &reason);
}

// The engine for a block: the one asked for, or the best candidate, whose place in the list goes to
// *index; NULL if none is left.
static const lc_engine_vtable *engine_for(const lc_universe *u, const lc_engine_config *config,
                                          size_t *index)
{
    const lc_engine_vtable *engine = u->vtable;
    for (*index = 0; u->automatic && (engine = lc_engine_get(*index)) != NULL; ++*index)
        if (is_candidate(u, engine, *index, config))
            break;
    return engine;
}

static uint64_t limit_bytes(const lc_universe *u, const lc_engine_vtable *engine)
{
    if (u->max_memory_bytes != 0)
        return u->max_memory_bytes;
    if (engine->memory_limit_bytes != NULL)
        return engine->memory_limit_bytes(engine);
    const uint64_t machine_bytes = lc_memory_of_machine();
    return machine_bytes != 0 ? machine_bytes / 2 : memory_if_unknown;
}

uint64_t lc_block_limit_bytes(const lc_universe *u)
{
    return limit_bytes(u, u->vtable);
}

// Which engine a block would have, and what it would take.
typedef struct choice {
    const lc_engine_vtable *engine;
    size_t index;
    uint64_t bytes;      // UINT64_MAX if they cannot even be counted
    uint64_t held_bytes; // by the old block, in the same memory
    uint64_t limit_bytes;
} choice;

static choice choose(const lc_universe *u, lc_area area)
{
    lc_engine_config config = engine_config(u, area);
    choice c = {.engine = engine_for(u, &config, &c.index)};
    config.engine = c.engine;
    if (!c.engine->memory_bytes(&config, &c.bytes))
        c.bytes = UINT64_MAX;
    c.held_bytes = c.engine == u->vtable ? u->engine_bytes : 0;
    c.limit_bytes = limit_bytes(u, c.engine);
    return c;
}

static lc_status refuse(lc_area area, const choice *c, lc_message *message)
{
    unsigned long long width = extent(area.x0, area.x1), height = extent(area.y0, area.y1);
    char needed[LC_SIZE_TEXT_BYTES], held[LC_SIZE_TEXT_BYTES], limit[LC_SIZE_TEXT_BYTES];
    if (c->bytes == UINT64_MAX)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%llu x %llu cells are more than any memory could hold", width, height);
    lc_size_text(c->bytes, needed);
    lc_size_text(c->held_bytes, held);
    lc_size_text(c->limit_bytes, limit);
    if (c->held_bytes == 0)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%llu x %llu cells need %s of memory, and the limit is %s", width, height,
                       needed, limit);
    return lc_fail(message, LC_ERROR_LIMIT,
                   "growing to %llu x %llu cells needs %s of memory, and %s more for the old block "
                   "until it is copied; the limit is %s",
                   width, height, needed, held, limit);
}

static bool fits(const choice *c)
{
    return c->held_bytes <= c->limit_bytes && c->bytes <= c->limit_bytes - c->held_bytes;
}

// Leaves an engine that failed for the next one, if any will do.
static bool pass_over(lc_universe *u, const lc_engine_config *config, const choice *c,
                      const lc_message *why)
{
    size_t next;
    if (!u->automatic)
        return false;
    u->passed_over |= 1u << c->index;
    if (engine_for(u, config, &next) == NULL) {
        u->passed_over &= ~(1u << c->index);
        return false;
    }
    if (u->note.text[0] == '\0')
        lc_fail(&u->note, LC_OK, "the engine \"%s\" is not used: %.250s", c->engine->name,
                why->text);
    return true;
}

// Makes an engine for a block, with the rule of the block before it.
static lc_status make_engine(lc_universe *u, lc_area area, choice *c, lc_engine **out,
                             lc_engine_config *config, lc_message *message)
{
    *config = engine_config(u, area);
    if (u->engine != NULL)
        config->rule = u->config.rule;
    for (;;) {
        lc_message why = {0};
        *c = choose(u, area);
        config->engine = c->engine;
        lc_status status = fits(c) ? c->engine->create(out, config, &why) : refuse(area, c, &why);
        if (status == LC_OK || !pass_over(u, config, c, &why)) {
            if (status != LC_OK && message != NULL)
                *message = why;
            return status;
        }
    }
}

static lc_status copy_live(const lc_universe *u, const lc_engine_vtable *vtable, lc_engine *engine,
                           lc_area area, lc_area live, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    lc_status status = LC_OK;
    int64_t left = live.x0 & ~INT64_C(63); // both origins are multiples of 64
    for (int64_t y = live.y0; y < live.y1; y++) {
        for (int64_t x = left; x < live.x1 && status == LC_OK; x += LC_SPAN_CELLS) {
            int64_t width = least(live.x1 - x, LC_SPAN_CELLS);
            lc_cells cells = lc_row_cells(x - u->origin_x, y - u->origin_y, width, span);
            status = u->vtable->read(u->engine, &cells, message);
            cells.x = x - area.x0;
            cells.y = y - area.y0;
            if (status == LC_OK)
                status = vtable->write(engine, &cells, message);
        }
    }
    return status;
}

// Replaces the block by one of `area`, which holds all that is alive (`live`, unless NULL).
static lc_status replace(lc_universe *u, lc_area area, const lc_area *live, lc_message *message)
{
    choice c;
    lc_engine *engine;
    lc_engine_config config;
    lc_status status = make_engine(u, area, &c, &engine, &config, message);
    if (status != LC_OK)
        return status;
    if (u->engine != NULL && live != NULL) {
        status = copy_live(u, c.engine, engine, area, *live, message);
        if (status != LC_OK) {
            c.engine->destroy(engine);
            return status;
        }
    }
    if (u->engine != NULL)
        u->vtable->destroy(u->engine);
    u->vtable = c.engine;
    u->engine = engine;
    u->config = config;
    u->engine_bytes = c.bytes;
    u->safe_generations = 0;
    lc_cycle_forget(u);
    u->origin_x = area.x0;
    u->origin_y = area.y0;
    return LC_OK;
}

lc_status lc_block_check(const lc_universe *u, lc_area area, lc_universe_needs *needs,
                         lc_message *message)
{
    area = rounded(u, area);
    const choice c = choose(u, area);
    *needs = (lc_universe_needs){
        .engine = c.engine->name,
        .on_gpu = c.engine->on_gpu,
        .memory_bytes = c.bytes,
        .limit_bytes = c.limit_bytes,
    };
    lc_engine_config config = engine_config(u, area);
    config.engine = c.engine;
    if (!fits(&c))
        return refuse(area, &c, message);
    return c.engine->check != NULL ? c.engine->check(&config, message) : LC_OK;
}

lc_status lc_block_create(lc_universe *u, lc_area area, lc_message *message)
{
    return replace(u, rounded(u, area), NULL, message);
}

static bool same(lc_area a, lc_area b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

static margins halved(margins m, margins fewest)
{
    return (margins){greatest(m.left / 2, fewest.left), greatest(m.right / 2, fewest.right),
                     greatest(m.top / 2, fewest.top), greatest(m.bottom / 2, fewest.bottom)};
}

// Replaces the block by `core` with margins, which shrink down to `fewest` until it fits. `live` as
// for replace.
static lc_status replace_with_margins(lc_universe *u, lc_area core, margins m, margins fewest,
                                      const lc_area *live, lc_message *message)
{
    for (;;) {
        lc_area area = widened(u, core, m);
        if (same(area, lc_block_area(u)))
            return LC_OK;
        margins less = halved(m, fewest);
        bool last = less.left == m.left && less.right == m.right && less.top == m.top &&
                    less.bottom == m.bottom;
        choice c = choose(u, area);
        if (last || fits(&c))
            return replace(u, area, live, message);
        m = less;
    }
}

lc_status lc_block_include(lc_universe *u, lc_area area, lc_message *message)
{
    lc_area block = lc_block_area(u);
    if (contains(block, area))
        return LC_OK;
    bool empty;
    lc_area live;
    lc_status status = find_live(u, &live, &empty, message);
    if (status != LC_OK)
        return status;
    lc_area core = empty ? area : united(live, area);
    if (extent(core.x0, core.x1) > largest_extent || extent(core.y0, core.y1) > largest_extent)
        return refuse(core, &(choice){.bytes = UINT64_MAX}, message);
    int64_t width = core.x1 - core.x0, height = core.y1 - core.y0;
    margins m;
    if (empty) { // room for life to spread, as in lc_block_prepare
        m.left = m.right = greatest(LEAST_MARGIN, width / 4);
        m.top = m.bottom = greatest(LEAST_MARGIN, height / 4);
    } else { // cells come one by one: double where they came, so that copying stays cheap
        int64_t more_x = greatest(LEAST_MARGIN, width), more_y = greatest(LEAST_MARGIN, height);
        m.left = area.x0 < block.x0 ? more_x : greatest(0, least(core.x0 - block.x0, more_x));
        m.right = area.x1 > block.x1 ? more_x : greatest(0, least(block.x1 - core.x1, more_x));
        m.top = area.y0 < block.y0 ? more_y : greatest(0, least(core.y0 - block.y0, more_y));
        m.bottom = area.y1 > block.y1 ? more_y : greatest(0, least(block.y1 - core.y1, more_y));
    }
    return replace_with_margins(u, core, m, (margins){0}, empty ? NULL : &live, message);
}

// One unbounded direction of lc_block_prepare: the gaps on both sides, and the margins wanted.
typedef struct direction {
    int64_t low_gap, high_gap;
    int64_t low_margin, high_margin; // wanted
    int64_t low_fewest, high_fewest; // with less, a new block would be no better than the old one
    bool short_of_room, oversized;
} direction;

// `chunk`: what life spreads in the generations that are worth a new block; `step`: in one.
static direction look_along(int64_t block0, int64_t live0, int64_t live1, int64_t block1,
                            int64_t chunk, int64_t step)
{
    int64_t margin = greatest(LEAST_MARGIN, (live1 - live0) / 4);
    direction d = {.low_gap = live0 - block0, .high_gap = block1 - live1};
    d.short_of_room = d.low_gap < chunk || d.high_gap < chunk;
    d.oversized = d.low_gap + d.high_gap > 8 * margin;
    d.low_margin = d.low_gap < chunk ? margin : least(d.low_gap, margin);
    d.high_margin = d.high_gap < chunk ? margin : least(d.high_gap, margin);
    d.low_fewest = d.low_gap < chunk ? d.low_gap + step : chunk;
    d.high_fewest = d.high_gap < chunk ? d.high_gap + step : chunk;
    return d;
}

// From life to the nearer end of the coordinates. What is between both ends is too long for 64
// bits.
static int64_t rest_of_world(int64_t live0, int64_t live1)
{
    return LC_UNIVERSE_REACH - greatest(-live0, live1 - 1);
}

// How many generations nothing can get from `live` beyond the block, or beyond all coordinates.
static uint64_t reach(const lc_universe *u, lc_area live, bool *at_the_end)
{
    lc_area block = lc_block_area(u);
    int64_t gap = INT64_MAX, rest = INT64_MAX;
    if (u->free_x) {
        gap = least(live.x0 - block.x0, block.x1 - live.x1);
        rest = rest_of_world(live.x0, live.x1);
    }
    if (u->free_y) {
        gap = least(gap, least(live.y0 - block.y0, block.y1 - live.y1));
        rest = least(rest, rest_of_world(live.y0, live.y1));
    }
    *at_the_end = lc_rule_halo_generations(&u->rule, rest) == 0;
    return lc_rule_halo_generations(&u->rule, least(gap, rest));
}

lc_status lc_block_prepare(lc_universe *u, uint64_t wanted, bool *empty, lc_message *message)
{
    bool at_the_end;
    lc_area block = lc_block_area(u), live;
    lc_status status = find_live(u, &live, empty, message);
    if (status != LC_OK || *empty)
        return status;
    const int64_t step = u->rule.reach;
    const int64_t chunk = lc_rule_halo_cells(&u->rule, wanted < LEAST_CHUNK ? wanted : LEAST_CHUNK);
    direction x = {0}, y = {0};
    if (u->free_x)
        x = look_along(block.x0, live.x0, live.x1, block.x1, chunk, step);
    if (u->free_y)
        y = look_along(block.y0, live.y0, live.y1, block.y1, chunk, step);

    margins wanted_margins = {x.low_margin, x.high_margin, y.low_margin, y.high_margin};
    margins fewest = {x.low_fewest, x.high_fewest, y.low_fewest, y.high_fewest};
    if (x.short_of_room || y.short_of_room || x.oversized || y.oversized)
        status = replace_with_margins(u, live, wanted_margins, fewest, &live, message);
    uint64_t safe = reach(u, live, &at_the_end);
    if (safe == 0 && status == LC_ERROR_LIMIT && !at_the_end) {
        margins one = {step, step, step, step}; // the last resort: a generation at a time
        status = replace_with_margins(u, live, one, one, &live, message);
        safe = reach(u, live, &at_the_end);
    }
    if (safe > 0) { // even if growing failed: the block is good for a little more
        u->safe_generations = safe;
        return LC_OK;
    }
    if (at_the_end)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "life has reached the end of the coordinates, 2^62 cells from (0, 0)");
    return status;
}

void lc_block_changed(lc_universe *u)
{
    u->safe_generations = 0;
    lc_cycle_forget(u);
}

lc_status lc_block_facts(const lc_universe *u, unsigned which, lc_facts *facts, lc_message *message)
{
    return u->vtable->facts(u->engine, which, facts, message);
}

lc_status lc_block_read(const lc_universe *u, int64_t x, int64_t y, uint64_t *words, int64_t to_bit,
                        int64_t length, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    int64_t block_x = x - u->origin_x;
    const int64_t end = block_x + length;
    while (block_x < end) {
        const int64_t begin = block_x & ~INT64_C(63);
        const int64_t width = least(end - begin, LC_SPAN_CELLS);
        const lc_cells cells = lc_row_cells(begin, y - u->origin_y, width, span);
        const lc_status status = u->vtable->read(u->engine, &cells, message);
        if (status != LC_OK)
            return status;
        const int64_t count = begin + width - block_x;
        lc_bits_copy(words, to_bit, span, block_x - begin, count);
        block_x += count;
        to_bit += count;
    }
    return LC_OK;
}

lc_status lc_block_write(lc_universe *u, int64_t x, int64_t y, const uint64_t *words,
                         int64_t from_bit, int64_t length, bool merge, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    int64_t block_x = x - u->origin_x, block_y = y - u->origin_y;
    const int64_t block_width = u->config.topology.width_cells;
    lc_block_changed(u);
    while (length > 0) {
        int64_t begin = block_x & ~INT64_C(63); // of the span
        int64_t offset = block_x - begin;
        int64_t count = least(length, LC_SPAN_CELLS - offset);
        int64_t width = least(block_width - begin, (offset + count + 63) & ~INT64_C(63));
        size_t span_words = (size_t)(width + 63) / 64;
        const lc_cells cells = lc_row_cells(begin, block_y, width, span);
        lc_status status = LC_OK;
        if (merge || offset != 0 || count != width) {
            status = u->vtable->read(u->engine, &cells, message);
            for (size_t i = 0; u->background && i < span_words; i++)
                span[i] = ~span[i];
        }
        if (words == NULL)
            lc_bits_fill(span, offset, count, true);
        else if (merge)
            lc_bits_or(span, offset, words, from_bit, count);
        else
            lc_bits_copy(span, offset, words, from_bit, count);
        for (size_t i = 0; u->background && i < span_words; i++)
            span[i] = ~span[i];
        if (status == LC_OK)
            status = u->vtable->write(u->engine, &cells, message);
        if (status != LC_OK)
            return status;
        block_x += count;
        from_bit += count;
        length -= count;
    }
    return LC_OK;
}
