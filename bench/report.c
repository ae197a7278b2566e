// Opening and closing of reports, and the list of a record's fields.
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A pipe or a device is written to directly; a file through a temporary one beside it.
static int open_output(lc_report *report)
{
    struct stat there;
    if (stat(report->path, &there) == 0 && !S_ISREG(there.st_mode)) {
        free(report->temporary);
        report->temporary = NULL;
        return open(report->path, O_WRONLY | O_CLOEXEC);
    }
    return open(report->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

lc_status lc_report_open(lc_report *report, const lc_report_format *format, const char *path,
                         const lc_machine_facts *facts, const lc_bench_options *options,
                         lc_message *message)
{
    *report = (lc_report){.format = format, .facts = facts, .options = options};
    size_t temporary_bytes = strlen(path) + 32;
    report->path = strdup(path);
    report->temporary = malloc(temporary_bytes);
    if (report->path == NULL || report->temporary == NULL) {
        free(report->path);
        free(report->temporary);
        *report = (lc_report){.file = NULL};
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for writing %s", path);
    }
    snprintf(report->temporary, temporary_bytes, "%s.%ld.tmp", path, (long)getpid());

    int descriptor = open_output(report);
    if (descriptor >= 0)
        report->file = fdopen(descriptor, "w");
    if (report->file == NULL) {
        lc_status status =
            lc_fail(message, LC_ERROR_IO, "cannot write %s: %s", path, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        else // whatever has the temporary name is not ours
            report->temporary[0] = '\0';
        lc_report_abandon(report);
        return status;
    }
    format->begin(report);
    return LC_OK;
}

void lc_report_attach(lc_report *report, const lc_report_format *format, FILE *file,
                      const lc_machine_facts *facts, const lc_bench_options *options)
{
    *report = (lc_report){.format = format, .facts = facts, .options = options, .file = file};
    format->begin(report);
    fflush(file);
}

void lc_report_add(lc_report *report, const lc_bench_record *record)
{
    report->format->record(report, record);
    report->records++;
    fflush(report->file);
}

lc_status lc_report_close(lc_report *report, lc_message *message)
{
    report->format->end(report);
    const char *name = report->path != NULL ? report->path : "the standard output";
    errno = 0;
    bool written = fflush(report->file) == 0 && !ferror(report->file);
    if (written && report->temporary != NULL)
        written = fsync(fileno(report->file)) == 0;
    if (!written) {
        lc_status status = lc_fail(message, LC_ERROR_IO, "cannot write %s: %s", name,
                                   errno != 0 ? strerror(errno) : "a write failed");
        lc_report_abandon(report);
        return status;
    }
    lc_status status = LC_OK;
    if (report->temporary != NULL && rename(report->temporary, report->path) != 0)
        status = lc_fail(message, LC_ERROR_IO, "cannot name %s: %s", name, strerror(errno));
    if (status == LC_OK) {
        free(report->temporary);
        report->temporary = NULL;
    }
    lc_report_abandon(report);
    return status;
}

void lc_report_abandon(lc_report *report)
{
    if (report->path != NULL && report->file != NULL)
        fclose(report->file);
    if (report->temporary != NULL && report->temporary[0] != '\0')
        unlink(report->temporary);
    free(report->path);
    free(report->temporary);
    *report = (lc_report){.file = NULL};
}

// Fields --------------------------------------------------------------------------------------

static lc_report_field *add(lc_fields *fields, const char *name, lc_report_field_kind kind)
{
    lc_report_field *field = &fields->fields[fields->count++];
    *field = (lc_report_field){.name = name, .kind = kind};
    return field;
}

static void add_text(lc_fields *fields, const char *name, const char *text)
{
    add(fields, name, text[0] != '\0' ? LC_FIELD_TEXT : LC_FIELD_NONE)->text = text;
}

static void add_integer(lc_fields *fields, const char *name, uint64_t value)
{
    add(fields, name, LC_FIELD_INTEGER)->integer = value;
}

static void add_bool(lc_fields *fields, const char *name, bool value)
{
    add(fields, name, LC_FIELD_BOOL)->integer = value;
}

// The rest are known only `if` something was measured.
static void add_integer_if(lc_fields *fields, bool known, const char *name, uint64_t value)
{
    add(fields, name, known ? LC_FIELD_INTEGER : LC_FIELD_NONE)->integer = value;
}

static void add_real_if(lc_fields *fields, bool known, const char *name, double value)
{
    add(fields, name, known ? LC_FIELD_REAL : LC_FIELD_NONE)->real = value;
}

static void add_facts(lc_fields *fields, const lc_machine_facts *facts)
{
    const lc_machine *machine = &facts->machine;
    add_text(fields, "date", facts->date);
    add_text(fields, "version", facts->version);
    add_text(fields, "commit", facts->commit);
    add_text(fields, "compiler", facts->compiler);
    add_text(fields, "compiler_flags", facts->compiler_flags);
    add_text(fields, "os", facts->os);
    add_text(fields, "cpu_model", machine->cpu_model);
    add_integer(fields, "cpus_online", (uint64_t)facts->cpus_online);
    add_integer(fields, "cpus_usable", (uint64_t)machine->threads);
    add_text(fields, "governor", facts->governor);
    add_integer_if(fields, machine->l1_data_bytes != 0, "l1_data_bytes", machine->l1_data_bytes);
    add_integer_if(fields, machine->l2_bytes != 0, "l2_bytes", machine->l2_bytes);
    add_integer_if(fields, facts->l3_bytes != 0, "l3_bytes", facts->l3_bytes);
    add_integer_if(fields, machine->memory_bytes != 0, "memory_bytes", machine->memory_bytes);
}

static void add_gpu_facts(lc_fields *fields, const lc_machine_facts *facts)
{
    const lc_gpu_info *gpu = &facts->gpu;
    const bool there = facts->has_gpu;
    add_text(fields, "gpu_name", there ? gpu->name : "");
    add_integer_if(fields, there, "gpu_memory_bytes", gpu->memory_bytes);
    add_integer_if(fields, there, "gpu_l2_bytes", gpu->l2_bytes);
    add_integer_if(fields, there, "gpu_multiprocessors", (uint64_t)gpu->multiprocessors);
    add_integer_if(fields, there, "gpu_architecture", (uint64_t)gpu->architecture);
    add_integer_if(fields, there, "gpu_clock_khz", (uint64_t)gpu->clock_khz);
    add_text(fields, "gpu_driver", there ? facts->gpu_driver : "");
    add_integer_if(fields, there, "gpu_driver_cuda_version", (uint64_t)gpu->driver_version);
    add_integer_if(fields, there && gpu->nvrtc_version != 0, "nvrtc_version",
                   (uint64_t)gpu->nvrtc_version);
}

static void add_configuration(lc_fields *fields, const lc_bench_record *record)
{
    const lc_bench_configuration *configuration = &record->configuration;
    const lc_bench_options *options = record->options;
    lc_rule_format(configuration->rule, NULL, fields->rule);
    lc_topology_format(&configuration->topology, fields->topology);
    add_text(fields, "engine", configuration->engine);
    add_text(fields, "cpu_level", configuration->cpu_level);
    add_text(fields, "plan", record->plan);
    add_integer(fields, "threads", (uint64_t)configuration->threads);
    add_text(fields, "rule", fields->rule);
    add_text(fields, "topology", fields->topology);
    add_integer(fields, "width_cells", (uint64_t)configuration->topology.width_cells);
    add_integer(fields, "height_cells", (uint64_t)configuration->topology.height_cells);
    add(fields, "soup_density", LC_FIELD_REAL)->real = LC_BENCH_DENSITY;
    add_integer(fields, "seed", options->verify.seed);
    add_integer(fields, "runs", (uint64_t)options->runs);
    add_integer(fields, "warmups", (uint64_t)options->warmups);
    add_bool(fields, "interleaved", options->interleave);
    add_bool(fields, "quick", options->verify.quick);
    const lc_bench_configuration *against = options->against;
    add_text(fields, "against", against != NULL ? against->engine : "");
    add_text(fields, "against_cpu_level", against != NULL ? against->cpu_level : "");
    add_integer_if(fields, against != NULL, "against_threads",
                   against != NULL ? (uint64_t)against->threads : 0);
}

static void add_verification(lc_fields *fields, const lc_bench_record *record)
{
    const lc_verification *verification = &record->verification;
    add_text(fields, "status", lc_status_name(record->status));
    add_bool(fields, "refused", record->refused);
    add_bool(fields, "skipped", record->skipped);
    add_text(fields, "message", record->status != LC_OK ? record->message.text : "");
    add_bool(fields, "verified", record->status == LC_OK);
    add_text(fields, "verified_by", record->status == LC_OK ? verification->method : "");
    add_integer_if(fields, record->status == LC_OK, "verified_generations",
                   verification->generations);
    add_integer_if(fields, record->status == LC_OK, "verified_pass_generations",
                   verification->longest_pass);
    fields->explanation[0] = '\0';
    if (record->status == LC_ERROR_MISMATCH)
        lc_verification_explain(verification, record->options->verify.seed, fields->explanation,
                                sizeof fields->explanation);
    add_text(fields, "difference", fields->explanation);
}

static void add_times(lc_fields *fields, const lc_bench_record *record)
{
    bool timed = record->status == LC_OK;
    const lc_statistics *time = &record->time_ns;
    add_integer_if(fields, timed, "universe_bytes", record->memory_bytes);
    add_integer_if(fields, timed && record->pass_generations != 0, "pass_generations",
                   record->pass_generations);
    add_integer_if(fields, timed, "run_generations", record->generations);
    add_integer_if(fields, timed, "population", record->population);
    add_text(fields, "clock", !timed ? "" : record->own_clock ? "engine" : "monotonic");
    add_real_if(fields, timed, "median_ns", time->median);
    add_real_if(fields, timed, "median_low_ns", record->median_ns.low);
    add_real_if(fields, timed, "median_high_ns", record->median_ns.high);
    add_real_if(fields, timed, "median_confidence", record->median_ns.confidence);
    add_real_if(fields, timed, "mean_ns", time->mean);
    add_real_if(fields, timed, "sd_ns", time->sd);
    add_real_if(fields, timed, "min_ns", time->min);
    add_real_if(fields, timed, "max_ns", time->max);
    add_real_if(fields, timed, "coefficient_of_variation", time->cv);
    add_real_if(fields, timed, "ns_per_generation", record->ns_per_generation);
    add_real_if(fields, timed, "cells_per_second", record->cells_per_second);
    add_real_if(fields, timed, "best_cells_per_second", record->best_cells_per_second);
    add_real_if(fields, timed, "worst_cells_per_second", record->worst_cells_per_second);
    lc_report_field *runs = add(fields, "run_ns", timed ? LC_FIELD_LIST : LC_FIELD_NONE);
    runs->list = record->run_ns;
    runs->count = time->count;
    const bool compared = timed && record->has_ratio;
    add_real_if(fields, compared, "times_as_fast", record->ratio.value);
    add_real_if(fields, compared, "times_as_fast_low", record->ratio.low);
    add_real_if(fields, compared, "times_as_fast_high", record->ratio.high);
    add_real_if(fields, compared, "times_as_fast_confidence", record->ratio.confidence);
    add_real_if(fields, timed && record->company > 0, "times_as_long_in_company", record->company);
}

static void add_stepping(lc_fields *fields, const lc_bench_record *record)
{
    const lc_step_facts *step = &record->step;
    const bool timed = record->status == LC_OK;
    const bool kernel = timed && step->threads_a_block > 0;
    add_bool(fields, "on_gpu", record->on_gpu);
    add_real_if(fields, timed && step->bytes_per_cell > 0, "bytes_per_cell", step->bytes_per_cell);
    add_real_if(fields, timed && step->operations_per_cell > 0, "operations_per_cell",
                step->operations_per_cell);
    add_integer_if(fields, kernel, "registers", (uint64_t)step->registers);
    add_integer_if(fields, kernel, "local_bytes", (uint64_t)step->local_bytes);
    add_integer_if(fields, kernel, "shared_bytes", (uint64_t)step->shared_bytes);
    add_integer_if(fields, kernel, "threads_a_block", (uint64_t)step->threads_a_block);
    add_integer_if(fields, kernel && step->blocks > 0, "blocks_a_multiprocessor",
                   (uint64_t)step->blocks);
    add_real_if(fields, kernel && step->occupancy > 0, "occupancy", step->occupancy);
}

static void add_limits(lc_fields *fields, const lc_bench_record *record)
{
    bool moved = record->status == LC_OK && record->has_traffic;
    add_real_if(fields, moved, "bytes_moved_per_run", record->bytes_per_run);
    add_real_if(fields, moved, "bytes_moved_per_second", record->bytes_per_second);
    bool copied = record->status == LC_OK && record->has_copy_rate;
    add_real_if(fields, copied, "copy_bytes_per_second", record->copy_bytes_per_second);
    add_real_if(fields, moved && copied, "fraction_of_copy", record->fraction_of_copy);
    bool limited = record->status == LC_OK && record->has_limit;
    const lc_statistics *limit = &record->limit_cells_per_second;
    add_integer_if(fields, limited, "vector_bits", (uint64_t)record->vector_bits);
    add_real_if(fields, limited, "gates_per_word", record->gates_per_word);
    add_real_if(fields, limited, "gates_per_second", record->gates_per_second);
    add_integer_if(fields, limited, "limit_measurements", limit->count);
    add_real_if(fields, limited, "limit_cells_per_second", limit->mean);
    add_real_if(fields, limited, "limit_min_cells_per_second", limit->min);
    add_real_if(fields, limited, "limit_max_cells_per_second", limit->max);
    add_real_if(fields, limited, "fraction_of_limit", record->fraction_of_limit);
}

void lc_fields_fill(lc_fields *fields, const lc_bench_record *record, const lc_machine_facts *facts)
{
    fields->count = 0;
    add_configuration(fields, record);
    add_verification(fields, record);
    add_times(fields, record);
    add_stepping(fields, record);
    add_limits(fields, record);
    add_facts(fields, facts);
    add_gpu_facts(fields, facts);
}
