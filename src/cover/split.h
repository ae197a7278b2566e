// A bounded board in several blocks: the settings "blocks=N" of an engine.
#ifndef LC_COVER_SPLIT_H
#define LC_COVER_SPLIT_H

#include "cover/cover.h"

// Takes "blocks=N" out of the settings of what is asked for: *blocks is 0 if it is not there.
// LC_ERROR_ARGUMENT (no such number of blocks), LC_ERROR_UNSUPPORTED (an unbounded universe, or an
// engine whose blocks cannot go together).
lc_status lc_split_take(lc_cover_options *asked, int *blocks, lc_message *message);

// lc_cover_check and lc_cover_create for such options and 1 or more blocks.
lc_status lc_split_check(const lc_cover_options *asked, int blocks, lc_universe_needs *needs,
                         lc_message *message);
lc_status lc_split_create(lc_cover **out, const lc_cover_options *asked, int blocks,
                          lc_message *message);

#endif
