// Rooflines: operations a second against operations a byte, under what the machine can copy and
// compute. One for the GPU, and one for each number of threads of the CPU.
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart_axis.h"
#include "svg.h"

enum { POINTS_MAX = 256, NAME_CHARACTERS = 26 };

static const double left = 76, right = 884, top = 84, bottom = 560, width = 900;

typedef struct roof_point {
    const lc_series *series;
    const lc_measurement *measurement;
    double intensity;  // operations a byte
    double operations; // a second, in 1e9
    double x, y;
} roof_point;

// What belongs into one picture.
typedef struct roof_group {
    bool on_gpu;
    int threads; // of the CPU
} roof_group;

typedef struct roofline {
    const lc_charts *charts;
    roof_group group;
    roof_point points[POINTS_MAX];
    size_t count;
    double copy;  // bytes a second, in 1e9; 0: not known
    double gates; // a second, in 1e9; 0: not known
    lc_axis x, y;
    FILE *file;
} roofline;

typedef struct box {
    double x, y, width, height;
} box;

static bool in_group(const lc_measurement *one, roof_group group)
{
    return one->drawn && one->record.on_gpu == group.on_gpu &&
           (group.on_gpu || one->record.configuration.threads == group.threads);
}

// Each design at its largest board, as far as it tells what it moves and computes.
static void collect(roofline *roof)
{
    const lc_charts *charts = roof->charts;
    for (size_t i = 0; i < charts->count; i++) {
        const lc_bench_record *record = &charts->measurements[i]->record;
        if (!in_group(charts->measurements[i], roof->group))
            continue;
        if (record->has_copy_rate && isfinite(record->copy_bytes_per_second))
            roof->copy = fmax(roof->copy, record->copy_bytes_per_second / 1e9);
        if (isfinite(record->gates_per_second))
            roof->gates = fmax(roof->gates, record->gates_per_second / 1e9);
    }
    for (size_t i = 0; i < charts->series_count && roof->count < POINTS_MAX; i++) {
        const lc_series *series = &charts->series[i];
        const lc_measurement *one = series->points[series->count - 1];
        const lc_step_facts *step = &one->record.step;
        double intensity = step->operations_per_cell / step->bytes_per_cell;
        double operations = one->record.cells_per_second * step->operations_per_cell / 1e9;
        if (in_group(one, roof->group) && step->bytes_per_cell > 0 && intensity > 0 &&
            isfinite(intensity) && isfinite(operations))
            roof->points[roof->count++] = (roof_point){.series = series,
                                                       .measurement = one,
                                                       .intensity = intensity,
                                                       .operations = operations};
    }
}

static double overlap(box a, box b)
{
    double x = fmin(a.x + a.width, b.x + b.width) - fmax(a.x, b.x);
    double y = fmin(a.y + a.height, b.y + b.height) - fmax(a.y, b.y);
    return x > 0 && y > 0 ? x * y : 0;
}

// How much a label in this box would cover: points, the labels placed before it, the roof.
static double cover(const roofline *roof, const box *placed, size_t placed_count, box label)
{
    double covered = 0;
    if (label.x < left + 3 || label.x + label.width > right - 3 || label.y < top + 2 ||
        label.y + label.height > bottom - 3)
        return 1e9;
    for (size_t i = 0; i < placed_count; i++)
        covered += 4 * overlap(placed[i], label);
    for (size_t i = 0; i < roof->count; i++)
        covered += 4 * overlap((box){roof->points[i].x - 5, roof->points[i].y - 5, 10, 10}, label);
    for (double x = label.x; x <= label.x + label.width; x += 4) {
        double share = (x - roof->x.from) / (roof->x.to - roof->x.from);
        double intensity = roof->x.low * pow(roof->x.high / roof->x.low, share);
        double y = lc_axis_at(&roof->y, fmin(roof->copy * intensity, roof->gates));
        covered += y > label.y - 3 && y < label.y + label.height + 3 ? 20 : 0;
    }
    return covered;
}

