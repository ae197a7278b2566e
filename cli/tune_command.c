// `lightcone tune`: finds the fastest plan for boards of a given size on this machine's GPU.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "help.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "shape.h"
#include "shared_context.h"
#include "signals.h"

typedef struct tune_options {
    const char *rule_text; // NULL: B3/S23
    const char *topology_text;
    const char *engine;                              // NULL: auto
    const char *devices;                             // NULL: not given
    char engine_text[LC_ENGINE_SETTINGS_BYTES + 64]; // then `engine` points here
    bool has_size;
    int64_t width_cells, height_cells;
    bool json;
    const lc_rule *rule;
    lc_topology topology;
} tune_options;

typedef struct trial {
    char plan[192];
    int slab;
    int64_t rows;
    char problem[LC_MESSAGE_TEXT_BYTES];
    double cells_per_second; // 0: the trial failed
} trial;

typedef struct tuning {
    trial *trials;
    size_t count, room;
    bool no_memory;
    bool show_notes; // stderr is a terminal, where one line shows the last trial
    char *kept_in;   // folder of the saved plans; "": at least one plan was not saved
    int slab_count;
    bool kept_some; // some plans were saved before an error or a stop
} tuning;

// Options ----------------------------------------------------------------------------------------

static bool take_options(tune_options *options, int argc, char **argv, int *code)
{
    const lc_cli_option table[] = {
        {0, "devices", "all|N,N", .text = &options->devices},
        {0, "engine", "ENGINE", .text = &options->engine},
        {0, "json", NULL, .given = &options->json},
        {'r', "rule", "RULE", .text = &options->rule_text},
        {'s', "size", "WxH", .given = &options->has_size, .width_cells = &options->width_cells,
         .height_cells = &options->height_cells},
        {0, "topology", "TOPOLOGY", .text = &options->topology_text},
        {0},
    };
    const lc_cli_syntax syntax = {.command = "tune", .help = lc_help_tune, .options = table};
    return lc_cli_parse(&syntax, argc, argv, code);
}

static int find_board(tune_options *options)
{
    lc_topology_kind kind = LC_TOPOLOGY_TORUS;
    lc_message message = {0};
    bool stated = false;
    const char *text = options->topology_text;
    int code = LC_EXIT_OK;
    options->rule = lc_rule_life();
    if (options->rule_text != NULL)
        code = lc_cli_parse_rule("tune", options->rule_text, &options->rule, &options->topology,
                                 &stated);
    if (code != LC_EXIT_OK)
        return code;
    if (stated && text != NULL)
        return lc_cli_usage("tune",
                            "--topology conflicts with the topology in --rule; remove one of them");
    if (text != NULL && !lc_cli_topology_word(text, &kind)) {
        if (lc_topology_parse(text, &options->topology, &message) != LC_OK)
            return lc_cli_refuse_topology("tune", text, &message);
        stated = true;
    }
    if (stated == options->has_size) {
        return lc_cli_usage(
            "tune", stated ? "--size conflicts with the size in the topology; remove one of them"
                           : "missing size; give --size WxH");
    }
    if (!stated) {
        options->topology =
            lc_cli_sized_topology(kind, options->width_cells, options->height_cells);
    }
    const lc_topology *topology = &options->topology;
    if (lc_rule_check_topology(options->rule, topology, &message) != LC_OK)
        return lc_cli_usage("tune", "%s", message.text);
    if (topology->width_cells == 0 || topology->height_cells == 0)
        return lc_cli_usage("tune", "the board must be bounded in both directions");
    return LC_EXIT_OK;
}

// Trials -----------------------------------------------------------------------------------------

static bool add_trial(tuning *t, const lc_gpu_trial *from)
{
    if (t->count == t->room) {
        const size_t room = 2 * t->room + 16;
        trial *trials = realloc(t->trials, room * sizeof *trials);
        if (trials == NULL)
            return false;
        t->trials = trials;
        t->room = room;
    }
    trial *to = &t->trials[t->count++];
    to->cells_per_second = from->cells_per_second;
    to->slab = from->slab;
    to->rows = from->rows;
    snprintf(to->plan, sizeof to->plan, "%s", from->plan);
    snprintf(to->problem, sizeof to->problem, "%s", from->problem);
    return true;
}

static bool take_trial(void *context, const lc_gpu_trial *one)
{
    tuning *t = context;
    if (one->kept_in != NULL) {
        if (t->kept_in == NULL || *t->kept_in != '\0') {
            free(t->kept_in);
            t->kept_in = strdup(one->kept_in);
        }
        t->kept_some = t->kept_some || *one->kept_in != '\0';
        return false;
    }
    t->slab_count = one->slab_count;
    if (!add_trial(t, one)) {
        t->no_memory = true;
        return true;
    }
    if (t->show_notes)
        fprintf(stderr, "\r\033[K%.1f Gcells/s  %.60s", one->cells_per_second * 1e-9, one->plan);
    return lc_signals_received() != 0;
}

static int compare_fastest_first(const void *a, const void *b)
{
    const trial *p = a, *q = b;
    if (p->slab != q->slab)
        return p->slab < q->slab ? -1 : 1;
    return p->cells_per_second > q->cells_per_second ? -1
                                                     : p->cells_per_second < q->cells_per_second;
}

