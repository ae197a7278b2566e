// The page that holds the charts: HTML that needs nothing from elsewhere and runs nothing.
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "svg.h"

static const char style[] =
    ":root{color-scheme:light dark}\n"
    "body{font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "sans-serif;margin:0 auto;max-width:60rem;padding:1rem;background:#fff;color:#1a1a1a}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:.6em 0 .2em}h2{font-size:1.2rem;margin:2em 0 .5em}"
    "p,figcaption{max-width:46rem}.soft,figcaption{color:#595959}\n"
    "figure{margin:2rem 0}figcaption{font-size:.9rem;margin-top:.4rem}.wide{overflow-x:auto}"
    ".wide svg{display:block;min-width:44rem;width:100%;height:auto}\n"
    ".wide svg.small{min-width:0;width:auto;max-width:none}\n"
    "table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;vertical-align:top;padding:.3em .9em .3em 0;"
    "border-bottom:1px solid #d9d9d9;white-space:nowrap}"
    "th{font-weight:600}td.number,th.number{text-align:right}td.text{white-space:normal;"
    "min-width:16rem}\n"
    "code,pre{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "font-size:.85rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}\n"
    "@media(prefers-color-scheme:dark){body{background:#17191d;color:#ececec}"
    ".soft,figcaption{color:#b0b0b0}th,td{border-color:#3b3f46}}\n";

static void write_cell(FILE *file, const char *class, const char *text)
{
    fprintf(file, "<td%s%s%s>", class[0] != '\0' ? " class=\"" : "", class,
            class[0] != '\0' ? "\"" : "");
    lc_xml_write(file, text);
    fputs("</td>", file);
}

static void write_number(FILE *file, bool known, double value)
{
    char number[LC_NUMBER_BYTES];
    lc_number_format(value, number);
    write_cell(file, "number", known && isfinite(value) ? number : "");
}

static void write_percent(FILE *file, bool known, double share)
{
    char text[48];
    snprintf(text, sizeof text, "%.1f %%", share * 100);
    write_cell(file, "number", known && isfinite(share) ? text : "");
}

static void write_threads(FILE *file, const lc_bench_record *record)
{
    char threads[32] = "GPU";
    if (!record->on_gpu)
        snprintf(threads, sizeof threads, "%d", record->configuration.threads);
    write_cell(file, "number", threads);
}

// Design, settings, board, rule: what was to run.
static void write_configuration(FILE *file, const lc_measurement *one)
{
    char design[LC_SERIES_NAME_BYTES];
    char board[96];
    char rule[LC_RULE_TEXT_BYTES];
    lc_measurement_design(one, design, sizeof design);
    lc_measurement_board(one, board, sizeof board);
    lc_rule_format(one->record.configuration.rule, &one->record.configuration.topology, rule);
    write_cell(file, "", design);
    write_cell(file, "", lc_measurement_settings(one));
    write_cell(file, "number", board);
    write_cell(file, "", rule);
}

// Records -------------------------------------------------------------------------------------

static void write_record(FILE *file, const lc_charts *charts, const lc_measurement *one,
                         bool compared)
{
    const lc_bench_record *record = &one->record;
    lc_interval rate = lc_measurement_rate(one);
    const lc_step_facts *step = &record->step;
    char low[LC_NUMBER_BYTES];
    char high[LC_NUMBER_BYTES];
    char interval[128] = "";
    lc_number_format(rate.low / 1e9, low);
    lc_number_format(rate.high / 1e9, high);
    if (rate.confidence > 0)
        snprintf(interval, sizeof interval, "%s – %s (%.1f %%)", low, high, rate.confidence * 100);
    const lc_measurement *baseline = one->drawn ? lc_measurement_baseline(charts, one) : NULL;
    bool kernel = record->on_gpu && step->threads_a_block > 0;

    fputs("<tr>", file);
    write_configuration(file, one);
    write_threads(file, record);
    write_number(file, true, rate.value / 1e9);
    write_cell(file, "number", interval);
    write_percent(file, record->time_ns.count > 1, record->time_ns.cv);
    write_number(file, baseline != NULL,
                 baseline != NULL ? record->cells_per_second / baseline->record.cells_per_second
                                  : 0);
    if (compared)
        write_number(file, record->has_ratio, record->ratio.value);
    write_number(file, step->bytes_per_cell > 0, step->bytes_per_cell);
    write_number(file, step->operations_per_cell > 0, step->operations_per_cell);
    write_percent(file, record->has_copy_rate && record->has_traffic, record->fraction_of_copy);
    write_percent(file, record->has_limit, record->fraction_of_limit);
    write_number(file, kernel, step->registers);
    write_number(file, kernel, step->local_bytes);
    write_percent(file, kernel, step->occupancy);
    write_cell(file, "", record->verification.method);
    fputs("</tr>\n", file);
}

