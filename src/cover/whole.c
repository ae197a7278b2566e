// One block that is the whole of a bounded universe: it never moves, and any number of generations
// is safe.
#include "cover/single.h"

static lc_status include(lc_cover *cover, lc_area area, lc_message *message)
{
    (void)cover;
    (void)area; // the universe has no other cells
    (void)message;
    return LC_OK;
}

static lc_status prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message)
{
    (void)cover;
    (void)message;
    *safe = wanted;
    return LC_OK;
}

const lc_cover_vtable lc_cover_whole = {
    .destroy = lc_single_destroy,
    .area = lc_single_area,
    .include = include,
    .prepare = prepare,
    .advance = lc_single_advance,
    .set_rule = lc_single_set_rule,
    .read = lc_single_read,
    .write = lc_single_write,
    .facts = lc_single_facts,
    .view = lc_single_view,
    .has_tones = lc_single_has_tones,
    .describe = lc_single_describe,
    .limit_bytes = lc_single_limit_bytes,
    .failure = lc_single_failure,
};
