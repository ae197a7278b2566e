// The runner: groups of configurations that fit in memory together, each verified, then all timed
// in turn.
#include "runner.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "company.h"
#include "machine_facts.h"
#include "machine_limits.h"

#include "lightcone/device.h"

enum {
    PROBE_CELLS = 1024,   // width and height of a board that tells how fast an unknown engine is
    MOST_PASSES = 1 << 30 // of a run
};

static const double probe_ns = 5e6; // how long that takes

typedef struct entry { // a configuration being measured
    lc_bench_record record;
    bool hidden; // of the group for the sake of comparison only: it gives no record
    lc_universe *universe;
    double *run_ns;
    size_t run_count;
    double *scratch; // for all runs, and one more
    size_t meter;    // of the group's, if the record has a limit
    uint64_t traffic_before;
} entry;

typedef struct known_speed {
    lc_bench_configuration configuration; // on whatever board
    double cells_per_second;
} known_speed;

typedef struct runner {
    const lc_bench_options *options;
    const lc_bench_observer *observer;
    lc_verifier *verifier;
    entry *group;
    size_t group_count;
    lc_gate_meter *meters; // of the group; measured before the first round and after each
    size_t meter_count;
    lc_copy_rates copy_rates;
    known_speed *speeds; // of what was timed so far
    size_t speed_count;
    uint64_t gpu_bytes; // memory of the GPU; 0: not asked for yet
    size_t failures;
} runner;

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool stop_wanted(const lc_bench_options *options)
{
    return options->verify.stop != NULL && options->verify.stop(options->verify.stop_context);
}

static void note(const runner *r, const char *doing, const lc_bench_configuration *configuration)
{
    if (r->observer->note == NULL)
        return;
    char path[128];
    char rule[LC_RULE_TEXT_BYTES];
    char text[LC_RULE_TEXT_BYTES + 256];
    lc_path_format(configuration->engine, configuration->cpu_level, path, sizeof path);
    lc_rule_format(configuration->rule, &configuration->topology, rule);
    snprintf(text, sizeof text, "%s %s, %d thread%s, %s", doing, path, configuration->threads,
             configuration->threads == 1 ? "" : "s", rule);
    r->observer->note(r->observer->context, text);
}

static double board_cells(const lc_bench_configuration *configuration)
{
    return (double)configuration->topology.width_cells *
           (double)configuration->topology.height_cells;
}

// The limit -----------------------------------------------------------------------------------

// What the configuration's word and gates are; whether there is a limit.
static bool find_gates(lc_bench_record *record)
{
    const lc_bench_configuration *configuration = &record->configuration;
    if (record->on_gpu) {
        record->vector_bits = 32;
        record->gates_per_word = record->step.operations_per_cell * 32;
        return record->gates_per_word > 0;
    }
    // The levels' gates a word are those of B3/S23.
    if (configuration->rule != lc_rule_life() || configuration->cpu_level[0] == '\0')
        return false;
    lc_cpu_level_info info;
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        if (strcmp(info.name, configuration->cpu_level) != 0 || info.gates_per_word <= 0)
            continue;
        record->vector_bits = info.vector_bits;
        record->gates_per_word = info.gates_per_word;
        return true;
    }
    return false;
}

// Gives the entry a meter of the group. The group has room for one an entry.
static lc_status find_meter(runner *r, entry *e)
{
    const lc_bench_configuration *configuration = &e->record.configuration;
    lc_gate_meter meter = {.on_gpu = e->record.on_gpu,
                           .cpu_level = configuration->cpu_level,
                           .threads = configuration->threads};
    e->record.has_limit = find_gates(&e->record);
    if (!e->record.has_limit)
        return LC_OK;
    for (e->meter = 0; e->meter < r->meter_count; e->meter++)
        if (lc_gate_meter_same(&r->meters[e->meter], &meter))
            return LC_OK;
    meter.rates = calloc((size_t)r->options->runs + 1, sizeof *meter.rates);
    if (meter.rates == NULL)
        return LC_ERROR_MEMORY;
    r->meters[r->meter_count++] = meter;
    return LC_OK;
}

