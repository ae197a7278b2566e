// Cover of an engine that stores an entire universe itself. The engine has a cell at every
// coordinate and decides which ones it stores; its coordinates are those of the universe.
#include "base/least.h"
#include "cover/block/one_block.h"

static lc_area area(const lc_cover *cover)
{
    const int64_t reach = LC_UNIVERSE_REACH;
    const lc_topology *t = &cover->asked.topology;
    return (lc_area){.x0 = cover->free_x ? -reach : 0,
                     .y0 = cover->free_y ? -reach : 0,
                     .x1 = cover->free_x ? reach + 1 : t->width_cells,
                     .y1 = cover->free_y ? reach + 1 : t->height_cells};
}

// Where fewer are wanted it is not worth asking whether anything lives: a look in the midst of what
// an engine does may cost it more than they do.
static const uint64_t many_generations = 1 << 12;
// From the end of the coordinates: where life is further away it is not looked for.
static const uint64_t near_generations = UINT64_C(1) << 40;

static int64_t way_left(const lc_cover *cover, const lc_box *box)
{
    int64_t rest = INT64_MAX;
    if (cover->free_x)
        rest = lc_rest_of_world(box->x, box->x + box->width_cells);
    if (cover->free_y)
        rest = lc_least(rest, lc_rest_of_world(box->y, box->y + box->height_cells));
    return rest;
}

static lc_status prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message)
{
    lc_facts facts;
    const lc_block *b = lc_block_of(cover);
    const lc_rule *rule = b->config.rule;
    const uint64_t extent = b->vtable->plane->extent(b->engine);
    const uint64_t way = extent > (uint64_t)LC_UNIVERSE_REACH
                             ? 0
                             : lc_rule_halo_generations(rule, LC_UNIVERSE_REACH - (int64_t)extent);
    const bool is_near = way < lc_least_u64(wanted, near_generations);
    if (b->vtable->tree != NULL) { // such an engine has no end of the coordinates
        *safe = extent == 0 && !lc_rule_next(rule, 0) ? 0 : wanted;
        return LC_OK;
    }
    *safe = is_near ? wanted : lc_least_u64(wanted, way);
    if ((wanted < many_generations && !is_near) || lc_rule_traits(rule)->has_b0)
        return LC_OK;
    lc_status status = lc_one_block_facts(cover, LC_FACT_POPULATION | (is_near ? LC_FACT_BOX : 0),
                                          &facts, message);
    if (status != LC_OK)
        return status;
    if (lc_count_compare(facts.population, lc_count_of(0)) == 0) {
        *safe = 0;
    } else if (is_near) {
        *safe = lc_least_u64(wanted, lc_rule_halo_generations(rule, way_left(cover, &facts.box)));
        if (*safe == 0)
            status = lc_refuse_end_of_world(message);
    }
    return status;
}

lc_store *lc_self_covering_store(lc_cover *cover)
{
    const lc_block *b = lc_block_of(cover);
    return b->vtable->tree != NULL ? b->vtable->tree->store(b->engine) : NULL;
}

lc_status lc_self_covering_set_root(lc_cover *cover, lc_square root, int root_log2,
                                    lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    cover->changes++;
    return b->vtable->tree->set_root(b->engine, root, root_log2, message);
}

lc_status lc_self_covering_get_root(lc_cover *cover, lc_square *root, int *root_log2,
                                    lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    return b->vtable->tree->get_root(b->engine, root, root_log2, message);
}

bool lc_self_covering_snapshot(lc_cover *cover)
{
    const lc_block *b = lc_block_of(cover);
    return b->vtable->tree != NULL && b->vtable->tree->snapshot(b->engine, NULL) == LC_OK;
}

bool lc_self_covering_end_snapshot(lc_cover *cover, bool goes_back)
{
    const lc_block *b = lc_block_of(cover);
    cover->changes++;
    return b->vtable->tree != NULL && b->vtable->tree->end_snapshot(b->engine, goes_back);
}

lc_status lc_self_covering_jump(lc_cover *cover, int most_log2, int *log2, lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    *log2 = 0;
    return b->vtable->tree != NULL ? b->vtable->tree->jump(b->engine, most_log2, log2, message)
                                   : LC_OK;
}

lc_status lc_self_covering_count_coarse(lc_cover *cover, const lc_coarse_view *squares,
                                        lc_message *message)
{
    const lc_block *b = lc_block_of(cover);
    return b->vtable->tree != NULL ? b->vtable->tree->count_coarse(b->engine, squares, message)
                                   : LC_ERROR_UNSUPPORTED;
}

static void describe(const lc_cover *cover, lc_universe_info *info)
{
    const lc_block *b = lc_block_of(cover);
    lc_one_block_describe(cover, info);
    info->memory_bytes = b->vtable->plane->held_bytes(b->engine);
}

const lc_cover_vtable lc_cover_self_covering = {
    LC_ONE_BLOCK_FUNCTIONS,
    LC_SELF_COVERING_FUNCTIONS,
    .area = area,
    .include = lc_complete_include, // it has them all
    .prepare = prepare,
    .seek = lc_one_block_seek,
    .describe = describe,
};
