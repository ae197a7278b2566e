// Parses the options of `lightcone run` and `lightcone view`, and refuses combinations that
// conflict.
#include "run_options.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats.h"
#include "help.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "pattern_input.h"
#include "shape.h"
#include "soups.h"
#include "terminal_watch.h"

static const uint64_t fastest = 1000000000000; // generations a second

// The options that describe the universe's shape, as typed. The command combines these options
// after it has parsed all arguments.
typedef struct shape_options {
    const char *rule_text;
    const char *topology_text;
    bool has_size;
    int64_t width_cells, height_cells;
    bool has_generations, has_seed, has_every, has_checkpoint_every;
    const char *progress; // the last one of "progress" and "no-progress"; NULL: none
} shape_options;

// Parses a time such as "60s", or a number of generations such as "1000".
static const char *take_interval(const char *text, void *to)
{
    lc_run_options *options = to;
    uint64_t value;
    if (lc_cli_parse_duration(text, &value) == NULL) {
        options->checkpoint_ns = value;
        options->checkpoint_generations = 0;
        return NULL;
    }
    if (lc_cli_parse_u64(text, &value) != NULL)
        return "is not a time (60s, 5m, 1h) or a number of generations";
    if (value == 0)
        return "must be at least 1";
    options->checkpoint_ns = 0;
    options->checkpoint_generations = value;
    return NULL;
}

static const char *take_threads(const char *text, void *to)
{
    int *threads = to;
    uint64_t value;
    const char *wrong = lc_cli_parse_u64(text, &value);
    if (wrong != NULL)
        return wrong;
    if (value > INT_MAX)
        return "is too large";
    *threads = (int)value;
    return NULL;
}

static const char *take_port(const char *text, void *to)
{
    lc_view_options *view = to;
    uint64_t value;
    const char *wrong = lc_cli_parse_u64(text, &value);
    if (wrong == NULL && value > 65535)
        wrong = "must be a port, 1 to 65535, or 0 for any free one";
    if (wrong != NULL)
        return wrong;
    view->port = (int)value;
    view->more_ports = 0; // if the user gave a port, no other port is tried
    return NULL;
}

// Parses an origin as browsers define it: a scheme, a host, an optional port, and no path.
static const char *take_origin(const char *text, void *to)
{
    lc_view_options *view = to;
    const char *host = strncmp(text, "https://", 8) == 0  ? text + 8
                       : strncmp(text, "http://", 7) == 0 ? text + 7
                                                          : "";
    const size_t length = strcspn(host, "/");
    if (length == 0 || (host[length] != '\0' && host[length + 1] != '\0') ||
        host[strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                          ".-:[]/")] != '\0' ||
        strlen(text) >= sizeof view->origin)
        return "must have the form https://life.example, without a path";
    snprintf(view->origin, sizeof view->origin, "%.*s", (int)(host + length - text), text);
    return NULL;
}

// Parses a token. The characters of a token need no escapes in a URL.
static const char *take_token(const char *text, void *to)
{
    const char **token = to;
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strlen(text);
    if (length < 8 || length > 80 || text[strspn(text, letters)] != '\0')
        return "must be 8 to 80 letters, digits, - or _";
    *token = text;
    return NULL;
}

// Parses a number of generations per second.
static const char *take_speed(const char *text, void *to)
{
    double *speed = to;
    uint64_t value;
    if (strcmp(text, "max") == 0) {
        *speed = HUGE_VAL;
        return NULL;
    }
    if (lc_cli_parse_u64(text, &value) != NULL || value == 0 || value > fastest)
        return "must be max or 1 to 10^12 generations per second";
    *speed = (double)value;
    return NULL;
}

// Parses --every: the number of generations between two rows, frames or pictures.
static const char *take_every(const char *text, void *to)
{
    lc_count *every = to;
    const char *wrong = lc_cli_parse_count(text, every);
    return wrong == NULL && lc_count_log2(*every) < 0 ? "must be at least 1" : wrong;
}