static void measure_limits(runner *r)
{
    for (size_t i = 0; i < r->meter_count; i++)
        lc_gate_meter_measure(&r->meters[i], r->options->verify.context,
                              r->options->limit_milliseconds);
}

// Timing --------------------------------------------------------------------------------------

static bool stop_after_pass(void *context, const lc_universe *universe, lc_count done,
                            lc_count total)
{
    (void)context;
    (void)universe;
    (void)done;
    (void)total;
    return true;
}

static lc_status timed_step(entry *e, uint64_t generations, double *elapsed_ns)
{
    const double before_ns = lc_universe_info_of(e->universe).stepping_ns;
    const uint64_t start = clock_ns();
    lc_status status =
        lc_universe_step(e->universe, lc_count_of(generations), NULL, NULL, &e->record.message);
    *elapsed_ns = (double)(clock_ns() - start);
    const double own_ns = lc_universe_info_of(e->universe).stepping_ns - before_ns;
    e->record.own_clock = own_ns > 0;
    if (e->record.own_clock)
        *elapsed_ns = own_ns;
    return status;
}

// Generations of a run of a guest, whose passes are not known: a number of at least `wanted` that
// launches of many sizes (2, 3, 4, 5, 6, 8, 10, 12, 16, 32 ... generations) divide.
static uint64_t rounded_generations(double wanted)
{
    static const uint64_t units[] = {960, 480, 96, 48, 12, 1};
    size_t i = 0;
    while ((double)units[i] > wanted && units[i] > 1)
        i++;
    return units[i] * (uint64_t)ceil(wanted / (double)units[i]);
}

// How many generations one pass does; 0: a guest does not say.
static lc_status find_pass(entry *e)
{
    if (lc_bench_is_guest(e->record.configuration.engine))
        return LC_OK;
    const uint64_t before = lc_bench_generation(e->universe);
    lc_status status = lc_universe_step(e->universe, lc_count_of(UINT64_C(1) << 32),
                                        stop_after_pass, NULL, &e->record.message);
    e->record.pass_generations = lc_bench_generation(e->universe) - before;
    return status == LC_ERROR_STOPPED ? LC_OK : status;
}

// Finds how many generations make a run.
static lc_status calibrate(const runner *r, entry *e)
{
    lc_status status = find_pass(e);
    e->record.generations = r->options->generations;
    if (status != LC_OK || e->record.generations != 0)
        return status;

    // Double until a run is long enough to estimate how long one must be.
    const double aim_ns = (double)r->options->run_ns;
    const uint64_t pass = e->record.pass_generations;
    for (uint64_t passes = 1;; passes *= 2) {
        double elapsed_ns = 0.0;
        status = timed_step(e, passes * (pass != 0 ? pass : 1), &elapsed_ns);
        if (status != LC_OK)
            return status;
        if (elapsed_ns < aim_ns / 4 && passes < MOST_PASSES)
            continue;
        // A twentieth more, so that a slightly faster run is still long enough.
        const double wanted =
            1.05 * (double)passes * aim_ns / (elapsed_ns > 1.0 ? elapsed_ns : 1.0);
        if (pass == 0)
            e->record.generations = rounded_generations(wanted);
        else if (elapsed_ns >= aim_ns && passes == 1)
            e->record.generations = pass;
        else
            e->record.generations = pass * ((uint64_t)wanted + 1);
        return LC_OK;
    }
}

static lc_status warm_up(const runner *r, entry *e)
{
    lc_status status = calibrate(r, e);
    for (int i = 0; i < r->options->warmups && status == LC_OK; i++) {
        double elapsed_ns = 0.0;
        status = timed_step(e, e->record.generations, &elapsed_ns);
    }
    e->traffic_before = lc_universe_info_of(e->universe).traffic_bytes;
    return status;
}

