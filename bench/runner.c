// The runner: groups of configurations that fit in memory together, each verified, then all timed
// in turn.
#include "runner.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fail.h"
#include "machine_facts.h"

#include "lightcone/device.h"

typedef struct entry { // a configuration being measured
    lc_bench_record record;
    lc_universe *universe;
    double *run_ns;
    size_t run_count;
    double *limits; // cells/s; one before the first run and one after each
    size_t limit_count;
    double *scratch;
    uint64_t traffic_before;
} entry;

typedef struct runner {
    const lc_bench_options *options;
    const lc_bench_observer *observer;
    lc_verifier *verifier;
    entry *group;
    size_t group_count;
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
    char path[64];
    char rule[LC_RULE_TEXT_BYTES];
    char text[LC_RULE_TEXT_BYTES + 192];
    lc_path_format(configuration->engine, configuration->cpu_level, path, sizeof(path));
    lc_rule_format(&configuration->rule, &configuration->topology, rule);
    snprintf(text, sizeof(text), "%s %s, %d threads, %s", doing, path, configuration->threads,
             rule);
    r->observer->note(r->observer->context, text);
}

// Names that outlive the universe they were asked of.
static const char *static_engine_name(const char *name)
{
    const char *known;
    for (size_t i = 0; (known = lc_engine_name(i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return known;
    return "";
}

static const char *static_level_name(const char *name)
{
    lc_cpu_level_info info;
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++)
        if (strcmp(info.name, name) == 0)
            return info.name;
    return "";
}

// What "auto" takes for a board of that size.
static const char *automatic_engine(const lc_topology *topology)
{
    lc_engine_info info;
    const double cells = (double)topology->width_cells * (double)topology->height_cells;
    for (size_t i = 0; lc_engine_at(i, &info); i++)
        if (info.available && (double)info.auto_cells <= cells)
            return info.name;
    return "auto";
}

lc_status lc_bench_resolve(lc_bench_configuration *configuration, lc_message *message)
{
    lc_status status = lc_topology_check(&configuration->topology, message);
    if (status != LC_OK)
        return status;
    const char *level = configuration->cpu_level;
    const char *engine = configuration->engine;
    if ((engine == NULL || strcmp(engine, "auto") == 0) && (level == NULL || level[0] == '\0'))
        engine = automatic_engine(&configuration->topology);
    // A board of a few cells knows the names as well as a large one.
    lc_universe_options options = {
        .rule = configuration->rule,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64},
        .engine = engine,
        .cpu_level = level != NULL && level[0] != '\0' ? level : NULL,
        .threads = configuration->threads,
    };
    lc_universe *universe = NULL;
    status = lc_universe_create(&universe, &options, message);
    if (status != LC_OK)
        return status;
    configuration->engine = static_engine_name(lc_universe_engine(universe));
    configuration->cpu_level = static_level_name(lc_universe_cpu_level(universe));
    configuration->threads = lc_universe_threads(universe);
    lc_universe_destroy(&universe);
    return LC_OK;
}

bool lc_bench_same_configuration(const lc_bench_configuration *a, const lc_bench_configuration *b)
{
    return strcmp(a->engine, b->engine) == 0 && strcmp(a->cpu_level, b->cpu_level) == 0 &&
           a->threads == b->threads && a->rule.birth == b->rule.birth &&
           a->rule.survival == b->rule.survival && lc_same_topology(&a->topology, &b->topology);
}

static double board_cells(const lc_bench_configuration *configuration)
{
    return (double)configuration->topology.width_cells *
           (double)configuration->topology.height_cells;
}

// The limit -----------------------------------------------------------------------------------

static bool is_cuda(const lc_bench_configuration *configuration)
{
    return strcmp(configuration->engine, "cuda") == 0;
}

static void find_limit(lc_bench_record *record)
{
    const lc_bench_configuration *configuration = &record->configuration;
    if (is_cuda(configuration)) {
        record->has_limit = true;
        record->vector_bits = 32;
        record->gates_per_word = lc_rule_gates(&configuration->rule);
        return;
    }
    // The levels' gates a word are those of B3/S23.
    if (configuration->rule.birth != 1u << 3 ||
        configuration->rule.survival != (1u << 2 | 1u << 3) || configuration->cpu_level[0] == '\0')
        return;
    lc_cpu_level_info info;
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        if (strcmp(info.name, configuration->cpu_level) != 0 || info.gates_per_word <= 0)
            continue;
        record->has_limit = true;
        record->vector_bits = info.vector_bits;
        record->gates_per_word = info.gates_per_word;
    }
}

