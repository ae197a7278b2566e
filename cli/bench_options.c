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

static const char *take_count(const char *text, uint64_t least, int *value)
{
    uint64_t number;
    const char *wrong = lc_cli_parse_u64(text, &number);
    if (wrong != NULL)
        return wrong;
    if (number < least)
        return "is too small";
    if (number > LC_BENCH_MAX_RUNS)
        return "is too large";
    *value = (int)number;
    return NULL;
}

static const char *take_runs(const char *text, void *to)
{
    return take_count(text, 1, to);
}

static const char *take_warmups(const char *text, void *to)
{
    return take_count(text, 0, to);
}

const char *lc_bench_take_path(const char *text, void *to)
{
    const char **path = to;
    *path = text;
    return text[0] == '\0' ? "must not be empty" : NULL;
}

static int check_options(const lc_bench_arguments *arguments)
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

bool lc_bench_parse(lc_bench_arguments *arguments, lc_cli_syntax syntax, int argc, char **argv,
                    int *code)
{
    lc_bench_options *options = &arguments->options;
    lc_bench_lists *lists = &arguments->lists;
    const lc_cli_option shared[] = {
        {0, "charts", "FOLDER", .take = lc_bench_take_path, .to = &arguments->charts},
        {0, "csv", "FILE", .take = lc_bench_take_path, .to = &arguments->csv},
        {'g', "generations", "N", .positive = &options->generations},
        {0, "interleave", NULL, .given = &options->interleave},
        {0, "json", "FILE", .take = lc_bench_take_path, .to = &arguments->json},
        {0, "max-memory", "SIZE", .bytes = &options->verify.max_memory_bytes},
        {0, "no-interleave", NULL, .cleared = &options->interleave},
        {0, "quick", NULL, .given = &options->verify.quick},
        {0, "runs", "N", .take = take_runs, .to = &options->runs},
        {0, "seed", "S", .number = &options->verify.seed},
        {'s', "size", "WxH,..", .take = lc_bench_take_sizes, .to = lists},
        {'t', "threads", "N,..", .take = lc_bench_take_threads, .to = lists},
        {0, "warmup", "N", .take = take_warmups, .to = &options->warmups},
        {0},
    };
    syntax.command = arguments->command;
    syntax.shared = shared;
    if (!lc_cli_parse(&syntax, argc, argv, code))
        return false;
    *code = check_options(arguments);
    return *code == LC_EXIT_OK;
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
