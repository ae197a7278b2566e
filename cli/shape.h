// The shapes of universes as people type them.
#ifndef LC_CLI_SHAPE_H
#define LC_CLI_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/rule.h"

// "torus", "plane", "klein", "cross", "sphere": shapes whose size is said elsewhere.
bool lc_cli_topology_word(const char *text, lc_topology_kind *kind);

// One of those of a size; a Klein bottle is twisted where its top and bottom edges are joined.
lc_topology lc_cli_sized_topology(lc_topology_kind kind, int64_t width_cells, int64_t height_cells);

#endif
