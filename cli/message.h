// Messages of the command on stderr, with the exit codes that belong to them, and output that
// several commands print in the same form.
#ifndef LC_CLI_MESSAGE_H
#define LC_CLI_MESSAGE_H

#include <stdio.h>

#include "exit_code.h"
#include "lightcone/lightcone.h"

#if defined(__GNUC__)
#define LC_CLI_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define LC_CLI_PRINTF(format_index, first)
#endif

// One line on stderr: "lightcone: " and the sentence. Control characters of names and files that
// come along in it are shown as '?', so that no file can play with the terminal.
void lc_cli_error(const char *format, ...) LC_CLI_PRINTF(1, 2);

// The same about the file `name` (NULL if about none), which the library's sentences leave out:
// "lightcone: NAME:LINE:COLUMN: sentence" or "lightcone: NAME: byte OFFSET: sentence", as far as
// the message knows the place. A message without a sentence stands for the status's own text.
// Returns LC_EXIT_FAILURE.
int lc_cli_report(const char *name, lc_status status, const lc_message *message);

// " (--max-memory)" if the message says that a universe would exceed its memory limit; the library
// does not know the option. Otherwise "".
const char *lc_cli_limit_option(const lc_message *message);

// The same about an output. If the reader of standard output has closed it, as `head` does, prints
// nothing and returns LC_EXIT_UNREAD.
int lc_cli_report_output(const char *path, lc_status status, const lc_message *message);

// Whether the reader of standard output has closed it.
bool lc_cli_reader_left(void);

// An error on stderr followed by where help is; returns LC_EXIT_USAGE.
int lc_cli_usage(const char *command, const char *format, ...) LC_CLI_PRINTF(2, 3);

// An error about the whole command line: a usage error if the status is LC_ERROR_ARGUMENT,
// otherwise as lc_cli_report prints it.
int lc_cli_refuse(const char *command, lc_status status, const lc_message *message);

// The same of a universe that options ask for. An engine and other options that never go together
// (LC_ERROR_UNSUPPORTED) are a usage error, too; an engine or a CPU level that is not on this
// machine is none. `engine` and `cpu_level` are as typed, NULL if no option names them.
int lc_cli_refuse_universe(const char *command, const char *engine, const char *cpu_level,
                           lc_status status, const lc_message *message);

// A usage error about the text of an option's value: "--rule: 'B9/S': column 2: sentence".
int lc_cli_refuse_text(const char *command, const char *option, const char *value,
                       const lc_message *message);

// A path as messages call it: "-" is standard input or standard output.
const char *lc_cli_input_name(const char *path);
const char *lc_cli_output_name(const char *path);

// Prints a pattern's or a path's text to a stream with control characters replaced by '?'.
void lc_cli_print_text(FILE *stream, const char *text);

// "bounding box  12 x 34 at (-5, 6)", or "none", after `label`.
void lc_cli_print_box(FILE *file, const char *label, const lc_wide_box *box);

// Flushes stdout and says so if that, or any write before it, failed: `code`, or LC_EXIT_FAILURE,
// or LC_EXIT_UNREAD.
int lc_cli_finish_stdout(int code);

#endif
