// Sentences and JSON: what the server says to its clients.
#ifndef LC_VIEWER_SAY_H
#define LC_VIEWER_SAY_H

#include <jansson.h>

#include "command.h"
#include "lightcone/lightcone.h"

// An answer {"is": is}, with the id of the command answered; the caller adds members. NULL: no
// memory; everything that takes an object accepts NULL.
json_t *lc_say(const char *is, const lc_view_command *answered);

// Any bytes as a JSON string: what is not UTF-8 becomes '?'.
json_t *lc_say_text(const char *text);
// An integer; beyond 2^53 - 1 from 0 a string of digits, which scripts read exactly.
json_t *lc_say_integer(int64_t value);
json_t *lc_say_count(lc_count value);       // as digits
json_t *lc_say_box(const lc_wide_box *box); // null if it is empty

json_t *lc_say_error(const lc_view_command *answered, const char *text);
// The well-known rules, as names and texts.
json_t *lc_say_rules(const lc_view_command *answered);
// A rule that can live in that topology, as they are written, with its name if it has one.
json_t *lc_say_rule(const lc_view_command *answered);
// The facts of a universe: {"is": "universe"}; the box of all that lives and the universe's
// timeline, if they are not NULL.
json_t *lc_say_universe(const lc_universe *universe, const char *name, const char *comments,
                        const lc_wide_box *box, const lc_timeline *timeline);

#endif
