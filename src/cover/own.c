// A universe whose engine is unbounded by itself: it has a cell at every coordinate, and decides
// what of them it keeps. The engine's coordinates are the universe's.
#include "cover/single.h"

static lc_area area(const lc_cover *cover)
{
    const int64_t reach = LC_UNIVERSE_REACH;
    (void)cover;
    return (lc_area){-reach, -reach, reach + 1, reach + 1};
}

static lc_status prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_single_facts(cover, LC_FACT_BOX, &facts, message);
    *safe = status == LC_OK && !facts.box.empty ? wanted : 0;
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
