// What `lightcone bench` was asked to measure.
#ifndef LC_CLI_BENCH_OPTIONS_H
#define LC_CLI_BENCH_OPTIONS_H

#include "runner.h"

typedef struct lc_bench_arguments {
    lc_bench_options options;
    lc_bench_configuration *configurations; // names resolved, no two alike
    size_t count;
    const char *csv;  // path; NULL: none; "-": stdout
    const char *json; // the same
    bool help;        // help was asked for and printed; nothing else is filled
} lc_bench_arguments;

// LC_EXIT_OK; LC_EXIT_USAGE or LC_EXIT_FAILURE (something is not available on this machine) when
// what is wrong has been said on stderr. Free in any case.
int lc_bench_arguments_parse(lc_bench_arguments *arguments, int argc, char **argv);
void lc_bench_arguments_free(lc_bench_arguments *arguments);

#endif
