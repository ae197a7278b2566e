// The CSV file of `run --stats`: one row per sampled generation.
#ifndef LC_CLI_STATS_H
#define LC_CLI_STATS_H

#include "lightcone/lightcone.h"

typedef struct lc_stats lc_stats;

// Opens the file. A new run overwrites an existing file. A resumed run keeps the rows up to
// `generation` and drops later rows, so that the file looks as if the run had not been interrupted.
// A file of another format is not changed.
// Returns LC_OK; LC_ERROR_IO; LC_ERROR_FORMAT (message->line is the line); LC_ERROR_MEMORY.
lc_status lc_stats_open(lc_stats **out, const char *path, bool resume, lc_count generation,
                        lc_message *message);

// Adds a row about the universe and flushes the file. Adds no row if the last row has the same
// generation.
lc_status lc_stats_add(lc_stats *stats, const lc_universe *universe, lc_message *message);

// Closes the file unless *stats is NULL, and sets *stats to NULL. Returns LC_OK, or LC_ERROR_IO if
// closing the file reveals that a write failed.
lc_status lc_stats_close(lc_stats **stats, lc_message *message);

#endif
