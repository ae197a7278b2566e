// A bounded board that ranks share, as rank 0 has it: each call becomes an order to all of them.
#ifndef LC_COVER_TEAM_H
#define LC_COVER_TEAM_H

#include "cover/ranks/share.h"

// lc_cover_check and lc_cover_create for a context with ranks, of which there are several.
lc_status lc_team_check(const lc_cover_options *asked, lc_universe_needs *needs,
                        lc_message *message);
lc_status lc_team_create(lc_cover **out, const lc_cover_options *asked, lc_message *message);

#endif
