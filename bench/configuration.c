// Configurations: what "auto" stands for, and which are alike.
#include <string.h>

#include "lightcone/machine.h"
#include "runner.h"

// Names that outlive the universe they came from.
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

// What "auto" chooses for a board of that size.
static const char *automatic_engine(lc_context *context, const lc_topology *topology)
{
    lc_engine_info info;
    const double cells = (double)topology->width_cells * (double)topology->height_cells;
    for (size_t i = 0; lc_engine_at(context, i, &info); i++)
        if (info.available && (double)info.auto_cells <= cells)
            return info.name;
    return "auto";
}

// A guest may step few kinds of boards, and a GPU compiles kernels for each: so none is created,
// only the engine and its settings are checked.
static lc_status resolve_by_asking(lc_bench_configuration *configuration, lc_context *context,
                                   lc_message *message)
{
    const lc_universe_options options =
        lc_bench_universe_options(configuration, &(lc_verify_options){.context = context});
    lc_engine_info info;
    lc_universe_needs needs;
    lc_status status = lc_universe_check(&options, &needs, message);
    const bool there = lc_engine_named(context, configuration->engine, &info) && info.available;
    if (status == LC_ERROR_LIMIT || (status == LC_ERROR_UNSUPPORTED && there))
        status = LC_OK; // that is about this board
    if (status != LC_OK)
        return status;
    lc_machine machine;
    lc_machine_get(&machine);
    configuration->cpu_level = "";
    if (configuration->threads == 0)
        configuration->threads = machine.threads;
    return LC_OK;
}

// Whether an engine of the library's own takes its settings, for this board. What it lacks memory
// for is seen when it is measured.
static lc_status check_settings(const lc_bench_configuration *configuration, lc_context *context,
                                lc_message *message)
{
    const lc_universe_options options =
        lc_bench_universe_options(configuration, &(lc_verify_options){.context = context});
    lc_universe_needs needs;
    const lc_status status = lc_universe_check(&options, &needs, message);
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}

lc_status lc_bench_resolve(lc_bench_configuration *configuration, lc_context *context,
                           lc_message *message)
{
    lc_status status = lc_topology_check(&configuration->topology, message);
    if (status != LC_OK)
        return status;
    const char *level = configuration->cpu_level;
    const char *engine = configuration->engine;
    const bool automatic = engine == NULL || strcmp(engine, "auto") == 0;
    if (automatic && (level == NULL || level[0] == '\0'))
        engine = automatic_engine(context, &configuration->topology);
    lc_engine_info info;
    if (engine != NULL && lc_engine_named(context, engine, &info) &&
        (info.on_gpu || lc_bench_is_guest(engine))) {
        configuration->engine = engine;
        return resolve_by_asking(configuration, context, message);
    }
    const bool has_settings = engine != NULL && strchr(engine, ':') != NULL;
    if (has_settings)
        status = check_settings(configuration, context, message);
    if (status != LC_OK)
        return status;
    // A board of a few cells gives the same names as a large one.
    lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule = configuration->rule,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64},
        .engine = engine,
        .cpu_level = level != NULL && level[0] != '\0' ? level : NULL,
        .threads = configuration->threads,
        .context = context,
    };
    lc_universe *universe = NULL;
    status = lc_universe_create(&universe, &options, message);
    if (status != LC_OK)
        return status;
    const lc_universe_info made = lc_universe_info_of(universe);
    configuration->engine = has_settings ? engine : static_engine_name(made.engine);
    configuration->cpu_level = static_level_name(made.cpu_level);
    configuration->threads = made.threads;
    lc_universe_destroy(&universe);
    return LC_OK;
}

bool lc_bench_same_stepper(const lc_bench_configuration *a, const lc_bench_configuration *b)
{
    return strcmp(a->engine, b->engine) == 0 && strcmp(a->cpu_level, b->cpu_level) == 0 &&
           a->threads == b->threads;
}

bool lc_bench_same_board(const lc_bench_configuration *a, const lc_bench_configuration *b)
{
    return a->rule == b->rule && lc_same_topology(&a->topology, &b->topology);
}

bool lc_bench_same_configuration(const lc_bench_configuration *a, const lc_bench_configuration *b)
{
    return lc_bench_same_stepper(a, b) && lc_bench_same_board(a, b);
}
