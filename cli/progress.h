// The progress line of a run or a search on stderr.
#ifndef LC_CLI_PROGRESS_H
#define LC_CLI_PROGRESS_H

#include "lightcone/lightcone.h"

typedef enum lc_cli_progress_mode {
    LC_PROGRESS_AUTO,   // show the line only if stderr is a terminal
    LC_PROGRESS_ALWAYS, // if stderr is not a terminal, print a new line every second
    LC_PROGRESS_NEVER
} lc_cli_progress_mode;

typedef struct lc_cli_progress {
    bool shown;
    bool terminal;
    bool colour;
    bool is_search;    // the end is unknown, and `total` is the largest number of generations
    const char *unit;  // "gen" or "soup"
    const char *units; // in "120 gen/s" or "120 soups/s"
    lc_count start;    // generation at which the run began
    lc_count total;    // generations of the whole run; 0: a search without a limit
    double cells;      // number of cells; 0: unbounded universe
    uint64_t due_ns;   // when the line is printed again
    uint64_t rated_ns; // when printed_done and rate were last measured
    lc_count printed_done;
    double rate; // generations a second, smoothed
    lc_count population;
    lc_count population_done; // generations that were done when the population was counted
    uint64_t population_ns;   // earliest time of the next population count
    bool population_known;
    uint64_t nodes;              // number of HashLife nodes; 0: another engine
    double memory_share;         // of the memory limit
    const lc_universe *searched; // for lc_cli_progress_give_up
} lc_cli_progress;

// Returns the time of a monotonic clock in nanoseconds.
uint64_t lc_cli_now_ns(void);

void lc_cli_progress_begin(lc_cli_progress *progress, lc_cli_progress_mode mode,
                           const lc_universe *universe, lc_count total);

// Begin a line that appears only after two seconds. A search ends after at most `total` generations
// of `universe`. Soups are counted, up to `total`.
void lc_cli_progress_begin_search(lc_cli_progress *progress, lc_cli_progress_mode mode,
                                  const lc_universe *universe, lc_count total);
void lc_cli_progress_begin_soups(lc_cli_progress *progress, lc_cli_progress_mode mode,
                                 lc_count total);

// Updates the line. `now_ns` is the current time (lc_cli_now_ns), and `done` is the number of
// completed generations. The call is cheap if no new line is due. Counting the population takes at
// most 2 % of the run's time. `universe` may be NULL; then the line does not show population and
// memory. Returns whether the call took noticeable time.
bool lc_cli_progress_update(lc_cli_progress *progress, const lc_universe *universe, lc_count done,
                            uint64_t now_ns);

// Updates the line during a pass, which is useful if passes are long and the engine's memory grows.
void lc_cli_progress_within(lc_cli_progress *progress, const lc_universe *universe,
                            uint64_t now_ns);

// A callback for lc_set_give_up during a search. Updates the line of `progress`, an
// lc_cli_progress. Returns whether a signal has arrived (signals.h).
bool lc_cli_progress_give_up(void *progress);

// Removes the line.
void lc_cli_progress_end(lc_cli_progress *progress);

// Clears the progress line if it is on the terminal, so that a message can be printed.
void lc_cli_progress_clear_line(void);

#endif
