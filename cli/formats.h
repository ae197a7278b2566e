// Finds file formats by name, and checks whether an output can be written.
#ifndef LC_CLI_FORMATS_H
#define LC_CLI_FORMATS_H

#include "lightcone/lightcone.h"

// Parses "rle", "cells", "life105" ..., for lc_cli_parse. `to` is a lc_format.
const char *lc_cli_parse_format(const char *text, void *to);

// Sets *format to the format of the output `path`. If the user has not chosen a format with
// `option`, the file extension selects the format. Without an extension, the format is RLE. Returns
// LC_EXIT_OK, or LC_EXIT_USAGE after printing an error (unknown extension, binary format to a
// terminal).
int lc_cli_choose_format(const char *command, const char *path, const char *option,
                         lc_format *format);

// If `path` is the terminal on standard output, prints an error and returns LC_EXIT_USAGE. Call
// this function only for binary formats.
int lc_cli_refuse_terminal(const char *command, const char *path);

// Checks whether `path` can be written. Call this function before a long run. Returns LC_EXIT_OK,
// or LC_EXIT_FAILURE or LC_EXIT_USAGE after printing an error.
int lc_cli_check_output(const char *command, const char *path);

// Finds an unused path beside the file `output`: "out.rle.lcs", "out.rle.2.lcs" ... Writes the path
// to `path`, which holds PATH_MAX bytes. Returns false if the output is not a file, or if all tried
// paths are in use.
bool lc_cli_name_rescue(const char *output, char *path);

// Whether two paths are the same text, or name the same regular file. The file need not exist yet.
// False if a path is NULL.
bool lc_cli_same_file(const char *a, const char *b);

#endif
