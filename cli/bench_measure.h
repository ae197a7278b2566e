// Measures the configurations, and passes the results to the table, the files and the charts.
#ifndef LC_CLI_BENCH_MEASURE_H
#define LC_CLI_BENCH_MEASURE_H

#include "bench_options.h"
#include "report.h"

// Runs all configurations. `table` is the format of the printed table. Returns the exit code of the
// command. The exit code is LC_EXIT_FAILURE also if a configuration failed, or if no configuration
// could be timed.
int lc_bench_measure(lc_bench_arguments *arguments, const lc_report_format *table);

#endif
