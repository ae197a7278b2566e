// A word of warning before an unbounded universe takes long: one block round all that is alive is
// stepped, so a few cells far apart are as much work as a board of that size.
#ifndef LC_CLI_FORECAST_H
#define LC_CLI_FORECAST_H

#include "lightcone/lightcone.h"

typedef struct lc_cli_forecast {
    bool said;               // or there will be nothing to say
    double cells_per_second; // a guess at what the engine does; 0: not asked yet
} lc_cli_forecast;

// Says once on stderr how large the block is and what the next `generations` may take, if that is
// much: ten seconds or more, or 4 GiB. Cheap while the universe is small. Says whether it did
// anything that took time.
bool lc_cli_forecast_say(lc_cli_forecast *forecast, const lc_universe *universe,
                         lc_count generations);

#endif
