// `lightcone run`: steps a pattern, a soup or a checkpoint by N generations.
//
// The command divides the run into pieces. A piece of the run ends at a generation for which a row
// of statistics or a checkpoint is due. While a piece runs, the library calls the command back
// between passes. The callback updates the progress line, writes checkpoints that are due by time,
// and stops the run on request. The universe is complete at some generation even if the run ends
// early. So the command always writes statistics, checkpoint, output and result.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "forecast.h"
#include "formats.h"
#include "json.h"
#include "message.h"
#include "multiple.h"
#include "number.h"
#include "progress.h"
#include "run_options.h"
#include "shared_context.h"
#include "signals.h"
#include "soups.h"
#include "start.h"
#include "stats.h"
#include "terminal_watch.h"

enum { WATCH_NS = 250000000 }; // interval at which a pass checks for a signal

typedef struct run_state {
    const lc_run_options *options;
    lc_universe *universe;
    lc_cli_progress progress;
    lc_cli_watch watch;
    lc_cli_forecast forecast;
    lc_stats *stats;
    lc_recorder *recorder;  // NULL: not recording
    lc_count last_recorded; // generation of the last frame
    lc_film *film;          // NULL: no film is open
    lc_film_options shown;  // the film's view
    lc_count last_filmed;   // generation of the film's last picture
    uint64_t pictures;      // number of pictures in the completed film; 0: no film
    lc_count start;         // first generation of the run
    lc_count target;        // last generation of the run
    lc_cli_found found;     // how a condition of --until ends the run
    uint64_t stepping_ns;
    uint64_t paused_ns; // time in callbacks, included in stepping_ns
    uint64_t checkpoint_due_ns;
    bool checkpointed;              // a checkpoint was written
    lc_count checkpoint_generation; // its generation
    bool unread;                    // the reader has closed the pipe on standard output
    bool failed;                    // an error was printed, and the run continued
    const char *stopped;            // why the run ended early; NULL: no early end
    int signal;
} run_state;

// ---- the universe to start from ----------------------------------------------------------------

static int find_target(run_state *run)
{
    char now[LC_CLI_NUMBER_BYTES];
    char end[LC_CLI_NUMBER_BYTES];
    const lc_run_options *options = run->options;
    lc_count generations = options->generations;
    run->start = lc_universe_generation(run->universe);
    if (lc_cli_until_is_condition(&options->until)) {
        const int code = lc_cli_until_find(options, &run->universe, &run->found);
        if (code != LC_EXIT_OK)
            return code;
        generations = run->found.generations;
    }
    if (options->until.kind == LC_UNTIL_GENERATION) {
        run->target = options->until.number;
        if (lc_count_compare(run->target, run->start) < 0) {
            lc_cli_error("--until %s: the universe is already at generation %s",
                         lc_cli_format_count(run->target, end),
                         lc_cli_format_count(run->start, now));
            return LC_EXIT_FAILURE;
        }
    } else if (!lc_count_add(run->start, generations, &run->target)) {
        lc_cli_error("%s generations after generation %s exceed 2^256-1",
                     lc_cli_format_count(generations, end), lc_cli_format_count(run->start, now));
        return LC_EXIT_FAILURE;
    }
    return LC_EXIT_OK;
}

// ---- stepping ----------------------------------------------------------------------------------

static bool is_checkpointed(const run_state *run, lc_count generation)
{
    return run->checkpointed && lc_count_compare(run->checkpoint_generation, generation) == 0;
}

static void write_checkpoint(run_state *run, const lc_universe *universe)
{
    lc_message message = {0};
    const char *path = run->options->checkpoint;
    const lc_count generation = lc_universe_generation(universe);
    if (is_checkpointed(run, generation))
        return;
    lc_status status = lc_universe_checkpoint(universe, path, &message);
    if (status != LC_OK) {
        // A failed checkpoint does not stop the run, because the run is worth more than a
        // checkpoint. The exit code reports the error at the end.
        lc_cli_report(path, status, &message);
        run->failed = true;
        return;
    }
    run->checkpointed = true;
    run->checkpoint_generation = generation;
}