static const char *take_disk(const char *text, void *to)
{
    const char **disk = to;
    *disk = text;
    return *text != '\0' ? NULL : "is not a path";
}

static const char *take_bind(const char *text, void *to)
{
    const char **bind = to;
    *bind = strcmp(text, "localhost") == 0 ? NULL : text; // the only host name that is accepted
    return *text != '\0' ? NULL : "is not an address of this machine";
}

static const char *refuse_engine(const char *text, void *to)
{
    (void)text;
    (void)to;
    return "cannot be given: the design is the engine";
}

// Parses the value of --topology. A word such as "torus" takes its size from --size. Golly's
// notation contains the size.
static int parse_topology(lc_run_options *options, const shape_options *shape,
                          lc_topology_kind *kind, bool *sized)
{
    const char *text = shape->topology_text;
    lc_message message = {0};
    options->topology = (lc_topology){.kind = LC_TOPOLOGY_PLANE};
    options->has_topology = *sized = true;
    if (strcasecmp(text, "infinite") == 0 || strcasecmp(text, "none") == 0 ||
        (strcasecmp(text, "plane") == 0 && !shape->has_size))
        return LC_EXIT_OK;
    if (lc_cli_topology_word(text, kind)) {
        if (!shape->has_size)
            return lc_cli_usage(options->command, "--topology %s needs --size WxH", text);
        *sized = false;
        return LC_EXIT_OK;
    }
    if (lc_topology_parse(text, &options->topology, &message) != LC_OK)
        return lc_cli_refuse_topology(options->command, text, &message);
    return LC_EXIT_OK;
}

// Sets the area of a soup to the value of --size. Without --size, the soup fills the whole
// universe.
static int measure_soup(lc_run_options *options, const shape_options *shape)
{
    const lc_topology *topology = &options->topology;
    if (!options->has_topology)
        return lc_cli_usage(options->command, "a soup needs a size; give --size WxH");
    options->soup_width_cells = shape->has_size ? shape->width_cells : topology->width_cells;
    options->soup_height_cells = shape->has_size ? shape->height_cells : topology->height_cells;
    if (options->soup_width_cells == 0 || options->soup_height_cells == 0) {
        return lc_cli_usage(options->command, "a soup cannot fill an unbounded universe; "
                                              "say how large it is: --size WxH");
    }
    if ((topology->width_cells > 0 && options->soup_width_cells > topology->width_cells) ||
        (topology->height_cells > 0 && options->soup_height_cells > topology->height_cells))
        return lc_cli_usage(options->command, "--size of the soup is larger than the universe");
    return LC_EXIT_OK;
}

// If both --rule and --topology state a topology, checks that the two topologies are equal.
static int check_suffix(const lc_run_options *options, const shape_options *shape,
                        const lc_topology *suffix)
{
    char of_rule[LC_RULE_TEXT_BYTES];
    char asked[LC_RULE_TEXT_BYTES];
    lc_rule_format(options->rule, suffix, of_rule);
    lc_rule_format(options->rule, &options->topology, asked);
    if (strcmp(of_rule, asked) == 0)
        return LC_EXIT_OK;
    return lc_cli_usage(
        options->command,
        "--topology %s conflicts with the topology in --rule %s; remove one of them",
        shape->topology_text, shape->rule_text);
}

