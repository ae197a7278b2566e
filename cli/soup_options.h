// The options of `census` and `find` that say which soups they run.
#ifndef LC_CLI_SOUP_OPTIONS_H
#define LC_CLI_SOUP_OPTIONS_H

#include "lightcone/census.h"
#include "options.h"
#include "progress.h"

typedef struct lc_cli_soup_options {
    const char *command; // for messages
    bool has_soups;      // -n was given
    uint64_t soups, first;
    const char *seed;      // a root, or a number for random soups; NULL: not given
    const char *symmetry;  // NULL: not given
    const char *rule_text; // as typed; NULL: not given
    const lc_rule *rule;   // NULL: not given
    bool is_random;        // --soup was given
    double density;
    int64_t width_cells, height_cells;
    bool has_size;
    uint64_t threads; // 0: one per CPU
    lc_cli_progress_mode progress;
    bool quiet;
} lc_cli_soup_options;

enum { LC_CLI_SOUP_OPTIONS = 13 };

// Fills in a table for lc_cli_syntax.shared.
void lc_cli_soup_options_table(lc_cli_soup_options *options,
                               lc_cli_option table[LC_CLI_SOUP_OPTIONS]);

// Whether the user has said which soups to run, apart from their numbers.
bool lc_cli_soup_options_given(const lc_cli_soup_options *options);

// Creates a census of the soups, which has counted nothing. Sets the threads of the command's
// context. Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_cli_soup_options_create(const lc_cli_soup_options *options, lc_soup_census **out);

// Prints the options that make the same soups under the same rule: "--seed l_a --symmetry D2_x",
// with quotes where a shell needs them. Writes at most `bytes` bytes; a longer text is cut. Returns
// `text`.
const char *lc_cli_soup_options_format(const lc_soup_census_facts *facts, char *text, size_t bytes);

#endif