static bool has_ratio(const lc_charts *charts)
{
    for (size_t i = 0; i < charts->count; i++)
        if (charts->measurements[i]->record.status == LC_OK &&
            charts->measurements[i]->record.has_ratio)
            return true;
    return false;
}

static void write_records(FILE *file, const lc_charts *charts, size_t measured)
{
    bool compared = has_ratio(charts);
    fputs("<h2>All that was measured</h2>\n", file);
    if (measured == 0) {
        fputs("<p>Nothing was measured.</p>\n", file);
        return;
    }
    fprintf(
        file,
        "<p class=\"soft\">Each configuration was found right in the same process before it "
        "was timed. Rates are those of the median run, the interval comes from the confidence "
        "interval of its time. “cv”: coefficient of variation of the run times. “×&#160;baseline”: "
        "speed-up as in the picture%s. Bytes and operations are for a cell and generation.</p>\n",
        compared ? "; “×&#160;compared”: against the configuration that all were "
                   "compared with, run for run"
                 : "");
    fprintf(file,
            "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th>design</th>"
            "<th>settings</th><th class=\"number\">board, cells</th><th>rule and board</th>"
            "<th class=\"number\">threads</th><th class=\"number\">Gcells/s</th>"
            "<th class=\"number\">interval</th><th class=\"number\">cv</th>"
            "<th class=\"number\">×&#160;baseline</th>%s<th class=\"number\">bytes</th>"
            "<th class=\"number\">operations</th><th class=\"number\">of copy rate</th>"
            "<th class=\"number\">of gate rate</th><th class=\"number\">registers</th>"
            "<th class=\"number\">spilled bytes</th><th class=\"number\">occupancy</th>"
            "<th>verified by</th></tr></thead>\n<tbody>\n",
            compared ? "<th class=\"number\">×&#160;compared</th>" : "");
    for (size_t i = 0; i < charts->count; i++)
        if (charts->measurements[i]->record.status == LC_OK)
            write_record(file, charts, charts->measurements[i], compared);
    fputs("</tbody></table></div>\n", file);
}

static const char *failure_word(const lc_bench_record *record)
{
    if (record->skipped)
        return "skipped";
    if (record->status == LC_ERROR_MISMATCH)
        return "wrong, not timed";
    return record->refused ? "refused" : lc_status_text(record->status);
}

