// Strong and weak scaling: what a model predicts for more and more devices, the ideal, and what was
// measured of it. GPUs have charts of their own, and so have ranks of a CPU.
#include <math.h>
#include <string.h>

#include "chart.h"
#include "chart_axis.h"
#include "model.h"
#include "svg.h"

enum { LINES_MAX = 24, CHECKS_MARKER = 3, LABEL_PIXELS = 15 };

static const double left = 76, right = 640, top = 100, bottom = 480, width = 920;

typedef struct drawn_line {
    const lc_model_group *group;
    const lc_model_line *line;
    int colour; // -1: one of the many, drawn in grey
} drawn_line;

typedef struct scale_chart {
    const lc_model *model;
    bool gpu, weak;
    FILE *file;
    lc_axis x, y;         // y of strong scaling
    double y_low, y_high; // of weak scaling, in per cent
    drawn_line lines[LINES_MAX];
    size_t line_count;
    size_t measured; // points that were
} scale_chart;

static void find_lines(scale_chart *chart)
{
    const lc_model *model = chart->model;
    for (size_t i = 0; i < model->group_count; i++) {
        const lc_model_group *g = &model->groups[i];
        for (size_t k = 0; k < g->line_count && chart->line_count < LINES_MAX; k++) {
            const int colour = (int)chart->line_count;
            if (g->first->on_gpu == chart->gpu && g->lines[k].weak == chart->weak)
                chart->lines[chart->line_count++] =
                    (drawn_line){g, &g->lines[k], colour < LC_SVG_COLOURS - 1 ? colour : -1};
        }
    }
}

static double value_of(const scale_chart *chart, const lc_model_point *p)
{
    return chart->weak ? 100 * p->efficiency : p->speed_up;
}

// What a run that was measured is on this line; 0: it is of another board.
static double measured_value(const drawn_line *l, const lc_model_check *c)
{
    const lc_model_run *run = c->run;
    const lc_scale_board *board = &l->line->board;
    if (run->devices < 2 || run->width_cells != board->width_cells)
        return 0;
    if (!l->line->weak)
        return run->height_cells == board->height_cells ? l->line->alone_s / run->seconds : 0;
    return run->height_cells == board->height_cells * (double)run->devices
               ? 100 * l->line->alone_s / run->seconds
               : 0;
}

static double pixel_of(const scale_chart *chart, double value)
{
    if (!chart->weak)
        return lc_axis_at(&chart->y, value);
    const double share = (value - chart->y_low) / (chart->y_high - chart->y_low);
    return bottom + fmin(fmax(share, 0), 1) * (top - bottom);
}

static void find_ranges(scale_chart *chart)
{
    double most_devices = 2, least = INFINITY, most = 0;
    for (size_t i = 0; i < chart->line_count; i++) {
        const lc_model_line *line = chart->lines[i].line;
        for (size_t k = 0; k < line->count; k++) {
            if (!line->points[k].known)
                continue;
            most_devices = fmax(most_devices, (double)line->points[k].devices);
            least = fmin(least, value_of(chart, &line->points[k]));
            most = fmax(most, value_of(chart, &line->points[k]));
        }
        for (size_t k = 0; k < chart->lines[i].group->check_count; k++) {
            const double value =
                measured_value(&chart->lines[i], &chart->lines[i].group->checks[k]);
            if (value > 0) {
                least = fmin(least, value);
                most = fmax(most, value);
            }
        }
    }
    chart->x = (lc_axis){.low = 0.9, .high = most_devices * 1.1, .from = left, .to = right};
    chart->y = (lc_axis){.low = fmin(0.9, least / 1.1),
                         .high = fmax(most, most_devices) * 1.1,
                         .from = bottom,
                         .to = top};
    chart->y_low = fmax(0, 10 * floor(least / 10) - (least > 90 ? 10 : 0));
    chart->y_high = fmax(105, 5 * ceil(most / 5));
}

static void draw_percent_axis(const scale_chart *chart)
{
    const double span = chart->y_high - chart->y_low;
    const double step = span > 60 ? 20 : span > 30 ? 10 : 5;
    for (double v = step * ceil(chart->y_low / step); v <= chart->y_high; v += step) {
        const double y = pixel_of(chart, v);
        lc_svg_line(chart->file, "grid", left, y, right, y);
        lc_svg_text(chart->file, "", left - 8, y + 4, LC_SVG_END, "%.0f %%", v);
        lc_svg_line(chart->file, "axis", left - 5, y, left, y);
    }
    lc_svg_line(chart->file, "axis", left, bottom, left, top);
}

