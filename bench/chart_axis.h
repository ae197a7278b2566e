// Axes of the bench's charts: from values to pixels, with ticks at round numbers.
#ifndef LC_BENCH_CHART_AXIS_H
#define LC_BENCH_CHART_AXIS_H

#include <stddef.h>
#include <stdio.h>

// A logarithmic axis: `low` and `high`, both more than 0, are at `from` and `to`.
typedef struct lc_axis {
    double low, high;
    double from, to; // pixels
} lc_axis;

// The pixel of a value; values beyond an end are put at that end.
double lc_axis_at(const lc_axis *axis, double value);

// An axis for values from `least` to `most`, with some room; it spans a factor of at least `span`.
lc_axis lc_axis_around(double least, double most, double span, double from, double to);

// Draws it upright along x = left, with lines across to `right`: ticks at 1, 10, 100 ..., or on a
// short axis at 1, 2, 5, 10 ...
void lc_axis_draw_upright(FILE *file, const lc_axis *axis, double left, double right);
// The same along y = bottom, with lines up to `top`.
void lc_axis_draw_flat(FILE *file, const lc_axis *axis, double bottom, double top);
// Along y = bottom: ticks at powers of two, and at the values themselves if there are not two of
// those among the axis. The values are ascending.
void lc_axis_draw_sides(FILE *file, const lc_axis *axis, const double *sides, size_t count,
                        double bottom, double top);

// Places labels, each `height` tall, as near to where they want to be as possible without overlap:
// y[i] (ascending) is where the i-th wants its middle, and becomes where it gets it, from `top` on.
// The sum of the squares of their moves is the least possible, except at the ends of the column.
void lc_labels_spread(double *y, size_t count, double height, double top, double bottom);

#endif