static void write_failures(FILE *file, const lc_charts *charts)
{
    fputs("<h2>What was not measured</h2>\n<div class=\"wide\" "
          "tabindex=\"0\"><table>\n<thead><tr><th>design</th>"
          "<th>settings</th><th class=\"number\">board, cells</th><th>rule and board</th>"
          "<th>what happened</th><th>why</th></tr></thead>\n<tbody>\n",
          file);
    for (size_t i = 0; i < charts->count; i++) {
        const lc_bench_record *record = &charts->measurements[i]->record;
        if (record->status == LC_OK)
            continue;
        fputs("<tr>", file);
        write_configuration(file, charts->measurements[i]);
        write_cell(file, "", failure_word(record));
        fputs("<td class=\"text\">", file);
        lc_xml_write(file, record->message.text);
        if (record->status == LC_ERROR_MISMATCH) {
            char text[1024];
            lc_verification_explain(&record->verification, charts->options.verify.seed, text,
                                    sizeof text);
            fputs("<pre>", file);
            lc_xml_write(file, text);
            fputs("</pre>", file);
        }
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

// Figures -------------------------------------------------------------------------------------

static void write_figures(FILE *file, const lc_charts *charts)
{
    int number = 0;
    for (size_t i = 0; i < charts->figure_count; i++) {
        const lc_figure *figure = &charts->figures[i];
        if (figure->drawing == NULL)
            continue;
        fprintf(file,
                "<figure><div class=\"wide\" tabindex=\"0\"><svg class=\"chart%s\" role=\"img\" "
                "aria-label=\"",
                figure->width < 700 ? " small" : "");
        lc_xml_write(file, figure->heading);
        fprintf(file, "\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
                figure->width, figure->height, figure->width, figure->height);
        fputs(figure->drawing, file);
        fprintf(file, "</svg></div>\n<figcaption><strong>Figure %d.</strong> ", ++number);
        lc_xml_write(file, figure->caption);
        fprintf(file, " <a href=\"%s.svg\">%s.svg</a></figcaption></figure>\n", figure->name,
                figure->name);
    }
    bool open = false;
    for (size_t i = 0; i < charts->figure_count; i++) {
        if (charts->figures[i].drawing != NULL)
            continue;
        fputs(open ? "<li>" : "<ul class=\"soft\"><li>", file);
        lc_xml_write(file, charts->figures[i].caption);
        fputs("</li>\n", file);
        open = true;
    }
    if (open)
        fputs("</ul>\n", file);
}

// Machine and method --------------------------------------------------------------------------

static void write_row(FILE *file, const char *name, const char *value)
{
    fputs("<tr><th>", file);
    lc_xml_write(file, name);
    fputs("</th>", file);
    write_cell(file, "text", value);
    fputs("</tr>\n", file);
}

// The fields from the date on are those of the machine and the build, the same in every record.
static void write_machine(FILE *file, const lc_charts *charts)
{
    const lc_bench_record none = {
        .options = &charts->options,
        .configuration = {.engine = "", .cpu_level = "", .rule = lc_rule_life()}};
    lc_fields *fields = malloc(sizeof *fields);
    if (fields == NULL)
        return;
    lc_fields_fill(fields, &none, &charts->facts);
    size_t first = 0;
    while (first < fields->count && strcmp(fields->fields[first].name, "date") != 0)
        first++;
    fputs("<h2>Machine and build</h2>\n<div class=\"wide\" tabindex=\"0\"><table>\n", file);
    for (size_t i = first; i < fields->count; i++) {
        const lc_report_field *field = &fields->fields[i];
        char number[LC_NUMBER_BYTES];
        char name[64];
        snprintf(name, sizeof name, "%s", field->name);
        for (char *c = name; *c != '\0'; c++)
            *c = *c == '_' ? ' ' : *c;
        if (field->kind == LC_FIELD_TEXT)
            write_row(file, name, field->text);
        if (field->kind != LC_FIELD_INTEGER && field->kind != LC_FIELD_REAL)
            continue;
        lc_number_format(field->kind == LC_FIELD_REAL ? field->real : (double)field->integer,
                         number);
        write_row(file, name, number);
    }
    fputs("</table></div>\n", file);
    free(fields);
}

// As a shell takes it.
static void write_argument(FILE *file, const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:=,+@%";
    if (argument[0] != '\0' && strspn(argument, plain) == strlen(argument)) {
        fputs(argument, file);
        return;
    }
    fputc('\'', file);
    for (; *argument != '\0'; argument++) {
        if (*argument == '\'')
            fputs("'\\'", file);
        fputc(*argument, file);
    }
    fputc('\'', file);
}

// What this process was started with, to be freed; NULL if that is not known. Where the program
// lies says nothing to others.
static char *read_command(void)
{
    char arguments[4096];
    FILE *process = fopen("/proc/self/cmdline", "re");
    size_t size = process != NULL ? fread(arguments, 1, sizeof arguments - 1, process) : 0;
    if (process != NULL)
        fclose(process);
    char *command = NULL;
    size_t command_bytes = 0;
    if (size == 0 || size == sizeof arguments - 1) // half a command is worse than none
        return NULL;
    FILE *file = open_memstream(&command, &command_bytes);
    if (file == NULL)
        return NULL;
    arguments[size] = '\0';
    for (size_t at = 0; at < size; at += strlen(arguments + at) + 1) {
        const char *slash = strrchr(arguments + at, '/');
        if (at > 0)
            fputc(' ', file);
        write_argument(file, at == 0 && slash != NULL ? slash + 1 : arguments + at);
    }
    if (fclose(file) == 0)
        return command;
    free(command);
    return NULL;
}

static void write_method(FILE *file, const lc_charts *charts)
{
    const lc_bench_options *options = &charts->options;
    char text[256];
    fputs("<h2>Method</h2>\n<div class=\"wide\" tabindex=\"0\"><table>\n", file);
    snprintf(text, sizeof text, "%d, after %d warm-up%s, %s", options->runs, options->warmups,
             options->warmups == 1 ? "" : "s",
             options->interleave ? "those of different configurations taking turns"
                                 : "those of one configuration after another");
    write_row(file, "timed runs", text);
    if (options->generations > 0)
        snprintf(text, sizeof text, "%llu generations", (unsigned long long)options->generations);
    else
        snprintf(text, sizeof text, "as many generations as last at least %.3g ms",
                 (double)options->run_ns / 1e6);
    write_row(file, "a run", text);
    snprintf(text, sizeof text, "soup of density %g, seed %llu", LC_BENCH_DENSITY,
             (unsigned long long)options->verify.seed);
    write_row(file, "cells", text);
    write_row(file, "verification",
              options->verify.quick ? "quick: fewer windows and generations" : "full");
    char *command = read_command();
    if (command != NULL) {
        fputs("<tr><th>again</th><td class=\"text\"><pre>", file);
        lc_xml_write(file, command);
        fputs("</pre></td></tr>\n", file);
        free(command);
    }
    fputs("</table></div>\n", file);
}

void lc_page_write(FILE *file, const lc_charts *charts)
{
    size_t measured = 0;
    size_t refused = 0;
    size_t skipped = 0;
    for (size_t i = 0; i < charts->count; i++) {
        const lc_bench_record *record = &charts->measurements[i]->record;
        measured += record->status == LC_OK;
        refused += record->refused;
        skipped += record->skipped;
    }
    size_t failed = charts->count - measured - refused - skipped;
    const lc_machine_facts *facts = &charts->facts;
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<title>lightcone bench, %.10s</title>\n<style>\n%s%s</style>\n</head>\n<body>\n"
            "<h1>Game of Life: how fast the designs are</h1>\n<p class=\"soft\">lightcone ",
            facts->date, style, lc_svg_style());
    lc_xml_write(file, facts->version);
    if (facts->commit[0] != '\0') {
        fputs(", commit ", file);
        lc_xml_write(file, facts->commit);
    }
    fputs(", ", file);
    lc_xml_write(file, facts->date);
    if (facts->has_gpu) {
        fputs(", ", file);
        lc_xml_write(file, facts->gpu.name);
    }
    if (facts->machine.cpu_model[0] != '\0') {
        fputs(", ", file);
        lc_xml_write(file, facts->machine.cpu_model);
    }
    fprintf(file,
            "</p>\n<p>%zu configuration%s verified and measured, %zu failed, %zu refused "
            "(the design does not step such boards), %zu skipped (it would have taken too "
            "long).</p>\n",
            measured, measured == 1 ? "" : "s", failed, refused, skipped);
    write_figures(file, charts);
    write_records(file, charts, measured);
    if (measured < charts->count)
        write_failures(file, charts);
    write_method(file, charts);
    write_machine(file, charts);
    fputs("</body>\n</html>\n", file);
}
