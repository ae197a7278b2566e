// What is said about a handful of run times. Definitions, for n samples x_1 .. x_n:
//
//   median   the middle one of the sorted samples; the mean of the two middle ones if n is even
//   mean     (x_1 + ... + x_n) / n
//   sd       sample standard deviation, sqrt(sum (x_i - mean)^2 / (n - 1)); 0 if n is 1
//   cv       coefficient of variation, sd / mean; 0 if the mean is 0
//
// Rates are taken from the median time, because a machine that is disturbed is only ever slower and
// one such run would move the mean.
#ifndef LC_BENCH_STATISTICS_H
#define LC_BENCH_STATISTICS_H

#include <stddef.h>

typedef struct lc_statistics {
    size_t count;
    double median, mean, sd, min, max, cv;
} lc_statistics;

// A value with a confidence interval.
typedef struct lc_interval {
    double value;
    double low, high;
    double confidence; // of low .. high, as achieved: 0.9785 for the median of 10 samples
} lc_interval;

// Sorts a copy inside `scratch` (count doubles; may be `samples` itself, which is then sorted).
// count 0 gives all zeros.
lc_statistics lc_statistics_of(const double *samples, size_t count, double *scratch);

#endif