static void add_stats(run_state *run)
{
    lc_message message = {0};
    if (run->stats == NULL)
        return;
    lc_status status = lc_stats_add(run->stats, run->universe, &message);
    if (status != LC_OK) {
        lc_cli_report(run->options->stats, status, &message);
        run->failed = true;
        lc_stats_close(&run->stats, &message);
    }
}

// Records a frame. An error ends the recording but not the run. Earlier frames remain valid.
static void add_frame(run_state *run)
{
    lc_message message = {0};
    const lc_count generation = lc_universe_generation(run->universe);
    if (run->recorder == NULL || (lc_recorder_frames(run->recorder) > 0 &&
                                  lc_count_compare(generation, run->last_recorded) <= 0))
        return;
    lc_status status = lc_recorder_add(run->recorder, run->universe, &message);
    run->last_recorded = generation;
    if (status != LC_OK) {
        lc_cli_report(run->options->record, status, &message);
        run->failed = true;
        lc_recorder_close(&run->recorder, NULL);
    }
}

// Completes the film's file.
static void close_film(run_state *run)
{
    lc_message message = {0};
    const uint64_t pictures = run->film != NULL ? lc_film_pictures(run->film) : 0;
    const lc_status status = lc_film_close(&run->film, &message);
    if (status != LC_OK) {
        lc_cli_report(run->options->film.path, status, &message);
        run->failed = true;
    } else if (pictures > 0) {
        run->pictures = pictures;
    }
}

// Adds a picture to the film. An error ends the film but not the run.
static void add_picture(run_state *run)
{
    lc_message message = {0}, again;
    const lc_count generation = lc_universe_generation(run->universe);
    if (run->film == NULL ||
        (lc_film_pictures(run->film) > 0 && lc_count_compare(generation, run->last_filmed) <= 0))
        return;
    const lc_status status = lc_film_add(run->film, run->universe, &message);
    run->last_filmed = generation;
    if (status == LC_OK)
        return;
    lc_cli_report(run->options->film.path, status, &message);
    run->failed = true;
    run->pictures = lc_film_pictures(run->film);
    if (lc_film_close(&run->film, &again) != LC_OK)
        run->pictures = 0; // the film could not be completed
}

// Reports an error that occurred while drawing in the terminal. The error ends the drawing but not
// the run.
static void check_watch(run_state *run, lc_status status, const lc_message *message)
{
    if (status == LC_OK)
        return;
    run->watch.is_on = false;
    lc_cli_report(NULL, status, message);
    run->failed = true;
}

// Updates the drawing. Returns true if the call drew the universe, which takes time.
static bool update_watch(run_state *run, const lc_universe *universe)
{
    lc_message message = {0};
    const uint64_t drawn_ns = run->watch.drawn_ns;
    check_watch(run, lc_cli_watch_update(&run->watch, universe, &message), &message);
    return run->watch.drawn_ns != drawn_ns;
}

static void end_watch(run_state *run)
{
    lc_message message = {0};
    if (lc_universe_failure(run->universe, NULL) == LC_OK)
        check_watch(run, lc_cli_watch_end(&run->watch, run->universe, &message), &message);
}

static lc_status begin_recording(run_state *run, lc_message *message)
{
    const lc_run_options *options = run->options;
    const lc_recorder_options recording = {
        .struct_bytes = sizeof recording,
        .every = options->every_generations,
        .max_memory_bytes = lc_record_bytes(options),
        .threads = options->threads,
    };
    // If the rule makes the background alive, the next frame cannot be written, and this check
    // reports the error before the run begins.
    lc_status status = lc_universe_check_save(run->universe, options->every_generations,
                                              options->record, LC_FORMAT_MACROCELL, message);
    if (status == LC_OK)
        status =
            lc_recorder_create(&run->recorder, options->record, run->universe, &recording, message);
    return status;
}

