// CSV: a line of names, then a line a record, as RFC 4180 quotes them. What is not known is empty;
// the times of the single runs are in one field, separated by semicolons.
#include "report.h"

#include <inttypes.h>
#include <string.h>

static void write_text(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void write_field(FILE *file, const lc_report_field *field)
{
    switch (field->kind) {
    case LC_FIELD_NONE:
        break;
    case LC_FIELD_TEXT:
        write_text(file, field->text);
        break;
    case LC_FIELD_INTEGER:
        fprintf(file, "%" PRIu64, field->integer);
        break;
    case LC_FIELD_REAL:
        fprintf(file, "%.9g", field->real);
        break;
    case LC_FIELD_BOOL:
        fputs(field->integer != 0 ? "true" : "false", file);
        break;
    case LC_FIELD_LIST:
        for (size_t i = 0; i < field->count; i++)
            fprintf(file, "%s%.0f", i > 0 ? ";" : "", field->list[i]);
        break;
    }
}

// The names are written even if no record follows.
static void begin(lc_report *report)
{
    const lc_bench_record none = {
        .options = report->options,
        .configuration = {.engine = "", .cpu_level = "", .rule = lc_rule_life()}};
    lc_fields fields;
    lc_fields_fill(&fields, &none, report->facts);
    for (size_t i = 0; i < fields.count; i++)
        fprintf(report->file, "%s%s", fields.fields[i].name, i + 1 < fields.count ? "," : "\n");
}

static void record(lc_report *report, const lc_bench_record *r)
{
    lc_fields fields;
    lc_fields_fill(&fields, r, report->facts);
    for (size_t i = 0; i < fields.count; i++) {
        write_field(report->file, &fields.fields[i]);
        fputc(i + 1 < fields.count ? ',' : '\n', report->file);
    }
}

static void end(lc_report *report)
{
    (void)report;
}

const lc_report_format lc_report_csv = {"CSV", begin, record, end};
