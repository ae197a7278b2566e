// Creates the first universe of a command.
#ifndef LC_CLI_START_H
#define LC_CLI_START_H

#include "run_options.h"

// Returns the part of --max-memory that is reserved for recording.
static inline uint64_t lc_record_bytes(const lc_run_options *options)
{
    return options->record != NULL ? options->max_memory_bytes / 8 : 0;
}

// Returns options for lc_universe_create. Engine, CPU level, threads, memory limit, audits and
// board on disk come from `options`. The rule is B3/S23, and the topology is the infinite plane.
lc_universe_options lc_start_options(const lc_run_options *options);

// Creates the universe that the options describe: a checkpoint, a soup, a pattern, a board on disk,
// or an empty universe. Sets *name to the file that an error concerns, or to NULL if the error
// concerns no file. If `opened` is not NULL, *opened receives the open pattern or timeline frame,
// which the caller closes with lc_cli_close.
lc_status lc_start(const lc_run_options *options, lc_universe **out, lc_cli_opened *opened,
                   const char **name, lc_message *message);

// Like lc_start, but prints errors on stderr. Returns LC_EXIT_OK, or another exit code.
int lc_start_report(const lc_run_options *options, lc_universe **out, lc_cli_opened *opened);

// Copies a universe into memory, with the engine, threads and memory limit of `options`. The copy
// makes no audits. On error *out is NULL.
lc_status lc_start_copy(const lc_run_options *options, const lc_universe *universe,
                        lc_universe **out, lc_message *message);

#endif
