// Runs the configurations to measure, and passes the results to the table, files and charts.
#ifndef LC_CLI_BENCH_MEASURE_H
#define LC_CLI_BENCH_MEASURE_H

#include "bench_options.h"
#include "report.h"

// Runs all configurations. `table` is the format of the table for people. Returns the exit code. It
// is LC_EXIT_FAILURE also if a configuration failed or if none could be timed.
int lc_bench_measure(lc_bench_arguments *arguments, const lc_report_format *table);

#endif