// Tries places round the point, near ones first, and takes the one that covers least.
static void label_point(const roofline *roof, const roof_point *point, box *placed,
                        size_t *placed_count)
{
    char name[LC_SERIES_NAME_BYTES];
    lc_svg_shorten(point->series->name, NAME_CHARACTERS, name, sizeof name);
    double text_width = lc_svg_text_width(name, 11);
    double least = INFINITY;
    box best = {0, 0, 0, 0};
    double best_distance = 0;
    for (int ring = 0; ring < 16; ring++) {
        double distance = 8 + 9.0 * ring;
        int places = ring == 0 ? 8 : 16;
        for (int i = 0; i < places; i++) {
            double angle = 6.283185307179586 * i / places;
            double x = point->x + distance * cos(angle);
            double y = point->y + distance * sin(angle);
            // The side of the box that looks at the point is the one that stands there.
            box label = {.width = text_width, .height = 13};
            label.x = x - text_width * (0.5 - 0.5 * cos(angle));
            label.y = y - 6.5 + 5 * sin(angle);
            double cost = cover(roof, placed, *placed_count, label) + 1.2 * (distance - 8);
            if (cost < least - 1e-9) {
                least = cost;
                best = label;
                best_distance = distance;
            }
        }
    }
    if (best_distance > 12) {
        double x = fmin(fmax(point->x, best.x), best.x + best.width);
        double y = point->y < best.y ? best.y : fmin(point->y, best.y + best.height);
        lc_svg_line(roof->file, "rule", point->x, point->y, x, y);
    }
    lc_svg_text(roof->file, point->series->colour >= 0 ? "small" : "small soft", best.x,
                best.y + 10, LC_SVG_START, "%s", name);
    placed[(*placed_count)++] = best;
}

static void draw_roof(const roofline *roof)
{
    double ridge = roof->gates / roof->copy;
    double ridge_x = lc_axis_at(&roof->x, ridge);
    double flat_y = lc_axis_at(&roof->y, roof->gates);
    // Where the slope leaves the picture: at its left edge, or at its bottom.
    double first = fmax(roof->x.low, roof->y.low / roof->copy);
    double first_x = lc_axis_at(&roof->x, first);
    double first_y = lc_axis_at(&roof->y, roof->copy * first);
    fprintf(
        roof->file,
        "<path class=\"under\" style=\"stroke:none\" d=\"M%.1f %.1fL%.1f %.1fH%.1fV%.1fH%.1fZ\"/>"
        "\n<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>\n",
        first_x, first_y, ridge_x, flat_y, right, bottom, first_x, first_x, first_y, ridge_x,
        flat_y, right);
    char number[LC_NUMBER_BYTES];
    lc_number_format(roof->gates, number);
    lc_svg_text(roof->file, "", right - 4, flat_y - 8, LC_SVG_END, "gates: %s Gop/s", number);
    lc_number_format(roof->copy, number);
    double angle = atan2(flat_y - first_y, ridge_x - first_x);
    double x = first_x + 0.45 * (ridge_x - first_x);
    double y = first_y + 0.45 * (flat_y - first_y);
    fprintf(roof->file,
            "<text class=\"middle\" transform=\"translate(%.1f %.1f) rotate(%.1f)\">copying: %s "
            "GB/s</text>\n",
            x + 10 * sin(angle), y - 10 * cos(angle), angle * 180 / 3.141592653589793, number);
}

static int by_height(const void *a, const void *b)
{
    const roof_point *p = a;
    const roof_point *q = b;
    bool p_grey = p->series->colour < 0;
    bool q_grey = q->series->colour < 0;
    if (p_grey != q_grey) // coloured ones choose their places first
        return p_grey ? 1 : -1;
    return (p->y > q->y) - (p->y < q->y);
}

static void draw_points(roofline *roof)
{
    for (size_t i = 0; i < roof->count; i++) {
        roof->points[i].x = lc_axis_at(&roof->x, roof->points[i].intensity);
        roof->points[i].y = lc_axis_at(&roof->y, roof->points[i].operations);
    }
    qsort(roof->points, roof->count, sizeof roof->points[0], by_height);
    box placed[POINTS_MAX];
    size_t placed_count = 0;
    for (size_t i = 0; i < roof->count; i++)
        label_point(roof, &roof->points[i], placed, &placed_count);
    for (size_t i = roof->count; i-- > 0;) {
        const roof_point *point = &roof->points[i];
        char board[96];
        char intensity[LC_NUMBER_BYTES];
        char operations[LC_NUMBER_BYTES];
        char told[512];
        lc_measurement_board(point->measurement, board, sizeof board);
        lc_number_format(point->intensity, intensity);
        lc_number_format(point->operations, operations);
        snprintf(told, sizeof told, "%s, %s: %s operations a byte, %s Gop/s", point->series->name,
                 board, intensity, operations);
        lc_series_draw_marker(roof->file, point->series, point->x, point->y, told);
    }
}

