// The table that people read: the machine first, then a line a configuration, in 80 columns. What
// has no room there is in the CSV and JSON files.
#include "report.h"

#include <string.h>

// Runs that differ by more, in standard deviations, say little.
static const double steady_cv = 0.1;

// A row begins with engine, threads, board and rule.
enum { ENGINE_WIDTH = 13, BOARD_WIDTH = 17, RULE_WIDTH = 12, NAMES_WIDTH = 48 };

static void write_bytes(FILE *file, const char *name, uint64_t bytes)
{
    if (bytes == 0)
        return;
    if (bytes >= UINT64_C(1) << 30)
        fprintf(file, "%s%.1f GiB", name, (double)bytes / (1 << 30));
    else if (bytes >= UINT64_C(1) << 20)
        fprintf(file, "%s%.4g MiB", name, (double)bytes / (1 << 20));
    else
        fprintf(file, "%s%.4g KiB", name, (double)bytes / (1 << 10));
}

void lc_report_write_heading(const lc_report *report)
{
    const lc_machine_facts *facts = report->facts;
    const lc_bench_options *options = report->options;
    FILE *file = report->file;
    const char *model = facts->machine.cpu_model;
    fprintf(file, "lightcone %s%s%s, %s\n", facts->version,
            facts->commit[0] != '\0' ? ", commit " : "", facts->commit, facts->date);
    fprintf(file, "CPU:     %s, %d of %d CPUs usable", model[0] != '\0' ? model : "unknown model",
            facts->machine.threads, facts->cpus_online);
    if (facts->governor[0] != '\0')
        fprintf(file, ", governor %s", facts->governor);
    fputs("\nMemory:  ", file);
    write_bytes(file, "", facts->machine.memory_bytes);
    write_bytes(file, ", L1d ", facts->machine.l1_data_bytes);
    write_bytes(file, ", L2 ", facts->machine.l2_bytes);
    write_bytes(file, ", L3 ", facts->l3_bytes);
    if (facts->has_gpu) {
        const lc_gpu_info *gpu = &facts->gpu;
        fprintf(file, "\nGPU:     %s, %d multiprocessors, compute capability %d.%d", gpu->name,
                gpu->multiprocessors, gpu->architecture / 10, gpu->architecture % 10);
        write_bytes(file, ",\n         L2 ", gpu->l2_bytes);
        write_bytes(file, ", memory ", gpu->memory_bytes);
        fprintf(file, ",\n         driver%s%s for CUDA %d.%d, NVRTC %d.%d",
                facts->gpu_driver[0] != '\0' ? " " : "", facts->gpu_driver,
                gpu->driver_version / 1000, gpu->driver_version % 1000 / 10,
                gpu->nvrtc_version / 1000, gpu->nvrtc_version % 1000 / 10);
    }
    fprintf(file, "\nSystem:  %s;\n         built by %s%s%s\n", facts->os, facts->compiler,
            facts->compiler_flags[0] != '\0' ? " with " : "", facts->compiler_flags);
    fprintf(file,
            "Method:  %d run%s%s after %d warm-up%s, soup of density %g, seed %llu;\n"
            "         each configuration was found right in this process before it was timed;\n"
            "         rates are those of the median run\n\n",
            options->runs, options->runs == 1 ? "" : "s",
            options->interleave ? ", interleaved," : "", options->warmups,
            options->warmups == 1 ? "" : "s", LC_BENCH_DENSITY,
            (unsigned long long)options->verify.seed);
}

static void begin(lc_report *report)
{
    FILE *file = report->file;
    lc_report_write_heading(report);
    fprintf(file, "%-*s %3s %-*s %-*s %8s %6s %7s %7s\n", ENGINE_WIDTH, "engine", "thr",
            BOARD_WIDTH, "board", RULE_WIDTH, "rule", "Gcells/s", "cv", "1 gen", "limit");
}

void lc_report_write_failure(FILE *file, const lc_bench_record *r)
{
    fprintf(file, "%s%s\n",
            r->skipped                       ? ""
            : r->refused                     ? "refused: "
            : r->status == LC_ERROR_MISMATCH ? "WRONG, not timed: "
                                             : "FAILED: ",
            r->message.text);
    if (r->status != LC_ERROR_MISMATCH)
        return;
    char text[1024];
    lc_verification_explain(&r->verification, r->options->verify.seed, text, sizeof text);
    fputs(text, file);
}

