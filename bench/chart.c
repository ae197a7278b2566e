// Figures: their beginning and end, and how series look in all of them.
#include "chart.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

static bool name_is_taken(const lc_charts *charts, const char *name)
{
    for (size_t i = 0; i < charts->figure_count; i++)
        if (strcmp(charts->figures[i].name, name) == 0)
            return true;
    return false;
}

// Letters, digits and hyphens; names that are equal then are numbered.
static void name_figure(const lc_charts *charts, const char *wanted, char name[64])
{
    char plain[48];
    size_t bytes = 0;
    for (; *wanted != '\0' && bytes < sizeof plain - 1; wanted++) {
        unsigned char c = (unsigned char)*wanted;
        bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (fits || (bytes > 0 && plain[bytes - 1] != '-'))
            plain[bytes++] = (char)(fits ? tolower(c) : '-');
    }
    while (bytes > 0 && plain[bytes - 1] == '-')
        bytes--;
    plain[bytes] = '\0';
    snprintf(name, 64, "%s", plain);
    for (int number = 2; name_is_taken(charts, name); number++)
        snprintf(name, 64, "%s-%d", plain, number);
}

lc_figure *lc_figure_begin(lc_charts *charts, const char *name, const char *heading)
{
    if (charts->figure_count == charts->figure_capacity) {
        size_t capacity = charts->figure_capacity * 2 + 8;
        lc_figure *grown = realloc(charts->figures, capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        charts->figures = grown;
        charts->figure_capacity = capacity;
    }
    lc_figure *figure = &charts->figures[charts->figure_count];
    *figure = (lc_figure){.width = 0};
    name_figure(charts, name, figure->name);
    lc_svg_shorten(heading, 80, figure->heading, sizeof figure->heading);
    figure->drawing_file = open_memstream(&figure->drawing, &figure->drawing_bytes);
    figure->caption_file = open_memstream(&figure->caption, &figure->caption_bytes);
    charts->figure_count++;
    return figure->drawing_file != NULL && figure->caption_file != NULL ? figure : NULL;
}

void lc_figure_head(const lc_charts *charts, lc_figure *figure, bool gpu, bool cpu)
{
    const lc_machine_facts *facts = &charts->facts;
    const char *gpu_name = gpu && facts->has_gpu ? facts->gpu.name : "";
    const char *cpu_name = cpu ? facts->machine.cpu_model : "";
    lc_svg_text(figure->drawing_file, "heading", 16, 26, LC_SVG_START, "%s", figure->heading);
    lc_svg_text(figure->drawing_file, "small soft", 16, 44, LC_SVG_START,
                "lightcone %s%s%.12s, %.10s%s%.60s%s%.60s", facts->version,
                facts->commit[0] != '\0' ? ", commit " : "", facts->commit, facts->date,
                gpu_name[0] != '\0' ? ", " : "", gpu_name, cpu_name[0] != '\0' ? ", " : "",
                cpu_name);
}

// Closes a stream of memory. False: it did not get all of it.
static bool close_stream(FILE **file)
{
    if (*file == NULL)
        return false;
    bool whole = !ferror(*file);
    whole &= fclose(*file) == 0;
    *file = NULL;
    return whole;
}

lc_status lc_figure_end(lc_figure *figure, bool drawn, double width, double height)
{
    bool whole = close_stream(&figure->drawing_file);
    whole &= close_stream(&figure->caption_file);
    if (!drawn) {
        free(figure->drawing);
        figure->drawing = NULL;
    }
    figure->width = width;
    figure->height = height;
    return whole ? LC_OK : LC_ERROR_MEMORY;
}

void lc_figures_drop(lc_charts *charts)
{
    for (size_t i = 0; i < charts->figure_count; i++) {
        lc_figure *figure = &charts->figures[i];
        close_stream(&figure->drawing_file);
        close_stream(&figure->caption_file);
        free(figure->drawing);
        free(figure->caption);
    }
    free(charts->figures);
    charts->figures = NULL;
    charts->figure_count = charts->figure_capacity = 0;
}

void lc_series_style(const lc_series *series, char text[32])
{
    if (series->colour >= 0)
        snprintf(text, 32, "line c%d%s", series->colour, series->on_gpu ? "" : " cpu");
    else
        snprintf(text, 32, "thin muted%s", series->on_gpu ? "" : " cpu");
}

// The classes of its markers: "mark f3".
static void write_mark(const lc_series *series, char text[32])
{
    if (series->colour >= 0)
        snprintf(text, 32, "mark f%d", series->colour);
    else
        snprintf(text, 32, "mark fmuted");
}

static double radius_of(const lc_series *series)
{
    return series->colour >= 0 ? 4.6 : 3.4;
}

void lc_series_draw_marker(FILE *file, const lc_series *series, double x, double y,
                           const char *told)
{
    char mark[32];
    write_mark(series, mark);
    lc_svg_marker(file, mark, series->marker, x, y, radius_of(series), told);
}
