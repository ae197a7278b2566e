// Access to a universe's block, for tests.
#ifndef LC_TESTS_SUPPORT_COVER_H
#define LC_TESTS_SUPPORT_COVER_H

#include "cover/block/one_block.h"
#include "universe/universe_internal.h"

static inline lc_block *block_of(const lc_universe *universe)
{
    return &lc_one_block_of(universe->cover)->block;
}

static inline lc_area area_of(const lc_universe *universe)
{
    return universe->cover->vtable->area(universe->cover);
}

// Creates a universe stepped by an engine that is not in the registry.
lc_universe *test_create_with(const lc_engine_vtable *engine, const lc_rule *rule,
                              lc_topology topology, uint64_t audit_generations);

extern const lc_engine_vtable test_engine_dense; // support_dense.c

#endif