static bool between_passes(void *context, const lc_universe *universe, lc_count done,
                           lc_count total)
{
    run_state *run = context;
    (void)done; // `done` counts one piece of the run; the progress line counts the whole run
    (void)total;
    uint64_t now_ns = lc_cli_now_ns();
    const lc_count generation = lc_universe_generation(universe);
    bool paused =
        !run->options->quiet &&
        lc_cli_forecast_say(&run->forecast, universe, lc_count_distance(generation, run->target));
    paused = lc_cli_progress_update(&run->progress, universe,
                                    lc_count_distance(run->start, generation), now_ns) ||
             paused;
    paused = update_watch(run, universe) || paused;
    if (run->options->checkpoint != NULL && run->options->checkpoint_ns > 0 &&
        now_ns >= run->checkpoint_due_ns) {
        write_checkpoint(run, universe);
        run->checkpoint_due_ns = lc_cli_now_ns() + run->options->checkpoint_ns;
        paused = true;
    }
    if (paused)
        run->paused_ns += lc_cli_now_ns() - now_ns;
    return lc_signals_received() != 0;
}

static bool is_to_stop(void *context, const lc_universe *universe)
{
    run_state *run = context;
    lc_cli_progress_within(&run->progress, universe, lc_cli_now_ns());
    return lc_signals_received() != 0;
}

// Whether the live cells have reached the limit of the coordinates. If the function returns false,
// LC_ERROR_LIMIT means the memory limit.
static bool at_the_end(const lc_universe *universe)
{
    const int64_t reach = LC_UNIVERSE_REACH;
    lc_facts facts;
    if (lc_universe_facts(universe, LC_FACT_BOX, &facts, NULL) != LC_OK)
        return false;
    const lc_box box = facts.box;
    const lc_wide_box wide = facts.wide_box;
    const lc_count far[] = {wide.x.distance, wide.y.distance, wide.width_cells, wide.height_cells};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        if (lc_count_log2(far[i]) >= LC_WIDE_REACH_LOG2 - 2)
            return true;
    return box.x == -reach || box.y == -reach || box.x + box.width_cells - 1 == reach ||
           box.y + box.height_cells - 1 == reach;
}

static void step_to_target(run_state *run)
{
    const lc_run_options *options = run->options;
    lc_message message = {0};
    lc_count generation = run->start;
    bool checkpoints = options->checkpoint != NULL && options->checkpoint_generations > 0;
    const lc_count checkpoint_generations = lc_count_of(options->checkpoint_generations);
    lc_status status = LC_OK;
    while (lc_count_compare(generation, run->target) < 0 && status == LC_OK) {
        run->signal = lc_signals_received();
        if (run->signal != 0)
            break;
        lc_count next = run->target;
        if (run->stats != NULL || run->recorder != NULL || run->film != NULL)
            next = lc_cli_next_multiple(generation, options->every_generations, next);
        if (checkpoints)
            next = lc_cli_next_multiple(generation, checkpoint_generations, next);
        next = lc_cli_watch_wait(&run->watch, generation, next);
        uint64_t begin_ns = lc_cli_now_ns();
        status = lc_universe_step(run->universe, lc_count_distance(generation, next),
                                  between_passes, run, &message);
        run->stepping_ns += lc_cli_now_ns() - begin_ns;
        generation = lc_universe_generation(run->universe);
        if (status == LC_OK && lc_cli_is_multiple(generation, options->every_generations)) {
            add_stats(run);
            add_frame(run);
            add_picture(run);
        }
        if (status == LC_OK && checkpoints &&
            lc_cli_is_multiple(generation, checkpoint_generations))
            write_checkpoint(run, run->universe);
    }
    lc_cli_progress_end(&run->progress);
    end_watch(run);
    if (status == LC_ERROR_STOPPED) {
        run->signal = lc_signals_received();
    } else if (status != LC_OK) {
        char number[LC_CLI_NUMBER_BYTES];
        run->failed = true;
        run->stopped = status != LC_ERROR_LIMIT    ? lc_status_text(status)
                       : at_the_end(run->universe) ? "end of the coordinates"
                                                   : "memory limit";
        lc_cli_error("stopped at generation %s: %s%s", lc_cli_format_count(generation, number),
                     message.text[0] != '\0' ? message.text : lc_status_text(status),
                     lc_cli_limit_option(&message));
    }
    if (lc_count_compare(generation, run->target) == 0)
        run->signal = 0; // the run was complete before the signal stopped it
    if (run->signal != 0)
        run->stopped = lc_signals_name(run->signal);
}

// ---- the result --------------------------------------------------------------------------------

