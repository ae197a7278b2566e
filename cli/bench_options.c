// The options that `lightcone bench` and `lightcone gallery bench` share.
#include "bench_options.h"

#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "message.h"
#include "number.h"
#include "shared_context.h"

void lc_bench_arguments_begin(lc_bench_arguments *arguments, const char *command)
{
    *arguments =
        (lc_bench_arguments){.command = command,
                             .options = {.runs = -1,
                                         .warmups = -1,
                                         .interleave = true,
                                         .verify = {.seed = 42, .context = lc_cli_context()}}};
}

void lc_bench_arguments_free(lc_bench_arguments *arguments)
{
    lc_bench_lists_free(&arguments->lists);
    free(arguments->configurations);
    *arguments = (lc_bench_arguments){.count = 0};
}

// Options --------------------------------------------------------------------------------------

static const char *parse_count(const char *text, uint64_t least, uint64_t most, int *value)
{
    uint64_t number;
    const char *wrong = lc_cli_parse_u64(text, &number);
    if (wrong != NULL)
        return wrong;
    if (number < least)
        return "is too small";
    if (number > most)
        return "is too large";
    *value = (int)number;
    return NULL;
}

static const char *parse_memory(const char *text, uint64_t *bytes)
{
    lc_machine machine;
    lc_machine_get(&machine);
    return lc_cli_parse_memory(text, machine.memory_bytes, bytes);
}

static const char *take_path(const char **path, const char *value)
{
    *path = value;
    return value[0] == '\0' ? "must not be empty" : NULL;
}

const char *lc_bench_take_option(lc_bench_arguments *arguments, int id, const char *value)
{
    lc_bench_options *options = &arguments->options;
    lc_bench_lists *lists = &arguments->lists;
    switch (id) {
    case LC_BENCH_AGAINST:
        return take_path(&arguments->against, value);
    case LC_BENCH_AUDIT:
        return lc_cli_parse_positive(value, &options->verify.audit_generations);
    case LC_BENCH_CPU:
        return lc_bench_take_levels(lists, value);
    case LC_BENCH_CSV:
        return take_path(&arguments->csv, value);
    case LC_BENCH_ENGINE:
        return lc_bench_take_engines(lists, value);
    case LC_BENCH_GENERATIONS:
        return lc_cli_parse_positive(value, &options->generations);
    case LC_BENCH_INTERLEAVE:
        options->interleave = true;
        return NULL;
    case LC_BENCH_JSON:
        return take_path(&arguments->json, value);
    case LC_BENCH_MAX_MEMORY:
        return parse_memory(value, &options->verify.max_memory_bytes);
    case LC_BENCH_NO_INTERLEAVE:
        options->interleave = false;
        return NULL;
    case LC_BENCH_CHARTS:
        return take_path(&arguments->charts, value);
    case LC_BENCH_QUICK:
        options->verify.quick = true;
        return NULL;
    case LC_BENCH_RULE:
        return lc_bench_take_rules(lists, value);
    case LC_BENCH_RUNS:
        return parse_count(value, 1, LC_BENCH_MAX_RUNS, &options->runs);
    case LC_BENCH_SEED:
        return lc_cli_parse_u64(value, &options->verify.seed);
    case LC_BENCH_SIZE:
        return lc_bench_take_sizes(lists, value);
    case LC_BENCH_THREADS:
        return lc_bench_take_threads(lists, value);
    case LC_BENCH_TOPOLOGY:
        return lc_bench_take_topologies(lists, value);
    case LC_BENCH_WARMUP:
        return parse_count(value, 0, LC_BENCH_MAX_RUNS, &options->warmups);
    default:
        return "is not known";
    }
}

int lc_bench_check_options(const lc_bench_arguments *arguments)
{
    const char *csv = arguments->csv, *json = arguments->json;
    if (csv != NULL && json != NULL && strcmp(csv, "-") == 0 && strcmp(json, "-") == 0)
        return lc_cli_usage(arguments->command,
                            "--csv and --json cannot both write to standard output");
    if (csv != NULL && json != NULL && lc_cli_same_file(csv, json))
        return lc_cli_usage(arguments->command,
                            "--csv and --json both write to %s; give different files", csv);
    if (arguments->against != NULL && !arguments->options.interleave)
        return lc_cli_usage(arguments->command, "--against conflicts with --no-interleave; "
                                                "remove one of them");
    return LC_EXIT_OK;
}

void lc_bench_set_usual(lc_bench_options *options, const lc_bench_usual *usual)
{
    if (options->runs < 0)
        options->runs = usual->runs;
    if (options->warmups < 0)
        options->warmups = usual->warmups;
    options->run_ns = usual->run_ns;
    options->limit_milliseconds = usual->limit_milliseconds;
}

// Configurations -------------------------------------------------------------------------------

// Resolves the names. Clears the CPU level if the engine has no levels.
static lc_status resolve(lc_bench_configuration *configuration, lc_message *message)
{
    const char *level = configuration->cpu_level;
    configuration->cpu_level = NULL;
    lc_status status = lc_bench_resolve(configuration, lc_cli_context(), message);
    if (status == LC_OK && configuration->cpu_level[0] != '\0') {
        configuration->cpu_level = level;
        status = lc_bench_resolve(configuration, lc_cli_context(), message);
    }
    return status;
}

// Inserts a configuration at `place` unless the list contains it.
static int insert(lc_bench_arguments *arguments, size_t place,
                  const lc_bench_configuration *configuration)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (lc_bench_same_configuration(&arguments->configurations[i], configuration))
            return LC_EXIT_OK;
    lc_bench_configuration *larger =
        realloc(arguments->configurations, (arguments->count + 1) * sizeof *larger);
    if (larger == NULL)
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    arguments->configurations = larger;
    memmove(larger + place + 1, larger + place, (arguments->count - place) * sizeof *larger);
    larger[place] = *configuration;
    arguments->count++;
    return LC_EXIT_OK;
}

int lc_bench_add(lc_bench_arguments *arguments, lc_bench_configuration configuration)
{
    lc_message message;
    lc_status status = resolve(&configuration, &message);
    if (status != LC_OK)
        return lc_cli_refuse(arguments->command, status, &message);
    return insert(arguments, arguments->count, &configuration);
}

int lc_bench_compare_with(lc_bench_arguments *arguments, const char *engine)
{
    lc_message message;
    lc_bench_configuration *compared = &arguments->compared;
    if (arguments->count == 0)
        return LC_EXIT_OK;
    *compared = arguments->configurations[0];
    compared->engine = engine;
    compared->cpu_level = NULL;
    compared->threads = arguments->lists.thread_count > 0 ? arguments->lists.threads[0] : 0;
    lc_status status = resolve(compared, &message);
    if (status != LC_OK)
        return lc_cli_refuse(arguments->command, status, &message);
    arguments->options.against = compared;
    int code = LC_EXIT_OK;
    for (size_t i = 0; i < arguments->count && code == LC_EXIT_OK; i++) {
        // A configuration that is already in the list keeps its place.
        lc_bench_configuration base = *compared;
        base.rule = arguments->configurations[i].rule;
        base.topology = arguments->configurations[i].topology;
        code = insert(arguments, i, &base);
    }
    return code;
}
