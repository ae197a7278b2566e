// Runs the configurations of both bench commands and writes the results.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench_measure.h"
#include "charts.h"
#include "message.h"
#include "shared_context.h"
#include "signals.h"

enum { TEXT, CSV, JSON, REPORTS };

typedef struct bench {
    lc_machine_facts facts;
    lc_report reports[REPORTS];
    FILE *table_file;        // stdout or stderr; receives the table
    size_t timed;            // number of configurations whose time was measured
    lc_charts *charts;       // NULL: not asked for
    lc_status charts_status; // the first error that lc_charts_add returned
    lc_model *model;         // NULL: not asked for
    lc_status model_status;  // the first error that lc_model_add returned
    bool only_stdout;        // the table on stdout is the only output
    bool show_notes;         // stderr is a terminal, where one line shows the current step
} bench;

// Returns whether to stop. Returns true after a signal. Also returns true if standard output is the
// only output and its reader has closed the pipe.
static bool stop(void *context)
{
    const bench *b = context;
    return lc_signals_received() != 0 || (b->only_stdout && lc_cli_reader_left());
}

static void clear_note(const bench *b)
{
    if (b->show_notes)
        fputs("\r\033[K", stderr);
}

static void take_note(void *context, const char *text)
{
    const bench *b = context;
    // The text is truncated, because a line that wraps cannot be overwritten.
    if (b->show_notes)
        fprintf(stderr, "\r\033[K%.79s", text);
}

static void take_record(void *context, const lc_bench_record *record)
{
    bench *b = context;
    clear_note(b);
    b->timed += record->status == LC_OK;
    for (size_t i = 0; i < REPORTS; i++)
        if (b->reports[i].file != NULL)
            lc_report_add(&b->reports[i], record);
    if (b->charts != NULL && b->charts_status == LC_OK)
        b->charts_status = lc_charts_add(b->charts, record);
    if (b->model != NULL && b->model_status == LC_OK)
        b->model_status = lc_model_add(b->model, record, &b->facts);
}

// Opens a report in the file `path`, or on standard output if `path` is "-". If a report goes to
// standard output, the table goes to standard error.
static lc_status open_report(bench *b, size_t index, const lc_report_format *format,
                             const char *path, const lc_bench_options *options, lc_message *message)
{
    if (path == NULL)
        return LC_OK;
    lc_report *report = &b->reports[index];
    if (strcmp(path, "-") != 0)
        return lc_report_open(report, format, path, &b->facts, options, message);
    lc_report_attach(report, format, stdout, &b->facts, options);
    return LC_OK;
}

static lc_status open_reports(bench *b, const lc_bench_arguments *arguments,
                              const lc_report_format *table, lc_message *message)
{
    const lc_bench_options *options = &arguments->options;
    lc_status status = open_report(b, CSV, &lc_report_csv, arguments->csv, options, message);
    if (status == LC_OK)
        status = open_report(b, JSON, &lc_report_json, arguments->json, options, message);
    if (status != LC_OK)
        return status;
    bool data_on_stdout = (arguments->csv != NULL && strcmp(arguments->csv, "-") == 0) ||
                          (arguments->json != NULL && strcmp(arguments->json, "-") == 0);
    b->table_file = data_on_stdout ? stderr : stdout;
    if (arguments->count > 0)
        lc_report_attach(&b->reports[TEXT], table, b->table_file, &b->facts, options);
    return LC_OK;
}

// Creates the folder of the charts and checks that the folder can be written. Call this function
// before the measurements, which take minutes.
static lc_status open_charts(bench *b, const lc_bench_arguments *arguments, lc_message *message)
{
    const char *folder = arguments->charts;
    if (folder == NULL)
        return LC_OK;
    if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || access(folder, W_OK | X_OK) != 0) {
        snprintf(message->text, sizeof message->text, "cannot write to the folder %s: %s", folder,
                 strerror(errno));
        return LC_ERROR_IO;
    }
    return lc_charts_create(&b->charts, &b->facts, &arguments->options);
}

