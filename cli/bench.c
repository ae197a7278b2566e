// `lightcone bench`: measures engines, and compares their speed with the limit of this machine.
//
// The user gives lists of engines, CPU levels, sizes, rules, topologies and numbers of threads.
// Every combination of list items is a configuration. Without any list, the command measures a
// default set of configurations.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_measure.h"
#include "bench_model.h"
#include "commands.h"
#include "gallery_design.h"
#include "message.h"
#include "options.h"
#include "shape.h"

static const lc_cli_option table[] = {
    {LC_BENCH_AGAINST, 0, "against", "ENGINE"},
    {LC_BENCH_AUDIT, 0, "audit", "N"},
    {LC_BENCH_BOARD, 0, "board", "WxH,.."},
    {LC_BENCH_COUNTS, 0, "counts", "N,.."},
    {LC_BENCH_CPU, 0, "cpu", "LEVEL,.."},
    {LC_BENCH_CSV, 0, "csv", "FILE"},
    {LC_BENCH_ENGINE, 0, "engine", "ENGINE,.."},
    {LC_BENCH_FACTS, 0, "facts", "FILE"},
    {LC_BENCH_GENERATIONS, 'g', "generations", "N"},
    {LC_BENCH_HELP, 'h', "help", NULL},
    {LC_BENCH_INTERLEAVE, 0, "interleave", NULL},
    {LC_BENCH_JSON, 0, "json", "FILE"},
    {LC_BENCH_LINK, 0, "link", "RATE,TIME"},
    {LC_BENCH_MAX_MEMORY, 0, "max-memory", "SIZE"},
    {LC_BENCH_MESSAGE_PASSES, 0, "message-passes", "N"},
    {LC_BENCH_MODEL, 0, "model", NULL},
    {LC_BENCH_NETWORK, 0, "network", "RATE,TIME"},
    {LC_BENCH_NO_INTERLEAVE, 0, "no-interleave", NULL},
    {LC_BENCH_OVERLAP, 0, "overlap", NULL},
    {LC_BENCH_PER_HOST, 0, "per-host", "N"},
    {LC_BENCH_CHARTS, 0, "charts", "FOLDER"},
    {LC_BENCH_QUICK, 0, "quick", NULL},
    {LC_BENCH_RULE, 'r', "rule", "RULE,.."},
    {LC_BENCH_RUNS, 0, "runs", "N"},
    {LC_BENCH_SEED, 0, "seed", "S"},
    {LC_BENCH_SIZE, 's', "size", "WxH,.."},
    {LC_BENCH_THREADS, 't', "threads", "N,.."},
    {LC_BENCH_TOPOLOGY, 0, "topology", "TOPOLOGY,.."},
    {LC_BENCH_WARMUP, 0, "warmup", "N"},
    {0, 0, NULL, NULL},
};

