// What `lightcone bench` was asked to measure: its options, and the configurations they make.
//
// Engines, levels, sizes, rules, topologies and numbers of threads are lists; every combination is
// a configuration. If none of these options is given, a standard choice is measured instead.
#include "bench_options.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "number.h"
#include "options.h"
#include "shape.h"

enum {
    OPTION_AUDIT = 1,
    OPTION_CPU,
    OPTION_CSV,
    OPTION_ENGINE,
    OPTION_GENERATIONS,
    OPTION_HELP,
    OPTION_INTERLEAVE,
    OPTION_JSON,
    OPTION_MAX_MEMORY,
    OPTION_NO_INTERLEAVE,
    OPTION_QUICK,
    OPTION_RULE,
    OPTION_RUNS,
    OPTION_SEED,
    OPTION_SIZE,
    OPTION_THREADS,
    OPTION_TOPOLOGY,
    OPTION_WARMUP,
};

static const lc_cli_option table[] = {
    {OPTION_AUDIT, 0, "audit", "N"},
    {OPTION_CPU, 0, "cpu", "LEVEL,.."},
    {OPTION_CSV, 0, "csv", "FILE"},
    {OPTION_ENGINE, 0, "engine", "ENGINE,.."},
    {OPTION_GENERATIONS, 'g', "generations", "N"},
    {OPTION_HELP, 'h', "help", NULL},
    {OPTION_INTERLEAVE, 0, "interleave", NULL},
    {OPTION_JSON, 0, "json", "FILE"},
    {OPTION_MAX_MEMORY, 0, "max-memory", "SIZE"},
    {OPTION_NO_INTERLEAVE, 0, "no-interleave", NULL},
    {OPTION_QUICK, 0, "quick", NULL},
    {OPTION_RULE, 'r', "rule", "RULE,.."},
    {OPTION_RUNS, 0, "runs", "N"},
    {OPTION_SEED, 0, "seed", "S"},
    {OPTION_SIZE, 's', "size", "WxH,.."},
    {OPTION_THREADS, 't', "threads", "N,.."},
    {OPTION_TOPOLOGY, 0, "topology", "TOPOLOGY,.."},
    {OPTION_WARMUP, 0, "warmup", "N"},
    {0, 0, NULL, NULL},
};

static const char help_text[] =
    "lightcone bench [options]\n"
    "\n"
    "Measures how fast this machine steps universes. Each configuration is first found\n"
    "right in the same process (against the scalar engine; a board that is too large for\n"
    "it by light cones of windows and by its hash against another CPU level), then warmed\n"
    "up and timed. Its speed is compared with what the CPU's rate of logic gates allows,\n"
    "measured beside the runs.\n"
    "\n"
    "What is measured: every combination of these lists. Without any of them a standard\n"
    "choice of sizes, levels, rules and threads.\n"
    "      --engine ENGINE,..    see 'lightcone devices'; all (auto)\n"
    "      --cpu LEVEL,..        see 'lightcone devices'; all (the fastest)\n"
    "  -s, --size WxH,..         (4096x4096)\n"
    "  -r, --rule RULE,..        (B3/S23)\n"
    "      --topology TOPOLOGY,..  torus, plane, klein, cross, sphere (torus)\n"
    "  -t, --threads N,..        all or 0: one for each CPU (all)\n"
    "\n"
    "How\n"
    "      --runs N              timed runs of each (10; quick: 5)\n"
    "      --warmup N            runs before them (2; quick: 1)\n"
    "  -g, --generations N       of a run (as many whole passes as last 0.25 s)\n"
    "      --seed S              of the soup (42)\n"
    "      --quick               shorter runs, less verified, a smaller standard choice\n"
    "      --no-interleave       each configuration by itself; otherwise run 1 of all,\n"
    "                            run 2 of all ..., so that a machine that drifts is as\n"
    "                            unfair to each of them\n"
    "      --max-memory SIZE     for one universe: 8G, 512M, 75% (50%; a GPU's own: all)\n"
    "      --audit N             about every N generations compute a tile again,\n"
    "                            slowly, in the timed runs too\n"
    "\n"
    "What comes out, besides the table\n"
    "      --csv FILE            a line for each configuration; - is stdout\n"
    "      --json FILE           the same as JSON; - is stdout\n"
    "\n"
    "A configuration that is wrong is not timed: the first wrong cell and what is round it\n"
    "are shown, and the exit code is 1.\n"
    "\n"
    "Examples\n"
    "  lightcone bench --quick\n"
    "  lightcone bench --size 65536x65536 --threads 1,2 --json bench.json\n"
    "  lightcone bench --cpu all --rule B3/S23,HighLife --size 1024,4096 --csv bench.csv\n";