// Combines rule, topology and soup area. lightcone(1) lists the permitted combinations.
static int combine_shape(lc_run_options *options, const shape_options *shape)
{
    lc_message message = {0};
    lc_topology_kind kind = LC_TOPOLOGY_TORUS;
    int code = LC_EXIT_OK;
    options->has_rule = shape->rule_text != NULL;
    if (options->has_rule)
        code = lc_cli_parse_rule(options->command, shape->rule_text, &options->rule,
                                 &options->topology, &options->has_topology);
    const bool suffix_stated = options->has_topology;
    bool sized = suffix_stated;
    const lc_topology suffix = options->topology;
    if (code == LC_EXIT_OK && shape->topology_text != NULL)
        code = parse_topology(options, shape, &kind, &sized);
    if (code != LC_EXIT_OK)
        return code;
    if (shape->has_size && !sized) {
        options->topology = lc_cli_sized_topology(kind, shape->width_cells, shape->height_cells);
        options->has_topology = true;
    }
    if (options->has_topology && lc_topology_check(&options->topology, &message) != LC_OK)
        return lc_cli_usage(options->command, "%s", message.text);
    if (options->has_topology && options->has_rule &&
        lc_rule_check_topology(options->rule, &options->topology, &message) != LC_OK)
        return lc_cli_usage(options->command, "%s", message.text);
    if (suffix_stated && shape->topology_text != NULL)
        code = check_suffix(options, shape, &suffix);
    if (code != LC_EXIT_OK)
        return code;
    if (options->soup)
        return measure_soup(options, shape);
    if (shape->has_size && sized) {
        return lc_cli_usage(options->command,
                            "--size conflicts with the size in %s; remove one of them",
                            shape->topology_text != NULL ? "--topology" : "--rule");
    }
    return LC_EXIT_OK;
}

// Checks the engine's name. The engine checks the settings.
static int check_engine(const lc_run_options *options)
{
    const char *engine;
    char word[64];
    if (options->engine == NULL)
        return LC_EXIT_OK;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(options->engine, ":"), options->engine);
    lc_cli_nearest nearest = {.word = word};
    bool found = strcmp(word, "auto") == 0;
    for (size_t i = 0; !found && (engine = lc_engine_name(i)) != NULL; i++) {
        found = strcmp(word, engine) == 0;
        lc_cli_nearest_try(&nearest, engine);
    }
    return found ? LC_EXIT_OK
                 : lc_cli_unknown(options->command, "engine", &nearest,
                                  "'lightcone devices' lists them");
}

static int check_names(const lc_run_options *options)
{
    lc_cpu_level_info level;
    const int code = check_engine(options);
    if (code != LC_EXIT_OK)
        return code;
    lc_cli_nearest nearest = (lc_cli_nearest){.word = options->cpu_level};
    bool found = options->cpu_level == NULL || strcmp(options->cpu_level, "auto") == 0;
    for (size_t i = 0; !found && lc_cpu_level_at(i, &level); i++) {
        found = strcmp(options->cpu_level, level.name) == 0;
        lc_cli_nearest_try(&nearest, level.name);
    }
    return found ? LC_EXIT_OK
                 : lc_cli_unknown(options->command, "CPU level", &nearest,
                                  "'lightcone devices' lists them");
}

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