static const char help_text[] =
    "lightcone bench [options]\n"
    "\n"
    "Measures how fast this machine steps universes. Before bench times a\n"
    "configuration, it checks the results in the same process. Small boards are\n"
    "compared with the scalar engine. For large boards, bench recomputes patches and\n"
    "compares the hash with another CPU level. After a warm-up, bench times the\n"
    "configuration and compares the speed with the rate of logic operations that this\n"
    "CPU reaches. The rate is measured between the runs.\n"
    "\n"
    "Configurations: every combination of the items in these lists. If no list is\n"
    "given, bench measures a standard set of sizes, CPU levels, rules and thread\n"
    "counts.\n"
    "      --engine ENGINE,..    engines, or all; 'lightcone devices' lists them\n"
    "                            (auto). Designs of the gallery are engines too. For\n"
    "                            example, simd,bytes-gpu:block=16,ldg=1,cuda names\n"
    "                            three engines\n"
    "      --cpu LEVEL,..        CPU levels, or all; 'lightcone devices' lists them (the\n"
    "                            fastest)\n"
    "  -s, --size WxH,..         sizes of boards (4096x4096)\n"
    "  -r, --rule RULE,..        rules (B3/S23)\n"
    "      --topology TOPOLOGY,..  torus, plane, klein, cross, sphere (torus)\n"
    "  -t, --threads N,..        numbers of threads; all or 0: one per CPU (all)\n"
    "\n"
    "Measurement\n"
    "      --runs N              timed runs per configuration (10; quick: 5)\n"
    "      --warmup N            untimed runs before the timed runs (2; quick: 1)\n"
    "  -g, --generations N       generations per run (as many whole passes as take 0.25 s)\n"
    "      --seed S              seed of the soup (42)\n"
    "      --quick               shorter runs, fewer checks, a smaller standard set\n"
    "      --no-interleave       finish one configuration before the next. By default\n"
    "                            the runs alternate, so that a change in the speed of\n"
    "                            the machine affects all configurations equally\n"
    "      --against ENGINE      compare each configuration with this engine on the same\n"
    "                            board, run by run\n"
    "      --max-memory SIZE     memory limit of a universe: 8G, 512M, 75% (50%; on a GPU,\n"
    "                            all of its memory)\n"
    "      --audit N             about every N generations, recompute a patch with\n"
    "                            the slow scalar engine, also during timed runs\n"
    "\n"
    "Prediction for several devices\n"
    "      --model               predict the speed of several GPUs, or of several\n"
    "                            ranks with -t threads each. First measure one device\n"
    "                            with a whole board (of size -s; 65536, quick: 16384)\n"
    "                            and with slabs. share/doc/lightcone/scale.md\n"
    "                            explains the model\n"
    "      --facts FILE          read measurements from this file, which --json has\n"
    "                            written, instead of measuring; may be repeated.\n"
    "                            Measurements of several devices are shown beside the\n"
    "                            prediction\n"
    "      --board WxH,..        boards to predict (the largest measured board)\n"
    "      --counts N,..         numbers of devices (GPUs: 1 to 1,024; ranks: 1 to 10^6)\n"
    "      --link RATE,TIME      bytes per second and latency between devices of a host\n"
    "                            (GPUs: 396G,2.2us, NVLink; ranks: 6G,2us)\n"
    "      --network RATE,TIME   bytes per second and latency between hosts (GPUs:\n"
    "                            50G,5us; ranks: 5G,5us)\n"
    "      --per-host N          devices per host (8 GPUs, 64 ranks)\n"
    "      --message-passes N    passes per halo exchange (1)\n"
    "      --overlap             assume that a device exchanges halos while it steps\n"
    "                            the interior of its slab\n"
    "\n"
    "Output, besides the table\n"
    "      --csv FILE            write a CSV line per configuration; - is stdout\n"
    "      --json FILE           write the results as JSON; - is stdout\n"
    "      --charts FOLDER       charts as SVG files, and a page that shows them\n"
    "\n"
    "Defaults are in parentheses. A configuration with wrong results is not timed.\n"
    "Instead, bench prints the first wrong cell and its surroundings, and exits with\n"
    "status 1. If no configuration could be timed, bench also exits with status 1.\n"
    "\n"
    "Examples\n"
    "  lightcone bench --quick\n"
    "  lightcone bench --size 65536x65536 --threads 1,2 --json bench.json\n"
    "  lightcone bench --cpu all --rule B3/S23,HighLife --size 1024,4096 --csv bench.csv\n"
    "  lightcone bench --model -t 1 --board 65536,1048576 --charts scale\n";

static const lc_rule life = LC_RULE_LIFE;

static int add(lc_bench_arguments *arguments, const char *engine, const char *level, int threads,
               lc_rule rule, lc_topology_kind kind, lc_bench_size size)
{
    return lc_bench_add(arguments,
                        (lc_bench_configuration){
                            .engine = engine,
                            .cpu_level = level,
                            .threads = threads,
                            .rule = rule,
                            .topology = lc_cli_sized_topology(kind, size.width, size.height),
                        });
}

// Adds the default item to each list that the user left empty.
static bool complete_lists(lc_bench_lists *l)
{
    return (l->size_count > 0 || lc_bench_add_size(l, (lc_bench_size){4096, 4096})) &&
           (l->rule_count > 0 || lc_bench_add_rule(l, life)) &&
           (l->topology_count > 0 || lc_bench_add_topology(l, LC_TOPOLOGY_TORUS)) &&
           (l->engine_count > 0 || lc_bench_add_engine(l, "auto")) &&
           (l->level_count > 0 || lc_bench_add_level(l, "auto")) &&
           (l->thread_count > 0 || lc_bench_add_threads(l, 0));
}

// Adds a configuration for every combination of the lists.
static int add_combinations(lc_bench_arguments *arguments,
                            int (*add_one)(lc_bench_arguments *, lc_bench_configuration))
{
    lc_bench_lists *l = &arguments->lists;
    if (!complete_lists(l))
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    // The counts are copied first, because adding a configuration may add engine names to the
    // lists.
    const size_t counts[6] = {l->size_count,   l->rule_count,  l->topology_count,
                              l->engine_count, l->level_count, l->thread_count};
    size_t total = 1;
    for (size_t i = 0; i < 6; i++)
        total *= counts[i];
    // Each `number` encodes one combination of list items. From one number to the next, the item of
    // the last list changes fastest.
    for (size_t number = 0; number < total; number++) {
        size_t at[6];
        size_t rest = number;
        for (size_t i = 6; i-- > 0;) {
            at[i] = rest % counts[i];
            rest /= counts[i];
        }
        const lc_bench_size size = l->sizes[at[0]];
        int code = add_one(arguments, (lc_bench_configuration){
                                          .engine = l->engines[at[3]],
                                          .cpu_level = l->levels[at[4]],
                                          .threads = l->threads[at[5]],
                                          .rule = l->rules[at[1]],
                                          .topology = lc_cli_sized_topology(
                                              l->topologies[at[2]], size.width, size.height),
                                      });
        if (code != LC_EXIT_OK)
            return code;
    }
    return LC_EXIT_OK;
}

