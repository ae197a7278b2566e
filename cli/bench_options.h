// The options that `lightcone bench` and `lightcone gallery bench` share, and the configurations to
// measure.
#ifndef LC_CLI_BENCH_OPTIONS_H
#define LC_CLI_BENCH_OPTIONS_H

#include "bench_lists.h"
#include "model.h"
#include "options.h"
#include "runner.h"

// Do not move the structure between lc_bench_arguments_begin and lc_bench_arguments_free, because
// the member `options` points into the structure.
typedef struct lc_bench_arguments {
    const char *command; // for messages
    lc_bench_options options;
    lc_bench_lists lists;                   // owns the engine names of the configurations
    lc_bench_configuration *configurations; // names resolved, without duplicates
    size_t count;
    const char *against;             // --against as typed; NULL: not given
    lc_bench_configuration compared; // configuration of --against, whose board is unused
    const char *csv;                 // path; NULL: none; "-": stdout
    const char *json;                // like csv
    const char *charts;              // folder; NULL: none
    lc_model *model;                 // model that receives the results; NULL: none
} lc_bench_arguments;

void lc_bench_arguments_begin(lc_bench_arguments *arguments, const char *command);
void lc_bench_arguments_free(lc_bench_arguments *arguments);

// Takes a value that must not be empty, for lc_cli_parse. `to` is a const char **.
const char *lc_bench_take_path(const char *text, void *to);

// Parses the shared options and the options of `syntax`, and checks for options that conflict.
// Returns false if the command must end with *code, after printing the help or an error.
bool lc_bench_parse(lc_bench_arguments *arguments, lc_cli_syntax syntax, int argc, char **argv,
                    int *code);

// Default values of options. lc_bench_set_usual sets the options that the user did not give.
typedef struct lc_bench_usual {
    int runs, warmups;
    uint64_t run_ns;
    int limit_milliseconds;
} lc_bench_usual;
void lc_bench_set_usual(lc_bench_options *options, const lc_bench_usual *usual);

// Resolves the names in a configuration. Adds the configuration unless the list already contains
// it. The CPU level applies only to engines that have levels. Returns LC_EXIT_OK, or LC_EXIT_USAGE
// or LC_EXIT_FAILURE after printing an error.
int lc_bench_add(lc_bench_arguments *arguments, lc_bench_configuration configuration);

// Compares all configurations with `engine`. For each board, inserts a configuration with `engine`
// before the board's first configuration. The string `engine` must stay valid as long as
// `arguments`. Returns the same exit codes as lc_bench_add.
int lc_bench_compare_with(lc_bench_arguments *arguments, const char *engine);

#endif
