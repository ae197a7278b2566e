// `lightcone gallery`: lists, shows, runs and times published designs for the Game of Life.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "gallery.h"
#include "gallery_design.h"
#include "help.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "shared_context.h"

static const char help_text[] =
    "lightcone gallery list [--knobs | --json]\n"
    "lightcone gallery show NAME\n"
    "lightcone gallery run NAME[:KNOB=N,..] PATTERN -g N [options of run]\n"
    "lightcone gallery bench [NAME[:KNOB=N,..] ...] [options]\n"
    "\n"
    "The gallery has published designs of fast Game of Life programs for CPU and GPU.\n"
    "Each design is reimplemented from its description, in a file of its own.\n"
    "\n"
    "  list    list the designs by publication, and the designs that cannot run here\n"
    "            --knobs   also list each design's knobs (settings), with defaults\n"
    "            --json    print the designs and their settings as JSON\n"
    "  show    print a design's description, its settings and its source code.\n"
    "          The kernels come first, then the code that launches them\n"
    "  run     run a pattern or a soup with a design.\n"
    "          'lightcone help run' explains the options.\n"
    "          The options --engine and --cpu are not accepted.\n"
    "          Designs step B3/S23 on a torus or on the infinite plane.\n"
    "          Some designs have further limits\n"
    "  bench   check designs and time them.\n"
    "          Compare designs with each other and with the machine's limits.\n"
    "          'lightcone help gallery bench' explains the options\n"
    "\n"
    "Examples\n"
    "  lightcone gallery show shared-tile\n"
    "  lightcone gallery run bytes-cpu gun.rle -g 1000\n"
    "  lightcone gallery run shared-tile:block=32 --soup 0.5 --size 4096 -g 100\n"
    "  lightcone gallery bench --quick\n";

// list -------------------------------------------------------------------------------------------

static bool can_run(const lc_design *design, const char **reason)
{
    lc_engine_info info;
    if (design->engine == NULL)
        return lc_gallery_available(design, reason);
    for (size_t i = 0; lc_engine_at(lc_cli_context(), i, &info); i++) {
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

static void print_knobs(const lc_design *design, const char *indent)
{
    for (size_t i = 0; i < lc_gallery_knob_count(design); i++) {
        const lc_knob *knob = &design->knobs[i];
        printf("%s%s:", indent, knob->name);
        for (const int *v = knob->values; *v >= 0; v++)
            printf(*v == knob->usual ? " [%d]" : " %d", *v);
        printf(" (%s)\n", knob->meaning);
    }
}

static void list_for_people(bool knobs)
{
    const lc_design *design;
    const char *document = NULL, *reason, *no_gpu = NULL;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        const char *platform = platform_of(design);
        if (document == NULL || strcmp(document, lc_gallery_document_at(i)) != 0) {
            printf("%s%s\n", document != NULL ? "\n" : "", lc_gallery_document_at(i));
            document = lc_gallery_document_at(i);
        }
        printf("  %-19s %s  %s\n", design->name, platform, design->title);
        if (knobs)
            print_knobs(design, "      ");
        if (can_run(design, &reason))
            continue;
        if (strcmp(platform, "GPU") == 0)
            no_gpu = reason;
        else
            printf("      cannot run here: %s\n", reason);
    }
    if (knobs)
        puts("\nUsual values are in brackets; others are set as in NAME:KNOB=N,KNOB=N.");
    else
        puts("\n'lightcone gallery show NAME' explains one; 'list --knobs' has what can be set.");
    if (no_gpu != NULL)
        printf("Those for the GPU cannot run here:\n  %s\n", no_gpu);
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
        lc_json_string(&json, "document", lc_gallery_document_at(i));
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
    bool json = false, knobs = false;
    int code;
    const lc_cli_option options[] = {
        {0, "json", NULL, .given = &json},
        {0, "knobs", NULL, .given = &knobs},
        {0},
    };
    const lc_cli_syntax syntax = {.command = "gallery", .help = help_text, .options = options};
    if (!lc_cli_parse(&syntax, argc, argv, &code))
        return code;
    if (json)
        list_for_machines();
    else
        list_for_people(knobs);
    return LC_EXIT_OK;
}

// show -------------------------------------------------------------------------------------------

// Prints the comment at the start of a file, without the slashes. Returns the text after the
// comment.
static const char *print_explanation(const char *text)
{
    while (strncmp(text, "//", 2) == 0) {
        const size_t length = strcspn(text, "\n");
        const size_t slashes = text[2] == ' ' ? 3 : 2;
        printf("%.*s\n", (int)(length - slashes), text + slashes);
        text += length + (text[length] == '\n');
    }
    return text;
}

// A list of files of the gallery.
typedef struct file_names {
    char names[8][48];
    size_t count;
} file_names;

static void add_file(file_names *files, const char *name, size_t length)
{
    const size_t most = sizeof files->names / sizeof files->names[0];
    if (length >= sizeof files->names[0] || files->count == most)
        return;
    char *place = files->names[files->count];
    snprintf(place, sizeof files->names[0], "%.*s", (int)length, name);
    if (lc_gallery_text(place) == NULL)
        return;
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->names[i], place) == 0)
            return;
    files->count++;
}

