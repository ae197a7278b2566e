// What commands read: files, standard input, and patterns that the command has inside.
#ifndef LC_CLI_INPUT_H
#define LC_CLI_INPUT_H

#include "lightcone/lightcone.h"

// The i-th built-in pattern's name; false, and nothing written, past the last.
enum { LC_CLI_BUILT_IN_BYTES = 64 };
bool lc_cli_built_in_name(size_t index, char name[LC_CLI_BUILT_IN_BYTES]);

// The text of the built-in pattern called `name`, "acorn", with the ending of a pattern's file,
// "acorn.rle", or without. An apgcode such as "xq4_153" is its own text. NULL: neither.
const char *lc_cli_built_in_pattern(const char *name);

// Whether `path` stands for one: no file has that name.
bool lc_cli_is_built_in(const char *path);

// lc_pattern_open, or lc_pattern_open_cells if `any_rule`, which also takes the name of a built-in
// pattern where no file has it. Where there is neither, the message names what was probably meant.
lc_status lc_cli_open_pattern(lc_pattern **out, const char *path, bool any_rule,
                              lc_message *message);

// The rule that the file names is not known (header->rule_error): the message about it, with the
// name that was probably meant. Returns the error.
lc_status lc_cli_refuse_rule_of(const lc_pattern_header *header, lc_message *message);

// Says on stderr of a pattern whose cells have been read that it may be half of a file.
void lc_cli_warn_of_no_end(const char *path, const lc_pattern_header *header);

// lc_universe_restore, with such a message.
lc_status lc_cli_restore(lc_universe **out, const char *path, const lc_universe_options *options,
                         lc_message *message);

// The same for cells that are not to be stepped: if "auto" has no engine for their rule, the one
// that steps every rule holds them.
lc_status lc_cli_restore_to_look(lc_universe **out, const char *path, uint64_t max_memory_bytes,
                                 lc_message *message);

// The engine for what a file of that format holds: a macrocell file has squares of which many are
// equal, and on the infinite plane there is an engine for that. Else `usual`.
const char *lc_cli_engine_for(lc_format format, const lc_topology *topology, const char *usual);

// Whether an input is to be restored, not read as a pattern: by its name, or by its content.
bool lc_cli_is_checkpoint(const char *path);

#endif