// Returns the fastest trial of the slab to which trial `i` belongs. The fastest trial is the first
// trial of a slab, because trials are sorted.
static const trial *best_of(const tuning *t, size_t i)
{
    while (i > 0 && t->trials[i - 1].slab == t->trials[i].slab)
        i--;
    return &t->trials[i];
}

static bool kept(const tuning *t)
{
    return t->kept_in != NULL && *t->kept_in != '\0';
}

static void print_for_machines(const tune_options *options, const tuning *t)
{
    lc_json json = {.file = stdout};
    lc_json_open_object(&json, NULL);
    lc_json_string(&json, "version", lc_version());
    lc_json_rule(&json, "rule", options->rule);
    lc_json_topology(&json, "topology", &options->topology);
    lc_json_open_array(&json, "trials");
    for (size_t i = 0; i < t->count; i++) {
        const trial *one = &t->trials[i];
        lc_json_open_object(&json, NULL);
        if (t->slab_count > 1) {
            lc_json_i64(&json, "slab", one->slab);
            lc_json_i64(&json, "rows", one->rows);
        }
        lc_json_string(&json, "plan", one->plan);
        lc_json_positive(&json, "cells_per_second", one->cells_per_second);
        lc_json_positive(&json, "share", one->cells_per_second / best_of(t, i)->cells_per_second);
        lc_json_string(&json, "problem", one->cells_per_second > 0 ? NULL : one->problem);
        lc_json_close_object(&json);
    }
    lc_json_close_array(&json);
    lc_json_string(&json, "kept_in", kept(t) ? t->kept_in : NULL);
    lc_json_close_object(&json);
}

static void print_for_people(const tune_options *options, const tuning *t)
{
    char topology[LC_RULE_TEXT_BYTES];
    int widest = 4;
    const int decimals = t->count > 0 && t->trials[0].cells_per_second < 10e9 ? 4 : 1;
    for (size_t i = 0; i < t->count; i++) {
        const int width = (int)strlen(t->trials[i].plan);
        widest = width > widest ? width : widest;
    }
    printf("%-*s  Gcells/s   share\n", widest, "plan");
    for (size_t i = 0; i < t->count; i++) {
        const trial *one = &t->trials[i];
        if (t->slab_count > 1 && one == best_of(t, i))
            printf("%sslab %d of %d, %lld rows\n", i > 0 ? "\n" : "", one->slab + 1, t->slab_count,
                   (long long)one->rows);
        if (one->cells_per_second > 0) {
            printf("%-*s  %8.*f  %5.1f%%\n", widest, one->plan, decimals,
                   one->cells_per_second * 1e-9,
                   100 * one->cells_per_second / best_of(t, i)->cells_per_second);
        } else {
            printf("%-*s  %s\n", widest, one->plan, one->problem);
        }
    }
    if (kept(t)) {
        lc_topology_format(&options->topology, topology);
        if (t->slab_count > 1)
            printf(
                "\nThe first of each slab is kept for slabs of boards like this (%s) and rules of "
                "%g gates, in\n",
                topology, lc_rule_gates(options->rule));
        else
            printf("\nThe first is kept for boards like this (%s) and rules of %g gates, in\n",
                   topology, lc_rule_gates(options->rule));
        lc_cli_print_text(stdout, t->kept_in);
        putchar('\n');
    }
}

static int finish(const tune_options *options, tuning *t, lc_status status,
                  const lc_message *message)
{
    if (t->show_notes && t->count > 0)
        fputs("\r\033[K", stderr);
    if (t->no_memory) {
        lc_cli_error("%s", lc_status_text(LC_ERROR_MEMORY));
        return LC_EXIT_FAILURE;
    }
    if (status != LC_OK && status != LC_ERROR_STOPPED)
        return options->engine != NULL && strcmp(options->engine, "auto") != 0
                   ? lc_cli_refuse_universe("tune", options->engine, NULL, status, message)
                   : lc_cli_refuse("tune", status, message);
    if (t->count > 1)
        qsort(t->trials, t->count, sizeof *t->trials, compare_fastest_first);
    (options->json ? print_for_machines : print_for_people)(options, t);
    if (status == LC_ERROR_STOPPED) {
        lc_cli_error(t->kept_some ? "stopped: the plans of the slabs before this one are stored"
                                  : "stopped: no plan is stored");
        return LC_EXIT_SIGNAL + lc_signals_received();
    }
    if (!kept(t)) {
        lc_cli_error("cannot store the best plan; set LIGHTCONE_CACHE to a writable folder");
        return LC_EXIT_FAILURE;
    }
    return LC_EXIT_OK;
}

int lc_cli_tune(int argc, char **argv)
{
    tune_options options = {0};
    int code;
    if (!take_options(&options, argc, argv, &code))
        return code;
    code = find_board(&options);
    if (code == LC_EXIT_OK && options.devices != NULL)
        code = lc_cli_engine_on("tune", options.devices, &options.engine, options.engine_text,
                                sizeof options.engine_text);
    if (code != LC_EXIT_OK)
        return code;
    tuning t = {.show_notes = isatty(STDERR_FILENO) != 0};
    lc_message message = {0};
    lc_signals_catch();
    const lc_universe_options board = {.struct_bytes = sizeof board,
                                       .context = lc_cli_context(),
                                       .rule = options.rule,
                                       .topology = options.topology,
                                       .engine = options.engine};
    lc_status status = lc_universe_tune(&board, take_trial, &t, &message);
    code = finish(&options, &t, status, &message);
    free(t.kept_in);
    free(t.trials);
    return code;
}
