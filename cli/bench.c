// `lightcone bench`: measures engines, and compares their speed with the limit of this machine.
//
// The user gives lists of engines, CPU levels, sizes, rules, topologies and numbers of threads.
// Every combination of list items is a configuration. Without any list, the command measures a
// default set of configurations.
#include <stdio.h>
#include <stdlib.h>

#include "bench_measure.h"
#include "bench_model.h"
#include "commands.h"
#include "gallery_design.h"
#include "message.h"
#include "options.h"
#include "shape.h"

static const char help_text[] =
    "lightcone bench [options]\n"
    "\n"
    "Measures how fast this machine steps universes.\n"
    "Each configuration is checked and then timed, all in the same process.\n"
    "Small boards are checked against the scalar engine.\n"
    "On large boards, patches are recomputed and hashes of two CPU levels compared.\n"
    "The speed is compared with this CPU's rate of logic operations between the runs.\n"
    "\n"
    "Configurations: every combination of the values in these lists.\n"
    "Without a list, a standard set of sizes, levels, rules and threads is measured.\n"
    "      --engine ENGINE,..    engines, or all (auto); see 'lightcone devices'.\n"
    "                            Designs of the gallery are engines, too:\n"
    "                            simd,bytes-gpu:block=16,ldg=1,cuda has three engines\n"
    "      --cpu LEVEL,..        CPU levels, or all (the fastest); see 'devices'\n"
    "  -s, --size WxH,..         sizes of boards (4096x4096)\n"
    "  -r, --rule RULE,..        rules (B3/S23)\n"
    "      --topology TOPOLOGY,..  torus, plane, klein, cross, sphere (torus)\n"
    "  -t, --threads N,..        numbers of threads; all or 0: one per CPU (all)\n"
    "\n"
    "Measurement\n"
    "      --runs N              timed runs per configuration (10; quick: 5)\n"
    "      --warmup N            untimed runs at the start (2; quick: 1)\n"
    "  -g, --generations N       generations per run (whole passes for 0.25 s)\n"
    "      --seed S              seed of the soup (42)\n"
    "      --quick               shorter runs, fewer checks, a smaller standard set\n"
    "      --no-interleave       finish one configuration before starting the next.\n"
    "                            By default, runs of all configurations alternate.\n"
    "                            Alternation spreads changes of speed over all runs\n"
    "      --against ENGINE      compare with ENGINE on the same board, run by run\n"
    "      --max-memory SIZE     memory limit of a universe: 8G, 512M, 75%.\n"
    "                            Default: 50% of memory; on a GPU, all of its memory\n"
    "      --audit N             about every N generations, check a patch of cells.\n"
    "                            The check uses slow, simple code, also in timed runs\n"
    "\n"
    "Prediction for several devices\n"
    "      --model               predict the speed of several GPUs or several ranks.\n"
    "                            Each rank has -t threads.\n"
    "                            Measures one device on a whole board and on slabs.\n"
    "                            -s sets the board's size (65536; quick: 16384).\n"
    "                            share/doc/lightcone/scale.md explains the model\n"
    "      --facts FILE          predict from the measurements in FILE (see --json).\n"
    "                            The option can be given several times.\n"
    "                            Measurements of several devices check the prediction\n"
    "      --board WxH,..        boards to predict (the largest one measured)\n"
    "      --counts N,..         numbers of GPUs (1 to 1,024) or ranks (1 to 10^6)\n"
    "      --link RATE,TIME      bytes/s and latency between the devices of a host.\n"
    "                            Default for GPUs: 396G,2.2us (NVLink); ranks: 6G,2us\n"
    "      --network RATE,TIME   bytes/s and latency between hosts.\n"
    "                            Default for GPUs: 50G,5us; for ranks: 5G,5us\n"
    "      --per-host N          devices per host (8 GPUs, 64 ranks)\n"
    "      --message-passes N    passes per halo exchange (1)\n"
    "      --overlap             exchange halos while the inside of a slab is stepped\n"
    "\n"
    "Output, besides the table\n"
    "      --csv FILE            write a CSV line per configuration; - is stdout\n"
    "      --json FILE           write the results as JSON; - is stdout\n"
    "      --charts FOLDER       write charts (SVG) and a page that shows them\n"
    "\n"
    "Defaults are in parentheses. A configuration with wrong results is not timed.\n"
    "If results are wrong, bench prints the first wrong cell and its surroundings.\n"
    "The exit status is 1 if results are wrong or no configuration could be timed.\n"
    "\n"
    "Examples\n"
    "  lightcone bench --quick\n"
    "  lightcone bench --size 65536x65536 --threads 1,2 --json bench.json\n"
    "  lightcone bench --cpu all --rule B3/S23,HighLife --size 1024,4096 --csv bench.csv\n"
    "  lightcone bench --model -t 1 --board 65536,1048576 --charts scale\n";

