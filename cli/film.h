// The film of `lightcone run --film`: the options of the film, and the area that the film shows.
#ifndef LC_CLI_FILM_H
#define LC_CLI_FILM_H

#include "lightcone/lightcone.h"

typedef struct lc_cli_film_options {
    const char *path;  // NULL: no film
    const char *theme; // name as typed; NULL: the first theme
    uint64_t rate;     // pictures per second; 0: default
    bool has_area;
    int64_t x, y, width_cells, height_cells;
    int64_t side_pixels; // pixels per side of a cell; 0: chosen automatically
    int log2_side;       // if not 0, a pixel shows 2^log2_side x 2^log2_side cells
} lc_cli_film_options;

// Each function parses an option's value. Returns NULL, or a message that says why the text is
// invalid.
const char *lc_cli_film_rate(const char *text, lc_cli_film_options *film);
const char *lc_cli_film_area(const char *text, lc_cli_film_options *film);
const char *lc_cli_film_scale(const char *text, lc_cli_film_options *film);

// Checks for conflicts between the film's options. Call this function only if there is a film.
// Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_cli_film_check(const char *command, const lc_cli_film_options *film);

struct lc_run_options;

// Chooses the view of a film, and begins the film. The film shows the run from the current
// generation to `target`. If the film follows the live cells of an unbounded universe, a copy of
// the universe first runs to `target` to find the bounding box. The copy of the universe stops if a
// signal arrives. Writes the chosen view to *view. Returns LC_EXIT_OK, or another exit code after
// printing an error.
int lc_cli_film_begin(lc_film **out, const struct lc_run_options *options,
                      const lc_universe *universe, lc_count target, lc_film_options *view);

#endif
