// Reports: what was measured, as text, CSV or JSON.
//
// A file is written under a temporary name and renamed when it is whole. It is opened before
// anything is measured, so that minutes of measuring do not end with a folder that cannot be
// written to.
#ifndef LC_BENCH_REPORT_H
#define LC_BENCH_REPORT_H

#include <stdio.h>

#include "machine_facts.h"
#include "runner.h"

typedef struct lc_report lc_report;
struct lc_model;

typedef struct lc_report_format {
    const char *name;
    void (*begin)(lc_report *report);
    void (*record)(lc_report *report, const lc_bench_record *record);
    void (*end)(lc_report *report);
} lc_report_format;

extern const lc_report_format lc_report_text;    // the table of `lightcone bench`
extern const lc_report_format lc_report_gallery; // that of `lightcone gallery bench`
extern const lc_report_format lc_report_csv;
extern const lc_report_format lc_report_json;

struct lc_report {
    const lc_report_format *format;
    const lc_machine_facts *facts;
    const lc_bench_options *options;
    FILE *file;
    char *path;      // NULL: a stream of the caller's
    char *temporary; // beside path
    size_t records;  // written so far
    size_t unsteady; // of those, in the table: whose runs differ much
    // What follows from the records, if it was asked for; set before the end. JSON has it.
    const struct lc_model *model;
};

// Starts a report into `path`. LC_OK, LC_ERROR_IO (message: the system's reason), LC_ERROR_MEMORY.
lc_status lc_report_open(lc_report *report, const lc_report_format *format, const char *path,
                         const lc_machine_facts *facts, const lc_bench_options *options,
                         lc_message *message);

// Starts a report into an open stream, which stays open.
void lc_report_attach(lc_report *report, const lc_report_format *format, FILE *file,
                      const lc_machine_facts *facts, const lc_bench_options *options);

void lc_report_add(lc_report *report, const lc_bench_record *record);

// Ends the report: flushes it and gives the file its name. LC_ERROR_IO: the old file stays.
lc_status lc_report_close(lc_report *report, lc_message *message);

// Discards what was written; also fine for a report that was never opened (all zeros) or is closed.
void lc_report_abandon(lc_report *report);

// Parts of the tables -------------------------------------------------------------------------

// The machine, the build and the method, as lines.
void lc_report_write_heading(const lc_report *report);
// For a record that is not LC_OK: why, and where a wrong board differs.
void lc_report_write_failure(FILE *file, const lc_bench_record *record);

// Fields --------------------------------------------------------------------------------------

// A record with everything it depends on, as a list: what CSV and JSON both write.
typedef enum lc_report_field_kind {
    LC_FIELD_NONE, // not known, or does not apply
    LC_FIELD_TEXT,
    LC_FIELD_INTEGER,
    LC_FIELD_REAL,
    LC_FIELD_BOOL,
    LC_FIELD_LIST
} lc_report_field_kind;

typedef struct lc_report_field {
    const char *name; // includes the unit
    lc_report_field_kind kind;
    const char *text;
    uint64_t integer;
    double real;
    const double *list;
    size_t count;
} lc_report_field;

enum { LC_MAX_FIELDS = 112 };

typedef struct lc_fields {
    lc_report_field fields[LC_MAX_FIELDS];
    size_t count;
    char rule[LC_RULE_TEXT_BYTES];
    char topology[LC_RULE_TEXT_BYTES];
    char explanation[1024];
} lc_fields;

// Every record has the same fields in the same order. They point into all three arguments.
void lc_fields_fill(lc_fields *fields, const lc_bench_record *record,
                    const lc_machine_facts *facts);

#endif
