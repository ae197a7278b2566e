// Throughput and speed-up against the board's size: a line a design, with its name at its end.
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart_axis.h"
#include "svg.h"

enum { LABELS_MAX = 60, NAME_CHARACTERS = 30, SIDES_MAX = 64 };

static const double left = 76, right = 640, top = 84, width = 920, label_height = 15;

typedef struct end_label {
    const lc_series *series;
    double y;    // of the end of the line
    double x;    // the same
    double last; // value there
} end_label;

typedef struct size_chart {
    const lc_charts *charts;
    bool speed_up;
    lc_axis x, y;
    double bottom;
    FILE *file;
    double sides[SIDES_MAX]; // ascending, different
    size_t side_count;
} size_chart;

// What the chart shows of a measurement. A speed-up's interval is between the ends of both rates.
static lc_interval chart_value(const size_chart *chart, const lc_measurement *one)
{
    lc_interval rate = lc_measurement_rate(one);
    if (!chart->speed_up) {
        rate.value /= 1e9;
        rate.low /= 1e9;
        rate.high /= 1e9;
        return rate;
    }
    const lc_measurement *baseline = lc_measurement_baseline(chart->charts, one);
    lc_interval base = lc_measurement_rate(baseline);
    if (baseline == one)
        return (lc_interval){.value = 1, .low = 1, .high = 1};
    return (lc_interval){.value = rate.value / base.value,
                         .low = rate.low / base.high,
                         .high = rate.high / base.low};
}

static const lc_series *series_of(const lc_charts *charts, const lc_measurement *one)
{
    for (size_t i = 0; i < charts->series_count; i++)
        for (size_t k = 0; k < charts->series[i].count; k++)
            if (charts->series[i].points[k] == one)
                return &charts->series[i];
    return NULL;
}

// Lines of speed-ups are not drawn between boards whose baselines are different designs.
static bool joined(const size_chart *chart, const lc_measurement *a, const lc_measurement *b)
{
    if (!chart->speed_up)
        return true;
    return series_of(chart->charts, lc_measurement_baseline(chart->charts, a)) ==
           series_of(chart->charts, lc_measurement_baseline(chart->charts, b));
}

static void find_ranges(size_chart *chart)
{
    const lc_charts *charts = chart->charts;
    double least = INFINITY;
    double most = 0;
    for (size_t i = 0; i < charts->series_count; i++) {
        const lc_series *series = &charts->series[i];
        for (size_t k = 0; k < series->count; k++) {
            lc_interval value = chart_value(chart, series->points[k]);
            least = fmin(least, value.low);
            most = fmax(most, value.high);
            double side = series->points[k]->side_cells;
            size_t at = 0;
            while (at < chart->side_count && chart->sides[at] < side)
                at++;
            bool known = at < chart->side_count && chart->sides[at] == side;
            if (!known && chart->side_count < SIDES_MAX) {
                memmove(chart->sides + at + 1, chart->sides + at,
                        (chart->side_count - at) * sizeof *chart->sides);
                chart->sides[at] = side;
                chart->side_count++;
            }
        }
    }
    chart->y = lc_axis_around(least, most, 10, chart->bottom, top);
    chart->x =
        lc_axis_around(chart->sides[0], chart->sides[chart->side_count - 1], 2.5, left, right);
}

static void draw_series(const size_chart *chart, const lc_series *series)
{
    char look[32];
    char bar[32];
    lc_series_style(series, look);
    if (series->colour >= 0)
        snprintf(bar, sizeof bar, "bar c%d", series->colour);
    else
        snprintf(bar, sizeof bar, "bar muted");
    bool open = false;
    for (size_t k = 0; k < series->count; k++) {
        const lc_measurement *one = series->points[k];
        double x = lc_axis_at(&chart->x, one->side_cells);
        double y = lc_axis_at(&chart->y, chart_value(chart, one).value);
        if (k > 0 && joined(chart, series->points[k - 1], one)) {
            if (!open) {
                const lc_measurement *before = series->points[k - 1];
                fprintf(chart->file, "<path class=\"%s\" d=\"M%.1f %.1f", look,
                        lc_axis_at(&chart->x, before->side_cells),
                        lc_axis_at(&chart->y, chart_value(chart, before).value));
            }
            fprintf(chart->file, "L%.1f %.1f", x, y);
            open = true;
        } else if (open) {
            fputs("\"/>\n", chart->file);
            open = false;
        }
    }
    if (open)
        fputs("\"/>\n", chart->file);
    for (size_t k = 0; k < series->count; k++) {
        const lc_measurement *one = series->points[k];
        lc_interval value = chart_value(chart, one);
        double x = lc_axis_at(&chart->x, one->side_cells);
        double low = lc_axis_at(&chart->y, value.low);
        double high = lc_axis_at(&chart->y, value.high);
        if (low - high >= 1) {
            fprintf(chart->file,
                    "<path class=\"%s\" d=\"M%.1f %.1fV%.1fM%.1f %.1fh8M%.1f %.1fh8\"/>\n", bar, x,
                    low, high, x - 4, low, x - 4, high);
        }
        char board[96];
        char number[LC_NUMBER_BYTES];
        char told[512];
        lc_measurement_board(one, board, sizeof board);
        lc_number_format(value.value, number);
        const char *settings = lc_measurement_settings(one);
        snprintf(told, sizeof told, "%s%s%s, %s: %s%s", series->name,
                 settings[0] != '\0' ? ", " : "", settings, board, number,
                 chart->speed_up ? " times the baseline" : " Gcells/s");
        lc_series_draw_marker(chart->file, series, x, lc_axis_at(&chart->y, value.value), told);
    }
}

