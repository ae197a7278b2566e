// Creates universes from checkpoints, soups and pattern files.
#include "start.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "pattern_input.h"
#include "shared_context.h"
#include "timeline_frame.h"

lc_universe_options lc_start_options(const lc_run_options *options)
{
    return (lc_universe_options){
        .struct_bytes = sizeof(lc_universe_options),
        .rule = lc_rule_life(),
        .engine = options->engine,
        .cpu_level = options->cpu_level,
        .threads = options->threads,
        // A recording uses part of the memory that --max-memory allows.
        .max_memory_bytes = options->max_memory_bytes - lc_record_bytes(options),
        .audit_generations = options->audit_generations,
        .every_generation = options->every_generation,
        .context = lc_cli_context(),
        .disk = options->disk,
        .disk_settings = options->disk_settings,
    };
}

// Creates a universe. A rule and a topology in the options override the rule and the topology in
// the header.
static lc_status create(const lc_run_options *options, const lc_pattern_header *header,
                        lc_universe **out, lc_message *message)
{
    lc_universe_options creation = lc_start_options(options);
    if (header != NULL) {
        creation.rule = header->rule;
        creation.topology = header->topology;
    }
    if (options->has_rule)
        creation.rule = options->rule;
    if (options->has_topology)
        creation.topology = options->topology;
    const bool is_free = creation.engine == NULL || strcmp(creation.engine, "auto") == 0;
    if (is_free && header != NULL)
        creation.engine =
            lc_cli_engine_for(header->format, creation.rule, &creation.topology, creation.engine);
    return lc_universe_create(out, &creation, message);
}

static lc_status start_soup(const lc_run_options *options, lc_universe **out, lc_message *message)
{
    const lc_topology *topology = &options->topology;
    lc_status status = create(options, NULL, out, message);
    if (status != LC_OK)
        return status;
    int64_t width = options->soup_width_cells;
    int64_t height = options->soup_height_cells;
    int64_t x = topology->width_cells > 0 ? (topology->width_cells - width) / 2 : 0;
    int64_t y = topology->height_cells > 0 ? (topology->height_cells - height) / 2 : 0;
    return lc_universe_soup(*out, x, y, width, height, options->density, options->seed, message);
}

static lc_status start_pattern(const lc_run_options *options, lc_universe **out,
                               lc_cli_opened *opened, const char **name, lc_message *message)
{
    lc_status status = lc_cli_open(opened, options->input, options->has_rule, &options->frame,
                                   options->max_memory_bytes, message);
    if (status != LC_OK)
        return status;
    const lc_pattern_header *header = lc_pattern_get_header(opened->pattern);
    status = create(options, header, out, message);
    if (status == LC_OK) {
        int64_t x;
        int64_t y;
        lc_universe_place(*out, header, &x, &y);
        status = lc_universe_load(*out, opened->pattern, x, y, message);
        if (status == LC_OK)
            lc_cli_warn_of_no_end(options->input, header);
        if (status == LC_OK && !options->quiet)
            lc_cli_note_others(options->input, options->frame.nth, header);
    } else {
        *name = NULL;
    }
    lc_pattern_close(&opened->pattern);
    return status;
}

lc_status lc_start(const lc_run_options *options, lc_universe **out, lc_cli_opened *opened,
                   const char **name, lc_message *message)
{
    lc_cli_opened own = {0};
    lc_status status;
    *out = NULL;
    *name = options->input != NULL ? lc_cli_input_name(options->input) : NULL;
    if (options->disk_exists) {
        const lc_universe_options creation = lc_start_options(options);
        *name = NULL; // the messages already contain the file's name
        status = lc_disk_open(out, options->disk, &creation, message);
    } else if (options->resume) {
        const lc_universe_options creation = lc_start_options(options);
        status = lc_cli_restore(out, options->input, &creation, message);
    } else if (options->soup) {
        status = start_soup(options, out, message);
    } else if (options->input != NULL) {
        status = start_pattern(options, out, &own, name, message);
    } else {
        status = create(options, NULL, out, message);
    }
    if (status == LC_OK && options->disk != NULL && !options->disk_exists)
        status = lc_disk_keep(*out, message);
    if (status != LC_OK)
        lc_universe_destroy(out);
    if (status == LC_OK && opened != NULL)
        *opened = own;
    else
        lc_cli_close(&own);
    return status;
}

// Whether the user's options name an engine or a new board on disk. If the options name no engine
// and no new board on disk, the pattern determines the engine.
static bool is_asked_for(const lc_run_options *options)
{
    const bool names_engine = options->engine != NULL && strcmp(options->engine, "auto") != 0;
    return !options->disk_exists && (names_engine || options->disk != NULL);
}

int lc_start_report(const lc_run_options *options, lc_universe **out, lc_cli_opened *opened)
{
    lc_message message = {0};
    const char *name;
    lc_disk_facts disk;
    lc_status status = lc_start(options, out, opened, &name, &message);
    if (status == LC_OK && lc_disk_get_facts(*out, &disk) && *disk.note != '\0')
        lc_cli_error("%s: %s", disk.path, disk.note);
    if (status == LC_OK)
        return LC_EXIT_OK;
    if (name != NULL)
        return lc_cli_report(name, status, &message);
    return is_asked_for(options) ? lc_cli_refuse_universe(options->command, options->engine,
                                                          options->cpu_level, status, &message)
                                 : lc_cli_refuse(options->command, status, &message);
}

lc_status lc_start_copy(const lc_run_options *options, const lc_universe *universe,
                        lc_universe **out, lc_message *message)
{
    void *data;
    size_t size_bytes;
    lc_universe_options creation = lc_start_options(options);
    creation.disk = NULL;
    creation.disk_settings = NULL;
    creation.audit_generations = 0;
    const bool is_free = creation.engine == NULL || strcmp(creation.engine, "auto") == 0;
    if (is_free && strcmp(lc_universe_info_of(universe).engine, "hashlife") == 0)
        creation.engine = "hashlife";
    *out = NULL;
    lc_status status =
        lc_universe_checkpoint_memory(universe, SIZE_MAX, &data, &size_bytes, message);
    if (status != LC_OK)
        return status;
    status = lc_universe_restore_memory(out, data, size_bytes, &creation, message);
    free(data);
    return status;
}