static lc_status summarise(entry *e)
{
    lc_facts facts;
    lc_bench_record *record = &e->record;
    size_t runs = e->run_count;
    double cells = board_cells(&record->configuration) * (double)record->generations;
    record->run_ns = e->run_ns;
    record->time_ns = lc_statistics_of(e->run_ns, runs, e->scratch);
    record->cells_per_second = cells / record->time_ns.median * 1e9;
    record->best_cells_per_second = cells / record->time_ns.min * 1e9;
    record->worst_cells_per_second = cells / record->time_ns.max * 1e9;
    record->ns_per_generation = record->time_ns.median / (double)record->generations;
    const lc_status status = lc_universe_facts(e->universe, LC_FACT_POPULATION, &facts, NULL);
    (void)lc_count_to_u64(facts.population, &record->population); // of a board that fits
    record->median_ns = lc_median_interval(e->run_ns, runs, e->scratch);
    const lc_universe_info info = lc_universe_info_of(e->universe);
    record->step = info.step;

    const uint64_t traffic = info.traffic_bytes - e->traffic_before;
    record->has_traffic = traffic != 0;
    record->bytes_per_run = (double)traffic / (double)runs;
    record->bytes_per_second = record->bytes_per_run / record->time_ns.median * 1e9;
    if (record->step.bytes_per_cell <= 0)
        record->step.bytes_per_cell = record->bytes_per_run / cells;
    if (record->has_traffic && record->has_copy_rate)
        record->fraction_of_copy = record->bytes_per_second / record->copy_bytes_per_second;
    return status;
}

static void compare_with_limit(const runner *r, entry *e)
{
    lc_bench_record *record = &e->record;
    const lc_gate_meter *meter = &r->meters[e->meter];
    record->has_limit = record->has_limit && meter->count > 0;
    if (!record->has_limit)
        return;
    for (size_t i = 0; i < meter->count; i++)
        e->scratch[i] = meter->rates[i] * record->vector_bits / record->gates_per_word;
    record->limit_cells_per_second = lc_statistics_of(e->scratch, meter->count, e->scratch);
    record->gates_per_second =
        record->limit_cells_per_second.mean * record->gates_per_word / record->vector_bits;
    record->fraction_of_limit = record->cells_per_second / record->limit_cells_per_second.mean;
    if (record->step.operations_per_cell <= 0)
        record->step.operations_per_cell = record->gates_per_word / record->vector_bits;
}

// How many times as fast this one is as the one to compare with, run for run.
static void compare_with_base(const runner *r, entry *e)
{
    const lc_bench_configuration *against = r->options->against;
    const lc_bench_configuration *own = &e->record.configuration;
    if (against == NULL || lc_bench_same_stepper(own, against))
        return;
    const entry *base = NULL;
    for (size_t i = 0; i < r->group_count && base == NULL; i++)
        if (lc_bench_same_board(&r->group[i].record.configuration, own) &&
            lc_bench_same_stepper(&r->group[i].record.configuration, against))
            base = &r->group[i];
    if (base == NULL || base->record.status != LC_OK)
        return;
    const size_t runs = base->run_count < e->run_count ? base->run_count : e->run_count;
    for (size_t i = 0; i < runs; i++)
        e->scratch[i] = base->run_ns[i] / (double)base->record.generations /
                        (e->run_ns[i] / (double)e->record.generations);
    e->record.has_ratio = runs > 0;
    e->record.ratio = lc_median_interval(e->scratch, runs, e->scratch);
}

