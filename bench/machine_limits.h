// The most that a machine can do, measured beside the runs: the rate of its logic gates, and how
// fast it copies within its main memory (a GPU's own).
#ifndef LC_BENCH_MACHINE_LIMITS_H
#define LC_BENCH_MACHINE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "lightcone/context.h"

// A rate of gates: one for all configurations to which the same limit applies.
typedef struct lc_gate_meter {
    bool on_gpu;
    const char *cpu_level; // on a CPU, with the number of threads
    int threads;
    double *rates; // gates a second, one for each measurement
    size_t count;
} lc_gate_meter;

bool lc_gate_meter_same(const lc_gate_meter *a, const lc_gate_meter *b);
// Adds a measurement, or none if it fails. The caller has made room for it.
void lc_gate_meter_measure(lc_gate_meter *meter, lc_context *context, int milliseconds);

// Rates of copying, each measured when it is first asked for; ask for the GPU's before its memory
// is full. Freed by lc_copy_rates_free.
typedef struct lc_copy_rate {
    int threads; // 0: the GPU
    double bytes_per_second;
} lc_copy_rate;

typedef struct lc_copy_rates {
    lc_copy_rate *rates;
    size_t count;
} lc_copy_rates;

// Bytes a second, read and written; 0 if it cannot be measured.
double lc_copy_rates_find(lc_copy_rates *rates, lc_context *context, bool on_gpu, int threads,
                          int milliseconds);
void lc_copy_rates_free(lc_copy_rates *rates);

#endif
