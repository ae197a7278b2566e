// What `lightcone run` was asked to do; and `lightcone view`, which takes what says how to make a
// universe and where to keep it, and has options of its own.
#ifndef LC_CLI_RUN_OPTIONS_H
#define LC_CLI_RUN_OPTIONS_H

#include "film.h"
#include "lightcone/lightcone.h"
#include "progress.h"
#include "timeline.h"

typedef struct lc_view_options {
    int port;
    int more_ports;          // so many after it will do if it was not stated
    const char *bind;        // NULL: this machine only
    const char *token;       // NULL: none was stated
    const char *watch_token; // NULL: none
    const char *patterns;    // a folder; NULL: the usual one
    char origin[256];        // of a proxy, without a slash at its end; "": none
    bool qr;                 // prints the address as a QR code, where it would not do so by itself
    bool starts;             // runs from the beginning
    bool opens;              // shows itself in a browser
} lc_view_options;

typedef struct lc_run_options {
    const char *command; // "run" or "view"
    const char *input;   // a path, "-", or NULL for a soup
    bool resume;         // the input is a checkpoint, or a board on disk
    const char *disk;    // the board on disk that the run is about; NULL: it is in memory
    bool disk_exists;    // it is gone on with
    const char *disk_settings;
    bool previous;       // as it was kept before the newest state: among the settings, which
    char disk_text[160]; // are here then
    lc_cli_frame frame;  // of the input, if it is a timeline

    bool has_rule;
    lc_rule rule;
    bool has_topology; // else the file's
    lc_topology topology;

    bool soup;
    double density;
    uint64_t seed;
    int64_t soup_width_cells, soup_height_cells; // its area

    bool until; // `generations` is the generation to reach, not how many to do
    lc_count generations;

    const char *engine;  // NULL: auto
    const char *devices; // as typed; they are among the engine's settings
    char engine_text[LC_ENGINE_SETTINGS_BYTES + 64]; // which are here then
    const char *cpu_level;                           // NULL: auto
    int threads;
    uint64_t max_memory_bytes;
    uint64_t audit_generations; // 0: no audits
    bool every_generation;      // as in lc_universe_options

    const char *output;      // NULL: none; "-": stdout
    lc_format output_format; // AUTO only if there is no output
    const char *checkpoint;
    uint64_t checkpoint_ns;          // 0: not by time
    uint64_t checkpoint_generations; // 0: not by generations
    const char *stats;
    const char *record;
    lc_cli_film_options film;
    lc_count every_generations; // a row of statistics, a frame, a picture of the film

    bool watch;   // the run is shown in the terminal
    double speed; // generations a second, of `view` and of --watch; 0: the usual one

    lc_view_options view; // of `view` only

    bool json;
    bool quiet;
    bool help; // help was asked for and printed; nothing else is filled
    lc_cli_progress_mode progress;
} lc_run_options;

// `engine` is the one that is to be used; NULL: it is an option. LC_EXIT_OK, or LC_EXIT_USAGE when
// what is wrong has been said on stderr.
int lc_view_options_parse(lc_run_options *options, int argc, char **argv);
int lc_run_options_parse(lc_run_options *options, const char *engine, int argc, char **argv);

#endif
