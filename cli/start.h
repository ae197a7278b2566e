// The universe that a command starts with.
#ifndef LC_CLI_START_H
#define LC_CLI_START_H

#include "run_options.h"

// What of --max-memory is for knowing what was recorded.
static inline uint64_t lc_record_bytes(const lc_run_options *options)
{
    return options->record != NULL ? options->max_memory_bytes / 8 : 0;
}

// How universes are made with these options: engine, level, threads, memory and audits; B3/S23 on
// the infinite plane.
lc_universe_options lc_start_options(const lc_run_options *options);

// Makes the universe that the options ask for: a checkpoint, a soup or a pattern, or an empty one
// if they name none. *name is the file that an error is about, NULL if none. If it is a frame of a
// timeline, that stays open in *opened (unless `opened` is NULL), for lc_cli_close.
lc_status lc_start(const lc_run_options *options, lc_universe **out, lc_cli_opened *opened,
                   const char **name, lc_message *message);

// The same, saying on stderr what is wrong: an exit code.
int lc_start_report(const lc_run_options *options, lc_universe **out, lc_cli_opened *opened);

#endif