// Adds the default set of configurations, which suits any machine. The set covers sizes inside and
// outside the cache, each CPU level, one thread, all threads, and several rules.
static int add_standard_choice(lc_bench_arguments *arguments, bool quick)
{
    static const lc_rule high_life = LC_RULE_TOTALISTIC(1u << 3 | 1u << 6, 1u << 2 | 1u << 3);
    static const lc_rule day_and_night = LC_RULE_TOTALISTIC(
        1u << 3 | 1u << 6 | 1u << 7 | 1u << 8, 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8);
    static const lc_bench_size sizes[] = {{1024, 1024}, {4096, 4096}, {65536, 65536}};
    int code = LC_EXIT_OK;
    for (size_t i = 0; i < (quick ? 2 : 3) && code == LC_EXIT_OK; i++) {
        code = add(arguments, "auto", "auto", 0, life, LC_TOPOLOGY_TORUS, sizes[i]);
        if (code == LC_EXIT_OK && (!quick || i == 1))
            code = add(arguments, "auto", "auto", 1, life, LC_TOPOLOGY_TORUS, sizes[i]);
    }
    lc_cpu_level_info level;
    for (size_t i = 0; lc_cpu_level_at(i, &level) && code == LC_EXIT_OK; i++)
        if (level.available)
            code = add(arguments, "simd", level.name, 0, life, LC_TOPOLOGY_TORUS, sizes[1]);
    if (quick || code != LC_EXIT_OK)
        return code;
    code = add(arguments, "auto", "auto", 0, high_life, LC_TOPOLOGY_TORUS, sizes[1]);
    if (code != LC_EXIT_OK)
        return code;
    return add(arguments, "auto", "auto", 0, day_and_night, LC_TOPOLOGY_TORUS, sizes[1]);
}

static int choose_configurations(lc_bench_arguments *arguments, const lc_bench_model *model)
{
    const lc_bench_lists *l = &arguments->lists;
    if (model->file_count > 0)
        return LC_EXIT_OK;
    if (model->wanted)
        return add_combinations(arguments, lc_bench_model_add);
    const bool quick = arguments->options.verify.quick;
    const bool chosen = l->engine_count + l->level_count + l->size_count + l->rule_count +
                            l->topology_count + l->thread_count >
                        0;
    int code =
        chosen ? add_combinations(arguments, lc_bench_add) : add_standard_choice(arguments, quick);
    if (code == LC_EXIT_OK && arguments->against != NULL)
        code = lc_bench_compare_with(arguments, arguments->against);
    return code;
}

static int parse(lc_bench_arguments *arguments, lc_bench_model *model, int argc, char **argv,
                 bool *help)
{
    lc_cli_args args;
    *help = false;
    lc_cli_args_init(&args, "bench", table, argc, argv);
    for (int id; (id = lc_cli_args_next(&args)) != LC_ARGS_END;) {
        if (id == LC_ARGS_ERROR)
            return LC_EXIT_USAGE;
        if (id == LC_ARGS_OPERAND)
            return lc_cli_usage("bench", "unexpected argument \"%s\"", args.value);
        *help = id == LC_BENCH_HELP;
        if (*help)
            return LC_EXIT_OK;
        const char *wrong = id < LC_BENCH_OWN ? lc_bench_take_option(arguments, id, args.value)
                                              : lc_bench_model_take(model, id, args.value);
        if (wrong != NULL)
            return lc_cli_args_refuse(&args, wrong);
    }
    const int code = lc_bench_check_options(arguments);
    return code == LC_EXIT_OK ? lc_bench_model_check(model, arguments) : code;
}

static int run(lc_bench_arguments *arguments, lc_bench_model *model)
{
    static const lc_bench_usual
        full = {.runs = 10, .warmups = 2, .run_ns = 250000000, .limit_milliseconds = 100},
        quick = {.runs = 5, .warmups = 1, .run_ns = 100000000, .limit_milliseconds = 20};
    lc_message message;
    lc_bench_set_usual(&arguments->options, arguments->options.verify.quick ? &quick : &full);
    lc_cli_open_gallery();
    lc_status status = lc_gallery_add_engines(&message);
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    int code = model->wanted ? lc_bench_model_prepare(model, arguments) : LC_EXIT_OK;
    if (code == LC_EXIT_OK)
        code = choose_configurations(arguments, model);
    return code == LC_EXIT_OK ? lc_bench_measure(arguments, &lc_report_text) : code;
}

int lc_cli_bench(int argc, char **argv)
{
    lc_bench_arguments arguments;
    lc_bench_model model;
    bool help;
    lc_bench_arguments_begin(&arguments, "bench");
    lc_bench_model_begin(&model);
    int code = parse(&arguments, &model, argc, argv, &help);
    if (help)
        fputs(help_text, stdout);
    else if (code == LC_EXIT_OK)
        code = run(&arguments, &model);
    lc_bench_model_end(&model);
    lc_bench_arguments_free(&arguments);
    return code;
}
