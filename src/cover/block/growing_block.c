// One block around all live cells of a universe with an unbounded direction: where it lies, when it
// moves, how it grows.
//
//          x                                      x + width of the block
//          +--------------------------------------+
//          |  dead cells, at least as wide as the |
//          |  generations of the next chunk       |
//          |            +--------------+          |
//          |            | bounding box |          |
//          |            +--------------+          |
//          +--------------------------------------+
//
// In n generations no cell spreads further than n times the rule's reach. While the margin is that
// wide, cells beyond the block do not matter, and the engine steps a torus, its fastest topology.
//
// `prepare` finds the bounding box. The smallest gap between the box and an unbounded edge is the
// number of safe generations. If it is too small for a chunk, a new block is created around the box
// and the cells are copied. On each side that live cells came close to, the margin is a quarter of
// the box, so copying is a constant share of the work. Sides that they have left are trimmed, so a
// spaceship takes its block along.
//
// The old and the new block together stay within max_memory_bytes; if necessary, with smaller
// margins.
#include "base/error.h"
#include "cover/block/block_copy.h"

// The usual least margin in cells, and the fewest safe generations that are left alone.
enum { LEAST_MARGIN = 192, LEAST_CHUNK = 64 };

// No side of a block is longer, so that sums of its coordinates and margins stay inside 64 bits.
static const uint64_t largest_extent = (uint64_t)1 << 60;

typedef struct margins {
    int64_t left, right, top, bottom;
} margins;

// Finds the bounding box of the live cells.
static lc_status find_live(lc_one_block *s, lc_area *live, bool *empty, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_one_block_facts(&s->base, LC_FACT_BOX, &facts, message);
    *empty = facts.box.empty;
    *live = lc_area_of_box(&facts.box);
    return status;
}

static lc_area widened(const lc_one_block *s, lc_area area, margins m)
{
    return lc_one_block_rounded(&s->base, (lc_area){area.x0 - m.left, area.y0 - m.top,
                                                    area.x1 + m.right, area.y1 + m.bottom});
}

// Replaces the block by one of `area`, which holds all that is alive (`live`, unless NULL).
static lc_status replace(lc_one_block *s, lc_area area, const lc_area *live, lc_message *message)
{
    lc_block block;
    const lc_block_request request = lc_one_block_request(s, area);
    lc_status status = lc_one_block_make(s, &request, &block, message);
    if (status != LC_OK)
        return status;
    if (live != NULL) // both blocks begin at multiples of 64
        status = lc_block_copy(&s->block, &block,
                               (lc_area){live->x0 & ~INT64_C(63), live->y0, live->x1, live->y1},
                               NULL, message);
    if (status != LC_OK) {
        block.vtable->destroy(block.engine);
        return status;
    }
    s->block.vtable->destroy(s->block.engine);
    s->block = block;
    s->safe_generations = 0;
    s->base.changes++;
    return LC_OK;
}

