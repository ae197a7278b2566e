// The table that people read: the machine first, then a line a configuration.
#include "report.h"

#include <string.h>

static void write_bytes(FILE *file, const char *name, uint64_t bytes)
{
    if (bytes == 0)
        return;
    if (bytes >= UINT64_C(1) << 30)
        fprintf(file, ", %s %.1f GiB", name, (double)bytes / (1 << 30));
    else if (bytes >= UINT64_C(1) << 20)
        fprintf(file, ", %s %.4g MiB", name, (double)bytes / (1 << 20));
    else
        fprintf(file, ", %s %.4g KiB", name, (double)bytes / (1 << 10));
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
    write_bytes(file, "L1d", facts->machine.l1_data_bytes);
    write_bytes(file, "L2", facts->machine.l2_bytes);
    write_bytes(file, "L3", facts->l3_bytes);
    write_bytes(file, "memory", facts->machine.memory_bytes);
    if (facts->governor[0] != '\0')
        fprintf(file, ", governor %s", facts->governor);
    if (facts->has_gpu) {
        const lc_gpu_info *gpu = &facts->gpu;
        fprintf(file, "\nGPU:     %s, %d multiprocessors, compute capability %d.%d", gpu->name,
                gpu->multiprocessors, gpu->architecture / 10, gpu->architecture % 10);
        write_bytes(file, "L2", gpu->l2_bytes);
        write_bytes(file, "memory", gpu->memory_bytes);
        fprintf(file, ",\n         driver%s%s for CUDA %d.%d, NVRTC %d.%d",
                facts->gpu_driver[0] != '\0' ? " " : "", facts->gpu_driver,
                gpu->driver_version / 1000, gpu->driver_version % 1000 / 10,
                gpu->nvrtc_version / 1000, gpu->nvrtc_version % 1000 / 10);
    }
    fprintf(file, "\nSystem:  %s; built by %s%s%s\n", facts->os, facts->compiler,
            facts->compiler_flags[0] != '\0' ? " with " : "", facts->compiler_flags);
    fprintf(
        file,
        "Method:  %d runs%s after %d warm-ups, soup of density %g, seed %llu; each configuration "
        "was\n         found right in this process before it was timed; rates are those of the "
        "median run\n\n",
        options->runs, options->interleave ? ", interleaved," : "", options->warmups,
        LC_BENCH_DENSITY, (unsigned long long)options->verify.seed);
}

static void begin(lc_report *report)
{
    FILE *file = report->file;
    lc_report_write_heading(report);
    fprintf(file, "%-15s %3s %-24s %-12s %7s %9s %6s %9s %19s %10s %7s %9s %6s %8s\n", "engine",
            "thr", "board", "rule", "gens", "median", "cv", "Gcells/s", "slowest .. fastest",
            "1 gen", "GB/run", "limit", "+-", "of limit");
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

static void write_limit(FILE *file, const lc_bench_record *r)
{
    if (!r->has_limit) {
        fprintf(file, " %9s %6s %8s", "-", "-", "-");
        return;
    }
    // Half of the range, as a share of the mean.
    const lc_statistics *limit = &r->limit_cells_per_second;
    double spread = (limit->max - limit->min) / 2 / limit->mean;
    fprintf(file, " %9.1f %5.1f%% %7.1f%%", limit->mean / 1e9, spread * 100,
            r->fraction_of_limit * 100);
}

static void record(lc_report *report, const lc_bench_record *r)
{
    FILE *file = report->file;
    const lc_bench_configuration *configuration = &r->configuration;
    char path[128];
    char board[64];
    char rule[LC_RULE_TEXT_BYTES];
    char range[48];
    char time[32];
    lc_path_format(configuration->engine, configuration->cpu_level, path, sizeof path);
    lc_rule_format(&configuration->rule, NULL, rule);
    snprintf(board, sizeof board, "%s %lldx%lld", topology_word(configuration->topology.kind),
             (long long)configuration->topology.width_cells,
             (long long)configuration->topology.height_cells);
    fprintf(file, "%-15s %3d %-24s %-12s ", path, configuration->threads, board, rule);
    if (r->status != LC_OK) {
        lc_report_write_failure(file, r);
        return;
    }
    snprintf(range, sizeof range, "%.4g .. %.4g", r->worst_cells_per_second / 1e9,
             r->best_cells_per_second / 1e9);
    format_time(r->ns_per_generation, time, sizeof time);
    fprintf(file, "%7llu %6.0f ms %5.1f%% %9.1f %19s %10s", (unsigned long long)r->generations,
            r->time_ns.median / 1e6, r->time_ns.cv * 100, r->cells_per_second / 1e9, range, time);
    if (r->has_traffic)
        fprintf(file, " %7.3g", r->bytes_per_run / 1e9);
    else
        fprintf(file, " %7s", "-");
    write_limit(file, r);
    if (r->has_ratio)
        fprintf(file, "  %.3fx [%.3f .. %.3f]", r->ratio.value, r->ratio.low, r->ratio.high);
    fputc('\n', file);
}

static void end(lc_report *report)
{
    const lc_bench_configuration *against = report->options->against;
    if (against != NULL)
        fprintf(report->file,
                "\nx: times as fast as %s in the same round, the median and its %g %% interval\n",
                against->engine, LC_CONFIDENCE * 100);
    fputs("\nlimit: Gcells/s if nothing but the rule's logic gates were run at the rate measured "
          "beside the runs\n       (+-: half of that rate's range); GB/run: cells read from and "
          "written to memory\n",
          report->file);
}

const lc_report_format lc_report_text = {"text", begin, record, end};
