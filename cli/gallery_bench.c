// `lightcone gallery bench`: checks designs against each other and then times them.
//
// A configuration is a design, its settings and a board. Configurations are sorted by board size,
// so that the designs of one size are measured together. The name of a configuration consists of
// the design and its non-default settings. The settings are in the order of the design's knobs,
// which are its possible settings. A configuration has exactly one name, which is short.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_measure.h"
#include "commands.h"
#include "gallery.h"
#include "gallery_design.h"
#include "message.h"
#include "options.h"
#include "shape.h"
#include "shared_context.h"

enum { ENGINE_BYTES = 320, MOST = 4096 };

static const char help_text[] =
    "lightcone gallery bench [NAME[:KNOB=N,..] ...] [options]\n"
    "\n"
    "Checks designs of the gallery and times them, all in the same process.\n"
    "Designs are compared with each other and with the limits of this machine.\n"
    "Small boards are checked against the scalar engine.\n"
    "On large boards, patches are recomputed and hashes compared with the CPU engine.\n"
    "A design with wrong results is not timed.\n"
    "If a design cannot step a board, bench prints the reason.\n"
    "\n"
    "Configurations: the named designs, or all designs that can run on this machine.\n"
    "  -s, --size WxH,..         sizes (1024,4096; with a GPU also 16384,65536).\n"
    "                            By default, CPU designs skip 16384 and 65536.\n"
    "                            With --quick, CPU designs also step 16384 and 65536\n"
    "  -t, --threads N,..        threads of CPU designs; all or 0: one per CPU\n"
    "                            (1 and all)\n"
    "      --sweep               measure all values of each knob (setting) in turn.\n"
    "                            CPU designs use all threads unless -t is given\n"
    "      --sweep-all           measure all combinations of the values of all knobs\n"
    "\n"
    "Measurement\n"
    "      --runs N              timed runs per configuration (10)\n"
    "      --warmup N            untimed runs before the timed runs (2)\n"
    "  -g, --generations N       generations per run (for 0.25 s; quick: for 0.02 s)\n"
    "      --seed S              seed of the soup (42)\n"
    "      --against NAME        compare each design with NAME on the same board.\n"
    "                            The speedup is computed run by run, with an interval\n"
    "      --quick               shorter runs and fewer checks.\n"
    "                            Designs that need more than 8 s are skipped.\n"
    "                            On a machine with a GPU, CPU designs get only 3 s.\n"
    "                            A note names every skipped design\n"
    "      --no-interleave       finish one design before starting the next.\n"
    "                            By default, the runs of all designs alternate.\n"
    "                            Alternation spreads changes of speed over all runs\n"
    "      --max-memory SIZE     memory limit of a board: 8G, 512M, 75%.\n"
    "                            Default: 50% of memory; on a GPU, all of its memory\n"
    "\n"
    "Output, besides the table\n"
    "      --csv FILE            write a CSV line per configuration; - is stdout\n"
    "      --json FILE           write the results as JSON; - is stdout\n"
    "      --charts FOLDER       write charts (SVG) and a page that shows them\n"
    "\n"
    "Defaults are in parentheses.\n"
    "The exit status is 1 if a design is wrong or fails, or if none could be timed.\n"
    "\n"
    "Examples\n"
    "  lightcone gallery bench --quick\n"
    "  lightcone gallery bench bytes-cpu simd --size 4096 --against bytes-cpu\n"
    "  lightcone gallery bench bytes-gpu --sweep --size 16384 --charts sweep\n";

// A design to measure, with its initial settings.
typedef struct choice {
    const lc_design *design;
    int values[LC_KNOBS_MAX];
} choice;

typedef struct gallery_bench {
    lc_bench_arguments arguments;
    choice *choices;
    size_t choice_count;
    bool sweep, sweep_all;
} gallery_bench;

static const char *engine_of(const lc_design *design)
{
    return design->engine != NULL ? design->engine : design->name;
}

// Choosing ---------------------------------------------------------------------------------------

static int choose(gallery_bench *b, const lc_design *design, const char *settings)
{
    lc_message message;
    choice *larger = realloc(b->choices, (b->choice_count + 1) * sizeof *larger);
    if (larger == NULL)
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    b->choices = larger;
    choice *c = &larger[b->choice_count];
    c->design = design;
    if (lc_gallery_settings(design, settings, c->values, &message) != LC_OK)
        return lc_cli_usage("gallery bench", "%s", message.text);
    b->choice_count++;
    return LC_EXIT_OK;
}

static int choose_named(const char *name, void *to)
{
    gallery_bench *b = to;
    const char *colon = strchr(name, ':');
    const lc_design *design = lc_cli_find_design(name);
    return design != NULL ? choose(b, design, colon != NULL ? colon + 1 : "") : LC_EXIT_USAGE;
}

