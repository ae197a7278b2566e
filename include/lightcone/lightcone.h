// Everything public of lightcone, a fast engine for Conway's Game of Life and other two-state
// rules.
//
// Example:
//
//     lc_universe_options options = {.struct_bytes = sizeof options, .rule = LC_RULE_LIFE};
//     if (lc_universe_create(&universe, &options, &message) == LC_OK)
//         lc_universe_set(universe, 10, 20, true, &message);
//     puts(lc_version());
//     lc_universe_destroy(&universe);
//
// Each header begins with such an example. The examples assume that these variables exist:
// `lc_universe *universe`, `lc_context *context` and `lc_message message`.
//
// A structure that the caller fills in begins with its size, which tells the library its version.
// - A newer library treats the members that an older program does not have as 0.
// - An older library accepts members that it does not know if they are 0. Otherwise it returns
//   LC_ERROR_UNSUPPORTED.
// - It returns LC_ERROR_ARGUMENT for a size that no version has, such as 0.
//
// The folder share/doc/lightcone has the documents formats.md (file formats), rules.md (all rule
// strings) and scale.md (several GPUs and machines), and small programs in examples/.
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
