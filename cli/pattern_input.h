// Inputs of the commands: files, standard input, and built-in patterns.
#ifndef LC_CLI_PATTERN_INPUT_H
#define LC_CLI_PATTERN_INPUT_H

#include "lightcone/lightcone.h"

// Writes the name of the built-in pattern with this index. If the index is too large, returns false
// and writes nothing.
enum { LC_CLI_BUILT_IN_BYTES = 64 };
bool lc_cli_built_in_name(size_t index, char name[LC_CLI_BUILT_IN_BYTES]);

// Returns the text of the built-in pattern `name`, such as "acorn". The name may have the extension
// of a pattern file: "acorn.rle". For an apgcode such as "xq4_153", returns `name` itself. Returns
// NULL if `name` is neither a built-in pattern nor an apgcode.
const char *lc_cli_built_in_pattern(const char *name);

// Whether `path` names a built-in pattern and does not exist as a file.
bool lc_cli_is_built_in(const char *path);

// Opens a pattern with lc_pattern_open, or with lc_pattern_open_cells if `any_rule` is true. If the
// file `path` does not exist, `path` may be the name of a built-in pattern. If neither a file nor a
// built-in pattern has this name, the message suggests the nearest name. If the file contains
// several patterns, opens pattern number `nth`, counted from 1. If `nth` is 0, opens the first
// pattern.
lc_status lc_cli_open_pattern(lc_pattern **out, const char *path, uint64_t nth, bool any_rule,
                              lc_message *message);

// Writes the message about an unknown rule in a file (header->rule_error), and suggests the nearest
// rule name. Returns the error of lc_rule_parse, or LC_ERROR_UNSUPPORTED if lc_rule_parse accepts
// the rule.
lc_status lc_cli_refuse_rule_of(const lc_pattern_header *header, lc_message *message);

// Prints a warning on stderr if the file may be truncated. Call this function after reading the
// cells.
void lc_cli_warn_of_no_end(const char *path, const lc_pattern_header *header);

// If `nth` is 0 and the file has several patterns, prints on stderr that the command took the first
// pattern. Call this function after reading the cells.
void lc_cli_note_others(const char *path, uint64_t nth, const lc_pattern_header *header);

// Calls lc_universe_restore. If `path` does not exist, the message suggests the nearest name.
lc_status lc_cli_restore(lc_universe **out, const char *path, const lc_universe_options *options,
                         lc_message *message);

// Restores a universe that the caller does not step. If "auto" has no engine for the rule, uses an
// engine that accepts every rule. Otherwise works like lc_cli_restore.
lc_status lc_cli_restore_to_look(lc_universe **out, const char *path, uint64_t max_memory_bytes,
                                 lc_message *message);

// Returns the engine that the caller should use for a file. A macrocell file on the infinite plane
// needs "hashlife" if the rule has two states, because the file's quadtree shares equal nodes. For
// files that do not need "hashlife", the function returns `usual`.
const char *lc_cli_engine_for(lc_format format, const lc_rule *rule, const lc_topology *topology,
                              const char *usual);

// Whether an input is a checkpoint, according to its name or its contents. A checkpoint cannot be
// read as a pattern, so the caller must restore the checkpoint.
bool lc_cli_is_checkpoint(const char *path);

#endif
