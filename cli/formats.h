// Names of file formats as options take them, and what can be known of an output before it is
// written.
#ifndef LC_CLI_FORMATS_H
#define LC_CLI_FORMATS_H

#include "lightcone/lightcone.h"

// "rle", "cells", "life105" ...: NULL, or a static sentence that says what is wrong.
const char *lc_cli_parse_format(const char *text, lc_format *format);

// Chooses the format of `path` by its suffix, RLE without one, unless `format` (that of `option`)
// is set already. Returns LC_EXIT_OK; after a message LC_EXIT_USAGE (unknown suffix; binary output
// on a terminal).
int lc_cli_choose_format(const char *command, const char *path, const char *option,
                         lc_format *format);

// Refuses to write binary output to a terminal: prints a message and returns LC_EXIT_USAGE.
int lc_cli_refuse_terminal(const char *command, const char *path);

// Finds out early, before hours of work, that `path` cannot be written: LC_EXIT_OK, or
// LC_EXIT_FAILURE or LC_EXIT_USAGE when the reason has been said.
int lc_cli_check_output(const char *command, const char *path);

// A name of PATH_MAX bytes beside an output that nothing has yet: "out.rle.lcs", "out.rle.2.lcs"
// ... False if the output is no file, or there are too many already.
bool lc_cli_name_rescue(const char *output, char *path);

// Whether two paths (NULL: none) are alike, or lead to one regular file, which need not be there
// yet.
bool lc_cli_same_file(const char *a, const char *b);

#endif