static void draw(roofline *roof)
{
    double ridge = roof->gates / roof->copy;
    double x_least = ridge / 4;
    double x_most = ridge * 4;
    double y_least = roof->gates / 10;
    double y_most = roof->gates;
    for (size_t i = 0; i < roof->count; i++) {
        x_least = fmin(x_least, roof->points[i].intensity);
        x_most = fmax(x_most, roof->points[i].intensity * 1.5);
        y_least = fmin(y_least, roof->points[i].operations);
        y_most = fmax(y_most, roof->points[i].operations);
    }
    roof->x = lc_axis_around(x_least, x_most, 10, left, right);
    roof->y = lc_axis_around(y_least / 1.3, y_most * 1.3, 10, bottom, top);
    lc_axis_draw_flat(roof->file, &roof->x, bottom, top);
    lc_axis_draw_upright(roof->file, &roof->y, left, right);
    lc_svg_text(roof->file, "soft", 16, top - 16, LC_SVG_START,
                "operations on words a second, Gop/s");
    lc_svg_text(roof->file, "soft", (left + right) / 2, bottom + 42, LC_SVG_MIDDLE,
                "operations a byte of main memory");
    draw_roof(roof);
    draw_points(roof);
}

static const char *missing(const roofline *roof)
{
    if (roof->copy <= 0 && roof->gates <= 0)
        return "neither the rate of copying nor that of gates was measured";
    if (roof->copy <= 0)
        return "the rate of copying within main memory was not measured";
    if (roof->gates <= 0)
        return "the rate of gates was not measured";
    return roof->count == 0 ? "no design says how many bytes it moves and operations it does"
                            : NULL;
}

static lc_status make(lc_charts *charts, roof_group group)
{
    char name[48] = "roofline-gpu";
    char where[64] = "GPU";
    if (!group.on_gpu) {
        snprintf(name, sizeof name, "roofline-cpu-%d", group.threads);
        snprintf(where, sizeof where, "CPU, %d thread%s", group.threads,
                 group.threads == 1 ? "" : "s");
    }
    char heading[96];
    snprintf(heading, sizeof heading, "Roofline: %s", where);
    lc_figure *figure = lc_figure_begin(charts, name, heading);
    roofline *roof = calloc(1, sizeof *roof);
    if (figure == NULL || roof == NULL) {
        free(roof);
        return LC_ERROR_MEMORY;
    }
    roof->charts = charts;
    roof->group = group;
    roof->file = figure->drawing_file;
    collect(roof);
    const char *why_not = missing(roof);
    if (why_not != NULL) {
        fprintf(figure->caption_file, "No roofline (%s): %s.", where, why_not);
    } else {
        lc_figure_head(charts, figure, group.on_gpu, !group.on_gpu);
        draw(roof);
        fputs("Each point is a design at the largest board it was measured on. The slope is the "
              "rate of copying "
              "within main memory, the flat part that of logic gates, both measured beside the "
              "runs: a point on "
              "the slope is as fast as its bytes allow, one on the flat part as fast as its "
              "operations do; how "
              "far below a point lies is what else holds it up. Bytes are those of perfect caches "
              "that keep "
              "nothing for longer than a launch, operations those of the source. So a board that "
              "fits into a "
              "cache may lie above the slope, and a design whose operations the compiler merges or "
              "puts into "
              "vectors above the flat part.",
              figure->caption_file);
    }
    free(roof);
    return lc_figure_end(figure, why_not == NULL, width, bottom + 60);
}

lc_status lc_chart_rooflines(lc_charts *charts)
{
    bool gpu = false;
    int threads[16];
    size_t count = 0;
    for (size_t i = 0; i < charts->count; i++) {
        const lc_measurement *one = charts->measurements[i];
        gpu |= one->drawn && one->record.on_gpu;
        size_t k = 0;
        while (k < count && threads[k] != one->record.configuration.threads)
            k++;
        if (one->drawn && !one->record.on_gpu && k == count && count < 16)
            threads[count++] = one->record.configuration.threads;
    }
    lc_status status = LC_OK;
    if (gpu)
        status = make(charts, (roof_group){.on_gpu = true});
    for (size_t k = 0; k < count && status == LC_OK; k++)
        status = make(charts, (roof_group){.threads = threads[k]});
    if (gpu || status != LC_OK)
        return status;
    lc_figure *figure = lc_figure_begin(charts, "roofline-gpu", "Roofline: GPU");
    if (figure == NULL)
        return LC_ERROR_MEMORY;
    fputs("No roofline of a GPU: nothing was measured on one.", figure->caption_file);
    return lc_figure_end(figure, false, 0, 0);
}