// Chooses all designs that can run on this machine. Prints the designs that cannot run, grouped by
// the reason.
static int choose_all(gallery_bench *b)
{
    const lc_design *design;
    const char *reason = NULL;
    size_t left_out = 0;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        lc_engine_info info = {.reason = "it is not part of this build"};
        if (lc_engine_named(lc_cli_context(), engine_of(design), &info) && info.available) {
            int code = choose(b, design, "");
            if (code != LC_EXIT_OK)
                return code;
            continue;
        }
        if (reason != NULL && strcmp(reason, info.reason) != 0) {
            fprintf(stderr, "lightcone: %zu designs cannot run here: %s\n", left_out, reason);
            left_out = 0;
        }
        reason = info.reason;
        left_out++;
    }
    if (left_out > 0)
        fprintf(stderr, "lightcone: %zu designs cannot run here: %s\n", left_out, reason);
    return LC_EXIT_OK;
}

// Configurations ---------------------------------------------------------------------------------

static bool has_gpu(void)
{
    lc_engine_info info;
    return lc_engine_named(lc_cli_context(), "cuda", &info) && info.available;
}

static bool is_on_gpu(const lc_design *design)
{
    lc_engine_info info;
    return lc_engine_named(lc_cli_context(), engine_of(design), &info) && info.on_gpu;
}

// Returns "NAME", or "NAME:SETTINGS" with the non-default settings. The lists own the returned
// text. Returns NULL if out of memory.
static const char *name_engine(gallery_bench *b, const lc_design *design,
                               const int values[LC_KNOBS_MAX])
{
    lc_bench_lists *lists = &b->arguments.lists;
    char name[ENGINE_BYTES];
    size_t used = (size_t)snprintf(name, sizeof name, "%s", engine_of(design));
    char separator = ':';
    for (size_t i = 0; i < lc_gallery_knob_count(design) && used < sizeof name; i++) {
        if (values[i] == design->knobs[i].usual)
            continue;
        used += (size_t)snprintf(name + used, sizeof name - used, "%c%s=%d", separator,
                                 design->knobs[i].name, values[i]);
        separator = ',';
    }
    for (size_t i = 0; i < lists->engine_count; i++)
        if (strcmp(lists->engines[i], name) == 0)
            return lists->engines[i];
    return lc_bench_add_engine(lists, name) ? lists->engines[lists->engine_count - 1] : NULL;
}

static int add_board(gallery_bench *b, const choice *c, const int values[LC_KNOBS_MAX],
                     lc_bench_size size)
{
    lc_bench_arguments *arguments = &b->arguments;
    const lc_bench_lists *lists = &arguments->lists;
    static const int each_and_all[] = {1, 0};
    const bool gpu = is_on_gpu(c->design), only_one = c->design->one_thread;
    const bool only_all = gpu || b->sweep || b->sweep_all;
    const int *threads = only_all && !only_one ? each_and_all + 1 : each_and_all;
    size_t thread_count = only_one || only_all ? 1 : 2;
    if (!gpu && !only_one && lists->thread_count > 0) {
        threads = lists->threads;
        thread_count = lists->thread_count;
    }
    const char *engine = name_engine(b, c->design, values);
    if (engine == NULL)
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    const lc_topology torus = lc_cli_sized_topology(LC_TOPOLOGY_TORUS, size.width, size.height);
    int code = LC_EXIT_OK;
    for (size_t i = 0; i < thread_count && code == LC_EXIT_OK; i++)
        code = lc_bench_add(arguments, (lc_bench_configuration){
                                           .engine = engine,
                                           .threads = threads[i],
                                           .rule = lc_rule_life(),
                                           .topology = torus,
                                       });
    if (code == LC_EXIT_OK && arguments->count > MOST)
        code = lc_cli_usage("gallery bench",
                            "that makes more than %d configurations: name fewer designs or sizes",
                            (int)MOST);
    return code;
}

// Varies one knob at a time. For each value of a knob, adds a configuration in which all other
// knobs stay unchanged.
static int add_sweep(gallery_bench *b, const choice *c, lc_bench_size size)
{
    int code = LC_EXIT_OK;
    for (size_t k = 0; k < lc_gallery_knob_count(c->design); k++) {
        int values[LC_KNOBS_MAX];
        memcpy(values, c->values, sizeof values);
        for (const int *v = c->design->knobs[k].values; *v >= 0 && code == LC_EXIT_OK; v++) {
            values[k] = *v;
            code = add_board(b, c, values, size);
        }
    }
    return code;
}

