// `lightcone gallery`: the published designs of Life, to be read, run and timed.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "gallery.h"
#include "json.h"
#include "options.h"

static const char help_text[] =
    "lightcone gallery list [--json]\n"
    "lightcone gallery show NAME\n"
    "lightcone gallery run NAME[:KNOB=N,..] PATTERN -g N [options of run]\n"
    "lightcone gallery bench [NAME[:KNOB=N,..] ...] [options of bench]\n"
    "\n"
    "Published ways of stepping Life, on the CPU and on the GPU, each written anew from its\n"
    "description: one file a design, with its source, its layout and its limits.\n"
    "\n"
    "  list    all of them, with their knobs and whether they can run here\n"
    "  show    what a design is, and its text: kernels, then what launches them\n"
    "  run     evolves a pattern by it: 'lightcone help run' has the options, but for\n"
    "          --engine and --cpu. They step B3/S23, on a torus or the infinite plane;\n"
    "          what else a design does not do it says\n"
    "  bench   checks and times designs beside each other; 'lightcone gallery bench --help'\n"
    "\n"
    "Examples\n"
    "  lightcone gallery show shared-tile\n"
    "  lightcone gallery run bytes-cpu gun.rle -g 1000\n"
    "  lightcone gallery run shared-tile:block=32 --soup 0.5 --size 4096 -g 100\n";

// list -------------------------------------------------------------------------------------------

static bool can_run(const lc_design *design, const char **reason)
{
    lc_engine_info info;
    if (design->engine == NULL)
        return lc_gallery_available(design, reason);
    for (size_t i = 0; lc_engine_at(i, &info); i++) {
        if (strcmp(info.name, design->engine) == 0) {
            *reason = info.reason;
            return info.available;
        }
    }
    *reason = "is not part of this build";
    return false;
}

static const char *platform_of(const lc_design *design)
{
    const bool gpu =
        design->gpu != NULL || (design->engine != NULL && strcmp(design->engine, "cuda") == 0);
    return gpu ? "GPU" : "CPU";
}

static void print_values(const lc_knob *knob)
{
    for (const int *v = knob->values; *v >= 0; v++)
        printf(" %s%d%s", *v == knob->usual ? "[" : "", *v, *v == knob->usual ? "]" : "");
}

static void print_knobs(const lc_design *design, const char *indent)
{
    for (size_t i = 0; i < lc_gallery_knob_count(design); i++) {
        printf("%s%s:", indent, design->knobs[i].name);
        print_values(&design->knobs[i]);
        printf(" (%s)\n", design->knobs[i].meaning);
    }
}

static void list_for_people(void)
{
    const lc_design *design;
    const char *reason, *no_gpu = NULL;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        const char *platform = platform_of(design);
        printf("%-20s %s  %s\n", design->name, platform, design->title);
        printf("%-25s %s\n", "", design->source);
        print_knobs(design, "                          ");
        if (can_run(design, &reason))
            continue;
        if (strcmp(platform, "GPU") == 0)
            no_gpu = reason;
        else
            printf("%-25s cannot run here: %s\n", "", reason);
    }
    if (no_gpu != NULL)
        printf("\nThose for the GPU cannot run here: %s\n", no_gpu);
}

static void list_for_machines(void)
{
    lc_json json = {.file = stdout};
    const lc_design *design;
    lc_json_open_object(&json, NULL);
    lc_json_open_array(&json, "designs");
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        const char *reason;
        lc_json_open_object(&json, NULL);
        lc_json_string(&json, "name", design->name);
        lc_json_string(&json, "platform", platform_of(design));
        lc_json_string(&json, "title", design->title);
        lc_json_string(&json, "source", design->source);
        lc_json_string(&json, "file", design->file);
        lc_json_open_array(&json, "knobs");
        for (size_t k = 0; k < lc_gallery_knob_count(design); k++) {
            lc_json_open_object(&json, NULL);
            lc_json_string(&json, "name", design->knobs[k].name);
            lc_json_string(&json, "meaning", design->knobs[k].meaning);
            lc_json_i64(&json, "usual", design->knobs[k].usual);
            lc_json_open_array(&json, "values");
            for (const int *v = design->knobs[k].values; *v >= 0; v++)
                lc_json_i64(&json, NULL, *v);
            lc_json_close_array(&json);
            lc_json_close_object(&json);
        }
        lc_json_close_array(&json);
        lc_json_bool(&json, "available", can_run(design, &reason));
        lc_json_string(&json, "reason", reason);
        lc_json_close_object(&json);
    }
    lc_json_close_array(&json);
    lc_json_close_object(&json);
}

