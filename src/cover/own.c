// A universe whose engine is unbounded by itself: it has a cell at every coordinate, and decides
// what of them it keeps. The engine's coordinates are the universe's.
#include "base/least.h"
#include "cover/single.h"

static lc_area area(const lc_cover *cover)
{
    const int64_t reach = LC_UNIVERSE_REACH;
    (void)cover;
    return (lc_area){-reach, -reach, reach + 1, reach + 1};
}

// Where fewer are wanted it is not worth asking whether anything lives: a look in the midst of what
// an engine does may cost it more than they do.
static const uint64_t many_generations = 1 << 12;

static int64_t way_left(const lc_box *box)
{
    return lc_least(lc_rest_of_world(box->x, box->x + box->width_cells),
                    lc_rest_of_world(box->y, box->y + box->height_cells));
}

static lc_status prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message)
{
    lc_facts facts;
    const lc_block *b = &((const lc_single *)cover)->block;
    const lc_rule *rule = &b->config.rule;
    const uint64_t extent = b->vtable->extent(b->engine);
    const bool is_near =
        extent > (uint64_t)LC_UNIVERSE_REACH ||
        lc_rule_halo_generations(rule, LC_UNIVERSE_REACH - (int64_t)extent) < wanted;
    *safe = wanted;
    if (wanted < many_generations && !is_near)
        return LC_OK;
    lc_status status =
        lc_single_facts(cover, is_near ? LC_FACT_ALL : LC_FACT_POPULATION, &facts, message);
    if (status != LC_OK)
        return status;
    if (lc_count_compare(facts.population, lc_count_of(0)) == 0) {
        *safe = 0;
    } else if (is_near) {
        *safe = lc_least_u64(wanted, lc_rule_halo_generations(rule, way_left(&facts.box)));
        if (*safe == 0)
            status = lc_refuse_end_of_world(message);
    }
    return status;
}

static void describe(const lc_cover *cover, lc_cover_facts *facts)
{
    const lc_block *b = &((const lc_single *)cover)->block;
    lc_single_describe(cover, facts);
    facts->memory_bytes = b->vtable->held_bytes(b->engine);
}

const lc_cover_vtable lc_cover_own = {
    LC_SINGLE_CELLS,
    .area = area,
    .include = lc_complete_include, // it has them all
    .prepare = prepare,
    .seek = lc_single_seek,
    .describe = describe,
};