// Adds all combinations of knob values. The value of the last knob changes fastest, like the last
// digit of a number.
static int add_all_combinations(gallery_bench *b, const choice *c, lc_bench_size size)
{
    const size_t knobs = lc_gallery_knob_count(c->design);
    size_t digit[LC_KNOBS_MAX] = {0};
    for (;;) {
        int values[LC_KNOBS_MAX] = {0};
        for (size_t k = 0; k < knobs; k++)
            values[k] = c->design->knobs[k].values[digit[k]];
        int code = add_board(b, c, values, size);
        if (code != LC_EXIT_OK)
            return code;
        size_t k = knobs;
        while (k > 0 && c->design->knobs[k - 1].values[digit[k - 1] + 1] < 0)
            digit[--k] = 0;
        if (k == 0)
            return LC_EXIT_OK;
        digit[k - 1]++;
    }
}

// Whether the design is fast enough for the board. CPU designs with one byte per cell take minutes
// for a large board. Large boards are measured with CPU designs only on request.
static bool is_worth_it(const gallery_bench *b, const lc_design *design, lc_bench_size size,
                        bool chosen)
{
    return chosen || design->cpu == NULL || b->arguments.options.verify.quick ||
           size.width * size.height <= 4096 * 4096;
}

static int add_configurations(gallery_bench *b)
{
    static const int64_t usual[] = {1024, 4096, 16384, 65536};
    lc_bench_lists *lists = &b->arguments.lists;
    const bool chosen = lists->size_count > 0;
    for (size_t i = 0; !chosen && i < (has_gpu() ? 4 : 2); i++)
        if (!lc_bench_add_size(lists, (lc_bench_size){usual[i], usual[i]}))
            return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    int code = LC_EXIT_OK;
    for (size_t i = 0; i < lists->size_count; i++) {
        for (size_t j = 0; j < b->choice_count && code == LC_EXIT_OK; j++) {
            const choice *c = &b->choices[j];
            if (!is_worth_it(b, c->design, lists->sizes[i], chosen))
                continue;
            code = add_board(b, c, c->values, lists->sizes[i]);
            if (code == LC_EXIT_OK && b->sweep)
                code = add_sweep(b, c, lists->sizes[i]);
            if (code == LC_EXIT_OK && b->sweep_all)
                code = add_all_combinations(b, c, lists->sizes[i]);
        }
    }
    return code;
}

// Adds the design of --against with its settings. The name of the configuration has the same form
// as the names of other configurations.
static int compare(gallery_bench *b)
{
    lc_message message;
    int values[LC_KNOBS_MAX];
    const char *against = b->arguments.against;
    const char *colon = strchr(against, ':');
    const lc_design *design = lc_cli_find_design(against);
    if (design == NULL)
        return LC_EXIT_USAGE;
    if (lc_gallery_settings(design, colon != NULL ? colon + 1 : "", values, &message) != LC_OK)
        return lc_cli_usage("gallery bench", "--against: %s", message.text);
    const char *engine = name_engine(b, design, values);
    if (engine == NULL)
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    return lc_bench_compare_with(&b->arguments, engine);
}

// The command ------------------------------------------------------------------------------------

static bool parse(gallery_bench *b, int argc, char **argv, int *code)
{
    const lc_cli_option options[] = {
        {0, "against", "NAME", .take = lc_bench_take_path, .to = &b->arguments.against},
        {0, "sweep", NULL, .given = &b->sweep},
        {0, "sweep-all", NULL, .given = &b->sweep_all},
        {0},
    };
    const lc_cli_syntax syntax = {
        .help = help_text, .options = options, .take_operand = choose_named, .to = b};
    return lc_bench_parse(&b->arguments, syntax, argc, argv, code);
}

static int run(gallery_bench *b)
{
    static const lc_bench_usual
        full = {.runs = 10, .warmups = 2, .run_ns = 250000000, .limit_milliseconds = 100},
        quick = {.runs = 10, .warmups = 2, .run_ns = 20000000, .limit_milliseconds = 10};
    lc_message message;
    lc_bench_options *options = &b->arguments.options;
    lc_bench_set_usual(options, options->verify.quick ? &quick : &full);
    options->board_by_board = true;
    if (options->verify.quick) {
        // Limit each design's time, so that all designs take minutes on a machine with a GPU.
        options->gpu_budget_ns = UINT64_C(8000000000);
        options->cpu_budget_ns = has_gpu() ? UINT64_C(3000000000) : UINT64_C(8000000000);
    }
    lc_status status = lc_gallery_add_engines(&message);
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    int code = b->choice_count == 0 ? choose_all(b) : LC_EXIT_OK;
    if (code == LC_EXIT_OK)
        code = add_configurations(b);
    if (code == LC_EXIT_OK && b->arguments.against != NULL)
        code = compare(b);
    return code == LC_EXIT_OK ? lc_bench_measure(&b->arguments, &lc_report_gallery) : code;
}

int lc_cli_gallery_bench(int argc, char **argv)
{
    gallery_bench b = {.choices = NULL};
    lc_bench_arguments_begin(&b.arguments, "gallery bench");
    int code;
    if (parse(&b, argc, argv, &code))
        code = run(&b);
    lc_bench_arguments_free(&b.arguments);
    free(b.choices);
    return code;
}
