// The options of `lightcone run` and `lightcone view`. `view` has the options of `run` that create
// and save a universe, and further options of its own.
#ifndef LC_CLI_RUN_OPTIONS_H
#define LC_CLI_RUN_OPTIONS_H

#include "film_options.h"
#include "lightcone/lightcone.h"
#include "progress.h"
#include "timeline_frame.h"
#include "until.h"

typedef struct lc_view_options {
    int port;
    int more_ports;          // how many higher ports to try if the user gave no port
    const char *bind;        // NULL: localhost only
    const char *token;       // NULL: not given
    const char *watch_token; // NULL: none
    const char *patterns;    // folder of the user's patterns; NULL: the default
    char origin[256];        // origin of a proxy, without a trailing slash; "": none
    bool qr;                 // always print the address as a QR code
    bool starts;             // start running at once
    bool opens;              // open a browser
} lc_view_options;

typedef struct lc_run_options {
    const char *command; // "run" or "view"
    const char *input;   // a path or "-"; NULL: a soup
    bool resume;         // the input is a checkpoint, or a board on disk
    const char *disk;    // path of a board on disk; NULL: the board is in memory
    bool disk_exists;    // continue with this board
    const char *disk_settings;
    bool previous;       // open the state saved before the newest one
    char disk_text[160]; // then disk_settings points here
    lc_cli_frame frame;  // selected pattern or frame of the input

    bool has_rule;
    const lc_rule *rule;
    bool has_topology; // false: the file decides
    lc_topology topology;

    bool soup;
    double density;
    uint64_t seed;
    int64_t soup_width_cells, soup_height_cells; // area of the soup

    // --soup with --seeds: one run for each of these seeds.
    bool many;
    uint64_t first_seed, last_seed;

    lc_cli_until until;
    bool has_limit;       // -g with a condition: `generations` is its limit
    lc_count generations; // number of steps; without -g 0

    const char *engine;  // NULL: auto
    const char *devices; // --devices as typed; becomes an engine setting
    char engine_text[LC_ENGINE_SETTINGS_BYTES + 64]; // then `engine` points here
    const char *cpu_level;                           // NULL: auto
    int threads;
    uint64_t max_memory_bytes;
    uint64_t audit_generations; // 0: no audits
    bool every_generation;      // see lc_universe_options

    const char *output;      // NULL: none; "-": stdout
    lc_format output_format; // LC_FORMAT_AUTO only without an output
    const char *checkpoint;
    uint64_t checkpoint_ns;          // interval; 0: no checkpoints by time
    uint64_t checkpoint_generations; // interval; 0: no checkpoints by generations
    const char *stats;
    const char *record;
    lc_cli_film_options film;
    lc_count every_generations; // interval of statistics, timeline and film

    bool watch;   // draw the run in the terminal
    double speed; // generations per second for `view` and --watch; 0: default

    lc_view_options view; // only for `view`

    bool json;
    bool quiet;
    lc_cli_progress_mode progress;
} lc_run_options;

// Parses the arguments of `command`, "run" or "view". If `engine` is NULL, the option --engine
// selects the engine. Otherwise the option --engine is refused. Returns false if the command must
// end with *code, after printing the help or an error.
bool lc_run_options_parse(lc_run_options *options, const char *command, const char *engine,
                          int argc, char **argv, int *code);

#endif
