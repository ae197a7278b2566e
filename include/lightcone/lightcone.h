// The public interface of lightcone, a fast engine for Conway's Game of Life and related rules.
//
// Example:
//
//     lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
//     if (lc_universe_create(&universe, &options, &message) == LC_OK)
//         lc_universe_set(universe, 10, 20, true, &message);
//     puts(lc_version());
//     lc_universe_destroy(&universe); // frees the cells.
//
// Each header begins with an example. The examples assume that these variables exist: `lc_universe
// *universe`, `lc_context *context` and `lc_message message`.
//
// A structure that the caller fills in begins with the size of the structure. The size tells the
// library which version of the structure the program uses. If an older program's structure lacks a
// member, a newer library treats the member as 0. If a newer program's structure has a member that
// an older library does not know, the library accepts the value 0 and returns LC_ERROR_UNSUPPORTED
// for any other value. The library returns LC_ERROR_ARGUMENT for a size that no version of the
// structure has, for example 0.
//
// The folder share/doc/lightcone has the documents formats.md (file formats), rules.md (all rule
// strings) and scale.md (several GPUs and machines). The folder share/doc/lightcone/examples has
// small programs.
#ifndef LIGHTCONE_H
#define LIGHTCONE_H

#include "lightcone/ages.h"
#include "lightcone/batch.h"
#include "lightcone/cells.h"
#include "lightcone/census.h"
#include "lightcone/clip.h"
#include "lightcone/context.h"
#include "lightcone/count.h"
#include "lightcone/device.h"
#include "lightcone/disk.h"
#include "lightcone/edits.h"
#include "lightcone/engine.h"
#include "lightcone/film.h"
#include "lightcone/machine.h"
#include "lightcone/object.h"
#include "lightcone/pattern.h"
#include "lightcone/ranks.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"
#include "lightcone/timeline.h"
#include "lightcone/universe.h"

#endif
