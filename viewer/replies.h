// Replies to clients, as JSON.
#ifndef LC_VIEWER_REPLIES_H
#define LC_VIEWER_REPLIES_H

#include <jansson.h>

#include "command.h"
#include "lightcone/lightcone.h"

// Creates a reply {"is": is} with the id of the answered command, which may be NULL. The caller
// adds members. Returns NULL if out of memory; every function that takes an object accepts NULL.
json_t *lc_reply(const char *is, const lc_view_command *answered);

// Returns a JSON string; bytes that are not UTF-8 become '?'.
json_t *lc_reply_text(const char *text);
// Returns a JSON integer; beyond 2^53 - 1 a string of digits, which scripts read exactly.
json_t *lc_reply_integer(int64_t value);
json_t *lc_reply_count(lc_count value);       // a string of digits
json_t *lc_reply_box(const lc_wide_box *box); // null if it is empty

json_t *lc_reply_error(const lc_view_command *answered, const char *text);
// The rules that have a name, with their texts.
json_t *lc_reply_rules(const lc_view_command *answered);
// The rule and topology of a command as text, and the name of the rule if it has one.
json_t *lc_reply_rule(const lc_view_command *answered);
// The facts of a universe: {"is": "universe"}. `box` (of the live cells) and `timeline` may be
// NULL.
json_t *lc_reply_universe(const lc_universe *universe, const char *name, const char *comments,
                          const lc_wide_box *box, const lc_timeline *timeline);

#endif
