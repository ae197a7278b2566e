// Measuring what was asked for: the runner's records into the table, files and charts.
#ifndef LC_CLI_BENCH_MEASURE_H
#define LC_CLI_BENCH_MEASURE_H

#include "bench_options.h"
#include "report.h"

// Runs all configurations; `table` is what people read. Returns the exit code: LC_EXIT_FAILURE also
// if one failed, or none could be timed.
int lc_bench_measure(lc_bench_arguments *arguments, const lc_report_format *table);

#endif
