// Puts measurements in order: series, the fastest at each board, colours.
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

bool lc_same_board(const lc_measurement *a, const lc_measurement *b)
{
    return lc_bench_same_board(&a->record.configuration, &b->record.configuration);
}

// The engine's name ends at a colon, behind which settings stand.
static size_t name_bytes(const lc_measurement *measurement)
{
    return strcspn(measurement->engine, ":");
}

const char *lc_measurement_settings(const lc_measurement *measurement)
{
    if (measurement->record.plan[0] != '\0')
        return measurement->record.plan;
    const char *engine = measurement->engine + name_bytes(measurement);
    return *engine == ':' ? engine + 1 : "";
}

void lc_measurement_design(const lc_measurement *measurement, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "%.*s%s%s", (int)name_bytes(measurement), measurement->engine,
             measurement->cpu_level[0] != '\0' ? "/" : "", measurement->cpu_level);
}

void lc_measurement_board(const lc_measurement *measurement, char *text, size_t text_bytes)
{
    char width[LC_NUMBER_BYTES];
    char height[LC_NUMBER_BYTES];
    lc_number_format((double)measurement->record.configuration.topology.width_cells, width);
    lc_number_format((double)measurement->record.configuration.topology.height_cells, height);
    snprintf(text, text_bytes, "%s × %s", width, height);
}

lc_interval lc_measurement_rate(const lc_measurement *measurement)
{
    const lc_bench_record *record = &measurement->record;
    lc_interval rate = {.value = record->cells_per_second,
                        .low = record->cells_per_second,
                        .high = record->cells_per_second};
    const lc_interval *median = &record->median_ns;
    if (median->low > 0 && median->low <= median->value && median->value <= median->high &&
        isfinite(median->high)) {
        rate.low = rate.value * median->value / median->high;
        rate.high = rate.value * median->value / median->low;
        rate.confidence = median->confidence;
    }
    return rate;
}

static bool is_serial(const lc_series *series)
{
    return !series->on_gpu && series->points[0]->record.configuration.threads == 1;
}

// Whether it is the design that the bench was asked to compare with.
static bool is_asked_for(const lc_charts *charts, const lc_series *series)
{
    const lc_bench_configuration *asked = charts->options.against;
    const lc_measurement *one = series->points[0];
    return asked != NULL && strcspn(asked->engine, ":") == name_bytes(one) &&
           memcmp(asked->engine, one->engine, name_bytes(one)) == 0 &&
           (series->on_gpu || asked->threads == one->record.configuration.threads);
}

// Nothing of one board goes into this, so that boards that have the same designs have one baseline.
static bool is_better_baseline(const lc_charts *charts, const lc_series *a, const lc_series *b)
{
    if (is_asked_for(charts, a) != is_asked_for(charts, b))
        return is_asked_for(charts, a);
    if (a->count != b->count)
        return a->count > b->count;
    if (is_serial(a) != is_serial(b))
        return is_serial(a);
    return a->best_cells_per_second < b->best_cells_per_second;
}

const lc_measurement *lc_measurement_baseline(const lc_charts *charts,
                                              const lc_measurement *measurement)
{
    const lc_measurement *baseline = NULL;
    const lc_series *best = NULL;
    for (size_t i = 0; i < charts->series_count; i++) {
        const lc_series *series = &charts->series[i];
        const lc_measurement *one = lc_series_at_board(series, measurement);
        if (one != NULL && (best == NULL || is_better_baseline(charts, series, best))) {
            best = series;
            baseline = one;
        }
    }
    return baseline;
}

const lc_measurement *lc_series_at_board(const lc_series *series, const lc_measurement *board)
{
    for (size_t i = 0; i < series->count; i++)
        if (lc_same_board(series->points[i], board))
            return series->points[i];
    return NULL;
}