static int by_end(const void *a, const void *b)
{
    const end_label *p = a;
    const end_label *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return strcmp(p->series->name, q->series->name);
}

// Names stand in a column beside the chart, at the height of their line's end or near it.
static void draw_labels(const size_chart *chart)
{
    end_label labels[LABELS_MAX];
    double at[LABELS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < chart->charts->series_count && count < LABELS_MAX; i++) {
        const lc_series *series = &chart->charts->series[i];
        const lc_measurement *last = series->points[series->count - 1];
        double value = chart_value(chart, last).value;
        labels[count++] = (end_label){.series = series,
                                      .y = lc_axis_at(&chart->y, value),
                                      .x = lc_axis_at(&chart->x, last->side_cells),
                                      .last = value};
    }
    qsort(labels, count, sizeof labels[0], by_end);
    for (size_t i = 0; i < count; i++)
        at[i] = labels[i].y;
    lc_labels_spread(at, count, label_height, top - 14, chart->bottom + 14);
    for (size_t i = 0; i < count; i++) {
        const lc_series *series = labels[i].series;
        char colour[16] = "muted";
        char name[LC_SERIES_NAME_BYTES];
        char number[LC_NUMBER_BYTES];
        if (series->colour >= 0)
            snprintf(colour, sizeof colour, "c%d", series->colour);
        fprintf(chart->file, "<path class=\"leader %s\" d=\"M%.1f %.1fH%.1fL%.1f %.1fh5\"/>\n",
                colour, labels[i].x + 6, labels[i].y, right + 4, right + 34, at[i]);
        lc_series_draw_marker(chart->file, series, right + 47, at[i], NULL);
        lc_svg_shorten(series->name, NAME_CHARACTERS, name, sizeof name);
        lc_number_format(labels[i].last, number);
        fprintf(chart->file, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">",
                series->colour >= 0 ? "" : "small soft", right + 57, at[i] + 4);
        lc_xml_write(chart->file, name);
        fprintf(chart->file, " <tspan class=\"soft\">%s%s</tspan></text>\n",
                chart->speed_up ? "×" : "", number);
    }
}

// Below the ticks: what the speed-ups are relative to, a bracket for all boards that have the same.
static void draw_baselines(const size_chart *chart)
{
    const lc_series *at[SIDES_MAX] = {NULL};
    for (size_t i = 0; i < chart->side_count; i++)
        for (size_t k = 0; k < chart->charts->series_count && at[i] == NULL; k++) {
            const lc_series *series = &chart->charts->series[k];
            for (size_t p = 0; p < series->count && at[i] == NULL; p++)
                if (series->points[p]->side_cells == chart->sides[i])
                    at[i] = series_of(chart->charts,
                                      lc_measurement_baseline(chart->charts, series->points[p]));
        }
    for (size_t first = 0; first < chart->side_count;) {
        size_t end = first + 1;
        while (end < chart->side_count && at[end] == at[first])
            end++;
        double from = lc_axis_at(&chart->x, chart->sides[first]);
        double to = lc_axis_at(&chart->x, chart->sides[end - 1]);
        double before =
            first > 0 ? (lc_axis_at(&chart->x, chart->sides[first - 1]) + from) / 2 : left - 60;
        double after = end < chart->side_count ? (lc_axis_at(&chart->x, chart->sides[end]) + to) / 2
                                               : right + 60;
        double middle = (from + to) / 2;
        double room = 2 * fmin(middle - before, after - middle) - 8;
        double characters = room / lc_svg_text_width("m", 11) - 5;
        lc_svg_line(chart->file, "rule", from - 8, chart->bottom + 28, to + 8, chart->bottom + 28);
        if (characters >= 6) {
            char name[LC_SERIES_NAME_BYTES];
            lc_svg_shorten(at[first]->name, (size_t)characters, name, sizeof name);
            lc_svg_text(chart->file, "small soft", middle, chart->bottom + 42, LC_SVG_MIDDLE,
                        "over %s", name);
        }
        first = end;
    }
}

