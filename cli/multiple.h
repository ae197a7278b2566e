// Generations at which something is due.
#ifndef LC_CLI_MULTIPLE_H
#define LC_CLI_MULTIPLE_H

#include "lightcone/lightcone.h"

// The first multiple of `every` after `generation`, at most `limit`.
static inline lc_count lc_cli_next_multiple(lc_count generation, uint64_t every, lc_count limit)
{
    const uint64_t left = every - lc_count_remainder(generation, every);
    lc_count next;
    return lc_count_add(generation, lc_count_of(left), &next) && lc_count_compare(next, limit) < 0
               ? next
               : limit;
}

#endif