static void measure_limit(const runner *r, entry *e)
{
    if (!e->record.has_limit)
        return;
    double gates = 0.0;
    const lc_bench_configuration *configuration = &e->record.configuration;
    const int milliseconds = r->options->limit_milliseconds;
    const lc_status status = is_cuda(configuration)
                                 ? lc_gpu_gate_rate(milliseconds, &gates, NULL)
                                 : lc_cpu_gate_rate(configuration->cpu_level,
                                                    configuration->threads, milliseconds, &gates);
    if (status == LC_OK)
        e->limits[e->limit_count++] = gates * e->record.vector_bits / e->record.gates_per_word;
}

// Timing --------------------------------------------------------------------------------------

static bool stop_after_pass(void *context, const lc_universe *universe, uint64_t done,
                            uint64_t total)
{
    (void)context;
    (void)universe;
    (void)done;
    (void)total;
    return true;
}

static lc_status timed_step(entry *e, uint64_t generations, double *elapsed_ns)
{
    uint64_t start = clock_ns();
    lc_status status = lc_universe_step(e->universe, generations, NULL, NULL, &e->record.message);
    *elapsed_ns = (double)(clock_ns() - start);
    return status;
}

// Finds how many generations one pass does, and how many passes make a run.
static lc_status calibrate(const runner *r, entry *e)
{
    uint64_t before = lc_universe_generation(e->universe);
    lc_status status =
        lc_universe_step(e->universe, UINT64_C(1) << 32, stop_after_pass, NULL, &e->record.message);
    if (status != LC_OK && status != LC_ERROR_STOPPED)
        return status;
    uint64_t pass = lc_universe_generation(e->universe) - before;
    e->record.pass_generations = pass;
    e->record.generations = r->options->generations;
    if (e->record.generations != 0)
        return LC_OK;

    // Double until a run is long enough to tell how long one must be.
    double aim_ns = (double)r->options->run_ns;
    for (uint64_t passes = 1;; passes *= 2) {
        double elapsed_ns = 0.0;
        status = timed_step(e, passes * pass, &elapsed_ns);
        if (status != LC_OK)
            return status;
        if (elapsed_ns < aim_ns / 4 && passes < UINT64_C(1) << 30)
            continue;
        double wanted = (double)passes * aim_ns / (elapsed_ns > 1.0 ? elapsed_ns : 1.0);
        // A twentieth more, so that a run that goes a little faster is still long enough.
        e->record.generations = pass * ((uint64_t)(wanted * 1.05) + 1);
        if (elapsed_ns >= aim_ns && passes == 1)
            e->record.generations = pass;
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
    measure_limit(r, e);
    e->traffic_before = lc_universe_traffic_bytes(e->universe);
    return status;
}

static void summarise(entry *e)
{
    lc_bench_record *record = &e->record;
    size_t runs = e->run_count;
    double cells = board_cells(&record->configuration) * (double)record->generations;
    record->run_ns = e->run_ns;
    record->time_ns = lc_statistics_of(e->run_ns, runs, e->scratch);
    record->cells_per_second = cells / record->time_ns.median * 1e9;
    record->best_cells_per_second = cells / record->time_ns.min * 1e9;
    record->worst_cells_per_second = cells / record->time_ns.max * 1e9;
    record->ns_per_generation = record->time_ns.median / (double)record->generations;
    record->population = lc_universe_population(e->universe);

    uint64_t traffic = lc_universe_traffic_bytes(e->universe) - e->traffic_before;
    record->has_traffic = traffic != 0;
    record->bytes_per_run = (double)traffic / (double)runs;
    record->bytes_per_second = record->bytes_per_run / record->time_ns.median * 1e9;

    record->has_limit = e->limit_count > 0;
    if (!record->has_limit)
        return;
    record->limit_cells_per_second = lc_statistics_of(e->limits, e->limit_count, e->scratch);
    record->gates_per_second =
        record->limit_cells_per_second.mean * record->gates_per_word / record->vector_bits;
    record->fraction_of_limit = record->cells_per_second / record->limit_cells_per_second.mean;
}

static void give_record(runner *r, const lc_bench_record *record)
{
    if (record->status != LC_OK)
        r->failures++;
    r->observer->record(r->observer->context, record);
}

static void free_entry(entry *e)
{
    lc_universe_destroy(&e->universe);
    free(e->run_ns);
    free(e->limits);
    free(e->scratch);
    *e = (entry){.universe = NULL};
}

static void free_group(runner *r)
{
    for (size_t i = 0; i < r->group_count; i++)
        free_entry(&r->group[i]);
    r->group_count = 0;
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
    for (int run = 0; run < r->options->runs; run++) {
        for (size_t i = 0; i < r->group_count; i++) {
            entry *e = &r->group[i];
            if (e->record.status != LC_OK)
                continue;
            if (stop_wanted(r->options))
                return LC_ERROR_STOPPED;
            char doing[48];
            snprintf(doing, sizeof(doing), "run %d of %d:", run + 1, r->options->runs);
            note(r, doing, &e->record.configuration);
            e->record.status = timed_step(e, e->record.generations, &e->run_ns[e->run_count++]);
            measure_limit(r, e);
        }
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
            summarise(e);
        give_record(r, &e->record);
    }
    free_group(r);
    return status;
}

// Getting ready -------------------------------------------------------------------------------

static lc_status allocate_entry(entry *e, const lc_bench_options *options)
{
    size_t runs = (size_t)options->runs;
    e->run_ns = calloc(runs, sizeof(*e->run_ns));
    e->limits = calloc(runs + 1, sizeof(*e->limits));
    e->scratch = calloc(runs + 1, sizeof(*e->scratch));
    bool whole = e->run_ns != NULL && e->limits != NULL && e->scratch != NULL;
    return whole ? LC_OK : LC_ERROR_MEMORY;
}

// Whether this configuration and the path that it is compared with fit beside the group. One byte
// a cell is room for two boards of one bit a cell with their second buffers and halos.
static bool fits_beside_group(const lc_bench_configuration *configuration)
{
    double bytes_per_cell = strcmp(configuration->engine, "scalar") == 0 ? 4.0 : 1.0;
    return board_cells(configuration) * bytes_per_cell < (double)lc_machine_available_bytes();
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
    if (status != LC_OK)
        return status;
    record->memory_bytes = lc_universe_memory_bytes(e->universe);
    snprintf(record->plan, sizeof(record->plan), "%s", lc_universe_plan(e->universe));
    status = lc_verifier_check(r->verifier, configuration, e->universe, &record->verification,
                               &record->message);
    if (status != LC_OK)
        lc_universe_destroy(&e->universe);
    return status;
}

static lc_status add_configuration(runner *r, const lc_bench_configuration *configuration,
                                   lc_message *message)
{
    bool fits = r->options->interleave && fits_beside_group(configuration);
    if (r->group_count > 0 && !fits) {
        lc_status status = time_group(r);
        if (status != LC_OK)
            return status;
    }
    entry e = {.record = {.options = r->options, .configuration = *configuration}};
    lc_status status = allocate_entry(&e, r->options);
    if (status != LC_OK) {
        free_entry(&e);
        return lc_bench_fail(message, status, "no memory for the results");
    }
    note(r, "verifying", configuration);
    find_limit(&e.record);
    e.record.status = make_verified(r, &e);
    bool no_room = e.record.status == LC_ERROR_MEMORY || e.record.status == LC_ERROR_LIMIT;
    if (no_room && r->group_count > 0) {
        status = time_group(r);
        if (status == LC_OK)
            e.record.status = make_verified(r, &e);
    }
    if (status != LC_OK || e.record.status == LC_ERROR_STOPPED) {
        free_entry(&e);
        return LC_ERROR_STOPPED;
    }
    if (e.record.status == LC_OK) {
        r->group[r->group_count++] = e;
        return LC_OK;
    }
    give_record(r, &e.record);
    free_entry(&e);
    return LC_OK;
}

lc_status lc_bench_run(const lc_bench_configuration *configurations, size_t count,
                       const lc_bench_options *options, const lc_bench_observer *observer,
                       size_t *failures, lc_message *message)
{
    *failures = 0;
    runner r = {.options = options, .observer = observer};
    if (options->runs < 1 || options->runs > LC_BENCH_MAX_RUNS || options->warmups < 0)
        return lc_bench_fail(message, LC_ERROR_ARGUMENT, "the number of runs must be 1 to %d",
                             LC_BENCH_MAX_RUNS);
    lc_status status = lc_verifier_create(&r.verifier, &options->verify);
    r.group = calloc(count > 0 ? count : 1, sizeof(*r.group));
    if (status != LC_OK || r.group == NULL)
        status = lc_bench_fail(message, LC_ERROR_MEMORY, "no memory for %zu configurations", count);
    for (size_t i = 0; i < count && status == LC_OK; i++)
        status = add_configuration(&r, &configurations[i], message);
    if (status == LC_OK && r.group_count > 0)
        status = time_group(&r);
    if (status == LC_ERROR_STOPPED)
        lc_bench_fail(message, status, "stopped on request");
    free_group(&r);
    free(r.group);
    lc_verifier_destroy(&r.verifier);
    *failures = r.failures;
    return status;
}
