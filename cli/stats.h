// The CSV file of `run --stats`: one row a sampled generation.
#ifndef LC_CLI_STATS_H
#define LC_CLI_STATS_H

#include "lightcone/lightcone.h"

typedef struct lc_stats lc_stats;

// Opens the file. A fresh run overwrites it. A resumed one keeps the rows up to `generation` and
// drops those after it, so that the file ends up as if there had been no break; a file there that
// is not such a CSV is an error and is left alone.
// Returns LC_OK, LC_ERROR_IO, LC_ERROR_FORMAT (line says where), LC_ERROR_MEMORY.
lc_status lc_stats_open(lc_stats **out, const char *path, bool resume, lc_count generation,
                        lc_message *message);

// Adds the universe's row, unless the last row is of the same generation, and flushes.
lc_status lc_stats_add(lc_stats *stats, const lc_universe *universe, lc_message *message);

// Closes and clears *stats (NULL inside is fine); an error that only closing brings to light is
// reported as LC_ERROR_IO.
lc_status lc_stats_close(lc_stats **stats, lc_message *message);

#endif