static bool same(lc_area a, lc_area b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

static margins halved(margins m, margins fewest)
{
    return (margins){lc_greatest(m.left / 2, fewest.left), lc_greatest(m.right / 2, fewest.right),
                     lc_greatest(m.top / 2, fewest.top), lc_greatest(m.bottom / 2, fewest.bottom)};
}

// Replaces the block by `core` with margins, which shrink down to `fewest` until it fits. `live` as
// for replace.
static lc_status replace_with_margins(lc_one_block *s, lc_area core, margins m, margins fewest,
                                      const lc_area *live, lc_message *message)
{
    for (;;) {
        lc_area area = widened(s, core, m);
        if (same(area, lc_one_block_area(&s->base)))
            return LC_OK;
        margins less = halved(m, fewest);
        bool last = less.left == m.left && less.right == m.right && less.top == m.top &&
                    less.bottom == m.bottom;
        const lc_choice c = lc_one_block_choose(s, area);
        if (last || lc_choice_fits(&c))
            return replace(s, area, live, message);
        m = less;
    }
}

static lc_status include(lc_cover *cover, lc_area area, lc_message *message)
{
    lc_one_block *s = lc_one_block_of(cover);
    lc_area block = lc_one_block_area(cover);
    if (lc_area_contains(block, area))
        return LC_OK;
    bool empty;
    lc_area live;
    lc_status status = find_live(s, &live, &empty, message);
    if (status != LC_OK)
        return status;
    lc_area core = empty ? area : lc_area_union(live, area);
    if (lc_extent(core.x0, core.x1) > largest_extent ||
        lc_extent(core.y0, core.y1) > largest_extent)
        return lc_choice_refuse(&(lc_choice){.bytes = UINT64_MAX}, core, message);
    int64_t width = core.x1 - core.x0, height = core.y1 - core.y0;
    margins m;
    if (empty) { // room for life to spread, as in prepare
        m.left = m.right = lc_greatest(LEAST_MARGIN, width / 4);
        m.top = m.bottom = lc_greatest(LEAST_MARGIN, height / 4);
    } else { // cells come one by one: double where they came, so that copying stays cheap
        int64_t more_x = lc_greatest(LEAST_MARGIN, width),
                more_y = lc_greatest(LEAST_MARGIN, height);
        m.left = area.x0 < block.x0 ? more_x : lc_greatest(0, lc_least(core.x0 - block.x0, more_x));
        m.right =
            area.x1 > block.x1 ? more_x : lc_greatest(0, lc_least(block.x1 - core.x1, more_x));
        m.top = area.y0 < block.y0 ? more_y : lc_greatest(0, lc_least(core.y0 - block.y0, more_y));
        m.bottom =
            area.y1 > block.y1 ? more_y : lc_greatest(0, lc_least(block.y1 - core.y1, more_y));
    }
    return replace_with_margins(s, core, m, (margins){0}, empty ? NULL : &live, message);
}

// One unbounded direction of prepare: the gaps on both sides, and the margins wanted.
typedef struct direction {
    int64_t low_gap, high_gap;
    int64_t low_margin, high_margin; // wanted
    int64_t low_fewest, high_fewest; // with less, a new block would be no better than the old one
    bool short_of_room, oversized;
} direction;

// `chunk`: cells that live cells may spread in the generations of a chunk; `step`: in one
// generation.
static direction look_along(int64_t block0, int64_t live0, int64_t live1, int64_t block1,
                            int64_t chunk, int64_t step)
{
    int64_t margin = lc_greatest(LEAST_MARGIN, (live1 - live0) / 4);
    direction d = {.low_gap = live0 - block0, .high_gap = block1 - live1};
    d.short_of_room = d.low_gap < chunk || d.high_gap < chunk;
    d.oversized = d.low_gap + d.high_gap > 8 * margin;
    d.low_margin = d.low_gap < chunk ? margin : lc_least(d.low_gap, margin);
    d.high_margin = d.high_gap < chunk ? margin : lc_least(d.high_gap, margin);
    d.low_fewest = d.low_gap < chunk ? d.low_gap + step : chunk;
    d.high_fewest = d.high_gap < chunk ? d.high_gap + step : chunk;
    return d;
}

// How many generations nothing can get from `live` beyond the block, or beyond all coordinates.
static uint64_t reach(const lc_one_block *s, lc_area live, bool *at_the_end)
{
    lc_area block = lc_one_block_area(&s->base);
    int64_t gap = INT64_MAX, rest = INT64_MAX;
    if (s->base.free_x) {
        gap = lc_least(live.x0 - block.x0, block.x1 - live.x1);
        rest = lc_rest_of_world(live.x0, live.x1);
    }
    if (s->base.free_y) {
        gap = lc_least(gap, lc_least(live.y0 - block.y0, block.y1 - live.y1));
        rest = lc_least(rest, lc_rest_of_world(live.y0, live.y1));
    }
    *at_the_end = lc_rule_halo_generations(s->rule, rest) == 0;
    return lc_rule_halo_generations(s->rule, lc_least(gap, rest));
}

static lc_status prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe_now, lc_message *message)
{
    lc_one_block *s = lc_one_block_of(cover);
    bool empty, at_the_end;
    lc_area block = lc_one_block_area(cover), live;
    *safe_now = wanted < s->safe_generations ? wanted : s->safe_generations;
    if (*safe_now > 0)
        return LC_OK;
    lc_status status = find_live(s, &live, &empty, message);
    if (status != LC_OK || empty)
        return status;
    const int64_t step = lc_rule_traits(s->rule)->reach;
    const int64_t chunk = lc_rule_halo_cells(s->rule, wanted < LEAST_CHUNK ? wanted : LEAST_CHUNK);
    direction x = {0}, y = {0};
    if (s->base.free_x)
        x = look_along(block.x0, live.x0, live.x1, block.x1, chunk, step);
    if (s->base.free_y)
        y = look_along(block.y0, live.y0, live.y1, block.y1, chunk, step);

    margins wanted_margins = {x.low_margin, x.high_margin, y.low_margin, y.high_margin};
    margins fewest = {x.low_fewest, x.high_fewest, y.low_fewest, y.high_fewest};
    if (x.short_of_room || y.short_of_room || x.oversized || y.oversized)
        status = replace_with_margins(s, live, wanted_margins, fewest, &live, message);
    uint64_t safe = reach(s, live, &at_the_end);
    if (safe == 0 && status == LC_ERROR_LIMIT && !at_the_end) {
        margins one = {step, step, step, step}; // the last resort: a generation at a time
        status = replace_with_margins(s, live, one, one, &live, message);
        safe = reach(s, live, &at_the_end);
    }
    if (safe > 0) { // even if growing failed: the block is good for a little more
        s->safe_generations = safe;
        *safe_now = wanted < safe ? wanted : safe;
        return LC_OK;
    }
    if (at_the_end)
        return lc_refuse_end_of_world(message);
    return status;
}

const lc_cover_vtable lc_cover_growing_block = {
    LC_ONE_BLOCK_FUNCTIONS,    .include = include,        .prepare = prepare,
    .area = lc_one_block_area, .seek = lc_cover_seek_row, .describe = lc_one_block_describe,
};
