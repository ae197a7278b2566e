// Rank 0's cover of a bounded board that several ranks share. It turns each call into a command to
// all ranks.
#ifndef LC_COVER_RANK_BOARD_H
#define LC_COVER_RANK_BOARD_H

#include "cover/ranks/rank_part.h"

// lc_cover_check and lc_cover_create for a context with several ranks.
lc_status lc_rank_board_check(const lc_cover_options *asked, lc_universe_needs *needs,
                              lc_message *message);
lc_status lc_rank_board_create(lc_cover **out, const lc_cover_options *asked, lc_message *message);

#endif
