// Parses the options of `lightcone run` and `lightcone view`, and refuses combinations that
// conflict.
#include "run_options.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "pattern_input.h"
#include "shape.h"
#include "soups.h"
#include "terminal_watch.h"

enum {
    OPTION_AREA = 1,
    OPTION_AT,
    OPTION_AUDIT,
    OPTION_CHECKPOINT,
    OPTION_CHECKPOINT_EVERY,
    OPTION_CPU,
    OPTION_DEVICES,
    OPTION_DISK,
    OPTION_DISK_SETTINGS,
    OPTION_ENGINE,
    OPTION_EVERY,
    OPTION_FILM,
    OPTION_FRAME,
    OPTION_GENERATIONS,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_MAX_MEMORY,
    OPTION_NO_PROGRESS,
    OPTION_NTH,
    OPTION_OUTPUT,
    OPTION_OUTPUT_FORMAT,
    OPTION_PREVIOUS,
    OPTION_PROGRESS,
    OPTION_QUIET,
    OPTION_RATE,
    OPTION_RECORD,
    OPTION_RULE,
    OPTION_SCALE,
    OPTION_SEED,
    OPTION_SEEDS,
    OPTION_SIZE,
    OPTION_SOUP,
    OPTION_STATS,
    OPTION_THEME,
    OPTION_THREADS,
    OPTION_TOPOLOGY,
    OPTION_UNTIL,
    OPTION_SPEED,
    OPTION_WATCH,
    // Only for `view`.
    OPTION_BIND,
    OPTION_NO_OPEN,
    OPTION_PATTERNS,
    OPTION_PORT,
    OPTION_START,
    OPTION_WATCH_TOKEN,
    OPTION_ORIGIN,
    OPTION_QR,
    OPTION_TOKEN,
};

static const lc_cli_option run_table[] = {
    {OPTION_AREA, 0, "area", "X,Y,WxH"},
    {OPTION_AT, 0, "at", "GENERATION"},
    {OPTION_AUDIT, 0, "audit", "N"},
    {OPTION_CHECKPOINT, 0, "checkpoint", "FILE"},
    {OPTION_CHECKPOINT_EVERY, 0, "checkpoint-every", "TIME|N"},
    {OPTION_CPU, 0, "cpu", "LEVEL"},
    {OPTION_DEVICES, 0, "devices", "all|N,N"},
    {OPTION_DISK, 0, "disk", "FILE|FOLDER"},
    {OPTION_DISK_SETTINGS, 0, "disk-settings", "LIST"},
    {OPTION_ENGINE, 0, "engine", "ENGINE"},
    {OPTION_EVERY, 0, "every", "N"},
    {OPTION_FILM, 0, "film", "FILE.png"},
    {OPTION_FRAME, 0, "frame", "N"},
    {OPTION_GENERATIONS, 'g', "generations", "N"},
    {OPTION_HELP, 'h', "help", NULL},
    {OPTION_JSON, 0, "json", NULL},
    {OPTION_MAX_MEMORY, 0, "max-memory", "SIZE"},
    {OPTION_NO_PROGRESS, 0, "no-progress", NULL},
    {OPTION_NTH, 0, "nth", "N"},
    {OPTION_OUTPUT, 'o', "output", "OUT"},
    {OPTION_OUTPUT_FORMAT, 0, "output-format", "FORMAT"},
    {OPTION_PREVIOUS, 0, "previous", NULL},
    {OPTION_PROGRESS, 0, "progress", NULL},
    {OPTION_QUIET, 'q', "quiet", NULL},
    {OPTION_RATE, 0, "rate", "N"},
    {OPTION_RECORD, 0, "record", "FILE.lct"},
    {OPTION_RULE, 'r', "rule", "RULE"},
    {OPTION_SCALE, 0, "scale", "N|1:N"},
    {OPTION_SEED, 0, "seed", "S"},
    {OPTION_SEEDS, 0, "seeds", "A..B"},
    {OPTION_SIZE, 's', "size", "WxH"},
    {OPTION_SOUP, 0, "soup", "DENSITY"},
    {OPTION_SPEED, 0, "speed", "N|max"},
    {OPTION_STATS, 0, "stats", "FILE.csv"},
    {OPTION_THEME, 0, "theme", "THEME"},
    {OPTION_THREADS, 't', "threads", "N"},
    {OPTION_TOPOLOGY, 0, "topology", "TOPOLOGY"},
    {OPTION_UNTIL, 0, "until", "N|CONDITION"},
    {OPTION_WATCH, 0, "watch", NULL},
    {0, 0, NULL, NULL},
};