static bool same_series(const lc_measurement *a, const lc_measurement *b)
{
    const lc_bench_configuration *p = &a->record.configuration;
    const lc_bench_configuration *q = &b->record.configuration;
    size_t bytes = name_bytes(a);
    return bytes == name_bytes(b) && memcmp(a->engine, b->engine, bytes) == 0 &&
           strcmp(a->cpu_level, b->cpu_level) == 0 && p->threads == q->threads &&
           a->record.on_gpu == b->record.on_gpu && p->rule == q->rule &&
           p->topology.kind == q->topology.kind;
}

// What else than the design has to be said, since it differs among the measurements.
typedef struct differences {
    bool threads, rule, topology;
} differences;

static differences find_differences(const lc_charts *charts)
{
    differences found = {false, false, false};
    const lc_measurement *first = NULL;
    for (size_t i = 0; i < charts->count; i++) {
        const lc_measurement *one = charts->measurements[i];
        if (!one->drawn)
            continue;
        const lc_bench_configuration *p = &one->record.configuration;
        found.threads |= !one->record.on_gpu && p->threads > 1;
        if (first == NULL)
            first = one;
        const lc_bench_configuration *q = &first->record.configuration;
        found.rule |= p->rule != q->rule;
        found.topology |= p->topology.kind != q->topology.kind;
    }
    return found;
}

static void name_series(lc_series *series, differences differ)
{
    static const char *const kinds[] = {
        [LC_TOPOLOGY_PLANE] = "plane",        [LC_TOPOLOGY_TORUS] = "torus",
        [LC_TOPOLOGY_KLEIN_BOTTLE] = "Klein", [LC_TOPOLOGY_CROSS_SURFACE] = "cross",
        [LC_TOPOLOGY_SPHERE] = "sphere",
    };
    const lc_measurement *one = series->all[0];
    const lc_bench_configuration *configuration = &one->record.configuration;
    char more[3][LC_RULE_TEXT_BYTES + 2] = {"", "", ""};
    if (differ.threads && !series->on_gpu)
        snprintf(more[0], sizeof more[0], ", %d thread%s", configuration->threads,
                 configuration->threads == 1 ? "" : "s");
    if (differ.rule) {
        char rule[LC_RULE_TEXT_BYTES];
        lc_rule_format(configuration->rule, NULL, rule);
        snprintf(more[1], sizeof more[1], ", %s", rule);
    }
    if (differ.topology)
        snprintf(more[2], sizeof more[2], ", %s", kinds[configuration->topology.kind]);
    char design[LC_SERIES_NAME_BYTES];
    lc_measurement_design(one, design, sizeof design);
    snprintf(series->name, sizeof series->name, "%.70s%.14s%.30s%.10s", design, more[0], more[1],
             more[2]);
}

int lc_measurement_by_side(const void *a, const void *b)
{
    const lc_measurement *p = *(const lc_measurement *const *)a;
    const lc_measurement *q = *(const lc_measurement *const *)b;
    return (p->side_cells > q->side_cells) - (p->side_cells < q->side_cells);
}

static int by_best(const void *a, const void *b)
{
    const lc_series *p = a;
    const lc_series *q = b;
    if (p->best_cells_per_second != q->best_cells_per_second)
        return p->best_cells_per_second < q->best_cells_per_second ? 1 : -1;
    return strcmp(p->name, q->name);
}

static void add_to_series(lc_series *series, const lc_measurement *one)
{
    series->all[series->all_count++] = one;
    double rate = one->record.cells_per_second;
    series->best_cells_per_second = fmax(series->best_cells_per_second, rate);
    for (size_t i = 0; i < series->count; i++) {
        if (!lc_same_board(series->points[i], one))
            continue;
        if (rate > series->points[i]->record.cells_per_second)
            series->points[i] = one;
        return;
    }
    series->points[series->count++] = one;
}