// "torus", "plane": the words for the topology without its size.
static const char *topology_word(lc_topology_kind kind)
{
    static const char *const words[] = {
        [LC_TOPOLOGY_PLANE] = "plane",        [LC_TOPOLOGY_TORUS] = "torus",
        [LC_TOPOLOGY_KLEIN_BOTTLE] = "Klein", [LC_TOPOLOGY_CROSS_SURFACE] = "cross",
        [LC_TOPOLOGY_SPHERE] = "sphere",
    };
    return words[kind];
}

static void format_time(double ns, char *text, size_t text_bytes)
{
    if (ns < 1e3)
        snprintf(text, text_bytes, "%.3g ns", ns);
    else if (ns < 1e6)
        snprintf(text, text_bytes, "%.3g us", ns / 1e3);
    else if (ns < 1e9)
        snprintf(text, text_bytes, "%.3g ms", ns / 1e6);
    else
        snprintf(text, text_bytes, "%.4g s", ns / 1e9);
}

// Names that are too long for their columns have a line of their own.
static void write_names(FILE *file, const lc_bench_configuration *configuration)
{
    char path[128];
    char board[64];
    char rule[LC_RULE_TEXT_BYTES];
    lc_path_format(configuration->engine, configuration->cpu_level, path, sizeof path);
    lc_rule_format(configuration->rule, NULL, rule);
    snprintf(board, sizeof board, "%s %lldx%lld", topology_word(configuration->topology.kind),
             (long long)configuration->topology.width_cells,
             (long long)configuration->topology.height_cells);
    fprintf(file, "%-*s %3d %-*s %-*s", ENGINE_WIDTH, path, configuration->threads, BOARD_WIDTH,
            board, RULE_WIDTH, rule);
    if (strlen(path) > ENGINE_WIDTH || strlen(board) > BOARD_WIDTH || strlen(rule) > RULE_WIDTH)
        fprintf(file, "\n%*s", NAMES_WIDTH, "");
}

static void record(lc_report *report, const lc_bench_record *r)
{
    FILE *file = report->file;
    char time[32];
    write_names(file, &r->configuration);
    if (r->status != LC_OK) {
        fputs("\n    ", file);
        lc_report_write_failure(file, r);
        return;
    }
    const bool is_unsteady = r->time_ns.cv > steady_cv;
    report->unsteady += is_unsteady;
    format_time(r->ns_per_generation, time, sizeof time);
    fprintf(file, r->cells_per_second < 1e15 ? " %8.1f" : " %8.2e", r->cells_per_second / 1e9);
    fprintf(file, " %4.1f%%%c %7s", r->time_ns.cv * 100, is_unsteady ? '!' : ' ', time);
    if (r->has_limit)
        fprintf(file, " %6.1f%%", r->fraction_of_limit * 100);
    else
        fprintf(file, " %7s", "-");
    if (r->has_ratio)
        fprintf(file, "\n%*s %.3fx [%.3f .. %.3f]", NAMES_WIDTH, "", r->ratio.value, r->ratio.low,
                r->ratio.high);
    fputc('\n', file);
}

static void end(lc_report *report)
{
    const lc_bench_configuration *against = report->options->against;
    FILE *file = report->file;
    if (report->unsteady > 0)
        fprintf(file,
                "\n!: these runs differ by more than %g %% (cv), so the rate may be far off: try\n"
                "   again when nothing else runs here, or with more --runs\n",
                steady_cv * 100);
    if (against != NULL)
        fprintf(file,
                "\nx: times as fast as %s in the same round, the median and its %g %%\n"
                "   interval\n",
                against->engine, LC_CONFIDENCE * 100);
    fputs("\ncv: standard deviation of the runs' times, as a share of their mean\n"
          "limit: share of what this machine could do if it ran nothing but the gates of\n"
          "       the rule, at the rate measured beside the runs\n"
          "--csv and --json have all that was measured\n",
          file);
}

const lc_report_format lc_report_text = {"text", begin, record, end};