static const lc_cli_option view_table[] = {
    {OPTION_AT, 0, "at", "GENERATION"},
    {OPTION_AUDIT, 0, "audit", "N"},
    {OPTION_BIND, 0, "bind", "ADDRESS"},
    {OPTION_CHECKPOINT, 0, "checkpoint", "FILE"},
    {OPTION_CHECKPOINT_EVERY, 0, "checkpoint-every", "TIME|N"},
    {OPTION_CPU, 0, "cpu", "LEVEL"},
    {OPTION_DEVICES, 0, "devices", "all|N,N"},
    {OPTION_ENGINE, 0, "engine", "ENGINE"},
    {OPTION_FRAME, 0, "frame", "N"},
    {OPTION_GENERATIONS, 'g', "generations", "N"}, // one of four options that `view` refuses
    {OPTION_HELP, 'h', "help", NULL},
    {OPTION_MAX_MEMORY, 0, "max-memory", "SIZE"},
    {OPTION_NO_OPEN, 0, "no-open", NULL},
    {OPTION_NTH, 0, "nth", "N"},
    {OPTION_ORIGIN, 0, "origin", "ORIGIN"},
    {OPTION_OUTPUT, 'o', "output", "OUT"},
    {OPTION_OUTPUT_FORMAT, 0, "output-format", "FORMAT"},
    {OPTION_PATTERNS, 0, "patterns", "FOLDER"},
    {OPTION_PORT, 'p', "port", "N"},
    {OPTION_PREVIOUS, 0, "previous", NULL},
    {OPTION_QR, 0, "qr", NULL},
    {OPTION_QUIET, 'q', "quiet", NULL},
    {OPTION_RULE, 'r', "rule", "RULE"},
    {OPTION_SEED, 0, "seed", "S"},
    {OPTION_SIZE, 's', "size", "WxH"},
    {OPTION_SOUP, 0, "soup", "DENSITY"},
    {OPTION_SPEED, 0, "speed", "N|max"},
    {OPTION_START, 0, "start", NULL},
    {OPTION_STATS, 0, "stats", "FILE.csv"},
    {OPTION_THREADS, 't', "threads", "N"},
    {OPTION_TOKEN, 0, "token", "TOKEN"},
    {OPTION_TOPOLOGY, 0, "topology", "TOPOLOGY"},
    {OPTION_UNTIL, 0, "until", "N"},
    {OPTION_WATCH_TOKEN, 0, "watch-token", "TOKEN"},
    {0, 0, NULL, NULL},
};

static const uint64_t fastest = 1000000000000; // generations a second

// The options that describe the universe's shape, as typed. The command combines these options
// after it has parsed all arguments.
typedef struct shape_options {
    const char *rule_text;
    const char *topology_text;
    bool has_size;
    int64_t width_cells, height_cells;
    bool has_generations, has_seed, has_every, has_checkpoint_every;
} shape_options;

// Parses a time such as "60s", or a number of generations such as "1000".
static const char *parse_interval(const char *text, uint64_t *ns, uint64_t *generations)
{
    uint64_t value;
    if (lc_cli_parse_duration(text, &value) == NULL) {
        *ns = value;
        *generations = 0;
        return NULL;
    }
    if (lc_cli_parse_u64(text, &value) != NULL)
        return "is not a time (60s, 5m, 1h) or a number of generations";
    if (value == 0)
        return "must be at least 1";
    *ns = 0;
    *generations = value;
    return NULL;
}

static const char *parse_threads(const char *text, int *threads)
{
    uint64_t value;
    const char *wrong = lc_cli_parse_u64(text, &value);
    if (wrong != NULL)
        return wrong;
    if (value > INT_MAX)
        return "is too large";
    *threads = (int)value;
    return NULL;
}

