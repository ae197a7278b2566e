// Statistics of a handful of run times. Definitions, for n samples x_1 .. x_n:
//
//   median   the middle one of the sorted samples; the mean of the two middle ones if n is even
//   mean     (x_1 + ... + x_n) / n
//   sd       sample standard deviation, sqrt(sum (x_i - mean)^2 / (n - 1)); 0 if n is 1
//   cv       coefficient of variation, sd / mean; 0 if the mean is 0
//
// Rates are taken from the median time, because disturbances only ever make a machine slower, and
// one disturbed run would move the mean.
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

// The confidence required.
#define LC_CONFIDENCE 0.95

// Sorts a copy inside `scratch` (count doubles; may be `samples` itself, which is then sorted).
// count 0 gives all zeros.
lc_statistics lc_statistics_of(const double *samples, size_t count, double *scratch);

// The median, and an interval for that of the distribution, whatever the distribution is: from the
// k-th smallest to the k-th largest sample, where k is the largest for which
//
//     1 - 2 * P(B < k) >= LC_CONFIDENCE,    B binomial: count trials, each 1/2
//
// Fewer than 6 samples cannot reach 95 %: then k is 1, and `confidence` says how little it is (0
// for one sample). `scratch` as above; count 0 gives all zeros.
lc_interval lc_median_interval(const double *samples, size_t count, double *scratch);

// The confidence of that interval for this many samples.
double lc_median_confidence(size_t count);

#endif
