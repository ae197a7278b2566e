// Inputs of the commands: files, standard input, and built-in patterns.
#ifndef LC_CLI_INPUT_H
#define LC_CLI_INPUT_H

#include "lightcone/lightcone.h"

// Writes the name of built-in pattern `i`. Past the last pattern, returns false and writes nothing.
enum { LC_CLI_BUILT_IN_BYTES = 64 };
bool lc_cli_built_in_name(size_t index, char name[LC_CLI_BUILT_IN_BYTES]);

// Returns the text of the built-in pattern `name`, such as "acorn". The extension of a pattern file
// is optional: "acorn.rle". For an apgcode such as "xq4_153", returns `name` itself. Returns NULL
// if `name` is neither.
const char *lc_cli_built_in_pattern(const char *name);

// Whether `path` names a built-in pattern and does not exist as a file.
bool lc_cli_is_built_in(const char *path);

// Opens a pattern with lc_pattern_open, or with lc_pattern_open_cells if `any_rule`. If the file
// `path` does not exist, `path` may be the name of a built-in pattern. If neither exists, the
// message suggests the nearest name. `nth` selects one of several patterns in a file, from 1; 0: no
// choice, which is the first.
lc_status lc_cli_open_pattern(lc_pattern **out, const char *path, uint64_t nth, bool any_rule,
                              lc_message *message);

// Writes the message about an unknown rule in a file (header->rule_error), with a suggestion of the
// nearest name. Returns the status for this error.
lc_status lc_cli_refuse_rule_of(const lc_pattern_header *header, lc_message *message);

// Prints a warning on stderr if a pattern whose cells have been read may be truncated.
void lc_cli_warn_of_no_end(const char *path, const lc_pattern_header *header);

// Prints a line on stderr if a pattern whose cells have been read was taken from a file with
// several without a choice (`nth` is 0).
void lc_cli_note_others(const char *path, uint64_t nth, const lc_pattern_header *header);

// Calls lc_universe_restore. If `path` does not exist, the message suggests the nearest name.
lc_status lc_cli_restore(lc_universe **out, const char *path, const lc_universe_options *options,
                         lc_message *message);

// Like lc_cli_restore, for a universe that the caller does not step. If "auto" has no engine for
// the rule, uses an engine that accepts every rule.
lc_status lc_cli_restore_to_look(lc_universe **out, const char *path, uint64_t max_memory_bytes,
                                 lc_message *message);

// Returns the engine that the caller should use for a file. A macrocell file on the infinite plane
// needs "hashlife", because its quadtree shares equal nodes. For all other files it returns
// `usual`.
const char *lc_cli_engine_for(lc_format format, const lc_topology *topology, const char *usual);

// Whether an input is a checkpoint by its name or its contents. The caller must restore a
// checkpoint, because it cannot be read as a pattern.
bool lc_cli_is_checkpoint(const char *path);

#endif
