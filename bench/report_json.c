// JSON: one object with the list of records, each complete in itself. What is not known is null.
#include "report.h"

#include <inttypes.h>
#include <math.h>

#include "json_write.h"
#include "model.h"

// The version of the format: raised when a field changes its meaning or goes away.
enum { FORMAT_VERSION = 1 };

void lc_json_write_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", file);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

void lc_json_write_real(FILE *file, double value)
{
    if (isfinite(value))
        fprintf(file, "%.9g", value);
    else
        fputs("null", file);
}

static void write_field(FILE *file, const lc_report_field *field)
{
    switch (field->kind) {
    case LC_FIELD_NONE:
        fputs("null", file);
        break;
    case LC_FIELD_TEXT:
        lc_json_write_text(file, field->text);
        break;
    case LC_FIELD_INTEGER:
        fprintf(file, "%" PRIu64, field->integer);
        break;
    case LC_FIELD_REAL:
        lc_json_write_real(file, field->real);
        break;
    case LC_FIELD_BOOL:
        fputs(field->integer != 0 ? "true" : "false", file);
        break;
    case LC_FIELD_LIST:
        fputc('[', file);
        for (size_t i = 0; i < field->count; i++)
            fprintf(file, "%s%.0f", i > 0 ? ", " : "", field->list[i]);
        fputc(']', file);
        break;
    }
}

static void begin(lc_report *report)
{
    fprintf(report->file,
            "{\n  \"format\": \"lightcone bench\",\n  \"format_version\": %d,\n  \"records\": [",
            FORMAT_VERSION);
}

static void record(lc_report *report, const lc_bench_record *r)
{
    lc_fields fields;
    lc_fields_fill(&fields, r, report->facts);
    fputs(report->records > 0 ? ",\n    {\n" : "\n    {\n", report->file);
    for (size_t i = 0; i < fields.count; i++) {
        fprintf(report->file, "      \"%s\": ", fields.fields[i].name);
        write_field(report->file, &fields.fields[i]);
        fputs(i + 1 < fields.count ? ",\n" : "\n", report->file);
    }
    fputs("    }", report->file);
}

static void end(lc_report *report)
{
    fputs(report->records > 0 ? "\n  ]" : "]", report->file);
    if (report->model != NULL) {
        fputs(",\n  \"model\": ", report->file);
        lc_model_write_json(report->model, report->file);
    }
    fputs("\n}\n", report->file);
}

const lc_report_format lc_report_json = {"JSON", begin, record, end};
