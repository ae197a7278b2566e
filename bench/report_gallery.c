// The table of `lightcone gallery bench`, 100 columns wide: how designs compare with each other and
// with the most that the machine can do.
#include "report.h"

#include <string.h>

// A ratio with its interval is wider than an interval alone.
enum { DESIGN_WIDTH = 33, INTERVAL_WIDTH = 15, RATIO_WIDTH = 24 };

static int interval_width(const lc_bench_options *options)
{
    return options->against != NULL ? RATIO_WIDTH : INTERVAL_WIDTH;
}

static int design_width(const lc_bench_options *options)
{
    return DESIGN_WIDTH + INTERVAL_WIDTH - interval_width(options);
}

static void begin(lc_report *report)
{
    FILE *file = report->file;
    const lc_bench_configuration *against = report->options->against;
    lc_report_write_heading(report);
    fprintf(file, "%-*s %3s %-11s %9s %*s %6s %6s %5s %4s\n", design_width(report->options),
            "design and settings", "thr", "board", "Gcells/s", interval_width(report->options),
            against != NULL ? "times as fast" : "interval", "copy", "gates", "regs", "occ");
}

// "bytes-gpu block=16": the settings that were chosen. Longer ones get a line of their own.
static void write_name(FILE *file, const lc_bench_record *r)
{
    char name[384];
    const char *engine = r->configuration.engine;
    const char *settings = strchr(engine, ':');
    const int length = settings != NULL ? (int)(settings - engine) : (int)strlen(engine);
    const char *level = r->configuration.cpu_level;
    settings = settings != NULL ? settings + 1 : "";
    snprintf(name, sizeof name, "%.*s%s%s%s%s", length, engine, level[0] != '\0' ? "/" : "", level,
             settings[0] != '\0' ? " " : "", settings);
    const int width = design_width(r->options);
    if (strlen(name) > (size_t)width)
        fprintf(file, "%s\n%*s", name, width, "");
    else
        fprintf(file, "%-*s", width, name);
}

static void write_share(FILE *file, bool known, double share)
{
    if (known)
        fprintf(file, " %5.1f%%", share * 100);
    else
        fprintf(file, " %6s", "-");
}

// Three significant digits, and no exponent.
static void print_ratio(char text[16], double ratio)
{
    const int places = ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : ratio >= 0.9995 ? 2 : -1;
    if (places < 0)
        snprintf(text, 16, "%.3g", ratio);
    else
        snprintf(text, 16, "%.*f", places, ratio);
}

// The interval round the median rate; or that of the ratio.
static void write_interval(FILE *file, const lc_bench_record *r)
{
    char text[64], value[16], low[16], high[16];
    print_ratio(value, r->ratio.value);
    print_ratio(low, r->ratio.low);
    print_ratio(high, r->ratio.high);
    const bool one = r->options->runs == 1; // which says nothing of the next
    if (r->options->against == NULL && !one)
        snprintf(text, sizeof text, "%+.1f%% %+.1f%%",
                 (r->median_ns.value / r->median_ns.high - 1) * 100,
                 (r->median_ns.value / r->median_ns.low - 1) * 100);
    else if (r->has_ratio && !one)
        snprintf(text, sizeof text, "%s %s..%s", value, low, high);
    else if (r->has_ratio)
        snprintf(text, sizeof text, "%s", value);
    else
        snprintf(text, sizeof text, "-");
    fprintf(file, " %*s", interval_width(r->options), text);
}

static void write_kernel(FILE *file, const lc_step_facts *step)
{
    if (step->threads_a_block == 0) {
        fprintf(file, " %5s %4s\n", "-", "-");
        return;
    }
    fprintf(file, " %4d%s %3.0f%%\n", step->registers, step->local_bytes > 0 ? "*" : " ",
            step->occupancy * 100);
}

// Whether the reason why it was not timed fits on the line after the board; if not, it gets a line
// of its own.
static bool has_room(const lc_bench_record *r)
{
    const int threads_and_board = 17, refused = r->skipped ? 0 : (int)strlen("refused: ");
    return design_width(r->options) + threads_and_board + refused + (int)strlen(r->message.text) <=
           100;
}

static void record(lc_report *report, const lc_bench_record *r)
{
    FILE *file = report->file;
    const lc_topology *topology = &r->configuration.topology;
    char board[48];
    char threads[16] = "";
    snprintf(board, sizeof board, "%lldx%lld", (long long)topology->width_cells,
             (long long)topology->height_cells);
    if (!r->on_gpu)
        snprintf(threads, sizeof threads, "%d", r->configuration.threads);
    write_name(file, r);
    if (r->status != LC_OK) {
        fprintf(file, " %3s %-*s", threads, has_room(r) ? 11 : 0, board);
        fputs(has_room(r) ? " " : "\n    ", file);
        lc_report_write_failure(file, r);
        return;
    }
    fprintf(file, " %3s %-11s %9.*f", threads, board, r->cells_per_second < 1e10 ? 3 : 1,
            r->cells_per_second / 1e9);
    write_interval(file, r);
    write_share(file, r->has_traffic && r->has_copy_rate, r->fraction_of_copy);
    write_share(file, r->has_limit, r->fraction_of_limit);
    write_kernel(file, &r->step);
}

static void end(lc_report *report)
{
    FILE *file = report->file;
    const lc_bench_options *options = report->options;
    char threads[32] = "";
    lc_engine_info base;
    if (options->against != NULL &&
        lc_engine_named(options->verify.context, options->against->engine, &base) && !base.on_gpu)
        snprintf(threads, sizeof threads, ", %d thread%s,", options->against->threads,
                 options->against->threads == 1 ? "" : "s");
    const double confidence = lc_median_confidence((size_t)options->runs);
    if (options->against != NULL)
        fprintf(file, "\ntimes as fast: as %s%s in the same round, the median and its interval",
                options->against->engine, threads);
    else
        fputs("\ninterval: of the median", file);
    if (options->runs > 1)
        fprintf(file, ", of confidence %.1f %%\n", confidence * 100);
    else
        fputs(", which one run does not give\n", file);
    fputs(
        "settings: those that are not the usual ones, which 'lightcone gallery list --knobs' has\n"
        "copy: bytes that the design counts for its cells, as a share of the rate at which this "
        "machine\n      copies memory; more than 100 % where caches help\n"
        "gates: operations that its source counts, as a share of the rate of logic gates; more "
        "than "
        "100 %\n       where the compiler makes one instruction of several of them\n"
        "regs, occ: of its kernel, on a GPU: registers of a thread (*: and local memory), and how "
        "many of\n      the threads that a multiprocessor can hold it has there\n",
        file);
}

const lc_report_format lc_report_gallery = {"gallery", begin, record, end};