// The result of a run, printed as text or JSON.
typedef struct run_result {
    lc_facts facts;
    lc_count generation, generations, skipped;
    double seconds;
    double generations_per_second; // without skipped generations; 0: no generation was stepped
    double cells_per_second;       // 0: unbounded universe, or no generation was stepped
} run_result;

static lc_status measure(const run_state *run, run_result *out, lc_message *message)
{
    const lc_universe *universe = run->universe;
    const lc_topology *topology = lc_universe_topology(universe);
    const lc_count generation = lc_universe_generation(universe);
    *out = (run_result){
        .generation = generation,
        .generations = lc_count_distance(run->start, generation),
        .skipped = lc_universe_info_of(universe).skipped_generations,
        .seconds = (double)(run->stepping_ns - run->paused_ns) * 1e-9,
    };
    if (out->seconds > 0) {
        const double made = lc_count_to_double(lc_count_distance(out->skipped, out->generations));
        out->generations_per_second = made / out->seconds;
        out->cells_per_second = out->generations_per_second * (double)topology->width_cells *
                                (double)topology->height_cells;
    }
    return lc_universe_facts(universe, LC_FACT_ALL, &out->facts, message);
}

// Returns the reason why "auto" chose the engine, or NULL if the user chose the engine.
static const char *reason_of(const run_state *run)
{
    const lc_universe_info info = lc_universe_info_of(run->universe);
    const bool is_free = run->options->engine == NULL || strcmp(run->options->engine, "auto") == 0;
    if (*info.engine_reason != '\0')
        return info.engine_reason;
    return is_free && strcmp(info.engine, "hashlife") == 0
               ? "macrocell files are made of its squares"
               : NULL;
}

// Whether the run has come to the generation that meets the condition of --until.
static bool is_reached(const run_state *run)
{
    return run->found.reached && run->stopped == NULL;
}

static void print_disk_for_machines(lc_json *json, const lc_universe *universe)
{
    lc_disk_facts disk;
    if (!lc_disk_get_facts(universe, &disk)) {
        lc_json_null(json, "disk");
        return;
    }
    lc_json_open_object(json, "disk");
    lc_json_string(json, "file", disk.path);
    lc_json_string(json, "way", disk.way);
    lc_json_u64(json, "file_bytes", disk.file_bytes);
    lc_json_i64(json, "window_rows", disk.window_rows);
    lc_json_i64(json, "depth", disk.depth);
    lc_json_u64(json, "passes", disk.passes);
    lc_json_u64(json, "read_bytes", disk.read_bytes);
    lc_json_u64(json, "written_bytes", disk.written_bytes);
    lc_json_double(json, "moving_seconds", (double)disk.moving_ns * 1e-9);
    lc_json_string(json, "note", *disk.note != '\0' ? disk.note : NULL);
    lc_json_close_object(json);
}

// Prints how a condition of --until ended the run.
static void print_until_for_machines(lc_json *json, const run_state *run)
{
    const lc_cli_until *until = &run->options->until;
    const lc_cli_found *found = &run->found;
    if (!lc_cli_until_is_condition(until)) {
        lc_json_null(json, "until");
        return;
    }
    lc_json_open_object(json, "until");
    lc_json_string(json, "condition", until->text);
    lc_json_bool(json, "reached", is_reached(run));
    lc_json_string(json, "reason", found->reason);
    if (found->is_identified) {
        lc_json_string(json, "kind", lc_identity_kind_name(found->facts.kind));
        lc_json_u64(json, "settles", found->facts.settles);
        lc_json_u64(json, "period", found->facts.period);
        lc_json_i64(json, "dx", found->facts.dx);
        lc_json_i64(json, "dy", found->facts.dy);
    }
    lc_json_close_object(json);
}