// One that cannot be measured is not known.
static void find_company(const runner *r, entry *e)
{
    enum { ROUNDS_MAX = 5 };
    lc_bench_record *record = &e->record;
    const bool one_slab = strncmp(record->plan, "blocks=1", 8) == 0 &&
                          (record->plan[8] == '\0' || record->plan[8] == ',');
    if (!r->options->company || record->on_gpu || !one_slab ||
        lc_company_size(&record->configuration) < 2)
        return;
    note(r, "in company:", &record->configuration);
    (void)lc_company_measure(
        e->universe, &record->configuration, &r->options->verify, record->generations,
        r->options->runs < ROUNDS_MAX ? r->options->runs : ROUNDS_MAX, &record->company, NULL);
}

static void give_record(runner *r, const lc_bench_record *record)
{
    if (record->status != LC_OK && !record->refused && !record->skipped)
        r->failures++;
    r->observer->record(r->observer->context, record);
}

static void free_entry(entry *e)
{
    lc_universe_destroy(&e->universe);
    free(e->run_ns);
    free(e->scratch);
    *e = (entry){.universe = NULL};
}

static void free_group(runner *r)
{
    for (size_t i = 0; i < r->group_count; i++)
        free_entry(&r->group[i]);
    r->group_count = 0;
    for (size_t i = 0; i < r->meter_count; i++)
        free(r->meters[i].rates);
    r->meter_count = 0;
}

// To estimate the next board's time from this one's. If there is no memory for it, that is not
// known.
static void keep_speed(runner *r, const lc_bench_record *record)
{
    known_speed *larger = realloc(r->speeds, (r->speed_count + 1) * sizeof *larger);
    if (larger == NULL)
        return;
    r->speeds = larger;
    larger[r->speed_count++] = (known_speed){record->configuration, record->cells_per_second};
}

static lc_status warm_up_group(runner *r)
{
    for (size_t i = 0; i < r->group_count; i++) {
        entry *e = &r->group[i];
        if (stop_wanted(r->options))
            return LC_ERROR_STOPPED;
        note(r, "warming up", &e->record.configuration);
        e->record.status = warm_up(r, e);
    }
    return LC_OK;
}

static lc_status run_group(runner *r)
{
    measure_limits(r);
    for (int run = 0; run < r->options->runs; run++) {
        for (size_t i = 0; i < r->group_count; i++) {
            entry *e = &r->group[i];
            if (e->record.status != LC_OK)
                continue;
            if (stop_wanted(r->options))
                return LC_ERROR_STOPPED;
            char doing[48];
            snprintf(doing, sizeof doing, "run %d of %d:", run + 1, r->options->runs);
            note(r, doing, &e->record.configuration);
            e->record.status = timed_step(e, e->record.generations, &e->run_ns[e->run_count++]);
        }
        measure_limits(r);
    }
    return LC_OK;
}

// Times the group in turn, gives its records and frees it. If it is stopped, the records are those
// of the runs that were done.
static lc_status time_group(runner *r)
{
    lc_status status = warm_up_group(r);
    if (status == LC_OK)
        status = run_group(r);
    for (size_t i = 0; i < r->group_count; i++) {
        entry *e = &r->group[i];
        if (e->run_count == 0 && e->record.status == LC_OK)
            continue;
        if (e->record.status == LC_OK)
            e->record.status = summarise(e);
        if (e->record.status == LC_OK) {
            compare_with_limit(r, e);
            compare_with_base(r, e);
            keep_speed(r, &e->record);
            find_company(r, e);
        }
        if (!e->hidden)
            give_record(r, &e->record);
    }
    free_group(r);
    return status;
}

// Getting ready -------------------------------------------------------------------------------

static lc_status allocate_entry(entry *e, const lc_bench_options *options)
{
    size_t runs = (size_t)options->runs;
    e->run_ns = calloc(runs, sizeof *e->run_ns);
    e->scratch = calloc(runs + 1, sizeof *e->scratch);
    bool whole = e->run_ns != NULL && e->scratch != NULL;
    return whole ? LC_OK : LC_ERROR_MEMORY;
}

static uint64_t gpu_memory_bytes(runner *r)
{
    lc_gpu_info gpu;
    for (size_t i = 0; r->gpu_bytes == 0 && lc_gpu_at(r->options->verify.context, i, &gpu); i++)
        if (gpu.available)
            r->gpu_bytes = gpu.memory_bytes;
    return r->gpu_bytes;
}

