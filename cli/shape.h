// Rules and the shapes of universes as people type them.
#ifndef LC_CLI_SHAPE_H
#define LC_CLI_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/rule.h"
#include "lightcone/status.h"

// "torus", "plane", "klein", "cross", "cross-surface", "sphere" ... in any case: shapes whose size
// is said elsewhere.
bool lc_cli_topology_word(const char *text, lc_topology_kind *kind);

// The one of these words that was probably meant; NULL if none is near.
const char *lc_cli_nearest_topology(const char *text);

// Prints why the library refused the value of --topology or --rule, with a suggestion. Returns
// LC_EXIT_USAGE.
int lc_cli_refuse_topology(const char *command, const char *text, const lc_message *message);
int lc_cli_refuse_rule(const char *command, const char *text, lc_status status,
                       lc_message *message);

// Adds the name of a rule that was probably meant, if one is near, to the message about the text of
// a rule.
void lc_cli_suggest_rule(const char *text, lc_status status, lc_message *message);

// A topology of that kind and size; a Klein bottle is twisted where its top and bottom edges are
// joined.
lc_topology lc_cli_sized_topology(lc_topology_kind kind, int64_t width_cells, int64_t height_cells);

#endif