static void draw_frame(const scale_chart *chart)
{
    const double last = chart->x.high / 1.1;
    lc_axis_draw_sides(chart->file, &chart->x, &last, 1, bottom, top);
    if (chart->weak)
        draw_percent_axis(chart);
    else
        lc_axis_draw_upright(chart->file, &chart->y, left, right);
    lc_svg_text(chart->file, "soft", 16, top - 16, LC_SVG_START, "%s",
                chart->weak ? "time of one alone / time of all" : "times as fast as one alone");
    lc_svg_text(chart->file, "soft", (left + right) / 2, bottom + 42, LC_SVG_MIDDLE, "%s",
                chart->gpu ? "GPUs" : "ranks");
    fprintf(chart->file, "<path class=\"leader c6\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
            lc_axis_at(&chart->x, 1), pixel_of(chart, chart->weak ? 100 : 1),
            lc_axis_at(&chart->x, last), pixel_of(chart, chart->weak ? 100 : last));
}

static void format_board(const drawn_line *l, char *text, size_t text_bytes)
{
    char across[LC_NUMBER_BYTES], down[LC_NUMBER_BYTES];
    const char *surface = l->group->first->surface;
    lc_number_format(l->line->board.width_cells, across);
    lc_number_format(l->line->board.height_cells, down);
    snprintf(text, text_bytes, "%s × %s%s%s", across, down,
             strcmp(surface, "torus") != 0 ? ", " : "",
             strcmp(surface, "torus") != 0 ? surface : "");
}

static void draw_measured(scale_chart *chart, const drawn_line *l)
{
    for (size_t i = 0; i < l->group->check_count; i++) {
        const lc_model_check *c = &l->group->checks[i];
        const double value = measured_value(l, c);
        char board[128], told[256], mark[16];
        if (value <= 0)
            continue;
        format_board(l, board, sizeof board);
        snprintf(told, sizeof told, "measured, %s, %llu: %.4g; predicted %+.1f %%", board,
                 (unsigned long long)c->run->devices, value, -100 * c->error / (1 + c->error));
        snprintf(mark, sizeof mark, l->colour >= 0 ? "mark f%d" : "mark fmuted", l->colour);
        lc_svg_marker(chart->file, mark, CHECKS_MARKER,
                      lc_axis_at(&chart->x, (double)c->run->devices), pixel_of(chart, value), 6.5,
                      told);
        chart->measured++;
    }
}

static void draw_line(const scale_chart *chart, const drawn_line *l)
{
    const char *before = "";
    char board[128], mark[16];
    format_board(l, board, sizeof board);
    snprintf(mark, sizeof mark, l->colour >= 0 ? "mark f%d" : "mark fmuted", l->colour);
    if (l->colour >= 0)
        fprintf(chart->file, "<path class=\"line c%d\" d=\"M", l->colour);
    else
        fputs("<path class=\"thin muted\" d=\"M", chart->file);
    for (size_t k = 0; k < l->line->count; k++) {
        const lc_model_point *p = &l->line->points[k];
        if (!p->known)
            continue;
        fprintf(chart->file, "%s%.1f %.1f", before, lc_axis_at(&chart->x, (double)p->devices),
                pixel_of(chart, value_of(chart, p)));
        before = "L";
    }
    fputs("\"/>\n", chart->file);
    for (size_t k = 0; k < l->line->count; k++) {
        const lc_model_point *p = &l->line->points[k];
        char told[256], number[LC_NUMBER_BYTES];
        if (!p->known)
            continue;
        lc_number_format((double)p->devices, number);
        snprintf(told, sizeof told, "predicted, %s, %s: %.4g times one, %.1f %%", board, number,
                 p->speed_up, 100 * p->efficiency);
        lc_svg_marker(chart->file, mark, 0, lc_axis_at(&chart->x, (double)p->devices),
                      pixel_of(chart, value_of(chart, p)), 3.2, told);
    }
}

static const lc_model_point *last_of(const lc_model_line *line)
{
    const lc_model_point *last = &line->points[0];
    for (size_t k = 0; k < line->count; k++)
        if (line->points[k].known)
            last = &line->points[k];
    return last;
}

