// Distribution of the run times: a row a design, a column a board, a dot a run.
#include "chart.h"

#include <math.h>
#include <stdlib.h>

#include "chart_axis.h"
#include "svg.h"

enum { COLUMNS_MAX = 5, NAME_CHARACTERS = 30 };

static const double left = 244, top = 104, row_height = 17, gap = 18, width = 920;

typedef struct runs_chart {
    const lc_charts *charts;
    const lc_measurement *boards[COLUMNS_MAX]; // one of each, ascending
    size_t board_count;
    bool more_boards;
    double reach; // the axis goes from -reach to reach, per cent of the median
    bool outside; // runs beyond it are there
    double column_width;
    double bottom;
    FILE *file;
} runs_chart;

// The largest boards, by size.
static void find_boards(runs_chart *chart)
{
    const lc_charts *charts = chart->charts;
    for (size_t i = 0; i < charts->series_count; i++) {
        for (size_t k = 0; k < charts->series[i].count; k++) {
            const lc_measurement *one = charts->series[i].points[k];
            size_t at = 0;
            bool known = false;
            for (size_t b = 0; b < chart->board_count; b++) {
                known |= lc_same_board(chart->boards[b], one);
                at += chart->boards[b]->side_cells < one->side_cells;
            }
            if (known)
                continue;
            if (chart->board_count ==
                COLUMNS_MAX) { // the smallest has to go, this one or the first
                chart->more_boards = true;
                if (at == 0)
                    continue;
                at--;
                for (size_t b = 0; b < at; b++)
                    chart->boards[b] = chart->boards[b + 1];
            } else {
                for (size_t b = chart->board_count++; b > at; b--)
                    chart->boards[b] = chart->boards[b - 1];
            }
            chart->boards[at] = one;
        }
    }
}

