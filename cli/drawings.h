// Drawings that were never saved: each is kept as a checkpoint in the user's state folder when
// `lightcone view` ends, and the oldest go.
#ifndef LC_CLI_DRAWINGS_H
#define LC_CLI_DRAWINGS_H

#include "lightcone/lightcone.h"

enum { LC_DRAWINGS_MAX = 20 };

// Keeps a universe of that name in $XDG_STATE_HOME/lightcone, else in ~/.local/state/lightcone,
// which is made for the user alone, and prints where. Returns the exit code: it is a failure if
// that cannot be, which is said.
int lc_cli_keep_drawing(const lc_universe *universe, const char *name);

#endif