// Whether this configuration and the path that it is checked against fit beside the group: that
// path is on the CPU, the scalar engine with a small board or one of a bit a cell, two buffers and
// halos.
static bool fits_beside_group(runner *r, const lc_bench_configuration *configuration,
                              const lc_universe_needs *needs)
{
    const double cells = board_cells(configuration);
    double host_bytes = cells <= 2048.0 * 2048.0 ? 4 * cells : cells / 2;
    if (!needs->on_gpu)
        return host_bytes + (double)needs->memory_bytes < (double)lc_machine_available_bytes();
    double gpu_bytes = (double)needs->memory_bytes;
    for (size_t i = 0; i < r->group_count; i++)
        if (r->group[i].record.on_gpu)
            gpu_bytes += (double)r->group[i].record.memory_bytes;
    // A tenth for the driver, kernels, and rows in transit.
    return host_bytes < (double)lc_machine_available_bytes() &&
           gpu_bytes < 0.9 * (double)gpu_memory_bytes(r);
}

// Cells a second, estimated from a board of a few cells without checking it; 0 if it cannot be.
static double probe_speed(const runner *r, const lc_bench_configuration *configuration)
{
    lc_bench_configuration small = *configuration;
    entry e = {.universe = NULL};
    if (small.topology.width_cells > PROBE_CELLS)
        small.topology.width_cells = PROBE_CELLS;
    if (small.topology.height_cells > PROBE_CELLS)
        small.topology.height_cells = PROBE_CELLS;
    if (lc_bench_universe(&e.universe, &small, &r->options->verify, NULL) != LC_OK)
        return 0.0;
    // The first generation takes its cells from elsewhere, so it does not count.
    double elapsed_ns = 0.0;
    lc_status status = timed_step(&e, 1, &elapsed_ns);
    uint64_t generations = 1;
    for (elapsed_ns = 0.0; status == LC_OK && elapsed_ns < probe_ns && generations < MOST_PASSES;
         generations *= 2)
        status = timed_step(&e, generations, &elapsed_ns);
    lc_universe_destroy(&e.universe);
    return status == LC_OK ? board_cells(&small) * (double)(generations / 2) / elapsed_ns * 1e9
                           : 0.0;
}

// The speed of the configuration on the board before, or a guess; 0: not known. On a small board a
// GPU is so much slower than on a large one that this would mean nothing.
static double expected_speed(const runner *r, const lc_bench_configuration *configuration,
                             bool on_gpu)
{
    for (size_t i = r->speed_count; i-- > 0;)
        if (lc_bench_same_stepper(&r->speeds[i].configuration, configuration))
            return r->speeds[i].cells_per_second;
    return on_gpu ? 0.0 : probe_speed(r, configuration);
}

// Whether verifying and timing will take longer than the budget; the record then says so.
static bool is_over_budget(const runner *r, lc_bench_record *record)
{
    const lc_bench_options *options = r->options;
    const uint64_t budget_ns = record->on_gpu ? options->gpu_budget_ns : options->cpu_budget_ns;
    if (budget_ns == 0)
        return false;
    const double speed = expected_speed(r, &record->configuration, record->on_gpu);
    if (speed <= 0)
        return false;
    const double generation_ns = board_cells(&record->configuration) / speed * 1e9;
    const double least_ns = options->generations != 0 ? (double)options->generations * generation_ns
                                                      : (double)options->run_ns;
    const double run_ns = least_ns > generation_ns ? least_ns : generation_ns;
    const double verifying_ns =
        (double)lc_verifier_generations(r->verifier, &record->configuration) * generation_ns;
    const double total_ns = verifying_ns + (options->runs + options->warmups + 2) * run_ns;
    if (total_ns <= (double)budget_ns)
        return false;
    record->skipped = true;
    record->status = lc_fail(&record->message, LC_ERROR_LIMIT,
                             "skipped: about %.0f s at %.2g Gcells/s; quick is %.0f s",
                             total_ns / 1e9, speed / 1e9, (double)budget_ns / 1e9);
    return true;
}

