// Takes records in, has the figures drawn, and writes them as files.
#include "charts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chart.h"
#include "svg.h"

lc_status lc_charts_create(lc_charts **out, const lc_machine_facts *facts,
                           const lc_bench_options *options)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return LC_ERROR_MEMORY;
    (*out)->facts = *facts;
    (*out)->options = *options;
    return LC_OK;
}

static void drop_measurement(lc_measurement *measurement)
{
    free(measurement->engine);
    free(measurement->cpu_level);
    free(measurement->run_ns);
    free(measurement);
}

static lc_measurement *copy_record(const lc_charts *charts, const lc_bench_record *record)
{
    lc_measurement *copy = calloc(1, sizeof *copy);
    if (copy == NULL)
        return NULL;
    const char *level = record->configuration.cpu_level;
    size_t runs = record->status == LC_OK && record->run_ns != NULL ? record->time_ns.count : 0;
    copy->record = *record;
    copy->engine = strdup(record->configuration.engine);
    copy->cpu_level = strdup(level != NULL ? level : "");
    copy->run_ns = calloc(runs + 1, sizeof *copy->run_ns);
    if (copy->engine == NULL || copy->cpu_level == NULL || copy->run_ns == NULL) {
        drop_measurement(copy);
        return NULL;
    }
    if (runs > 0)
        memcpy(copy->run_ns, record->run_ns, runs * sizeof *copy->run_ns);
    copy->record.options = &charts->options;
    copy->record.configuration.engine = copy->engine;
    copy->record.configuration.cpu_level = copy->cpu_level;
    copy->record.run_ns = copy->run_ns;
    copy->record.time_ns.count = runs;
    if (record->status != LC_OK) { // what is not known is not to be read
        copy->record.plan[0] = '\0';
        copy->record.on_gpu = false;
    }
    const lc_topology *topology = &record->configuration.topology;
    copy->side_cells = topology->width_cells == topology->height_cells
                           ? (double)topology->width_cells
                           : sqrt((double)topology->width_cells * (double)topology->height_cells);
    copy->drawn = record->status == LC_OK && isfinite(record->cells_per_second) &&
                  record->cells_per_second > 0 && copy->side_cells > 0;
    return copy;
}

lc_status lc_charts_add(lc_charts *charts, const lc_bench_record *record)
{
    if (charts->count == charts->capacity) {
        size_t capacity = charts->capacity * 2 + 16;
        lc_measurement **grown = realloc(charts->measurements, capacity * sizeof(lc_measurement *));
        if (grown == NULL)
            return LC_ERROR_MEMORY;
        charts->measurements = grown;
        charts->capacity = capacity;
    }
    lc_measurement *copy = copy_record(charts, record);
    if (copy == NULL)
        return LC_ERROR_MEMORY;
    charts->measurements[charts->count++] = copy;
    return LC_OK;
}

void lc_charts_set_model(lc_charts *charts, const struct lc_model *model)
{
    charts->model = model;
}

void lc_charts_destroy(lc_charts **charts)
{
    if (*charts == NULL)
        return;
    lc_figures_drop(*charts);
    lc_series_drop(*charts);
    for (size_t i = 0; i < (*charts)->count; i++)
        drop_measurement((*charts)->measurements[i]);
    free((*charts)->measurements);
    free(*charts);
    *charts = NULL;
}

// Files ---------------------------------------------------------------------------------------

typedef void content_function(FILE *file, const lc_charts *charts, const lc_figure *figure);

static void write_figure(FILE *file, const lc_charts *charts, const lc_figure *figure)
{
    (void)charts;
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
            figure->width, figure->height, figure->width, figure->height);
    lc_xml_write(file, figure->heading);
    fputs("</title>\n<desc>", file);
    lc_xml_write(file, figure->caption);
    fprintf(file, "</desc>\n<style>\n%s</style>\n", lc_svg_style());
    lc_svg_rect(file, "ground", 0, 0, figure->width, figure->height);
    fputs(figure->drawing, file);
    fputs("</svg>\n", file);
}

static void write_page(FILE *file, const lc_charts *charts, const lc_figure *figure)
{
    (void)figure;
    lc_page_write(file, charts);
}

// Beside its name first, then under it.
static lc_status write_file(const lc_charts *charts, const lc_figure *figure, const char *folder,
                            const char *name, content_function *content, lc_message *message)
{
    size_t bytes = strlen(folder) + strlen(name) + 40;
    char *path = malloc(bytes);
    char *temporary = malloc(bytes);
    if (path == NULL || temporary == NULL) {
        free(path);
        free(temporary);
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for writing %s", name);
    }
    snprintf(path, bytes, "%s/%s", folder, name);
    snprintf(temporary, bytes, "%s.%ld.tmp", path, (long)getpid());

    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    bool written = file != NULL;
    int reason = errno;
    if (written) {
        content(file, charts, figure);
        errno = EIO; // of a write that failed before the last one
        written = !ferror(file) && fflush(file) == 0 && fsync(fileno(file)) == 0;
        reason = errno;
        bool closed = fclose(file) == 0;
        if (written && !closed) {
            written = false;
            reason = errno;
        }
    } else if (descriptor >= 0) {
        close(descriptor);
    }
    if (written && rename(temporary, path) != 0) {
        written = false;
        reason = errno;
    }
    if (!written && descriptor >= 0)
        unlink(temporary);
    lc_status status = LC_OK;
    if (!written)
        status = lc_fail(message, LC_ERROR_IO, "cannot write %s: %s", path, strerror(reason));
    free(path);
    free(temporary);
    return status;
}

static lc_status draw_all(lc_charts *charts)
{
    static lc_status (*const drawings[])(lc_charts *) = {
        lc_chart_speed_up, lc_chart_throughput, lc_chart_rooflines,
        lc_chart_knobs,    lc_chart_runs,       lc_chart_scaling,
    };
    lc_figures_drop(charts);
    lc_status status = lc_series_make(charts);
    for (size_t i = 0; i < sizeof drawings / sizeof drawings[0] && status == LC_OK; i++)
        status = drawings[i](charts);
    return status;
}

lc_status lc_charts_write(lc_charts *charts, const char *folder, lc_message *message)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return lc_fail(message, LC_ERROR_IO, "cannot make the folder %s: %s", folder,
                       strerror(errno));
    lc_status status = draw_all(charts);
    if (status != LC_OK)
        return lc_fail(message, status, "out of memory for drawing the charts");
    for (size_t i = 0; i < charts->figure_count && status == LC_OK; i++) {
        const lc_figure *figure = &charts->figures[i];
        char name[80];
        if (figure->drawing == NULL)
            continue;
        snprintf(name, sizeof name, "%s.svg", figure->name);
        status = write_file(charts, figure, folder, name, write_figure, message);
    }
    if (status == LC_OK)
        status = write_file(charts, NULL, folder, "index.html", write_page, message);
    return status;
}
