// The HTML report of `lightcone census`: one page without scripts and without links to other hosts,
// with a drawing of each object.
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "census_report.h"
#include "lightcone/lightcone.h"
#include "number.h"
#include "soup_options.h"
#include "svg.h"

// A picture of live cells.
typedef struct drawing {
    int64_t (*runs)[3]; // x, y, length
    size_t count, room;
} drawing;

static lc_status add_run(void *context, int64_t x, int64_t y, int64_t length)
{
    drawing *d = context;
    if (d->count == d->room) {
        const size_t room = 2 * d->room + 64;
        int64_t(*grown)[3] = realloc(d->runs, room * sizeof *grown);
        if (grown == NULL)
            return LC_ERROR_MEMORY;
        d->runs = grown;
        d->room = room;
    }
    int64_t *run = d->runs[d->count++];
    run[0] = x;
    run[1] = y;
    run[2] = length;
    return LC_OK;
}

static lc_status add_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                          int64_t length)
{
    lc_status status = LC_OK;
    for (int64_t i = 0; i < length && status == LC_OK; i++)
        if (words[i / 64] >> i % 64 & 1)
            status = add_run(context, x + i, y, 1);
    return status;
}

// Reads the cells of an apgcode. Returns false if the code names no cells.
static bool read_code(drawing *d, const char *code)
{
    lc_pattern *pattern;
    const lc_sink sink = {
        .struct_bytes = sizeof sink, .context = d, .run = add_run, .bits = add_bits};
    if (lc_pattern_open_memory(&pattern, code, strlen(code), NULL) != LC_OK)
        return false;
    const bool is_code = lc_pattern_get_header(pattern)->format == LC_FORMAT_APGCODE;
    const bool is_read = is_code && lc_pattern_read(pattern, &sink, NULL) == LC_OK;
    lc_pattern_close(&pattern);
    return is_read && d->count > 0;
}

// Reads the cells of a soup.
static bool read_soup(drawing *d, const lc_soup_census *census, uint64_t number)
{
    int width, height;
    lc_status status = lc_soup_census_read_soup(census, number, NULL, 0, &width, &height, NULL);
    uint8_t *states = status == LC_OK ? malloc((size_t)width * (size_t)height) : NULL;
    if (states == NULL)
        return false;
    status = lc_soup_census_read_soup(census, number, states, (size_t)width, &width, &height, NULL);
    for (int y = 0; y < height && status == LC_OK; y++)
        for (int x = 0; x < width && status == LC_OK; x++)
            if (states[(size_t)y * (size_t)width + (size_t)x] != 0)
                status = add_run(d, x, y, 1);
    free(states);
    return status == LC_OK && d->count > 0;
}

static void draw(FILE *file, const drawing *d)
{
    int64_t x0 = INT64_MAX, y0 = INT64_MAX, x1 = INT64_MIN, y1 = INT64_MIN;
    for (size_t i = 0; i < d->count; i++) {
        const int64_t *run = d->runs[i];
        x0 = run[0] < x0 ? run[0] : x0;
        y0 = run[1] < y0 ? run[1] : y0;
        x1 = run[0] + run[2] > x1 ? run[0] + run[2] : x1;
        y1 = run[1] + 1 > y1 ? run[1] + 1 : y1;
    }
    const int64_t width = x1 - x0 + 2, height = y1 - y0 + 2; // a dead cell on each side
    const int64_t longer = width > height ? width : height;
    const double scale = longer <= 16 ? 10 : 160 / (double)longer;
    fprintf(file,
            "<svg role=\"img\" aria-label=\"cells\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %" PRId64 " %" PRId64 "\"><path d=\"",
            (double)width * scale, (double)height * scale, width, height);
    for (size_t i = 0; i < d->count; i++)
        for (int64_t n = 0; n < d->runs[i][2]; n++)
            fprintf(file, "M%" PRId64 " %" PRId64 "h.9v.9h-.9z", d->runs[i][0] + n - x0 + 1,
                    d->runs[i][1] - y0 + 1);
    fputs("\"/></svg>", file);
}

