// `lightcone run --soup DENSITY --seeds A..B`: runs many soups until each is stable.
#ifndef LC_CLI_SOUPS_H
#define LC_CLI_SOUPS_H

#include "run_options.h"

// Parses "A..B" with A <= B, for lc_cli_parse. `to` is a lc_run_options.
const char *lc_cli_parse_seeds(const char *text, void *to);

// Refuses options that need a single run. Returns LC_EXIT_OK, or LC_EXIT_USAGE after printing an
// error.
int lc_cli_soups_check(const lc_run_options *options);

// Runs the soups on all threads and prints a line or an element of JSON for each, in the order of
// their seeds. Returns an exit code.
int lc_cli_soups(const lc_run_options *options);

#endif
