// Parses the rules and topologies that users type, and suggests the nearest names.
#ifndef LC_CLI_SHAPE_H
#define LC_CLI_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/rule.h"
#include "lightcone/status.h"

// Parses the name of a topology without a size, in upper or lower case: "torus", "plane", "klein",
// "cross", "cross-surface", "sphere" ...
bool lc_cli_topology_word(const char *text, lc_topology_kind *kind);

// Returns the topology name that is nearest to `text`, for a suggestion. Returns NULL if no name is
// near.
const char *lc_cli_nearest_topology(const char *text);

// Prints a usage error about the value of --topology. The error consists of the library's message
// and a suggestion. Returns LC_EXIT_USAGE.
int lc_cli_refuse_topology(const char *command, const char *text, const lc_message *message);

// Parses the value of --rule. If the rule has a topology suffix, sets *topology to it and
// *has_topology to true. Returns LC_EXIT_OK, or LC_EXIT_USAGE after printing an error with a
// suggestion.
int lc_cli_parse_rule(const char *command, const char *text, const lc_rule **rule,
                      lc_topology *topology, bool *has_topology);

// Adds the nearest rule name, if there is one, to the message about an invalid rule.
void lc_cli_suggest_rule(const char *text, lc_status status, lc_message *message);

// Returns a topology of the given kind and size. In a Klein bottle, the twist is where the top and
// bottom edges meet.
lc_topology lc_cli_sized_topology(lc_topology_kind kind, int64_t width_cells, int64_t height_cells);

#endif