static void print_for_machines(const run_state *run, const run_result *result, bool saved)
{
    const lc_run_options *options = run->options;
    const lc_universe *universe = run->universe;
    lc_json json = {.file = stdout};
    lc_json_open_object(&json, NULL);
    lc_json_string(&json, "program", "lightcone");
    lc_json_string(&json, "version", lc_version());
    lc_json_string(&json, "input", options->input);
    if (options->soup) {
        lc_json_open_object(&json, "soup");
        lc_json_double(&json, "density", options->density);
        lc_json_u64(&json, "seed", options->seed);
        lc_json_close_object(&json);
    } else {
        lc_json_null(&json, "soup");
    }
    lc_json_count(&json, "generation", result->generation);
    lc_json_count(&json, "generations", result->generations);
    lc_json_count(&json, "skipped_generations", result->skipped);
    lc_json_count(&json, "population", result->facts.population);
    lc_json_bool(&json, "background", lc_universe_background(universe));
    lc_json_box(&json, "bounding_box", &result->facts.wide_box);
    lc_json_rule(&json, "rule", lc_universe_rule(universe));
    lc_json_topology(&json, "topology", lc_universe_topology(universe));
    const lc_universe_info info = lc_universe_info_of(universe);
    lc_json_string(&json, "engine", info.engine);
    lc_json_string(&json, "engine_reason", reason_of(run));
    lc_json_string(&json, "cpu_level", info.cpu_level);
    lc_json_string(&json, "plan", info.plan);
    lc_json_i64(&json, "threads", info.threads);
    lc_json_double(&json, "elapsed_seconds", result->seconds);
    lc_json_positive(&json, "cells_per_second", result->cells_per_second);
    lc_json_positive(&json, "generations_per_second", result->generations_per_second);
    lc_json_hash(&json, "hash", result->facts.hash);
    print_disk_for_machines(&json, universe);
    lc_json_string(&json, "output", saved ? options->output : NULL);
    lc_json_string(&json, "stopped", run->stopped);
    print_until_for_machines(&json, run);
    lc_json_close_object(&json);
}

// Prints how a board on disk was stepped, and the disk's throughput.
static void print_disk(FILE *file, const lc_universe *universe)
{
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    lc_disk_facts disk;
    if (!lc_disk_get_facts(universe, &disk))
        return;
    fputs("disk          ", file);
    lc_cli_print_text(file, disk.path);
    fprintf(file, " (%s)\n", disk.way);
    fprintf(file, "passes        %s, ", lc_cli_format_u64(disk.passes, a));
    if (disk.depth != 0)
        fprintf(file, "in windows of %s rows with halos of %s\n",
                lc_cli_format_u64((uint64_t)disk.window_rows, a),
                lc_cli_format_u64((uint64_t)disk.depth, b));
    else
        fprintf(file, "with all rows in memory\n");
    if (disk.moving_ns > 0)
        fprintf(file, "moved         %.2f GB in, %.2f GB out, %.2f GB/s\n",
                (double)disk.read_bytes * 1e-9, (double)disk.written_bytes * 1e-9,
                (double)(disk.read_bytes + disk.written_bytes) / (double)disk.moving_ns);
}

static void print_for_people(FILE *file, const run_state *run, const run_result *result, bool saved)
{
    const lc_universe *universe = run->universe;
    char a[LC_CLI_NUMBER_BYTES];
    char b[LC_CLI_NUMBER_BYTES];
    char rule[LC_RULE_TEXT_BYTES];
    char topology[LC_RULE_TEXT_BYTES];
    lc_rule_format(lc_universe_rule(universe), NULL, rule);
    lc_topology_format(lc_universe_topology(universe), topology);
    fprintf(file, "generation    %s (%s stepped%s%s)\n", lc_cli_format_count(result->generation, a),
            lc_cli_format_count(result->generations, b),
            run->stopped != NULL ? ", stopped by " : "", run->stopped != NULL ? run->stopped : "");
    if (lc_cli_until_is_condition(&run->options->until) && run->stopped == NULL)
        fprintf(file, "until         %s: %s\n", run->options->until.text, run->found.reason);
    if (lc_count_compare(result->skipped, lc_count_of(0)) != 0)
        fprintf(file, "skipped       %s of them, since the cells repeat themselves\n",
                lc_cli_format_count(result->skipped, a));
    fprintf(file, "population    %s%s\n", lc_cli_format_count(result->facts.population, a),
            lc_universe_background(universe) ? " dead cells in a live background" : "");
    lc_cli_print_box(file, "bounding box  ", &result->facts.wide_box);
    fprintf(file, "rule          %s, %s\n", rule, topology);
    fprintf(file, "time          %s\n", lc_cli_format_seconds(result->seconds, a));
    if (result->generations_per_second > 0) {
        fprintf(file, "speed         %s gen/s",
                lc_cli_format_rate(result->generations_per_second, a));
        if (result->cells_per_second > 0)
            fprintf(file, ", %s cells/s", lc_cli_format_rate(result->cells_per_second, a));
        fputc('\n', file);
    }
    const lc_universe_info info = lc_universe_info_of(universe);
    lc_engine_info engine;
    fprintf(file, "engine        %s%s%s", info.engine, *info.cpu_level != '\0' ? ", " : "",
            info.cpu_level);
    if (lc_engine_named(lc_cli_context(), info.engine, &engine) && engine.on_gpu)
        fputc('\n', file);
    else
        fprintf(file, ", %d thread%s\n", info.threads, info.threads == 1 ? "" : "s");
    if (reason_of(run) != NULL)
        fprintf(file, "chosen        %s\n", reason_of(run));
    if (*info.plan != '\0')
        fprintf(file, "settings      %s\n", info.plan);
    print_disk(file, universe);
    if (run->pictures != 0) {
        fputs("film          ", file);
        lc_cli_film_print(file, run->options->film.path, run->pictures, &run->shown);
    }
    if (saved) {
        fputs("output        ", file);
        lc_cli_print_text(file, strcmp(run->options->output, "-") == 0 ? "standard output"
                                                                       : run->options->output);
        fputc('\n', file);
    }
}

