// Statistics of run times; the definitions are in the header.
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(const double *samples, size_t count, double *scratch)
{
    if (scratch != samples)
        memcpy(scratch, samples, count * sizeof *scratch);
    qsort(scratch, count, sizeof *scratch, compare_doubles);
}

static double median_of_sorted(const double *sorted, size_t count)
{
    return count % 2 != 0 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2.0;
}

lc_statistics lc_statistics_of(const double *samples, size_t count, double *scratch)
{
    lc_statistics s = {.count = count};
    if (count == 0)
        return s;
    sort(samples, count, scratch);

    s.min = scratch[0];
    s.max = scratch[count - 1];
    s.median = median_of_sorted(scratch, count);
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += scratch[i];
    s.mean = sum / (double)count;

    // Two passes: the one-pass form loses all digits when the samples are close together.
    double squares = 0.0;
    for (size_t i = 0; i < count; i++)
        squares += (scratch[i] - s.mean) * (scratch[i] - s.mean);
    s.sd = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0;
    s.cv = s.mean != 0.0 ? s.sd / s.mean : 0.0;
    return s;
}

// P(B = k), by logarithms: 2^-count alone is 0 from 1,075 on.
static double binomial(size_t count, size_t k)
{
    const double n = (double)count;
    const double j = (double)k;
    return exp(lgamma(n + 1) - lgamma(j + 1) - lgamma(n - j + 1) - n * log(2.0));
}

// The samples at the ends of the interval: the k-th smallest and the k-th largest.
static size_t rank_of_interval(size_t count, double *confidence)
{
    size_t k = 1;
    double below = binomial(count, 0); // P(B < k)
    for (double more; 1 - 2 * (more = below + binomial(count, k)) >= LC_CONFIDENCE; k++)
        below = more;
    *confidence = count > 1 ? 1 - 2 * below : 0;
    return k;
}

double lc_median_confidence(size_t count)
{
    double confidence;
    rank_of_interval(count, &confidence);
    return confidence;
}

lc_interval lc_median_interval(const double *samples, size_t count, double *scratch)
{
    lc_interval interval = {.value = 0};
    if (count == 0)
        return interval;
    sort(samples, count, scratch);
    const size_t k = rank_of_interval(count, &interval.confidence);
    interval.value = median_of_sorted(scratch, count);
    interval.low = scratch[k - 1];
    interval.high = scratch[count - k];
    return interval;
}