enum { MAX_LIST = 32, MAX_WORD = 64 };

typedef struct size_cells {
    int64_t width, height;
} size_cells;

// The lists as typed; a count of 0 means that the option was not given.
typedef struct lists {
    char engines[MAX_LIST][MAX_WORD];
    char levels[MAX_LIST][MAX_WORD];
    size_cells sizes[MAX_LIST];
    lc_rule rules[MAX_LIST];
    lc_topology_kind topologies[MAX_LIST];
    int threads[MAX_LIST];
    size_t engine_count, level_count, size_count, rule_count, topology_count, thread_count;
} lists;

static const lc_rule life = {.birth = 1u << 3, .survival = 1u << 2 | 1u << 3};

// Words of lists -------------------------------------------------------------------------------

static const char *take_name(char names[MAX_LIST][MAX_WORD], size_t *count, const char *word)
{
    snprintf(names[(*count)++], MAX_WORD, "%s", word);
    return NULL;
}

static const char *take_level(lists *l, const char *word)
{
    if (strcmp(word, "all") != 0)
        return take_name(l->levels, &l->level_count, word);
    lc_cpu_level_info info;
    for (size_t i = 0; lc_cpu_level_at(i, &info) && l->level_count < MAX_LIST; i++)
        if (info.available)
            take_name(l->levels, &l->level_count, info.name);
    return NULL;
}

static const char *take_engine(lists *l, const char *word)
{
    if (strcmp(word, "all") != 0)
        return take_name(l->engines, &l->engine_count, word);
    lc_engine_info info;
    for (size_t i = 0; lc_engine_at(i, &info) && l->engine_count < MAX_LIST; i++)
        if (info.available)
            take_name(l->engines, &l->engine_count, info.name);
    return NULL;
}

static const char *take_size(lists *l, const char *word)
{
    size_cells size;
    const char *wrong = lc_cli_parse_size(word, &size.width, &size.height);
    if (wrong != NULL)
        return wrong;
    if (size.width <= 0 || size.height <= 0)
        return "must be bounded in both directions";
    l->sizes[l->size_count++] = size;
    return NULL;
}

static const char *take_rule(lists *l, const char *word)
{
    static char wrong[352];
    lc_rule rule;
    lc_topology topology;
    lc_message message;
    if (lc_rule_parse(word, &rule, &topology, &message) != LC_OK) {
        snprintf(wrong, sizeof(wrong), "column %" PRIu64 ": %s", message.column, message.text);
        return wrong;
    }
    if (topology.kind != LC_TOPOLOGY_PLANE || topology.width_cells != 0 ||
        topology.height_cells != 0)
        return "takes no topology suffix here: use --topology and --size";
    l->rules[l->rule_count++] = rule;
    return NULL;
}

static const char *take_topology(lists *l, const char *word)
{
    static const struct {
        const char *name, *letter;
        lc_topology_kind kind;
    } names[] = {
        {"torus", "T", LC_TOPOLOGY_TORUS},
        {"plane", "P", LC_TOPOLOGY_PLANE},
        {"klein", "K", LC_TOPOLOGY_KLEIN_BOTTLE},
        {"cross", "C", LC_TOPOLOGY_CROSS_SURFACE},
        {"cross-surface", "C", LC_TOPOLOGY_CROSS_SURFACE},
        {"klein-bottle", "K", LC_TOPOLOGY_KLEIN_BOTTLE},
        {"sphere", "S", LC_TOPOLOGY_SPHERE},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcasecmp(word, names[i].name) != 0 && strcasecmp(word, names[i].letter) != 0)
            continue;
        l->topologies[l->topology_count++] = names[i].kind;
        return NULL;
    }
    return "is not a topology (torus, plane, klein, cross-surface and sphere are)";
}

static const char *take_threads(lists *l, const char *word)
{
    uint64_t value = 0;
    const char *wrong = strcmp(word, "all") == 0 ? NULL : lc_cli_parse_u64(word, &value);
    if (wrong != NULL)
        return wrong;
    if (value > INT_MAX)
        return "is too large";
    l->threads[l->thread_count++] = (int)value;
    return NULL;
}

