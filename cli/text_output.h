// Text outputs of commands: the text is collected in memory, and the file appears whole or not at
// all.
#ifndef LC_CLI_TEXT_OUTPUT_H
#define LC_CLI_TEXT_OUTPUT_H

#include <stdio.h>

#include "lightcone/status.h"

typedef struct lc_text_output {
    FILE *file; // the caller writes the text here
    char *data;
    size_t size_bytes;
} lc_text_output;

// Starts an output. Returns LC_OK; LC_ERROR_MEMORY: nothing to end.
lc_status lc_text_output_begin(lc_text_output *output, lc_message *message);

// Writes the text to `path` and frees it in any case. "-" is standard output, whose errors
// lc_cli_finish_stdout reports. A device or a pipe is written directly. Any other path gets its new
// text under a temporary name first, so an error leaves an old file unchanged. Returns LC_OK;
// LC_ERROR_IO; LC_ERROR_MEMORY.
lc_status lc_text_output_end(lc_text_output *output, const char *path, lc_message *message);

#endif
