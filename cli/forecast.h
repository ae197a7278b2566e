// A warning before a slow run in an unbounded universe. Most engines step one block around all live
// cells, so that two cells far apart cost as much as a full block that contains the two cells.
#ifndef LC_CLI_FORECAST_H
#define LC_CLI_FORECAST_H

#include "lightcone/lightcone.h"

typedef struct lc_cli_forecast {
    bool said;               // the warning was printed, or is known to be unnecessary
    double cells_per_second; // estimated speed of the engine; 0: not estimated yet
} lc_cli_forecast;

// Prints one warning on stderr if the next `generations` may take ten seconds or more, or if the
// engine's block needs 4 GiB or more. The warning states the block's size, memory and estimated
// time. The call is cheap while the universe is small. Returns whether the call took noticeable
// time.
bool lc_cli_forecast_say(lc_cli_forecast *forecast, const lc_universe *universe,
                         lc_count generations);

#endif