static double deviation(const lc_measurement *one, size_t run)
{
    return (one->run_ns[run] / one->record.time_ns.median - 1) * 100;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// The axis reaches as far as 98 of 100 runs do; one disturbed run must not flatten all others.
static bool find_reach(runs_chart *chart)
{
    const lc_charts *charts = chart->charts;
    size_t count = 0;
    for (size_t i = 0; i < charts->count; i++)
        count += charts->measurements[i]->record.time_ns.count;
    double *all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return false;
    size_t used = 0;
    for (size_t i = 0; i < charts->series_count; i++)
        for (size_t k = 0; k < charts->series[i].count; k++) {
            const lc_measurement *one = charts->series[i].points[k];
            for (size_t run = 0; run < one->record.time_ns.count; run++)
                all[used++] = fabs(deviation(one, run));
        }
    qsort(all, used, sizeof *all, by_size);
    double wanted = used > 0 ? all[(used - 1) * 98 / 100] : 0;
    static const double nice[] = {0.5, 1, 2, 5, 10, 20, 50, 100};
    const size_t last = sizeof nice / sizeof nice[0] - 1;
    size_t k = 0;
    while (k < last && nice[k] < wanted)
        k++;
    chart->reach = nice[k];
    chart->outside = used > 0 && all[used - 1] > chart->reach;
    free(all);
    return true;
}

static double pixel(const runs_chart *chart, size_t column, double percent)
{
    double begin = left + (double)column * (chart->column_width + gap);
    double share = (fmin(fmax(percent / chart->reach, -1), 1) + 1) / 2;
    return begin + share * chart->column_width;
}

static void draw_column(const runs_chart *chart, size_t column)
{
    char board[96];
    lc_measurement_board(chart->boards[column], board, sizeof board);
    lc_svg_text(chart->file, "", pixel(chart, column, 0), top - 14, LC_SVG_MIDDLE, "%s", board);
    for (int tick = -2; tick <= 2; tick++) {
        double percent = chart->reach * tick / 2;
        double x = pixel(chart, column, percent);
        lc_svg_line(chart->file, tick == 0 ? "rule" : "grid", x, top - 4, x, chart->bottom);
        lc_svg_line(chart->file, "axis", x, chart->bottom, x, chart->bottom + 4);
        if (tick % 2 == 0)
            lc_svg_text(chart->file, "small", x, chart->bottom + 17,
                        tick == 0  ? LC_SVG_MIDDLE
                        : tick < 0 ? LC_SVG_START
                                   : LC_SVG_END,
                        "%s%g%s",
                        tick > 0   ? "+"
                        : tick < 0 ? "−"
                                   : "",
                        fabs(percent), tick == 0 ? "" : " %");
    }
    lc_svg_line(chart->file, "axis", pixel(chart, column, -chart->reach), chart->bottom,
                pixel(chart, column, chart->reach), chart->bottom);
}

static void draw_runs(const runs_chart *chart, const lc_series *series, const lc_measurement *one,
                      size_t column, double y)
{
    const lc_bench_record *record = &one->record;
    const lc_interval *median = &record->median_ns;
    if (median->low > 0 && median->high >= median->low) {
        double from = pixel(chart, column, (median->low / record->time_ns.median - 1) * 100);
        double to = pixel(chart, column, (median->high / record->time_ns.median - 1) * 100);
        lc_svg_rect(chart->file, "band", from, y - 6, fmax(to - from, 1), 12);
    }
    char look[32];
    if (series->colour >= 0)
        snprintf(look, sizeof look, "run f%d", series->colour);
    else
        snprintf(look, sizeof look, "run fmuted");
    for (size_t run = 0; run < record->time_ns.count; run++) {
        double percent = deviation(one, run);
        double x = pixel(chart, column, percent);
        if (fabs(percent) <= chart->reach)
            lc_svg_marker(chart->file, look, 0, x, y, 2.6, NULL);
        else // points out of the picture
            fprintf(chart->file,
                    "<path class=\"%s\" style=\"fill-opacity:1\" d=\"M%.1f %.1fl%d -4v8Z\"/>\n",
                    look, x, y, percent > 0 ? -7 : 7);
    }
    lc_svg_line(chart->file, "axis", pixel(chart, column, 0), y - 6, pixel(chart, column, 0),
                y + 6);
}

static void draw(runs_chart *chart)
{
    const lc_charts *charts = chart->charts;
    lc_svg_text(chart->file, "soft", left, 66, LC_SVG_START, "time of a run against its median");
    lc_svg_text(chart->file, "soft", left - 12, top - 14, LC_SVG_END, "board, cells");
    for (size_t column = 0; column < chart->board_count; column++)
        draw_column(chart, column);
    double y = top + row_height / 2;
    for (size_t i = 0; i < charts->series_count; i++) {
        const lc_series *series = &charts->series[i];
        bool any = false;
        for (size_t column = 0; column < chart->board_count; column++) {
            const lc_measurement *one = lc_series_at_board(series, chart->boards[column]);
            if (one == NULL || one->record.time_ns.median <= 0)
                continue;
            draw_runs(chart, series, one, column, y);
            any = true;
        }
        if (!any)
            continue;
        char name[LC_SERIES_NAME_BYTES];
        lc_svg_shorten(series->name, NAME_CHARACTERS, name, sizeof name);
        lc_svg_text(chart->file, "small", left - 12, y + 4, LC_SVG_END, "%s", name);
        y += row_height;
    }
}

static size_t count_rows(const runs_chart *chart)
{
    size_t rows = 0;
    for (size_t i = 0; i < chart->charts->series_count; i++) {
        bool any = false;
        for (size_t column = 0; column < chart->board_count; column++) {
            const lc_measurement *one =
                lc_series_at_board(&chart->charts->series[i], chart->boards[column]);
            any |= one != NULL && one->record.time_ns.median > 0;
        }
        rows += any;
    }
    return rows;
}

static void tell(FILE *caption, const runs_chart *chart)
{
    const lc_bench_options *options = &chart->charts->options;
    fprintf(
        caption,
        "Each dot is a run, in per cent of its configuration's median: to the right slower, to the "
        "left faster. Rows are designs, the fastest first, with their fastest settings; columns "
        "are boards. Grey bands: confidence interval of the median. %d runs each, after %d "
        "warm-up%s%s. ",
        options->runs, options->warmups, options->warmups == 1 ? "" : "s",
        options->interleave ? "; the configurations took turns, run by run" : "");
    if (chart->outside)
        fputs("Triangles: runs beyond the axis. ", caption);
    if (chart->more_boards)
        fprintf(caption, "Only the %d largest boards are here. ", COLUMNS_MAX);
}

lc_status lc_chart_runs(lc_charts *charts)
{
    lc_figure *figure = lc_figure_begin(charts, "runs", "Distribution of run times");
    if (figure == NULL)
        return LC_ERROR_MEMORY;
    runs_chart chart = {.charts = charts, .file = figure->drawing_file};
    find_boards(&chart);
    size_t rows = count_rows(&chart);
    if (rows == 0) {
        fputs("No picture of the run times: none are known.", figure->caption_file);
        return lc_figure_end(figure, false, 0, 0);
    }
    if (!find_reach(&chart))
        return LC_ERROR_MEMORY;
    chart.bottom = top + (double)rows * row_height + 4;
    double columns = (double)chart.board_count;
    chart.column_width = fmin((width - 20 - left - (columns - 1) * gap) / columns, 320);
    lc_figure_head(charts, figure, true, true);
    draw(&chart);
    tell(figure->caption_file, &chart);
    return lc_figure_end(figure, true, width, chart.bottom + 32);
}