// Checks for missing options and for options that conflict.
static int check_together(const lc_run_options *o, const shape_options *shape)
{
    const bool is_view = strcmp(o->command, "view") == 0;
    const bool has_cells = o->input != NULL || o->soup, has_file = o->input != NULL && !o->resume;
    const bool has_shape =
        shape->rule_text != NULL || shape->topology_text != NULL || shape->has_size;
    const bool is_sampled = o->stats != NULL || o->record != NULL || o->film.path != NULL;
    const struct {
        bool is_wrong;
        const char *text;
        const char *detail; // for "%s" in the text
    } checks[] = {
        {o->disk_settings != NULL && o->disk == NULL, "--disk-settings needs --disk FILE", ""},
        {o->previous && !o->disk_exists, "--previous needs a board on disk that exists", ""},
        {strlen(o->disk_text) + 1 == sizeof o->disk_text, "--disk-settings is too long", ""},
        {!has_cells && o->disk != NULL,
         "--disk %s: no such board; create it with a pattern or --soup", o->disk},
        {!has_cells && !is_view, "missing pattern; give a pattern or --soup DENSITY", ""},
        {o->input != NULL && o->soup, "--soup conflicts with a pattern; remove one of them", ""},
        {o->resume && has_shape,
         "%s has its own rule and topology; leave out --rule, --topology and --size",
         o->disk_exists ? "a board on disk" : "a checkpoint"},
        {shape->has_generations && o->until.kind == LC_UNTIL_GENERATION,
         "-g conflicts with --until; remove one of them", ""},
        {!shape->has_generations && o->until.kind == LC_UNTIL_NONE && !o->many && !is_view,
         "missing number of generations; give -g N or --until N", ""},
        {lc_cli_until_is_condition(&o->until) && o->disk != NULL,
         "--until %s needs a board in memory; remove --disk or give --until N", o->until.text},
        {o->json && is_stdout(o->output),
         "--json and -o - both write to standard output; give -o a file", ""},
        {o->watch && o->json,
         "--json and --watch both write to standard output; remove one of them", ""},
        {o->watch && is_stdout(o->output),
         "-o - and --watch both write to standard output; give -o a file", ""},
        {o->watch && !lc_cli_watch_can_draw(),
         "--watch needs a terminal; standard output is not one", ""},
        {o->speed != 0 && !o->watch && !is_view, "--speed needs --watch", ""},
        {o->output == NULL && o->output_format != LC_FORMAT_AUTO, "--output-format needs -o OUT",
         ""},
        {is_stdout(o->checkpoint), "--checkpoint needs a file, not standard output", ""},
        {is_stdout(o->stats), "--stats needs a file, not standard output; /dev/stdout is a file",
         ""},
        {shape->has_every && !is_sampled,
         "--every needs --stats FILE.csv, --record FILE.lct or --film FILE.png", ""},
        {is_stdout(o->record), "--record needs a file, not standard output", ""},
        {o->frame.has_number && o->frame.has_generation,
         "--frame conflicts with --at; remove one of them", ""},
        {(o->frame.has_number || o->frame.has_generation) && !has_file,
         "--frame and --at need a timeline", ""},
        {o->frame.nth != 0 && !has_file, "--nth needs a pattern file", ""},
        {shape->has_checkpoint_every && o->checkpoint == NULL,
         "--checkpoint-every needs --checkpoint FILE", ""},
        {shape->has_seed && o->many, "--seed conflicts with --seeds; remove one of them", ""},
        {shape->has_seed && !o->soup, "--seed needs --soup DENSITY", ""},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].is_wrong)
            return lc_cli_usage(o->command, checks[i].text, checks[i].detail);
    return LC_EXIT_OK;
}

// Refuses outputs that would overwrite each other or the input.
static int check_files(const lc_run_options *options)
{
    const struct {
        const char *option, *path;
    } files[] = {
        {"-o", options->output_format == LC_FORMAT_CHECKPOINT ? NULL : options->output},
        {"--checkpoint", options->checkpoint},
        {"--stats", options->stats},
        {"--record", options->record},
        {"--film", options->film.path},
        {"--disk", options->disk_exists ? NULL : options->disk},
    };
    for (size_t i = 1; i < sizeof files / sizeof *files; i++) {
        for (size_t j = 0; j < i; j++) {
            if (lc_cli_same_file(files[i].path, files[j].path)) {
                return lc_cli_usage(options->command,
                                    "%s and %s both write to %s; give different files",
                                    files[j].option, files[i].option, files[i].path);
            }
        }
        bool own = options->resume && files[i].path == options->checkpoint;
        const bool is_file = options->input != NULL && !lc_cli_is_built_in(options->input);
        if (!own && is_file && lc_cli_same_file(files[i].path, options->input)) {
            return lc_cli_usage(options->command, "%s would overwrite the pattern %s",
                                files[i].option, options->input);
        }
    }
    return LC_EXIT_OK;
}

