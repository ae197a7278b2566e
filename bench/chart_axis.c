#include "chart_axis.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "svg.h"

double lc_axis_at(const lc_axis *axis, double value)
{
    double share = log(value / axis->low) / log(axis->high / axis->low);
    return axis->from + fmin(fmax(share, 0), 1) * (axis->to - axis->from);
}

lc_axis lc_axis_around(double least, double most, double span, double from, double to)
{
    double low = least / 1.3;
    double high = most * 1.3;
    if (high / low < span) {
        double middle = sqrt(low) * sqrt(high);
        low = middle / sqrt(span);
        high = middle * sqrt(span);
    }
    return (lc_axis){.low = low, .high = high, .from = from, .to = to};
}

typedef void tick_function(FILE *file, double pixel, const char *label, double first,
                           double second);

// A tick's number: in full, or as a power of ten if that is long.
static void format_tick(int digit, int power, char text[LC_NUMBER_BYTES])
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (power >= -3 && power < 6) {
        lc_number_format(digit * pow(10, power), text);
        return;
    }
    int size = abs(power);
    snprintf(text, LC_NUMBER_BYTES, "%s10%s%s%s",
             digit == 1   ? ""
             : digit == 2 ? "2·"
                          : "5·",
             power < 0 ? "⁻" : "", size >= 10 ? raised[size / 10 % 10] : "", raised[size % 10]);
}

// Calls draw for each tick; labelled ones have a text. Labels stand at 1, 2 and 5 if a decade is
// long, else at each power of ten, or at each second, third ... if there are many.
static void draw_ticks(FILE *file, const lc_axis *axis, tick_function *draw, double first,
                       double second)
{
    double decades = log10(axis->high / axis->low);
    double decade_pixels = fabs(axis->to - axis->from) / decades;
    bool close = decade_pixels > 120;
    int stride = decade_pixels < 34 ? (int)ceil(34 / decade_pixels) : 1;
    int last = (int)ceil(log10(axis->high));
    for (int power = (int)floor(log10(axis->low)); power <= last; power++) {
        for (int digit = 1; digit < 10; digit++) {
            double value = digit * pow(10, power);
            if (value < axis->low * 0.9999 || value > axis->high * 1.0001)
                continue;
            bool labelled = digit == 1 ? power % stride == 0 : close && (digit == 2 || digit == 5);
            if (digit > 1 && stride > 1)
                continue;
            char text[LC_NUMBER_BYTES];
            format_tick(digit, power, text);
            draw(file, lc_axis_at(axis, value), labelled ? text : NULL, first, second);
        }
    }
}

static void upright_tick(FILE *file, double pixel, const char *label, double left, double right)
{
    if (label != NULL) {
        lc_svg_line(file, "grid", left, pixel, right, pixel);
        lc_svg_text(file, "", left - 8, pixel + 4, LC_SVG_END, "%s", label);
    }
    lc_svg_line(file, "axis", left - (label != NULL ? 5 : 3), pixel, left, pixel);
}

void lc_axis_draw_upright(FILE *file, const lc_axis *axis, double left, double right)
{
    draw_ticks(file, axis, upright_tick, left, right);
    lc_svg_line(file, "axis", left, axis->from, left, axis->to);
}

static void flat_tick(FILE *file, double pixel, const char *label, double bottom, double top)
{
    if (label != NULL) {
        lc_svg_line(file, "grid", pixel, bottom, pixel, top);
        lc_svg_text(file, "", pixel, bottom + 19, LC_SVG_MIDDLE, "%s", label);
    }
    lc_svg_line(file, "axis", pixel, bottom, pixel, bottom + (label != NULL ? 5 : 3));
}

void lc_axis_draw_flat(FILE *file, const lc_axis *axis, double bottom, double top)
{
    draw_ticks(file, axis, flat_tick, bottom, top);
    lc_svg_line(file, "axis", axis->from, bottom, axis->to, bottom);
}

void lc_axis_draw_sides(FILE *file, const lc_axis *axis, const double *sides, size_t count,
                        double bottom, double top)
{
    double octave_pixels = (axis->to - axis->from) / log2(axis->high / axis->low);
    int first = (int)ceil(log2(axis->low));
    int last = (int)floor(log2(axis->high));
    char text[LC_NUMBER_BYTES];
    lc_number_format(ldexp(1, last), text);
    int stride = (int)ceil((lc_svg_text_width(text, 12) + 8) / octave_pixels);
    double free_from = -1e9; // labels may begin here
    bool powers = last - first >= 1;
    for (int power = first; powers && power <= last; power++) {
        lc_number_format(ldexp(1, power), text);
        flat_tick(file, lc_axis_at(axis, ldexp(1, power)),
                  (last - power) % stride == 0 ? text : NULL, bottom, top);
    }
    for (size_t i = 0; !powers && i < count; i++) {
        double pixel = lc_axis_at(axis, sides[i]);
        lc_number_format(round(sides[i]), text);
        double half = lc_svg_text_width(text, 12) / 2;
        bool room = pixel - half > free_from;
        flat_tick(file, pixel, room ? text : NULL, bottom, top);
        if (room)
            free_from = pixel + half + 6;
    }
    lc_svg_line(file, "axis", axis->from, bottom, axis->to, bottom);
}

// Positions less i times the height have to ascend: the nearest such sequence pools neighbours that
// do not into their mean. `y` itself holds the pools: y[p] of pool p, sizes beside it.
void lc_labels_spread(double *y, size_t count, double height, double top, double bottom)
{
    enum { POOLS = 256 };
    struct {
        double sum;
        size_t size;
    } pools[POOLS];
    size_t used = 0;
    if (count > POOLS)
        count = POOLS;
    for (size_t i = 0; i < count; i++) {
        pools[used].sum = y[i] - (double)i * height;
        pools[used].size = 1;
        used++;
        while (used > 1 && pools[used - 2].sum / (double)pools[used - 2].size >
                               pools[used - 1].sum / (double)pools[used - 1].size) {
            pools[used - 2].sum += pools[used - 1].sum;
            pools[used - 2].size += pools[used - 1].size;
            used--;
        }
    }
    double least = top + height / 2;
    double most = fmax(least, bottom - ((double)count - 0.5) * height);
    size_t i = 0;
    for (size_t pool = 0; pool < used; pool++) {
        double at = fmin(fmax(pools[pool].sum / (double)pools[pool].size, least), most);
        for (size_t k = 0; k < pools[pool].size; k++, i++)
            y[i] = at + (double)i * height;
    }
}
