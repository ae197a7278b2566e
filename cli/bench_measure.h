// Measuring the configurations: passes the runner's records to the table, files and charts.
#ifndef LC_CLI_BENCH_MEASURE_H
#define LC_CLI_BENCH_MEASURE_H

#include "bench_options.h"
#include "report.h"

// Runs all configurations. `table` is the format for people. Returns the exit code: LC_EXIT_FAILURE
// also if a configuration failed or none could be timed.
int lc_bench_measure(lc_bench_arguments *arguments, const lc_report_format *table);

#endif