// ---- the command -------------------------------------------------------------------------------

// Saves a checkpoint after an output could not be saved, because the run may have taken hours. A
// checkpoint can store every universe. If the output was too large, a checkpoint may be small
// enough.
static void rescue(const run_state *run)
{
    const lc_run_options *options = run->options;
    lc_message message = {0};
    char path[PATH_MAX];
    char number[LC_CLI_NUMBER_BYTES];
    const lc_count generation = lc_universe_generation(run->universe);
    const char *kept = NULL;
    if (is_checkpointed(run, generation)) {
        kept = options->checkpoint;
    } else if (lc_count_compare(generation, run->start) > 0 &&
               lc_cli_name_rescue(options->output, path)) {
        lc_status status = lc_universe_checkpoint(run->universe, path, &message);
        if (status != LC_OK) {
            lc_cli_report(path, status, &message);
            return;
        }
        kept = path;
    }
    if (kept != NULL) {
        lc_cli_error("generation %s was saved in the checkpoint %s",
                     lc_cli_format_count(generation, number), kept);
    }
}

// Writes statistics, checkpoint and output of the last generation. Returns whether the output was
// saved.
static bool close_run(run_state *run)
{
    const lc_run_options *options = run->options;
    lc_message message = {0};
    add_stats(run);
    add_frame(run);
    add_picture(run);
    close_film(run);
    if (run->recorder != NULL && lc_recorder_close(&run->recorder, &message) != LC_OK) {
        lc_cli_report(options->record, LC_ERROR_IO, &message);
        run->failed = true;
    }
    if (run->stats != NULL && lc_stats_close(&run->stats, &message) != LC_OK) {
        lc_cli_report(options->stats, LC_ERROR_IO, &message);
        run->failed = true;
    }
    if (options->checkpoint != NULL)
        write_checkpoint(run, run->universe);
    if (options->output == NULL)
        return false;
    lc_status status =
        lc_universe_save(run->universe, options->output, options->output_format, &message);
    if (status != LC_OK) {
        run->unread = lc_cli_report_output(options->output, status, &message) == LC_EXIT_UNREAD;
        if (!run->unread) {
            run->failed = true;
            rescue(run);
        }
        return false;
    }
    return true;
}

// Ends a run whose universe is unusable. Writes nothing, so existing files stay as they are.
static int give_up(const run_state *run)
{
    char number[LC_CLI_NUMBER_BYTES];
    if (run->checkpointed) {
        lc_cli_error("%s holds generation %s and is complete", run->options->checkpoint,
                     lc_cli_format_count(run->checkpoint_generation, number));
    }
    return LC_EXIT_FAILURE;
}