// Draws an object, or the first soup that made something without a picture.
static void draw_kind(FILE *file, const lc_census_report *report, const lc_soup_kind *kind)
{
    drawing d = {0};
    fputs("<div class=\"picture\">", file);
    if (read_code(&d, kind->code)) {
        draw(file, &d);
    } else if (kind->sample_count > 0) {
        d.count = 0;
        if (read_soup(&d, report->census, kind->samples[0])) {
            draw(file, &d);
            fprintf(file, "<small>soup %" PRIu64 "</small>", kind->samples[0]);
        }
    }
    fputs("</div>\n", file);
    free(d.runs);
}

static void write_kind(FILE *file, const lc_census_report *report, const lc_soup_kind *kind)
{
    char count[LC_CLI_NUMBER_BYTES];
    const double soups = report->facts.soups > 0 ? (double)report->facts.soups : 1;
    const lc_census_interval interval = lc_census_poisson(kind->count, report->facts.soups);
    fputs("<li>\n", file);
    draw_kind(file, report, kind);
    fputs("<h2>", file);
    lc_xml_write(file, kind->name[0] != '\0' ? kind->name : "no common name");
    fputs("</h2>\n<code>", file);
    lc_xml_write(file, kind->code);
    fprintf(file, "</code>\n<p><b>%s</b></p>\n<p>%.4g per soup<br/>%.4g to %.4g</p>\n",
            lc_cli_format_u64(kind->count, count), (double)kind->count / soups, interval.low,
            interval.high);
    fputs("<p class=\"soups\">soups", file);
    for (int i = 0; i < kind->sample_count; i++)
        fprintf(file, " %" PRIu64, kind->samples[i]);
    fputs("</p>\n</li>\n", file);
}

static void write_head(FILE *file, const lc_census_report *report)
{
    char number[LC_CLI_NUMBER_BYTES], soups[1024];
    const lc_soup_census_facts *facts = &report->facts;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<title>Census of soups</title>\n<style>\n"
          ":root { color-scheme: light dark; --ground: #fff; --card: #f4f5f7; --ink: #16181d;\n"
          "  --soft: #565c69; --cell: #1e5fbf; }\n"
          "@media (prefers-color-scheme: dark) { :root { --ground: #14161a; --card: #1e2127;\n"
          "  --ink: #e8eaee; --soft: #a3a9b5; --cell: #8ab8ff; } }\n"
          "* { box-sizing: border-box; }\n"
          "body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--ground);\n"
          "  color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }\n"
          "h1 { font-size: 1.6rem; margin: 0 0 .5rem; }\n"
          "h2 { font-size: 1rem; margin: .6rem 0 .1rem; }\n"
          "p { margin: .3rem 0; }\n"
          "ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .8rem;\n"
          "  grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }\n"
          "li { background: var(--card); border-radius: .5rem; padding: .8rem; min-width: 0; }\n"
          ".picture { height: 180px; display: flex; flex-direction: column;\n"
          "  align-items: center; justify-content: center; }\n"
          ".picture svg { max-width: 100%; } .picture path { fill: var(--cell); }\n"
          "code, .soups, small { color: var(--soft); font-size: .8rem;\n"
          "  overflow-wrap: anywhere; }\n"
          "</style>\n</head>\n<body>\n<h1>Census of soups</h1>\n",
          file);
    fprintf(file, "<p>%s soups", lc_cli_format_u64(facts->soups, number));
    fprintf(file, ", %s objects", lc_cli_format_u64(facts->objects, number));
    fprintf(file, " of %s kinds.</p>\n<p><code>lightcone census ",
            lc_cli_format_u64(report->kind_count, number));
    lc_xml_write(file, lc_cli_soup_options_format(facts, soups, sizeof soups));
    fprintf(file,
            "</code></p>\n<p>The %s kinds come first. Below the count: objects per soup, and the "
            "95 %% confidence interval of a Poisson distribution. Soups are the first ones that "
            "made the object.</p>\n",
            report->common_first ? "most frequent" : "rarest");
}

void lc_census_report_page(FILE *file, const lc_census_report *report)
{
    write_head(file, report);
    fputs("<ul>\n", file);
    for (size_t i = 0; i < report->kind_count; i++)
        write_kind(file, report, lc_census_report_kind(report, i));
    fprintf(file, "</ul>\n<p><small>lightcone %s</small></p>\n</body>\n</html>\n", lc_version());
}