// What the other path gives, before the universe exists; then the universe, checked.
static lc_status make_verified(runner *r, entry *e)
{
    lc_bench_record *record = &e->record;
    const lc_bench_configuration *configuration = &record->configuration;
    lc_status status =
        lc_verifier_prepare(r->verifier, configuration, &record->verification, &record->message);
    if (status != LC_OK)
        return status;
    status = lc_bench_universe(&e->universe, configuration, &r->options->verify, &record->message);
    record->refused = status == LC_ERROR_UNSUPPORTED; // this GPU has less than it needs
    if (status != LC_OK)
        return status;
    const lc_universe_info info = lc_universe_info_of(e->universe);
    record->memory_bytes = info.memory_bytes;
    snprintf(record->plan, sizeof record->plan, "%s", info.plan);
    status = lc_verifier_check(r->verifier, configuration, e->universe, &record->verification,
                               &record->message);
    if (status != LC_OK)
        lc_universe_destroy(&e->universe);
    return status;
}

// Finds out what the configuration needs. False: it is refused, or over the budget, or cannot be
// created; the record says so.
static bool is_worth_making(const runner *r, lc_bench_record *record, lc_universe_needs *needs)
{
    const lc_universe_options options =
        lc_bench_universe_options(&record->configuration, &r->options->verify);
    record->status = lc_universe_check(&options, needs, &record->message);
    record->on_gpu = needs->on_gpu;
    record->refused = record->status == LC_ERROR_UNSUPPORTED || record->status == LC_ERROR_LIMIT;
    return record->status == LC_OK && !is_over_budget(r, record);
}

static void find_copy_rate(runner *r, lc_bench_record *record)
{
    record->copy_bytes_per_second =
        lc_copy_rates_find(&r->copy_rates, r->options->verify.context, record->on_gpu,
                           record->configuration.threads, r->options->limit_milliseconds);
    record->has_copy_rate = record->copy_bytes_per_second > 0;
}

// Verifies; if there is no room beside the group, again without it.
static lc_status verify_entry(runner *r, entry *e)
{
    note(r, "verifying", &e->record.configuration);
    e->record.status = make_verified(r, e);
    const bool no_room = e->record.status == LC_ERROR_MEMORY || e->record.status == LC_ERROR_LIMIT;
    if (!no_room || r->group_count == 0)
        return LC_OK;
    lc_status status = time_group(r);
    if (status == LC_OK)
        e->record.status = make_verified(r, e);
    return status;
}

static bool in_group(const runner *r, const lc_bench_configuration *configuration)
{
    for (size_t i = 0; i < r->group_count; i++)
        if (lc_bench_same_configuration(&r->group[i].record.configuration, configuration))
            return true;
    return false;
}

// Whether the group can take the configuration too.
static bool belongs_to_group(runner *r, const lc_bench_configuration *configuration,
                             const lc_universe_needs *needs)
{
    if (r->group_count == 0)
        return true;
    return r->options->interleave && fits_beside_group(r, configuration, needs);
}

static lc_status add_entry(runner *r, const lc_bench_configuration *configuration, bool hidden,
                           lc_message *message);

// Makes room for a configuration in the group, and ensures that the one it is compared with is
// there: a full group has been timed, and the next one is empty.
static lc_status make_room(runner *r, const lc_bench_configuration *configuration, bool hidden,
                           const lc_universe_needs *needs, lc_message *message)
{
    const lc_bench_configuration *against = r->options->against;
    lc_status status = LC_OK;
    if (!belongs_to_group(r, configuration, needs))
        status = time_group(r);
    if (status != LC_OK || hidden || against == NULL ||
        lc_bench_same_stepper(configuration, against))
        return status;
    lc_bench_configuration base = *against;
    base.rule = configuration->rule;
    base.topology = configuration->topology;
    return in_group(r, &base) ? LC_OK : add_entry(r, &base, true, message);
}