static const char *parse_port(const char *text, lc_view_options *view)
{
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
static const char *parse_origin(const char *text, lc_view_options *view)
{
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
static const char *parse_token(const char *text, const char **token)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strlen(text);
    if (length < 8 || length > 80 || text[strspn(text, letters)] != '\0')
        return "must be 8 to 80 letters, digits, - or _";
    *token = text;
    return NULL;
}

// Parses a number of generations per second.
static const char *parse_speed(const char *text, double *speed)
{
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
static const char *parse_every(const char *text, lc_count *value)
{
    const char *wrong = lc_cli_parse_count(text, value);
    return wrong == NULL && lc_count_log2(*value) < 0 ? "must be at least 1" : wrong;
}

// Stores the value of one option. Returns NULL, or a message that says why the value is invalid.
static const char *take_option(lc_run_options *options, shape_options *shape, int id,
                               const char *value)
{
    lc_machine machine;
    switch (id) {
    case OPTION_AREA:
        return lc_cli_film_area(value, &options->film);
    case OPTION_AT:
        options->frame.has_generation = true;
        return lc_cli_parse_count(value, &options->frame.generation);
    case OPTION_FRAME:
        options->frame.has_number = true;
        return lc_cli_parse_u64(value, &options->frame.number);
    case OPTION_NTH:
        return lc_cli_parse_positive(value, &options->frame.nth);
    case OPTION_FILM:
        options->film.path = value;
        return NULL;
    case OPTION_RATE:
        return lc_cli_film_rate(value, &options->film);
    case OPTION_SCALE:
        return lc_cli_film_scale(value, &options->film);
    case OPTION_THEME:
        options->film.theme = value;
        return NULL;
    case OPTION_RECORD:
        options->record = value;
        return NULL;
    case OPTION_AUDIT:
        return lc_cli_parse_positive(value, &options->audit_generations);
    case OPTION_CHECKPOINT:
        options->checkpoint = value;
        return NULL;
    case OPTION_CHECKPOINT_EVERY:
        shape->has_checkpoint_every = true;
        return parse_interval(value, &options->checkpoint_ns, &options->checkpoint_generations);
    case OPTION_CPU:
        options->cpu_level = value;
        return NULL;
    case OPTION_DEVICES:
        options->devices = value;
        return NULL;
    case OPTION_DISK:
        options->disk = value;
        return *value != '\0' ? NULL : "is not a path";
    case OPTION_DISK_SETTINGS:
        options->disk_settings = value;
        return NULL;
    case OPTION_ENGINE:
        options->engine = value;
        return NULL;
    case OPTION_EVERY:
        shape->has_every = true;
        return parse_every(value, &options->every_generations);
    case OPTION_GENERATIONS:
        shape->has_generations = true;
        return lc_cli_parse_count(value, &options->generations);
    case OPTION_UNTIL:
        return lc_cli_parse_until(value, &options->until);
    case OPTION_JSON:
        options->json = true;
        return NULL;
    case OPTION_MAX_MEMORY:
        lc_machine_get(&machine);
        return lc_cli_parse_memory(value, machine.memory_bytes, &options->max_memory_bytes);
    case OPTION_OUTPUT:
        options->output = value;
        return NULL;
    case OPTION_OUTPUT_FORMAT:
        return lc_cli_parse_format(value, &options->output_format);
    case OPTION_PREVIOUS:
        options->previous = true;
        return NULL;
    case OPTION_NO_PROGRESS:
        options->progress = LC_PROGRESS_NEVER;
        return NULL;
    case OPTION_PROGRESS:
        options->progress = LC_PROGRESS_ALWAYS;
        return NULL;
    case OPTION_QUIET:
        options->quiet = true;
        return NULL;
    case OPTION_RULE:
        shape->rule_text = value;
        return NULL;
    case OPTION_SEED:
        shape->has_seed = true;
        return lc_cli_parse_u64(value, &options->seed);
    case OPTION_SEEDS:
        options->many = true;
        return lc_cli_parse_seeds(value, &options->first_seed, &options->last_seed);
    case OPTION_SIZE:
        shape->has_size = true;
        return lc_cli_parse_size(value, &shape->width_cells, &shape->height_cells);
    case OPTION_SOUP:
        options->soup = true;
        return lc_cli_parse_density(value, &options->density);
    case OPTION_STATS:
        options->stats = value;
        return NULL;
    case OPTION_THREADS:
        return parse_threads(value, &options->threads);
    case OPTION_WATCH:
        options->watch = true;
        return NULL;
    case OPTION_BIND: // localhost is the only host name that is accepted
        options->view.bind = strcmp(value, "localhost") == 0 ? NULL : value;
        return *value != '\0' ? NULL : "is not an address of this machine";
    case OPTION_NO_OPEN:
        options->view.opens = false;
        return NULL;
    case OPTION_PATTERNS:
        options->view.patterns = value;
        return NULL;
    case OPTION_PORT:
        return parse_port(value, &options->view);
    case OPTION_START:
        options->view.starts = true;
        return NULL;
    case OPTION_SPEED:
        return parse_speed(value, &options->speed);
    case OPTION_TOKEN:
        return parse_token(value, &options->view.token);
    case OPTION_WATCH_TOKEN:
        return parse_token(value, &options->view.watch_token);
    case OPTION_ORIGIN:
        return parse_origin(value, &options->view);
    case OPTION_QR:
        options->view.qr = true;
        return NULL;
    default:
        shape->topology_text = value;
        return NULL;
    }
}

// Parses --rule. Sets *sized to true if the rule has a topology suffix, even if the suffix states
// no size.
static int parse_rule(lc_run_options *options, const char *text, bool *sized)
{
    lc_topology suffix;
    lc_message message = {0};
    const lc_status status = lc_rule_parse(text, &options->rule, &suffix, &message);
    if (status != LC_OK)
        return lc_cli_refuse_rule(options->command, text, status, &message);
    options->has_rule = true;
    if (strchr(text, ':') != NULL) {
        options->topology = suffix;
        options->has_topology = *sized = true;
    }
    return LC_EXIT_OK;
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
    bool sized = false;
    int code = LC_EXIT_OK;
    if (shape->rule_text != NULL)
        code = parse_rule(options, shape->rule_text, &sized);
    const bool suffix_stated = sized;
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

// Checks for missing options and for options that conflict.
static int check_together(const lc_run_options *options, const shape_options *shape)
{
    const bool is_view = strcmp(options->command, "view") == 0;
    if (options->disk_settings != NULL && options->disk == NULL)
        return lc_cli_usage(options->command, "--disk-settings needs --disk FILE");
    if (options->previous && !options->disk_exists)
        return lc_cli_usage(options->command, "--previous needs a board on disk that exists");
    if (strlen(options->disk_text) + 1 == sizeof options->disk_text)
        return lc_cli_usage(options->command, "--disk-settings is too long");
    if (options->input == NULL && !options->soup && options->disk != NULL)
        return lc_cli_usage(options->command,
                            "--disk %s: no such board; create it with a pattern or --soup",
                            options->disk);
    if (options->input == NULL && !options->soup && !is_view)
        return lc_cli_usage(options->command, "missing pattern; give a pattern or --soup DENSITY");
    if (options->input != NULL && options->soup)
        return lc_cli_usage(options->command,
                            "--soup conflicts with a pattern; remove one of them");
    if (options->resume &&
        (shape->rule_text != NULL || shape->topology_text != NULL || shape->has_size)) {
        return lc_cli_usage(options->command,
                            "%s has its own rule and topology; leave out --rule, --topology and "
                            "--size",
                            options->disk_exists ? "a board on disk" : "a checkpoint");
    }
    if (shape->has_generations && options->until.kind == LC_UNTIL_GENERATION)
        return lc_cli_usage(options->command, "-g conflicts with --until; remove one of them");
    if (!shape->has_generations && options->until.kind == LC_UNTIL_NONE && !options->many &&
        !is_view)
        return lc_cli_usage(options->command,
                            "missing number of generations; give -g N or --until N");
    if (lc_cli_until_is_condition(&options->until) && options->disk != NULL)
        return lc_cli_usage(options->command,
                            "--until %s needs a board in memory; remove --disk or give --until N",
                            options->until.text);
    if (options->json && options->output != NULL && strcmp(options->output, "-") == 0)
        return lc_cli_usage(options->command,
                            "--json and -o - both write to standard output; give -o a file");
    if (options->watch && options->json)
        return lc_cli_usage(options->command,
                            "--json and --watch both write to standard output; remove one of them");
    if (options->watch && options->output != NULL && strcmp(options->output, "-") == 0)
        return lc_cli_usage(options->command,
                            "-o - and --watch both write to standard output; give -o a file");
    if (options->watch && !lc_cli_watch_can_draw())
        return lc_cli_usage(options->command,
                            "--watch needs a terminal; standard output is not one");
    if (options->speed != 0 && !options->watch && !is_view)
        return lc_cli_usage(options->command, "--speed needs --watch");
    if (options->output == NULL && options->output_format != LC_FORMAT_AUTO)
        return lc_cli_usage(options->command, "--output-format needs -o OUT");
    if (options->checkpoint != NULL && strcmp(options->checkpoint, "-") == 0)
        return lc_cli_usage(options->command, "--checkpoint needs a file, not standard output");
    if (options->stats != NULL && strcmp(options->stats, "-") == 0)
        return lc_cli_usage(options->command,
                            "--stats needs a file, not standard output; /dev/stdout is a file");
    if (shape->has_every && options->stats == NULL && options->record == NULL &&
        options->film.path == NULL)
        return lc_cli_usage(options->command, "--every needs --stats FILE.csv, --record FILE.lct "
                                              "or --film FILE.png");
    if (options->record != NULL && strcmp(options->record, "-") == 0)
        return lc_cli_usage(options->command, "--record needs a file, not standard output");
    if (options->frame.has_number && options->frame.has_generation)
        return lc_cli_usage(options->command, "--frame conflicts with --at; remove one of them");
    if ((options->frame.has_number || options->frame.has_generation) &&
        (options->input == NULL || options->resume))
        return lc_cli_usage(options->command, "--frame and --at need a timeline");
    if (options->frame.nth != 0 && (options->input == NULL || options->resume))
        return lc_cli_usage(options->command, "--nth needs a pattern file");
    if (shape->has_checkpoint_every && options->checkpoint == NULL)
        return lc_cli_usage(options->command, "--checkpoint-every needs --checkpoint FILE");
    if (shape->has_seed && options->many)
        return lc_cli_usage(options->command, "--seed conflicts with --seeds; remove one of them");
    if (shape->has_seed && !options->soup)
        return lc_cli_usage(options->command, "--seed needs --soup DENSITY");
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

// Returns a hint if users may try the option with `view` although only `run` has it. Otherwise
// returns NULL.
static const char *view_hint(int id)
{
    switch (id) {
    case OPTION_GENERATIONS:
    case OPTION_UNTIL:
        return "not available: the page runs the universe; --start runs it at once";
    case OPTION_CHECKPOINT_EVERY:
        return "not available: a view writes its checkpoint when it ends; the page saves one at "
               "any time";
    case OPTION_STATS:
        return "not available: 'lightcone run' writes statistics";
    default:
        return NULL;
    }
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

static int parse(lc_run_options *options, const char *command, const lc_cli_option *table,
                 const char *engine, int argc, char **argv)
{
    lc_cli_args args;
    shape_options shape = {0};
    int id;
    *options = (lc_run_options){.command = command,
                                .every_generations = lc_count_of(1),
                                .checkpoint_ns = 60000000000,
                                .view = {.port = 8080, .more_ports = 20, .opens = true}};
    lc_cli_args_init(&args, command, table, argc, argv);
    while ((id = lc_cli_args_next(&args)) != LC_ARGS_END) {
        if (id == LC_ARGS_ERROR)
            return LC_EXIT_USAGE;
        if (id == OPTION_HELP) {
            options->help = true;
            return LC_EXIT_OK;
        }
        if (id == LC_ARGS_OPERAND) {
            uint64_t number;
            if (options->input != NULL && lc_cli_parse_u64(args.value, &number) == NULL) {
                return lc_cli_usage(command,
                                    "unexpected argument \"%s\"; to run %s generations use -g %s",
                                    args.value, args.value, args.value);
            }
            if (options->input != NULL) {
                return lc_cli_usage(command, "two patterns, \"%s\" and \"%s\"; give one",
                                    options->input, args.value);
            }
            options->input = args.value;
            continue;
        }
        if (table == view_table && view_hint(id) != NULL)
            return lc_cli_usage(command, "%s: %s", args.name, view_hint(id));
        const char *wrong = (id == OPTION_ENGINE || id == OPTION_DEVICES) && engine != NULL
                                ? "cannot be given: the design is the engine"
                                : take_option(options, &shape, id, args.value);
        if (wrong != NULL)
            return lc_cli_args_refuse(&args, wrong);
    }
    find_disk(options);
    options->resume =
        options->disk_exists || (options->input != NULL && lc_cli_is_checkpoint(options->input));
    options->has_limit = shape.has_generations;
    int code = options->many ? lc_cli_soups_check(options) : LC_EXIT_OK;
    if (code == LC_EXIT_OK)
        code = check_together(options, &shape);
    if (code == LC_EXIT_OK)
        code = combine_shape(options, &shape);
    if (code == LC_EXIT_OK && options->output != NULL) {
        code = lc_cli_choose_format(command, options->output, "--output-format",
                                    &options->output_format);
    }
    if (code == LC_EXIT_OK)
        code = lc_cli_film_check(command, &options->film);
    if (code == LC_EXIT_OK)
        code = check_files(options);
    if (code == LC_EXIT_OK && options->devices != NULL)
        code = lc_cli_engine_on(options->command, options->devices, &options->engine,
                                options->engine_text, sizeof options->engine_text);
    if (code == LC_EXIT_OK)
        code = check_names(options);
    if (engine != NULL)
        options->engine = engine;
    return code;
}

int lc_run_options_parse(lc_run_options *options, const char *engine, int argc, char **argv)
{
    return parse(options, "run", run_table, engine, argc, argv);
}

int lc_view_options_parse(lc_run_options *options, int argc, char **argv)
{
    return parse(options, "view", view_table, NULL, argc, argv);
}