// Adds every file whose name is in quotes in the text, because the text includes or runs that file.
static void add_named_files(file_names *files, const char *text)
{
    while ((text = strchr(text, '"')) != NULL) {
        text++;
        add_file(files, text, strcspn(text, "\"\n"));
    }
}

static int show(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return lc_help_print(help_text);
    if (argc != 2 || argv[1][0] == '-')
        return lc_cli_usage("gallery", "give one design: 'lightcone gallery show NAME'");
    if (strchr(argv[1], ':') != NULL)
        return lc_cli_usage("gallery", "\"%s\": give the name without settings", argv[1]);
    const lc_design *design = lc_cli_find_design(argv[1]);
    if (design == NULL)
        return LC_EXIT_USAGE;
    printf("%s: %s\n%s\n\n", design->name, design->title, design->source);
    if (design->file == NULL) {
        printf("It is the engine of 'lightcone run --engine %s'.\n", design->engine);
        return LC_EXIT_OK;
    }
    const char *text = print_explanation(lc_gallery_text(design->file));
    if (lc_gallery_knob_count(design) > 0)
        puts("\nKnobs, with the usual values in brackets");
    print_knobs(design, "  ");
    file_names files = {.count = 0};
    add_file(&files, design->file, strlen(design->file));
    for (size_t i = 0; i < files.count; i++) {
        if (i > 0)
            text = lc_gallery_text(files.names[i]);
        printf("\n==> gallery/%s <==\n\n%s", files.names[i], text);
        add_named_files(&files, text);
    }
    return LC_EXIT_OK;
}

// run --------------------------------------------------------------------------------------------

static int run(int argc, char **argv)
{
    lc_message message = {0};
    int values[LC_KNOBS_MAX];
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return lc_help_print(help_text);
    if (argc < 2 || argv[1][0] == '-')
        return lc_cli_usage(
            "gallery",
            "missing argument: give a design: 'lightcone gallery run NAME PATTERN -g N'");
    const lc_design *design = lc_cli_find_design(argv[1]);
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
    static const struct {
        const char *name;
        int (*main)(int argc, char **argv);
    } commands[] = {
        {"list", list},
        {"show", show},
        {"run", run},
        {"bench", lc_cli_gallery_bench},
    };
    lc_cli_open_gallery();
    if (argc < 2)
        return lc_cli_usage("gallery", "missing command: list, show, run or bench");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return lc_help_print(help_text);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, argv[1]) == 0)
            return commands[i].main(argc - 1, argv + 1);
    lc_cli_nearest nearest = {.word = argv[1]};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        lc_cli_nearest_try(&nearest, commands[i].name);
    return lc_cli_unknown("gallery", "command", &nearest, "'lightcone help gallery' lists them");
}