// What remains once there is room: the entry is verified, and gets what it needs to be timed.
static lc_status get_ready(runner *r, entry *e, lc_message *message)
{
    lc_status status = allocate_entry(e, r->options);
    if (status != LC_OK)
        return lc_fail(message, status, "out of memory for the results");
    find_copy_rate(r, &e->record);
    status = verify_entry(r, e);
    if (status != LC_OK || e->record.status != LC_OK)
        return status;
    e->record.step = lc_universe_info_of(e->universe).step;
    status = find_meter(r, e);
    return status == LC_OK ? LC_OK : lc_fail(message, status, "out of memory for the results");
}

static lc_status add_entry(runner *r, const lc_bench_configuration *configuration, bool hidden,
                           lc_message *message)
{
    entry e = {.record = {.options = r->options, .configuration = *configuration},
               .hidden = hidden};
    lc_universe_needs needs;
    lc_status status = LC_OK;
    if (is_worth_making(r, &e.record, &needs)) {
        status = make_room(r, configuration, hidden, &needs, message);
        if (status == LC_OK)
            status = get_ready(r, &e, message);
    }
    if (status == LC_OK && e.record.status == LC_ERROR_STOPPED)
        status = LC_ERROR_STOPPED;
    if (status == LC_OK && e.record.status == LC_OK) {
        r->group[r->group_count++] = e;
        return LC_OK;
    }
    if (status == LC_OK && !hidden)
        give_record(r, &e.record);
    free_entry(&e);
    return status;
}

// One that is already in the group for comparison only has to give its record.
static lc_status add_configuration(runner *r, const lc_bench_configuration *configuration,
                                   lc_message *message)
{
    lc_status status = LC_OK;
    if (stop_wanted(r->options))
        return LC_ERROR_STOPPED;
    if (r->options->board_by_board && r->group_count > 0 &&
        !lc_bench_same_board(&r->group[0].record.configuration, configuration))
        status = time_group(r);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < r->group_count; i++) {
        entry *e = &r->group[i];
        if (lc_bench_same_configuration(&e->record.configuration, configuration)) {
            e->hidden = false;
            return LC_OK;
        }
    }
    return add_entry(r, configuration, false, message);
}

lc_status lc_bench_run(const lc_bench_configuration *configurations, size_t count,
                       const lc_bench_options *options, const lc_bench_observer *observer,
                       size_t *failures, lc_message *message)
{
    *failures = 0;
    runner r = {.options = options, .observer = observer};
    if (options->runs < 1 || options->runs > LC_BENCH_MAX_RUNS || options->warmups < 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the number of runs must be 1 to %d",
                       LC_BENCH_MAX_RUNS);
    lc_status status = lc_verifier_create(&r.verifier, &options->verify);
    // Each may bring along the one that it is compared with.
    r.group = calloc(2 * count + 1, sizeof *r.group);
    r.meters = calloc(2 * count + 1, sizeof *r.meters);
    if (status != LC_OK || r.group == NULL || r.meters == NULL)
        status = lc_fail(message, LC_ERROR_MEMORY, "out of memory for %zu configurations", count);
    for (size_t i = 0; i < count && status == LC_OK; i++)
        status = add_configuration(&r, &configurations[i], message);
    if (status == LC_OK && r.group_count > 0)
        status = time_group(&r);
    if (status == LC_ERROR_STOPPED)
        lc_fail(message, status, "stopped on request");
    free_group(&r);
    free(r.group);
    free(r.meters);
    free(r.speeds);
    lc_copy_rates_free(&r.copy_rates);
    lc_verifier_destroy(&r.verifier);
    *failures = r.failures;
    return status;
}
