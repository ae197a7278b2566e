// lightcone: a Game of Life engine. Everything public.
//
// Structures that you fill for the library begin with `struct_bytes`, their size, which says of what
// version they are: `lc_universe_options options = {.struct_bytes = sizeof options, .threads = 2};`.
// All that is 0 has a default. A program works with a later library, whose structures may have more
// members; an earlier one takes its structures as long as the members it does not know are 0. A size
// of 0 or one that cannot be is LC_ERROR_ARGUMENT, an unknown member that is not 0
// LC_ERROR_UNSUPPORTED.
#ifndef LIGHTCONE_H
#define LIGHTCONE_H

#include "lightcone/cells.h"
#include "lightcone/count.h"
#include "lightcone/device.h"
#include "lightcone/engine.h"
#include "lightcone/machine.h"
#include "lightcone/pattern.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"
#include "lightcone/universe.h"

#endif