static int list(int argc, char **argv)
{
    enum { OPTION_HELP = 1, OPTION_JSON };
    static const lc_cli_option table[] = {
        {OPTION_HELP, 'h', "help", NULL},
        {OPTION_JSON, 0, "json", NULL},
        {0, 0, NULL, NULL},
    };
    lc_cli_args args;
    bool json = false;
    lc_cli_args_init(&args, "gallery", table, argc, argv);
    for (int id; (id = lc_cli_args_next(&args)) != LC_ARGS_END;) {
        if (id == LC_ARGS_ERROR)
            return LC_EXIT_USAGE;
        if (id == LC_ARGS_OPERAND)
            return lc_cli_usage("gallery", "'%s': list takes no operands", args.value);
        if (id == OPTION_HELP)
            return lc_cli_help_about("gallery");
        json = true;
    }
    if (json)
        list_for_machines();
    else
        list_for_people();
    return LC_EXIT_OK;
}

// show -------------------------------------------------------------------------------------------

// The design called so; NULL when it has been said that there is none.
static const lc_design *find_design(const char *name)
{
    const lc_design *design = lc_gallery_find(name);
    if (design != NULL)
        return design;
    lc_cli_nearest nearest = {.word = name};
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++)
        lc_cli_nearest_try(&nearest, design->name);
    if (nearest.best != NULL)
        lc_cli_usage("gallery", "no design is called '%s'; did you mean '%s'?", name, nearest.best);
    else
        lc_cli_usage("gallery", "no design is called '%s'; 'lightcone gallery list' has them all",
                     name);
    return NULL;
}

static int show(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-')
        return lc_cli_usage("gallery", "show which design? 'lightcone gallery show NAME'");
    const lc_design *design = find_design(argv[1]);
    if (design == NULL)
        return LC_EXIT_USAGE;
    printf("%s: %s\nsource: %s\n", design->name, design->title, design->source);
    if (lc_gallery_knob_count(design) > 0)
        puts("knobs, with the usual value in brackets");
    print_knobs(design, "  ");
    if (design->file != NULL)
        printf("\ngallery/%s\n\n%s", design->file, lc_gallery_text(design->file));
    return LC_EXIT_OK;
}

// run --------------------------------------------------------------------------------------------

static int run(int argc, char **argv)
{
    lc_message message = {0};
    int values[LC_KNOBS_MAX];
    if (argc < 2 || argv[1][0] == '-')
        return lc_cli_usage("gallery",
                            "run which design? 'lightcone gallery run NAME PATTERN -g N'");
    const lc_design *design = find_design(argv[1]);
    if (design == NULL)
        return LC_EXIT_USAGE;
    const char *colon = strchr(argv[1], ':');
    if (lc_gallery_settings(design, colon != NULL ? colon + 1 : "", values, &message) != LC_OK)
        return lc_cli_usage("gallery", "%s", message.text);
    const lc_status status = lc_gallery_add_engines(&message);
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    return lc_cli_run_by(argv[1], argc - 1, argv + 1);
}

// The command ------------------------------------------------------------------------------------

int lc_cli_gallery(int argc, char **argv)
{
    static const lc_cli_command commands[] = {
        {"list", "", list},
        {"show", "", show},
        {"run", "", run},
        {"bench", "", lc_cli_gallery_bench},
    };
    if (argc < 2)
        return lc_cli_usage("gallery", "say what to do: list, show, run or bench");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(help_text, stdout);
        return LC_EXIT_OK;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, argv[1]) == 0)
            return commands[i].main(argc - 1, argv + 1);
    return lc_cli_usage("gallery", "unknown '%s'; there are list, show, run and bench", argv[1]);
}