static int add(lc_bench_arguments *arguments, const char *engine, const char *level, int threads,
               const lc_rule *rule, lc_topology_kind kind, lc_bench_size size)
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
           (l->rule_count > 0 || lc_bench_add_rule(l, "B3/S23")) &&
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
    // Each `number` encodes one combination of list items. The item of the last list changes with
    // every number, like the last digit of a decimal number.
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
    static const char *const names[] = {"B3/S23", "HighLife", "Day & Night"};
    lc_bench_lists *l = &arguments->lists; // keeps the rules
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!lc_bench_add_rule(l, names[i]))
            return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    const lc_rule *life = l->rules[0], *high_life = l->rules[1], *day_and_night = l->rules[2];
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

static bool parse(lc_bench_arguments *arguments, lc_bench_model *model, int argc, char **argv,
                  int *code)
{
    lc_bench_lists *lists = &arguments->lists;
    lc_model_options *o = &model->options;
    const char **needs = &model->needs;
    const lc_cli_option options[] = {
        {0, "against", "ENGINE", .take = lc_bench_take_path, .to = &arguments->against},
        {0, "audit", "N", .positive = &arguments->options.verify.audit_generations},
        {0, "board", "WxH,..", .named = needs, .take = lc_bench_model_boards, .to = o},
        {0, "counts", "N,..", .named = needs, .take = lc_bench_model_counts, .to = o},
        {0, "cpu", "LEVEL,..", .take = lc_bench_take_levels, .to = lists},
        {0, "engine", "ENGINE,..", .take = lc_bench_take_engines, .to = lists},
        {0, "facts", "FILE", .named = needs, .take = lc_bench_model_facts, .to = model},
        {0, "link", "RATE,TIME", .named = needs, .take = lc_bench_model_link, .to = &o->inside},
        {0, "message-passes", "N", .named = needs, .take = lc_bench_model_passes,
         .to = &o->passes_a_message},
        {0, "model", NULL, .given = &model->wanted},
        {0, "network", "RATE,TIME", .named = needs, .take = lc_bench_model_link, .to = &o->network},
        {0, "overlap", NULL, .given = &o->overlaps, .named = needs},
        {0, "per-host", "N", .named = needs, .take = lc_bench_model_number, .to = &o->host_devices},
        {'r', "rule", "RULE,..", .take = lc_bench_take_rules, .to = lists},
        {0, "topology", "TOPOLOGY,..", .take = lc_bench_take_topologies, .to = lists},
        {0},
    };
    const lc_cli_syntax syntax = {.help = help_text, .options = options};
    if (!lc_bench_parse(arguments, syntax, argc, argv, code))
        return false;
    *code = lc_bench_model_check(model, arguments);
    return *code == LC_EXIT_OK;
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
    int code;
    lc_bench_arguments_begin(&arguments, "bench");
    lc_bench_model_begin(&model);
    if (parse(&arguments, &model, argc, argv, &code))
        code = run(&arguments, &model);
    lc_bench_model_end(&model);
    lc_bench_arguments_free(&arguments);
    return code;
}
