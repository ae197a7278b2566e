// Multiples of an interval. Frames, checkpoints and rows of statistics are due at multiples of an
// interval of generations.
#ifndef LC_CLI_MULTIPLE_H
#define LC_CLI_MULTIPLE_H

#include "lightcone/lightcone.h"

// Returns `generation` mod `every`. `every` must be at least 1.
static inline lc_count lc_cli_past_multiple(lc_count generation, lc_count every)
{
    lc_count part;
    uint64_t few, step;
    if (lc_count_to_u64(generation, &few) && lc_count_to_u64(every, &step))
        return lc_count_of(few % step);
    for (int bits = lc_count_log2(generation) - lc_count_log2(every); bits >= 0; bits--)
        if (lc_count_shift_left(every, (unsigned)bits, &part))
            (void)lc_count_subtract(generation, part, &generation);
    return generation;
}

static inline bool lc_cli_is_multiple(lc_count generation, lc_count every)
{
    return lc_count_compare(lc_cli_past_multiple(generation, every), lc_count_of(0)) == 0;
}

// Returns the first multiple of `every` after `generation`, or `limit` if `limit` is earlier.
static inline lc_count lc_cli_next_multiple(lc_count generation, lc_count every, lc_count limit)
{
    const lc_count left = lc_count_distance(lc_cli_past_multiple(generation, every), every);
    lc_count next;
    return lc_count_add(generation, left, &next) && lc_count_compare(next, limit) < 0 ? next
                                                                                      : limit;
}

#endif
