// Statistics of run times; the definitions stand in the header.
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

lc_statistics lc_statistics_of(const double *samples, size_t count, double *scratch)
{
    lc_statistics s = {.count = count};
    if (count == 0)
        return s;
    if (scratch != samples)
        memcpy(scratch, samples, count * sizeof(*scratch));
    qsort(scratch, count, sizeof(*scratch), compare_doubles);

    s.min = scratch[0];
    s.max = scratch[count - 1];
    s.median =
        count % 2 != 0 ? scratch[count / 2] : (scratch[count / 2 - 1] + scratch[count / 2]) / 2.0;
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
