// The reports of `lightcone census`: text, CSV and JSON.
#include "census_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "json.h"
#include "lightcone/lightcone.h"
#include "number.h"
#include "soup_options.h"

void lc_census_report_init(lc_census_report *report, lc_soup_census *census, bool common_first)
{
    *report = (lc_census_report){.census = census, .common_first = common_first};
    lc_soup_census_get_facts(census, &report->facts);
    report->kinds = lc_soup_census_get_kinds(census, &report->kind_count);
}

const lc_soup_kind *lc_census_report_kind(const lc_census_report *report, size_t row)
{
    return &report->kinds[report->common_first ? row : report->kind_count - 1 - row];
}

// Confidence -------------------------------------------------------------------------------------

static const double tail = 0.025; // probability beyond each bound
static const double z = 1.959963984540054;

enum { EXACT_COUNT_MAX = 100 };

// Returns the probability of at most `count` events.
static double poisson_up_to(uint64_t count, double mean)
{
    double term = exp(-mean), sum = term;
    for (uint64_t i = 1; i <= count; i++) {
        term *= mean / (double)i;
        sum += term;
    }
    return sum;
}

// Returns the mean with which at most `count` events have this probability.
static double mean_with(uint64_t count, double probability)
{
    double low = 0, high = 2 * EXACT_COUNT_MAX;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (poisson_up_to(count, middle) > probability)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

// Byar's approximation, which is right to four digits for counts above EXACT_COUNT_MAX.
static double byar(double count, double deviations)
{
    const double root = 1 - 1 / (9 * count) + deviations / (3 * sqrt(count));
    return count * root * root * root;
}

lc_census_interval lc_census_poisson(uint64_t count, uint64_t soups)
{
    lc_census_interval interval;
    if (soups == 0)
        return (lc_census_interval){0, 0};
    if (count <= EXACT_COUNT_MAX) {
        interval.low = count == 0 ? 0 : mean_with(count - 1, 1 - tail);
        interval.high = mean_with(count, tail);
    } else {
        interval.low = byar((double)count, -z);
        interval.high = byar((double)count + 1, z);
    }
    interval.low /= (double)soups;
    interval.high /= (double)soups;
    return interval;
}

static double share(const lc_census_report *report, uint64_t count)
{
    return report->facts.soups > 0 ? (double)count / (double)report->facts.soups : 0;
}

// Text -------------------------------------------------------------------------------------------

static void print_head(FILE *file, const lc_census_report *report)
{
    char number[LC_CLI_NUMBER_BYTES], soups[1024];
    const lc_soup_census_facts *facts = &report->facts;
    fprintf(file, "soups         %s", lc_cli_format_u64(facts->soups, number));
    if (facts->soups_left > 0)
        fprintf(file, "; %s are left", lc_cli_format_u64(facts->soups_left, number));
    fprintf(file, "\nof            %s\n", lc_cli_soup_options_format(facts, soups, sizeof soups));
    fprintf(file, "objects       %s, %.2f in a soup\n", lc_cli_format_u64(facts->objects, number),
            share(report, facts->objects));
    fprintf(file, "kinds         %s\n", lc_cli_format_u64(report->kind_count, number));
}

static void print_row(FILE *file, const lc_census_report *report, const lc_soup_kind *kind)
{
    enum { SAMPLES = 3 };
    char number[LC_CLI_NUMBER_BYTES];
    const lc_census_interval interval = lc_census_poisson(kind->count, report->facts.soups);
    fprintf(file, "%14s %10.4g %10.4g %10.4g  %-24s %s ", lc_cli_format_u64(kind->count, number),
            share(report, kind->count), interval.low, interval.high,
            kind->name[0] != '\0' ? kind->name : "-", kind->code);
    for (int i = 0; i < kind->sample_count && i < SAMPLES; i++)
        fprintf(file, " %" PRIu64, kind->samples[i]);
    fprintf(file, "%s\n", kind->sample_count > SAMPLES ? " ..." : "");
}

void lc_census_report_text(FILE *file, const lc_census_report *report)
{
    print_head(file, report);
    if (report->kind_count == 0)
        return;
    fprintf(file, "\n%14s %10s %21s  %-24s %s\n", "count", "per soup", "95 % (Poisson)", "name",
            "apgcode, first soups");
    for (size_t i = 0; i < report->kind_count; i++)
        print_row(file, report, lc_census_report_kind(report, i));
}

// CSV --------------------------------------------------------------------------------------------

// Names have commas and quotes nowhere, but a file must not depend on that.
static void print_field(FILE *file, const char *text)
{
    if (text[strcspn(text, ",\"\n")] == '\0') {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

void lc_census_report_csv(FILE *file, const lc_census_report *report)
{
    fputs("apgcode,name,count,per_soup,low,high,samples\n", file);
    for (size_t i = 0; i < report->kind_count; i++) {
        const lc_soup_kind *kind = lc_census_report_kind(report, i);
        const lc_census_interval interval = lc_census_poisson(kind->count, report->facts.soups);
        print_field(file, kind->code);
        fputc(',', file);
        print_field(file, kind->name);
        fprintf(file, ",%" PRIu64 ",%.9g,%.9g,%.9g,", kind->count, share(report, kind->count),
                interval.low, interval.high);
        for (int n = 0; n < kind->sample_count; n++)
            fprintf(file, "%s%" PRIu64, n > 0 ? " " : "", kind->samples[n]);
        fputc('\n', file);
    }
}

// JSON -------------------------------------------------------------------------------------------

static void print_facts(lc_json *json, const lc_soup_census_facts *facts)
{
    const bool is_random = facts->width_cells != 0;
    lc_json_string(json, "program", "lightcone");
    lc_json_string(json, "version", lc_version());
    lc_json_string(json, "rule", facts->rule);
    if (is_random) {
        lc_json_double(json, "density", facts->density);
        lc_json_i64(json, "width", facts->width_cells);
        lc_json_i64(json, "height", facts->height_cells);
        lc_json_u64(json, "random_seed", facts->random_seed);
    } else {
        lc_json_string(json, "symmetry", facts->symmetry);
        lc_json_string(json, "seed", facts->seed);
    }
    lc_json_u64(json, "soups", facts->soups);
    lc_json_u64(json, "soups_left", facts->soups_left);
    lc_json_u64(json, "objects", facts->objects);
}

void lc_census_report_json(FILE *file, const lc_census_report *report)
{
    lc_json json = {.file = file};
    lc_json_open_object(&json, NULL);
    print_facts(&json, &report->facts);
    lc_json_string(&json, "interval", "95 %, Poisson");
    lc_json_open_array(&json, "kinds");
    for (size_t i = 0; i < report->kind_count; i++) {
        const lc_soup_kind *kind = lc_census_report_kind(report, i);
        const lc_census_interval interval = lc_census_poisson(kind->count, report->facts.soups);
        lc_json_open_object(&json, NULL);
        lc_json_string(&json, "apgcode", kind->code);
        lc_json_string(&json, "name", kind->name[0] != '\0' ? kind->name : NULL);
        lc_json_u64(&json, "count", kind->count);
        lc_json_double(&json, "per_soup", share(report, kind->count));
        lc_json_double(&json, "low", interval.low);
        lc_json_double(&json, "high", interval.high);
        lc_json_open_array(&json, "samples");
        for (int n = 0; n < kind->sample_count; n++)
            lc_json_u64(&json, NULL, kind->samples[n]);
        lc_json_close_array(&json);
        lc_json_close_object(&json);
    }
    lc_json_close_array(&json);
    lc_json_close_object(&json);
}
