// The picture of `lightcone identify --picture`: a film of one period of a pattern.
#ifndef LC_CLI_PERIOD_PICTURE_H
#define LC_CLI_PERIOD_PICTURE_H

#include "lightcone/lightcone.h"
#include "lightcone/object.h"

typedef struct lc_period_picture {
    uint64_t pictures; // number of generations in the file; 0: no file was written
    lc_film_options view;
} lc_period_picture;

struct lc_run_options;

// Writes one period of an identified pattern to the file options->film.path. `universe` holds the
// pattern as it was before the identification, and is at a later generation after the call. A still
// life becomes one picture. For a gun, the picture begins when the cells in its area repeat.
// Catches signals (signals.h). Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_period_picture_write(lc_period_picture *picture, const struct lc_run_options *options,
                            lc_universe *universe, const lc_identity_facts *facts);

#endif
