// The progress line of a run on stderr.
#ifndef LC_CLI_PROGRESS_H
#define LC_CLI_PROGRESS_H

#include "lightcone/lightcone.h"

typedef enum lc_cli_progress_mode {
    LC_PROGRESS_AUTO,   // if stderr is a terminal
    LC_PROGRESS_ALWAYS, // not a terminal: a line a second instead of one that is rewritten
    LC_PROGRESS_NEVER
} lc_cli_progress_mode;

typedef struct lc_cli_progress {
    bool shown;
    bool terminal;
    bool colour;
    lc_count start;      // generation at which the run began
    lc_count total;      // generations of the whole run
    double cells;        // of a bounded universe; 0 for an unbounded one
    uint64_t printed_ns; // when the line was last printed
    uint64_t rated_ns;   // when it was last known how far the run is:
    lc_count printed_done;
    double rate; // generations a second, smoothed
    lc_count population;
    lc_count population_done; // generations that were through when it was counted
    uint64_t population_ns;   // when it may be counted again
    bool population_known;
    uint64_t nodes;      // that the engine remembers
    double memory_share; // of what it may have
} lc_cli_progress;

// Nanoseconds of a clock that only goes forward.
uint64_t lc_cli_now_ns(void);

void lc_cli_progress_begin(lc_cli_progress *progress, lc_cli_progress_mode mode,
                           const lc_universe *universe, lc_count total);

// `done` of the total are through, and it is `now_ns` (lc_cli_now_ns). Cheap when nothing is to be
// printed. The population is counted in at most 2 % of the time. Says whether it did anything that
// took time.
bool lc_cli_progress_update(lc_cli_progress *progress, const lc_universe *universe, lc_count done,
                            uint64_t now_ns);

// The same in the midst of a pass, for engines whose passes take long and much memory.
void lc_cli_progress_within(lc_cli_progress *progress, const lc_universe *universe,
                            uint64_t now_ns);

// Takes the line away.
void lc_cli_progress_end(lc_cli_progress *progress);

// Clears the line if one stands on the terminal, so that a message can be printed.
void lc_cli_progress_clear_line(void);

#endif
