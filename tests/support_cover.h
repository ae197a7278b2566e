// What tests see of a universe's block.
#ifndef LC_TESTS_SUPPORT_COVER_H
#define LC_TESTS_SUPPORT_COVER_H

#include "cover/block/one_block.h"
#include "universe/state.h"

static inline lc_block *block_of(const lc_universe *universe)
{
    return &((lc_one_block *)universe->cover)->block;
}

static inline lc_area area_of(const lc_universe *universe)
{
    return universe->cover->vtable->area(universe->cover);
}

#endif