// Boards stand in a column beside the chart, at the height of their line's end or near it.
static void draw_labels(const scale_chart *chart)
{
    size_t order[LINES_MAX];
    double at[LINES_MAX], ends[LINES_MAX];
    for (size_t i = 0; i < chart->line_count; i++) {
        ends[i] = pixel_of(chart, value_of(chart, last_of(chart->lines[i].line)));
        size_t k = i;
        for (; k > 0 && ends[order[k - 1]] > ends[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (size_t i = 0; i < chart->line_count; i++)
        at[i] = ends[order[i]];
    lc_labels_spread(at, chart->line_count, LABEL_PIXELS, top - 14, bottom + 14);
    for (size_t i = 0; i < chart->line_count; i++) {
        const drawn_line *l = &chart->lines[order[i]];
        char board[128], name[160], look[16] = "muted", mark[16] = "fmuted";
        if (l->colour >= 0) {
            snprintf(look, sizeof look, "c%d", l->colour);
            snprintf(mark, sizeof mark, "mark f%d", l->colour);
        }
        fprintf(chart->file, "<path class=\"leader %s\" d=\"M%.1f %.1fH%.1fL%.1f %.1fh5\"/>\n",
                look, lc_axis_at(&chart->x, (double)last_of(l->line)->devices) + 6, ends[order[i]],
                right + 4, right + 34, at[i]);
        lc_svg_marker(chart->file, mark, 0, right + 47, at[i], 4.6, NULL);
        format_board(l, board, sizeof board);
        lc_svg_shorten(board, 34, name, sizeof name);
        lc_svg_text(chart->file, "", right + 57, at[i] + 4, LC_SVG_START, "%s", name);
    }
}

// What the kinds of marks mean, above the chart on its right.
static void draw_key(const scale_chart *chart)
{
    const double y = top - 20;
    double x = right - 300;
    lc_svg_marker(chart->file, "mark f6", 0, x, y, 3.2, NULL);
    lc_svg_text(chart->file, "small", x + 9, y + 4, LC_SVG_START, "predicted");
    x += 90;
    if (chart->measured > 0) {
        lc_svg_marker(chart->file, "mark f6", CHECKS_MARKER, x, y, 6.5, NULL);
        lc_svg_text(chart->file, "small", x + 12, y + 4, LC_SVG_START, "measured");
    }
    x += 100;
    lc_svg_line(chart->file, "leader c6", x, y, x + 26, y);
    lc_svg_text(chart->file, "small", x + 32, y + 4, LC_SVG_START, "ideal");
}

// Heading, and whose times the model begins with.
static void draw_head(const lc_charts *charts, const scale_chart *chart, const lc_figure *figure)
{
    const lc_model_run *first = chart->lines[0].group->first;
    lc_svg_text(chart->file, "heading", 16, 26, LC_SVG_START, "%s", figure->heading);
    lc_svg_text(chart->file, "small soft", 16, 44, LC_SVG_START,
                "lightcone %s, from what was measured with one %s: %.80s", charts->facts.version,
                chart->gpu ? "GPU" : "rank", first->device);
    lc_svg_text(chart->file, "small soft", 16, 60, LC_SVG_START, "%s%s%s, %s", first->engine,
                first->cpu_level[0] != '\0' ? "/" : "", first->cpu_level, first->rule);
}

static lc_status draw(lc_charts *charts, bool gpu, bool weak)
{
    char name[32], heading[80];
    scale_chart chart = {.model = charts->model, .gpu = gpu, .weak = weak};
    find_lines(&chart);
    if (chart.line_count == 0)
        return LC_OK;
    snprintf(name, sizeof name, "%s-%s", weak ? "weak" : "strong", gpu ? "gpu" : "cpu");
    snprintf(heading, sizeof heading, "%s scaling: %s %s", weak ? "Weak" : "Strong",
             weak ? "a board for each of more and more" : "a board shared by more and more",
             gpu ? "GPUs" : "ranks");
    lc_figure *figure = lc_figure_begin(charts, name, heading);
    if (figure == NULL)
        return LC_ERROR_MEMORY;
    fprintf(figure->caption_file,
            "%s Lines and discs: what the model predicts (scale.md); diamonds: what was "
            "measured; dotted: the ideal.",
            weak ? "Each device has a board as large as the one that is named, and all of them are "
                   "one board: how long one takes alone, over how long all take together."
                 : "How many times as fast a board is stepped as by one device; both axes are "
                   "logarithmic.");
    chart.file = figure->drawing_file;
    find_ranges(&chart);
    draw_head(charts, &chart, figure);
    draw_frame(&chart);
    for (size_t i = 0; i < chart.line_count; i++)
        draw_line(&chart, &chart.lines[i]);
    for (size_t i = 0; i < chart.line_count; i++)
        draw_measured(&chart, &chart.lines[i]);
    draw_labels(&chart);
    draw_key(&chart);
    return lc_figure_end(figure, true, width, bottom + 60);
}

lc_status lc_chart_scaling(lc_charts *charts)
{
    lc_status status = LC_OK;
    for (int i = 0; i < 4 && charts->model != NULL && status == LC_OK; i++)
        status = draw(charts, i < 2, i % 2 == 1);
    return status;
}
