// Unsaved drawings. If a drawing is unsaved when `lightcone view` ends, the command saves the
// drawing as a checkpoint in the user's state folder. The command keeps only the newest
// LC_DRAWINGS_MAX checkpoints.
#ifndef LC_CLI_DRAWINGS_H
#define LC_CLI_DRAWINGS_H

#include "lightcone/lightcone.h"

enum { LC_DRAWINGS_MAX = 20 };

// Saves a universe under `name` in $XDG_STATE_HOME/lightcone, or in ~/.local/state/lightcone if the
// variable is not set. Creates the folder with access for the user only. Prints the path of the
// file. Returns LC_EXIT_OK, or LC_EXIT_FAILURE after printing an error.
int lc_cli_keep_drawing(const lc_universe *universe, const char *name);

#endif
