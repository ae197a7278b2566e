// What `lightcone bench` and `lightcone gallery bench` were asked to measure, and how: the options
// that they share, and the configurations.
#ifndef LC_CLI_BENCH_OPTIONS_H
#define LC_CLI_BENCH_OPTIONS_H

#include "bench_lists.h"
#include "model.h"
#include "runner.h"

enum {
    LC_BENCH_AGAINST = 1,
    LC_BENCH_AUDIT,
    LC_BENCH_CPU,
    LC_BENCH_CSV,
    LC_BENCH_ENGINE,
    LC_BENCH_GENERATIONS,
    LC_BENCH_HELP,
    LC_BENCH_INTERLEAVE,
    LC_BENCH_JSON,
    LC_BENCH_MAX_MEMORY,
    LC_BENCH_NO_INTERLEAVE,
    LC_BENCH_CHARTS,
    LC_BENCH_QUICK,
    LC_BENCH_RULE,
    LC_BENCH_RUNS,
    LC_BENCH_SEED,
    LC_BENCH_SIZE,
    LC_BENCH_THREADS,
    LC_BENCH_TOPOLOGY,
    LC_BENCH_WARMUP,
    LC_BENCH_OWN, // from here on each command has options of its own
};

// Stays where it is from its beginning to its end: the options point into it.
typedef struct lc_bench_arguments {
    const char *command; // for messages
    lc_bench_options options;
    lc_bench_lists lists;                   // the configurations' engines are words of these
    lc_bench_configuration *configurations; // names resolved, no two alike
    size_t count;
    const char *against;             // as given; NULL: not
    lc_bench_configuration compared; // the same, resolved; its board means nothing
    const char *csv;                 // path; NULL: none; "-": stdout
    const char *json;                // the same
    const char *charts;              // folder; NULL: none
    lc_model *model;                 // what takes the records in as well; NULL: none
} lc_bench_arguments;

void lc_bench_arguments_begin(lc_bench_arguments *arguments, const char *command);
void lc_bench_arguments_free(lc_bench_arguments *arguments);

// Takes one of the options above, but for help; NULL, or what is wrong with its value.
const char *lc_bench_take_option(lc_bench_arguments *arguments, int id, const char *value);

// What options exclude each other: LC_EXIT_OK, or LC_EXIT_USAGE when that has been said.
int lc_bench_check_options(const lc_bench_arguments *arguments);

// Gives the numbers that were not given their usual values.
typedef struct lc_bench_usual {
    int runs, warmups;
    uint64_t run_ns;
    int limit_milliseconds;
} lc_bench_usual;
void lc_bench_set_usual(lc_bench_options *options, const lc_bench_usual *usual);

// Resolves a configuration and adds it unless it is there already. `level` is for engines that have
// any. LC_EXIT_OK, or LC_EXIT_USAGE or LC_EXIT_FAILURE when it has been said why it cannot be.
int lc_bench_add(lc_bench_arguments *arguments, lc_bench_configuration configuration);

// Has all configurations that are there compared with `engine`: it is added before the first of
// each board. Its name lives as long as the arguments. Returns as lc_bench_add.
int lc_bench_compare_with(lc_bench_arguments *arguments, const char *engine);

#endif