// Finds out whether the run continues an existing board on disk. The board is the input file.
// Without an input file, the board is the file of --disk.
static void find_disk(lc_run_options *options)
{
    const bool begins = options->input != NULL || options->soup;
    if (options->input != NULL && options->disk == NULL && lc_disk_is_board(options->input)) {
        options->disk = options->input;
        options->disk_exists = true;
    } else if (options->disk != NULL && !begins && lc_disk_is_board(options->disk)) {
        options->input = options->disk;
        options->disk_exists = true;
    }
    if (options->previous && options->disk_exists) {
        const char *others = options->disk_settings;
        snprintf(options->disk_text, sizeof options->disk_text, "previous%s%s",
                 others != NULL ? "," : "", others != NULL ? others : "");
        options->disk_settings = options->disk_text;
    }
}

static int take_operand(const char *operand, void *to)
{
    lc_run_options *options = to;
    uint64_t number;
    if (options->input != NULL && lc_cli_parse_u64(operand, &number) == NULL)
        return lc_cli_usage(options->command,
                            "unexpected argument \"%s\"; to run %s generations use -g %s", operand,
                            operand, operand);
    if (options->input != NULL)
        return lc_cli_usage(options->command, "two patterns, \"%s\" and \"%s\"; give one",
                            options->input, operand);
    options->input = operand;
    return LC_EXIT_OK;
}

// Parses the arguments and stores the values.
static bool parse_arguments(lc_run_options *options, shape_options *shape, const char *engine,
                            int argc, char **argv, int *code)
{
    const bool is_view = strcmp(options->command, "view") == 0;
    const char *(*const take_engine)(const char *, void *) = engine != NULL ? refuse_engine : NULL;
    lc_cli_film_options *film = &options->film;
    lc_view_options *view = &options->view;
    const lc_cli_option shared[] = {
        {0, "at", "GENERATION", .given = &options->frame.has_generation,
         .count = &options->frame.generation},
        {0, "audit", "N", .positive = &options->audit_generations},
        {0, "checkpoint", "FILE", .text = &options->checkpoint},
        {0, "cpu", "LEVEL", .text = &options->cpu_level},
        {0, "devices", "all|N,N", .text = &options->devices, .take = take_engine},
        {0, "engine", "ENGINE", .text = &options->engine, .take = take_engine},
        {0, "frame", "N", .given = &options->frame.has_number, .number = &options->frame.number},
        {0, "max-memory", "SIZE", .bytes = &options->max_memory_bytes},
        {0, "nth", "N", .positive = &options->frame.nth},
        {'o', "output", "OUT", .text = &options->output},
        {0, "output-format", "FORMAT", .take = lc_cli_parse_format, .to = &options->output_format},
        {0, "previous", NULL, .given = &options->previous},
        {'q', "quiet", NULL, .given = &options->quiet},
        {'r', "rule", "RULE", .text = &shape->rule_text},
        {0, "seed", "S", .given = &shape->has_seed, .number = &options->seed},
        {'s', "size", "WxH", .given = &shape->has_size, .width_cells = &shape->width_cells,
         .height_cells = &shape->height_cells},
        {0, "soup", "DENSITY", .given = &options->soup, .take = lc_cli_parse_density,
         .to = &options->density},
        {0, "speed", "N|max", .take = take_speed, .to = &options->speed},
        {'t', "threads", "N", .take = take_threads, .to = &options->threads},
        {0, "topology", "TOPOLOGY", .text = &shape->topology_text},
        {0},
    };
    const lc_cli_option only_run[] = {
        {0, "area", "X,Y,WxH", .take = lc_cli_film_area, .to = film},
        {0, "checkpoint-every", "TIME|N", .given = &shape->has_checkpoint_every,
         .take = take_interval, .to = options},
        {0, "disk", "FILE|FOLDER", .take = take_disk, .to = &options->disk},
        {0, "disk-settings", "LIST", .text = &options->disk_settings},
        {0, "every", "N", .given = &shape->has_every, .take = take_every,
         .to = &options->every_generations},
        {0, "film", "FILE.png", .text = &film->path},
        {'g', "generations", "N", .given = &shape->has_generations, .count = &options->generations},
        {0, "json", NULL, .given = &options->json},
        {0, "no-progress", NULL, .named = &shape->progress},
        {0, "progress", NULL, .named = &shape->progress},
        {0, "rate", "N", .take = lc_cli_film_rate, .to = film},
        {0, "record", "FILE.lct", .text = &options->record},
        {0, "scale", "N|1:N", .take = lc_cli_film_scale, .to = film},
        {0, "seeds", "A..B", .given = &options->many, .take = lc_cli_parse_seeds, .to = options},
        {0, "stats", "FILE.csv", .text = &options->stats},
        {0, "theme", "THEME", .text = &film->theme},
        {0, "until", "N|CONDITION", .take = lc_cli_parse_until, .to = &options->until},
        {0, "watch", NULL, .given = &options->watch},
        {0},
    };
    // `view` refuses options that only `run` has if users may try them.
    static const char page_runs[] =
        "not available: the page runs the universe; --start runs it at once";
    const lc_cli_option only_view[] = {
        {0, "bind", "ADDRESS", .take = take_bind, .to = &view->bind},
        {0, "checkpoint-every", "TIME|N",
         .refused = "not available: a view writes its checkpoint when it ends; the page saves one "
                    "at any time"},
        {'g', "generations", "N", .refused = page_runs},
        {0, "no-open", NULL, .cleared = &view->opens},
        {0, "origin", "ORIGIN", .take = take_origin, .to = view},
        {0, "patterns", "FOLDER", .text = &view->patterns},
        {'p', "port", "N", .take = take_port, .to = view},
        {0, "qr", NULL, .given = &view->qr},
        {0, "start", NULL, .given = &view->starts},
        {0, "stats", "FILE.csv", .refused = "not available: 'lightcone run' writes statistics"},
        {0, "token", "TOKEN", .take = take_token, .to = &view->token},
        {0, "until", "N", .refused = page_runs},
        {0, "watch-token", "TOKEN", .take = take_token, .to = &view->watch_token},
        {0},
    };
    return lc_cli_parse(&(lc_cli_syntax){.command = options->command,
                                         .help = is_view ? lc_help_view : lc_help_run,
                                         .options = is_view ? only_view : only_run,
                                         .shared = shared,
                                         .take_operand = take_operand,
                                         .to = options},
                        argc, argv, code);
}

