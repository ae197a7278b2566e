// File formats by the names that options take, and checks of an output before it is written.
#ifndef LC_CLI_FORMATS_H
#define LC_CLI_FORMATS_H

#include "lightcone/lightcone.h"

// Parses "rle", "cells", "life105" ... Returns NULL, or a static message that says why the name is
// invalid.
const char *lc_cli_parse_format(const char *text, lc_format *format);

// Sets *format to the format of the output `path`. If the user has not chosen one with `option`,
// the file extension decides; without an extension it is RLE. Returns LC_EXIT_OK, or LC_EXIT_USAGE
// after printing an error (unknown extension, binary format to a terminal).
int lc_cli_choose_format(const char *command, const char *path, const char *option,
                         lc_format *format);

// Prints an error and returns LC_EXIT_USAGE if a binary format would go to a terminal on standard
// output.
int lc_cli_refuse_terminal(const char *command, const char *path);

// Checks whether `path` can be written, before a run of hours begins. Returns LC_EXIT_OK, or
// LC_EXIT_FAILURE or LC_EXIT_USAGE after printing an error.
int lc_cli_check_output(const char *command, const char *path);

// Writes an unused path beside an output to `path`, which holds PATH_MAX bytes: "out.rle.lcs",
// "out.rle.2.lcs" ... Returns false if the output is not a file, or if too many files with such
// names exist.
bool lc_cli_name_rescue(const char *output, char *path);

// Whether two paths are the same text, or name the same regular file, even one that does not exist
// yet. False if a path is NULL.
bool lc_cli_same_file(const char *a, const char *b);

#endif
