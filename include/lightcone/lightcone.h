// lightcone: a Game of Life engine. Everything public.
//
// formats.md, rules.md and scale.md, which comments name, are installed in share/doc/lightcone.
//
// Structures that you fill for the library begin with their size, which says what version they are:
//
//     lc_universe_options options = {.struct_bytes = sizeof options, .threads = 2};
//
// A later library takes those of an older program as if the members that were added since were 0.
// An earlier library takes newer ones whose members that it does not know are 0, and refuses others
// with LC_ERROR_UNSUPPORTED. A size that no version can have, 0 for one, is LC_ERROR_ARGUMENT.
#ifndef LIGHTCONE_H
#define LIGHTCONE_H

#include "lightcone/ages.h"
#include "lightcone/cells.h"
#include "lightcone/context.h"
#include "lightcone/count.h"
#include "lightcone/device.h"
#include "lightcone/disk.h"
#include "lightcone/engine.h"
#include "lightcone/film.h"
#include "lightcone/machine.h"
#include "lightcone/pattern.h"
#include "lightcone/ranks.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"
#include "lightcone/timeline.h"
#include "lightcone/universe.h"

#endif
