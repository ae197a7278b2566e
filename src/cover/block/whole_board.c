// One block that is the whole of a bounded universe: it never moves, and any number of generations
// is safe.
#include "cover/block/one_block.h"

lc_status lc_complete_include(lc_cover *cover, lc_area area, lc_message *message)
{
    (void)cover;
    (void)area; // the universe has no other cells
    (void)message;
    return LC_OK;
}

lc_area lc_bounded_area(const lc_cover *cover)
{
    const lc_topology *t = &cover->asked.topology;
    return (lc_area){0, 0, t->width_cells, t->height_cells};
}

lc_status lc_bounded_prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message)
{
    (void)cover;
    (void)message;
    *safe = wanted;
    return LC_OK;
}

const lc_cover_vtable lc_cover_whole_board = {
    LC_ONE_BLOCK_FUNCTIONS,
    .include = lc_complete_include,
    .prepare = lc_bounded_prepare,
    .area = lc_one_block_area,
    .seek = lc_cover_seek_row,
    .describe = lc_one_block_describe,
    .announce_buffer = lc_one_block_announce_buffer,
};