// Splits at commas and takes each word; `count` is the list's.
static const char *take_words(lists *l, const char *text, const size_t *count,
                              const char *(*take)(lists *, const char *))
{
    for (;;) {
        char word[MAX_WORD];
        size_t length = strcspn(text, ",");
        if (length == 0)
            return "has an empty word in its list";
        if (length >= sizeof(word))
            return "has a word that is too long";
        if (*count >= MAX_LIST)
            return "has too many words (32 are the most)";
        snprintf(word, sizeof(word), "%.*s", (int)length, text);
        const char *wrong = take(l, word);
        if (wrong != NULL)
            return wrong;
        if (text[length] == '\0')
            return NULL;
        text += length + 1;
    }
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

static const char *parse_audit(const char *text, uint64_t *generations)
{
    const char *wrong = lc_cli_parse_u64(text, generations);
    if (wrong == NULL && *generations == 0)
        wrong = "must be at least 1";
    return wrong;
}

static const char *take_option(lc_bench_arguments *arguments, lists *l, int id, const char *value)
{
    lc_bench_options *options = &arguments->options;
    lc_machine machine;
    const char *wrong = NULL;
    switch (id) {
    case OPTION_CPU:
        return take_words(l, value, &l->level_count, take_level);
    case OPTION_ENGINE:
        return take_words(l, value, &l->engine_count, take_engine);
    case OPTION_RULE:
        return take_words(l, value, &l->rule_count, take_rule);
    case OPTION_SIZE:
        return take_words(l, value, &l->size_count, take_size);
    case OPTION_THREADS:
        return take_words(l, value, &l->thread_count, take_threads);
    case OPTION_TOPOLOGY:
        return take_words(l, value, &l->topology_count, take_topology);
    case OPTION_CSV:
        arguments->csv = value;
        return NULL;
    case OPTION_JSON:
        arguments->json = value;
        return NULL;
    case OPTION_GENERATIONS:
        wrong = lc_cli_parse_u64(value, &options->generations);
        return wrong == NULL && options->generations == 0 ? "must be at least 1" : wrong;
    case OPTION_INTERLEAVE:
        options->interleave = true;
        return NULL;
    case OPTION_NO_INTERLEAVE:
        options->interleave = false;
        return NULL;
    case OPTION_AUDIT:
        return parse_audit(value, &options->verify.audit_generations);
    case OPTION_MAX_MEMORY:
        lc_machine_get(&machine);
        return lc_cli_parse_memory(value, machine.memory_bytes, &options->verify.max_memory_bytes);
    case OPTION_QUICK:
        options->verify.quick = true;
        return NULL;
    case OPTION_RUNS:
        return parse_count(value, 1, LC_BENCH_MAX_RUNS, &options->runs);
    case OPTION_SEED:
        return lc_cli_parse_u64(value, &options->verify.seed);
    case OPTION_WARMUP:
        return parse_count(value, 0, LC_BENCH_MAX_RUNS, &options->warmups);
    default:
        return "is not known";
    }
}

// Configurations -------------------------------------------------------------------------------

// Adds one unless it is there already. LC_EXIT_OK, or LC_EXIT_FAILURE when the reason was said.
static int add_configuration(lc_bench_arguments *arguments, const char *engine, const char *level,
                             int threads, lc_rule rule, lc_topology_kind kind, size_cells size)
{
    lc_bench_configuration configuration = {
        .engine = engine,
        .cpu_level = level,
        .threads = threads,
        .rule = rule,
        .topology = lc_cli_sized_topology(kind, size.width, size.height),
    };
    lc_message message;
    configuration.cpu_level = NULL;
    lc_status status = lc_bench_resolve(&configuration, &message);
    // Levels are for the engines that have any.
    if (status == LC_OK && configuration.cpu_level[0] != '\0') {
        configuration.cpu_level = level;
        status = lc_bench_resolve(&configuration, &message);
    }
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    for (size_t i = 0; i < arguments->count; i++)
        if (lc_bench_same_configuration(&arguments->configurations[i], &configuration))
            return LC_EXIT_OK;
    lc_bench_configuration *larger =
        realloc(arguments->configurations, (arguments->count + 1) * sizeof(*larger));
    if (larger == NULL)
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    larger[arguments->count++] = configuration;
    arguments->configurations = larger;
    return LC_EXIT_OK;
}

// Every combination of what was given; one default each for what was not.
static int add_combinations(lc_bench_arguments *arguments, lists *l)
{
    if (l->size_count == 0)
        l->sizes[l->size_count++] = (size_cells){4096, 4096};
    if (l->rule_count == 0)
        l->rules[l->rule_count++] = life;
    if (l->topology_count == 0)
        l->topologies[l->topology_count++] = LC_TOPOLOGY_TORUS;
    if (l->engine_count == 0)
        take_name(l->engines, &l->engine_count, "auto");
    if (l->level_count == 0)
        take_name(l->levels, &l->level_count, "auto");
    if (l->thread_count == 0)
        l->threads[l->thread_count++] = 0;

    const size_t counts[6] = {l->size_count,   l->rule_count,  l->topology_count,
                              l->engine_count, l->level_count, l->thread_count};
    size_t total = 1;
    for (size_t i = 0; i < 6; i++)
        total *= counts[i];
    // The last list turns fastest, like the digits of a number.
    for (size_t number = 0; number < total; number++) {
        size_t at[6];
        size_t rest = number;
        for (size_t i = 6; i-- > 0;) {
            at[i] = rest % counts[i];
            rest /= counts[i];
        }
        int code =
            add_configuration(arguments, l->engines[at[3]], l->levels[at[4]], l->threads[at[5]],
                              l->rules[at[1]], l->topologies[at[2]], l->sizes[at[0]]);
        if (code != LC_EXIT_OK)
            return code;
    }
    return LC_EXIT_OK;
}

// What matters on a machine that nothing is known of: sizes in cache and out of it, each level,
// one thread and all, and other rules.
static int add_standard_choice(lc_bench_arguments *arguments, bool quick)
{
    static const lc_rule high_life = {.birth = 1u << 3 | 1u << 6, .survival = 1u << 2 | 1u << 3};
    static const lc_rule day_and_night = {.birth = 1u << 3 | 1u << 6 | 1u << 7 | 1u << 8,
                                          .survival =
                                              1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8};
    static const size_cells sizes[] = {{1024, 1024}, {4096, 4096}, {65536, 65536}};
    int code = LC_EXIT_OK;
    for (size_t i = 0; i < (quick ? 2 : 3) && code == LC_EXIT_OK; i++) {
        code = add_configuration(arguments, "auto", "auto", 0, life, LC_TOPOLOGY_TORUS, sizes[i]);
        if (code == LC_EXIT_OK && (!quick || i == 1))
            code =
                add_configuration(arguments, "auto", "auto", 1, life, LC_TOPOLOGY_TORUS, sizes[i]);
    }
    lc_cpu_level_info level;
    for (size_t i = 0; lc_cpu_level_at(i, &level) && code == LC_EXIT_OK; i++)
        if (level.available)
            code = add_configuration(arguments, "simd", level.name, 0, life, LC_TOPOLOGY_TORUS,
                                     sizes[1]);
    if (quick || code != LC_EXIT_OK)
        return code;
    code = add_configuration(arguments, "auto", "auto", 0, high_life, LC_TOPOLOGY_TORUS, sizes[1]);
    if (code != LC_EXIT_OK)
        return code;
    return add_configuration(arguments, "auto", "auto", 0, day_and_night, LC_TOPOLOGY_TORUS,
                             sizes[1]);
}

int lc_bench_arguments_parse(lc_bench_arguments *arguments, int argc, char **argv)
{
    *arguments = (lc_bench_arguments){
        .options = {.runs = -1, .warmups = -1, .interleave = true, .verify = {.seed = 42}}};
    lists l = {.engine_count = 0};
    lc_cli_args args;
    lc_cli_args_init(&args, "bench", table, argc, argv);
    for (int id; (id = lc_cli_args_next(&args)) != LC_ARGS_END;) {
        if (id == LC_ARGS_ERROR)
            return LC_EXIT_USAGE;
        if (id == LC_ARGS_OPERAND)
            return lc_cli_usage("bench", "'%s': it takes no operands", args.value);
        if (id == OPTION_HELP) {
            arguments->help = true;
            fputs(help_text, stdout);
            return LC_EXIT_OK;
        }
        const char *wrong = take_option(arguments, &l, id, args.value);
        if (wrong != NULL)
            return lc_cli_args_refuse(&args, wrong);
    }
    if (arguments->csv != NULL && arguments->json != NULL && strcmp(arguments->csv, "-") == 0 &&
        strcmp(arguments->json, "-") == 0)
        return lc_cli_usage("bench", "--csv and --json cannot both write to standard output");

    lc_bench_options *options = &arguments->options;
    bool quick = options->verify.quick;
    if (options->runs < 0)
        options->runs = quick ? 5 : 10;
    if (options->warmups < 0)
        options->warmups = quick ? 1 : 2;
    options->run_ns = quick ? 100000000 : 250000000;
    options->limit_milliseconds = quick ? 20 : 100;
    bool chosen = l.engine_count + l.level_count + l.size_count + l.rule_count + l.topology_count +
                      l.thread_count >
                  0;
    return chosen ? add_combinations(arguments, &l) : add_standard_choice(arguments, quick);
}

void lc_bench_arguments_free(lc_bench_arguments *arguments)
{
    free(arguments->configurations);
    *arguments = (lc_bench_arguments){.count = 0};
}