// Colours are for those that matter most: the fastest at each board, the largest board first; the
// fastest of the CPU; what speed-ups are relative to; then the fastest of the rest.
static void colour_series(lc_charts *charts)
{
    int next = 0;
    size_t board_count = 0;
    const lc_measurement **boards = calloc(charts->count + 1, sizeof(const lc_measurement *));
    for (size_t i = 0; i < charts->count && boards != NULL; i++) {
        bool known = !charts->measurements[i]->drawn;
        for (size_t k = 0; k < board_count && !known; k++)
            known = lc_same_board(boards[k], charts->measurements[i]);
        if (!known)
            boards[board_count++] = charts->measurements[i];
    }
    if (board_count > 0)
        qsort(boards, board_count, sizeof(const lc_measurement *), lc_measurement_by_side);
    for (size_t k = board_count; k-- > 0;) {
        lc_series *fastest = NULL;
        double rate = 0;
        for (size_t i = 0; i < charts->series_count; i++) {
            const lc_measurement *one = lc_series_at_board(&charts->series[i], boards[k]);
            if (one != NULL && one->record.cells_per_second > rate) {
                rate = one->record.cells_per_second;
                fastest = &charts->series[i];
            }
        }
        if (fastest != NULL && fastest->colour < 0 && next < LC_SVG_COLOURS - 3)
            fastest->colour = next++;
    }
    for (size_t i = 0; i < charts->series_count; i++) {
        if (charts->series[i].on_gpu)
            continue;
        if (charts->series[i].colour < 0)
            charts->series[i].colour = next++;
        break;
    }
    const lc_measurement *baseline =
        board_count > 0 ? lc_measurement_baseline(charts, boards[0]) : NULL;
    for (size_t i = 0; i < charts->series_count && baseline != NULL; i++) {
        lc_series *series = &charts->series[i];
        if (series->colour < 0 && lc_series_at_board(series, baseline) == baseline)
            series->colour = LC_SVG_COLOURS - 1;
    }
    free(boards);
    for (size_t i = 0; i < charts->series_count; i++) {
        lc_series *series = &charts->series[i];
        if (series->colour < 0 && next < LC_SVG_COLOURS - 1)
            series->colour = next++;
        series->marker = series->colour >= 0 ? series->colour : (int)(i % LC_SVG_MARKERS);
    }
}

lc_status lc_series_make(lc_charts *charts)
{
    lc_series_drop(charts);
    charts->series = calloc(charts->count + 1, sizeof *charts->series);
    if (charts->series == NULL)
        return LC_ERROR_MEMORY;
    for (size_t i = 0; i < charts->count; i++) {
        const lc_measurement *one = charts->measurements[i];
        if (!one->drawn)
            continue;
        size_t k = 0;
        while (k < charts->series_count && !same_series(charts->series[k].all[0], one))
            k++;
        lc_series *series = &charts->series[k];
        if (k == charts->series_count) {
            series->all = calloc(charts->count, sizeof(const lc_measurement *));
            series->points = calloc(charts->count, sizeof(const lc_measurement *));
            charts->series_count++;
            if (series->all == NULL || series->points == NULL)
                return LC_ERROR_MEMORY;
            series->on_gpu = one->record.on_gpu;
            series->colour = -1;
        }
        add_to_series(series, one);
    }
    differences differ = find_differences(charts);
    for (size_t i = 0; i < charts->series_count; i++) {
        lc_series *series = &charts->series[i];
        name_series(series, differ);
        qsort(series->points, series->count, sizeof(const lc_measurement *),
              lc_measurement_by_side);
    }
    if (charts->series_count > 0)
        qsort(charts->series, charts->series_count, sizeof *charts->series, by_best);
    colour_series(charts);
    return LC_OK;
}

void lc_series_drop(lc_charts *charts)
{
    for (size_t i = 0; i < charts->series_count; i++) {
        free(charts->series[i].all);
        free(charts->series[i].points);
    }
    free(charts->series);
    charts->series = NULL;
    charts->series_count = 0;
}