static int evolve(run_state *run)
{
    const lc_run_options *options = run->options;
    lc_message message = {0};
    int code = lc_start_report(options, &run->universe, NULL);
    if (code == LC_EXIT_OK)
        code = find_target(run);
    if (code != LC_EXIT_OK)
        return code;
    const lc_universe_info info = lc_universe_info_of(run->universe);
    if (*info.engine_note != '\0')
        lc_cli_error("%s", info.engine_note);
    if (lc_cli_until_is_condition(&options->until) && !run->found.reached)
        lc_cli_error("--until %s: %s", options->until.text, run->found.reason);
    const lc_count total = lc_count_distance(run->start, run->target);
    if (options->output != NULL) {
        lc_status status = lc_universe_check_save(run->universe, total, options->output,
                                                  options->output_format, &message);
        if (status != LC_OK)
            return lc_cli_report(lc_cli_output_name(options->output), status, &message);
    }
    // Until this point there was nothing to save, so a signal simply ended the program.
    lc_signals_catch();
    lc_universe_set_watch(run->universe, is_to_stop, run, WATCH_NS);
    if (options->film.path != NULL) {
        code = lc_cli_film_view(options, run->universe, run->target, &run->shown);
        if (code == LC_EXIT_OK)
            code = lc_cli_film_begin(&run->film, options, &run->shown);
        if (code != LC_EXIT_OK)
            return code;
    }
    if (options->stats != NULL) {
        lc_status status =
            lc_stats_open(&run->stats, options->stats, options->resume, run->start, &message);
        if (status != LC_OK)
            return lc_cli_report(options->stats, status, &message);
    }
    if (options->record != NULL) {
        lc_status status = begin_recording(run, &message);
        if (status != LC_OK)
            return lc_cli_report(options->record, status, &message);
    }
    add_stats(run);
    add_frame(run);
    add_picture(run);
    // With --watch the progress line is not needed, because the line below the drawing shows the
    // generation.
    const bool has_progress = !options->quiet && !options->watch;
    lc_cli_progress_begin(&run->progress, has_progress ? options->progress : LC_PROGRESS_NEVER,
                          run->universe, total);
    run->checkpoint_due_ns = lc_cli_now_ns() + options->checkpoint_ns;
    if (!options->quiet)
        lc_cli_forecast_say(&run->forecast, run->universe, total);
    if (options->watch)
        check_watch(
            run,
            lc_cli_watch_begin(&run->watch, run->universe, run->target, options->speed, &message),
            &message);
    step_to_target(run);
    if (run->failed && lc_universe_failure(run->universe, &message) != LC_OK)
        return give_up(run); // the error was already printed
    bool saved = close_run(run);
    if (options->json || !options->quiet) {
        run_result result;
        lc_status status = measure(run, &result, &message);
        if (status != LC_OK) {
            lc_cli_report(NULL, status, &message);
            return give_up(run);
        }
        bool stdout_taken = options->output != NULL && strcmp(options->output, "-") == 0;
        if (options->json)
            print_for_machines(run, &result, saved);
        else
            print_for_people(stdout_taken ? stderr : stdout, run, &result, saved);
    }
    if (run->failed)
        return LC_EXIT_FAILURE;
    if (run->unread)
        return LC_EXIT_UNREAD;
    if (run->signal != 0)
        return LC_EXIT_SIGNAL + run->signal;
    return lc_cli_until_is_condition(&options->until) && !is_reached(run) ? LC_EXIT_FAILURE
                                                                          : LC_EXIT_OK;
}

int lc_cli_run(int argc, char **argv)
{
    return lc_cli_run_by(NULL, argc, argv);
}

int lc_cli_run_by(const char *engine, int argc, char **argv)
{
    lc_run_options options;
    int code;
    if (!lc_run_options_parse(&options, "run", engine, argc, argv, &code))
        return code;
    const char *outputs[] = {options.output, options.checkpoint, options.stats, options.record,
                             options.film.path};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && code == LC_EXIT_OK; i++)
        if (outputs[i] != NULL)
            code = lc_cli_check_output("run", outputs[i]);
    if (code != LC_EXIT_OK)
        return code;
    if (options.many)
        return lc_cli_soups(&options);
    run_state run = {.options = &options};
    code = evolve(&run);
    lc_message message = {0};
    lc_stats_close(&run.stats, &message);
    lc_recorder_close(&run.recorder, NULL);
    close_film(&run);
    lc_universe_destroy(&run.universe);
    return code;
}
