// The film of `lightcone run --film`: the options of the film, and the area that the film shows.
#ifndef LC_CLI_FILM_OPTIONS_H
#define LC_CLI_FILM_OPTIONS_H

#include <stdio.h>

#include "lightcone/lightcone.h"

typedef struct lc_cli_film_options {
    const char *path;  // NULL: no film
    bool is_picture;   // of --picture, not --film; the error messages say so
    const char *theme; // name as typed; NULL: the first theme
    uint64_t rate;     // pictures per second; 0: default
    bool has_area;
    int64_t x, y, width_cells, height_cells;
    int64_t side_pixels; // pixels per side of a cell; 0: chosen automatically
    int log2_side;       // if not 0, a pixel shows 2^log2_side x 2^log2_side cells
} lc_cli_film_options;

// Each function parses the value of an option for lc_cli_parse. `to` is a lc_cli_film_options.
const char *lc_cli_film_rate(const char *text, void *to);
const char *lc_cli_film_area(const char *text, void *to);
const char *lc_cli_film_scale(const char *text, void *to);

// Checks the film's options, and that the other options are given only with a path. Returns
// LC_EXIT_OK, or another exit code after printing an error.
int lc_cli_film_check(const char *command, const lc_cli_film_options *film);

struct lc_run_options;

// Chooses the view of a film that shows the generations from the current one to `target`. If the
// film follows the live cells of an unbounded universe, a copy of the universe first runs to
// `target` to find the bounding box. The copy of the universe stops if a signal arrives. Writes the
// chosen view to *view. Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_cli_film_view(const struct lc_run_options *options, const lc_universe *universe,
                     lc_count target, lc_film_options *view);

// Begins the film. Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_cli_film_begin(lc_film **out, const struct lc_run_options *options,
                      const lc_film_options *view);

// Prints "acorn.png, 101 pictures of 1,016 x 640 pixels, 4 x 4 a cell" and a newline.
void lc_cli_film_print(FILE *file, const char *path, uint64_t pictures,
                       const lc_film_options *view);

#endif