bool lc_run_options_parse(lc_run_options *options, const char *command, const char *engine,
                          int argc, char **argv, int *code)
{
    shape_options shape = {0};
    *options = (lc_run_options){.command = command,
                                .every_generations = lc_count_of(1),
                                .checkpoint_ns = 60000000000,
                                .view = {.port = 8080, .more_ports = 20, .opens = true}};
    if (!parse_arguments(options, &shape, engine, argc, argv, code))
        return false;
    find_disk(options);
    options->resume =
        options->disk_exists || (options->input != NULL && lc_cli_is_checkpoint(options->input));
    options->has_limit = shape.has_generations;
    if (shape.progress != NULL)
        options->progress =
            strcmp(shape.progress, "progress") == 0 ? LC_PROGRESS_ALWAYS : LC_PROGRESS_NEVER;
    *code = options->many ? lc_cli_soups_check(options) : LC_EXIT_OK;
    if (*code == LC_EXIT_OK)
        *code = check_together(options, &shape);
    if (*code == LC_EXIT_OK)
        *code = combine_shape(options, &shape);
    if (*code == LC_EXIT_OK && options->output != NULL)
        *code = lc_cli_choose_format(command, options->output, "--output-format",
                                     &options->output_format);
    if (*code == LC_EXIT_OK)
        *code = lc_cli_film_check(command, &options->film);
    if (*code == LC_EXIT_OK)
        *code = check_files(options);
    if (*code == LC_EXIT_OK && options->devices != NULL)
        *code = lc_cli_engine_on(command, options->devices, &options->engine, options->engine_text,
                                 sizeof options->engine_text);
    if (*code == LC_EXIT_OK)
        *code = check_names(options);
    if (engine != NULL)
        options->engine = engine;
    return *code == LC_EXIT_OK;
}
