// The film of `run --film`: what was asked for, and what of the universe it shows.
#ifndef LC_CLI_FILM_H
#define LC_CLI_FILM_H

#include "lightcone/lightcone.h"

typedef struct lc_cli_film_options {
    const char *path;  // NULL: no film is made
    const char *theme; // as typed; NULL: the first one
    uint64_t rate;     // pictures a second; 0: the usual ones
    bool has_area;
    int64_t x, y, width_cells, height_cells;
    int64_t side_pixels; // of a cell; 0: it is chosen,
    int log2_side;       // unless this is not 0: cells of a pixel's side
} lc_cli_film_options;

// Parse values; what is wrong with the text, or NULL.
const char *lc_cli_film_rate(const char *text, lc_cli_film_options *film);
const char *lc_cli_film_area(const char *text, lc_cli_film_options *film);
const char *lc_cli_film_scale(const char *text, lc_cli_film_options *film);

// What is wrong with the options of a film together, said on stderr: an exit code. Not for no film.
int lc_cli_film_check(const char *command, const lc_cli_film_options *film);

struct lc_run_options;

// Finds out what the film of a run from now to `target` shows, and begins it. Where an unbounded
// universe is to be seen as far as its life comes, that is found by a run ahead, of a copy, which a
// signal ends. Says on stderr what fails: an exit code. *view is what is shown.
int lc_cli_film_begin(lc_film **out, const struct lc_run_options *options,
                      const lc_universe *universe, lc_count target, lc_film_options *view);

#endif