static void draw(size_chart *chart)
{
    const lc_charts *charts = chart->charts;
    find_ranges(chart);
    lc_axis_draw_sides(chart->file, &chart->x, chart->sides, chart->side_count, chart->bottom, top);
    lc_axis_draw_upright(chart->file, &chart->y, left, right);
    lc_svg_text(chart->file, "soft", 16, top - 16, LC_SVG_START, "%s",
                chart->speed_up ? "times as fast as the baseline" : "throughput, Gcells/s");
    lc_svg_text(chart->file, "soft", (left + right) / 2,
                chart->bottom + (chart->speed_up ? 62 : 42), LC_SVG_MIDDLE,
                "side of the board, cells");
    if (chart->speed_up) {
        double one = lc_axis_at(&chart->y, 1);
        lc_svg_line(chart->file, "rule", left, one, right, one);
        draw_baselines(chart);
    }
    for (int coloured = 0; coloured < 2; coloured++)
        for (size_t i = charts->series_count; i-- > 0;)
            if ((charts->series[i].colour >= 0) == (coloured == 1))
                draw_series(chart, &charts->series[i]);
    draw_labels(chart);
}

// Which designs are the baselines, and where; the slowest first.
static void tell_baselines(FILE *caption, const lc_charts *charts)
{
    size_t told = 0;
    for (size_t i = charts->series_count; i-- > 0;) {
        const lc_series *series = &charts->series[i];
        size_t boards = 0;
        for (size_t k = 0; k < series->count; k++) {
            const lc_measurement *one = series->points[k];
            if (lc_measurement_baseline(charts, one) != one)
                continue;
            char board[96];
            lc_measurement_board(one, board, sizeof board);
            if (boards == 0)
                fprintf(caption, "%s%s at ", told > 0 ? "; " : "", series->name);
            fprintf(caption, "%s%s", boards > 0 ? ", " : "", board);
            boards++;
            told++;
        }
    }
}

static bool has_intervals(const lc_charts *charts)
{
    for (size_t i = 0; i < charts->count; i++)
        if (charts->measurements[i]->drawn &&
            lc_measurement_rate(charts->measurements[i]).confidence > 0)
            return true;
    return false;
}

static bool has_oblong(const lc_charts *charts)
{
    for (size_t i = 0; i < charts->count; i++) {
        const lc_topology *topology = &charts->measurements[i]->record.configuration.topology;
        if (charts->measurements[i]->drawn && topology->width_cells != topology->height_cells)
            return true;
    }
    return false;
}

static void tell_how_to_read(FILE *caption, const lc_charts *charts)
{
    fputs("Each line is a design with the fastest settings that were measured at each board; its "
          "name stands at its end, with the value there. Solid: on the GPU; dashed: on the CPU. "
          "Colours are for the fastest design of each size, the fastest of the CPU, the baseline "
          "and the next best; the others are grey. ",
          caption);
    if (has_intervals(charts))
        fputs("Bars: confidence interval of the median run, where it is wider than the marker's "
              "line. ",
              caption);
    if (has_oblong(charts))
        fputs("A board that is not square stands at the square root of its number of cells. ",
              caption);
    if (charts->series_count > LABELS_MAX)
        fprintf(caption, "Only the %d fastest designs have their names here. ", LABELS_MAX);
}

static lc_status make(lc_charts *charts, lc_figure *figure, bool speed_up)
{
    size_t labels = charts->series_count < LABELS_MAX ? charts->series_count : LABELS_MAX;
    double height = fmax(380, (double)labels * label_height - 28);
    size_chart chart = {.charts = charts,
                        .speed_up = speed_up,
                        .bottom = top + height,
                        .file = figure->drawing_file};
    lc_figure_head(charts, figure, true, true);
    draw(&chart);
    return lc_figure_end(figure, true, width, chart.bottom + (speed_up ? 76 : 60));
}

lc_status lc_chart_throughput(lc_charts *charts)
{
    lc_figure *figure = lc_figure_begin(charts, "throughput", "Throughput against board size");
    if (figure == NULL)
        return LC_ERROR_MEMORY;
    if (charts->series_count == 0) {
        fputs("No picture of the throughput: nothing was measured.", figure->caption_file);
        return lc_figure_end(figure, false, 0, 0);
    }
    fputs(
        "Cells stepped by one generation in a second, in 1,000,000,000 (Gcells/s), from the median "
        "run; both axes are logarithmic. ",
        figure->caption_file);
    tell_how_to_read(figure->caption_file, charts);
    return make(charts, figure, false);
}

lc_status lc_chart_speed_up(lc_charts *charts)
{
    lc_figure *figure = lc_figure_begin(charts, "speed-up", "Speed-up against board size");
    if (figure == NULL)
        return LC_ERROR_MEMORY;
    if (charts->series_count < 2) {
        fputs("No picture of speed-ups: they need at least two designs that were measured.",
              figure->caption_file);
        return lc_figure_end(figure, false, 0, 0);
    }
    fputs(
        "How many times as fast as the baseline at the same board; both axes are logarithmic. The "
        "baseline is the design that was asked for; without one, of those that were measured on "
        "the "
        "most boards, the slowest serial one of the CPU, or the slowest: ",
        figure->caption_file);
    tell_baselines(figure->caption_file, charts);
    fputs(". Lines are broken between boards with different baselines. ", figure->caption_file);
    tell_how_to_read(figure->caption_file, charts);
    return make(charts, figure, true);
}