// Writes the charts. Even if the user has stopped the command, charts of the completed measurements
// are useful.
static int close_charts(bench *b, const char *folder)
{
    lc_message message = {.line = 0};
    lc_status status = b->charts_status;
    if (b->charts != NULL && status == LC_OK)
        status = lc_charts_write(b->charts, folder, &message);
    lc_charts_destroy(&b->charts);
    return status == LC_OK ? LC_EXIT_OK : lc_cli_report(NULL, status, &message);
}

// Call this function after the last measurement and before closing the reports.
static lc_status solve_model(bench *b, lc_message *message)
{
    lc_status status = b->model_status;
    if (b->model == NULL)
        return LC_OK;
    if (status == LC_OK)
        status = lc_model_solve(b->model, message);
    else
        *message = (lc_message){.line = 0};
    if (status != LC_OK)
        return status;
    b->reports[JSON].model = b->model;
    if (b->charts != NULL)
        lc_charts_set_model(b->charts, b->model);
    return LC_OK;
}

static int close_reports(bench *b)
{
    int code = LC_EXIT_OK;
    for (size_t i = 0; i < REPORTS; i++) {
        lc_message message;
        if (b->reports[i].file == NULL)
            continue;
        const bool unread = b->reports[i].file == stdout && lc_cli_reader_left();
        lc_status status = lc_report_close(&b->reports[i], &message);
        if (status != LC_OK)
            code = unread ? LC_EXIT_UNREAD : lc_cli_report(NULL, status, &message);
    }
    return code;
}

// Reads facts about the machine. Reads facts about the GPU only if a configuration uses the GPU,
// because the GPU's driver starts slowly.
static void read_facts(bench *b, const lc_bench_arguments *arguments)
{
    lc_engine_info info;
    lc_machine_facts_read(&b->facts);
    for (size_t i = 0; i < arguments->count && !b->facts.has_gpu; i++)
        if (lc_engine_named(lc_cli_context(), arguments->configurations[i].engine, &info) &&
            info.on_gpu)
            lc_machine_facts_read_gpu(&b->facts, lc_cli_context());
}

int lc_bench_measure(lc_bench_arguments *arguments, const lc_report_format *table)
{
    bench b = {.show_notes = isatty(STDERR_FILENO) != 0, .model = arguments->model};
    read_facts(&b, arguments);
    lc_signals_catch(); // from here on, a signal must not leave incomplete files
    lc_message message = {.line = 0};
    lc_status status = open_charts(&b, arguments, &message);
    if (status == LC_OK)
        status = open_reports(&b, arguments, table, &message);
    if (status != LC_OK) {
        for (size_t i = 0; i < REPORTS; i++)
            lc_report_abandon(&b.reports[i]);
        lc_charts_destroy(&b.charts);
        return lc_cli_report(NULL, status, &message);
    }
    b.only_stdout = arguments->csv == NULL && arguments->json == NULL && arguments->charts == NULL;
    arguments->options.verify.stop = stop;
    arguments->options.verify.stop_context = &b;
    const lc_bench_observer observer = {.context = &b, .record = take_record, .note = take_note};
    size_t failures = 0;
    status = lc_bench_run(arguments->configurations, arguments->count, &arguments->options,
                          &observer, &failures, &message);
    clear_note(&b);
    lc_message why = {.line = 0};
    const lc_status solved = status == LC_OK ? solve_model(&b, &why) : LC_OK;
    int code = close_reports(&b);
    if (solved != LC_OK)
        code = lc_cli_report(NULL, solved, &why);
    else if (b.model != NULL && status == LC_OK)
        lc_model_write_text(b.model, b.table_file);
    if (close_charts(&b, arguments->charts) != LC_EXIT_OK)
        code = LC_EXIT_FAILURE;
    if (status == LC_ERROR_STOPPED && lc_signals_received() != 0)
        return LC_EXIT_SIGNAL + lc_signals_received();
    if (status == LC_ERROR_STOPPED)
        return LC_EXIT_UNREAD;
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    return failures > 0 || (b.timed == 0 && arguments->count > 0) ? LC_EXIT_FAILURE : code;
}
