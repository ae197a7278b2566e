// Prints messages on stderr and returns the exit code for each message. Some functions print parts
// of the output that several commands share.
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

// Prints one line on stderr: "lightcone: " and the text. Replaces control characters with '?', so
// that file names and file contents cannot control the terminal.
void lc_cli_error(const char *format, ...) LC_CLI_PRINTF(1, 2);

// Prints an error of the library about the file `name` (NULL: no file). Messages of the library do
// not contain the file's name. The line is "lightcone: NAME:LINE:COLUMN: text" or "lightcone: NAME:
// byte OFFSET: text", without the parts that the message does not state. If the message is empty,
// the line contains the description of `status`. Returns LC_EXIT_FAILURE.
int lc_cli_report(const char *name, lc_status status, const lc_message *message);

// Returns " (--max-memory)" if the message says that a universe would exceed its memory limit, and
// "" otherwise. The library's messages do not name the option --max-memory, because the library
// does not know the command's options.
const char *lc_cli_limit_option(const lc_message *message);

// Like lc_cli_report, but for an error that occurred while writing an output. If the reader of
// standard output has closed the pipe, as `head` does, prints nothing and returns LC_EXIT_UNREAD.
int lc_cli_report_output(const char *path, lc_status status, const lc_message *message);

// Whether the reader of standard output has closed the pipe.
bool lc_cli_reader_left(void);

// Prints an error on stderr, and names the command that shows the help. Returns LC_EXIT_USAGE.
int lc_cli_usage(const char *command, const char *format, ...) LC_CLI_PRINTF(2, 3);

// Prints an error of the library that concerns the user's request as a whole. LC_ERROR_ARGUMENT is
// a usage error. For any status but LC_ERROR_ARGUMENT, calls lc_cli_report.
int lc_cli_refuse(const char *command, lc_status status, const lc_message *message);

// Like lc_cli_refuse, but for an error in creating the universe that the options describe. A
// conflict between the engine and other options (LC_ERROR_UNSUPPORTED) is a usage error as well. If
// this machine lacks the engine or the CPU level, the error is not a usage error. `engine` and
// `cpu_level` are as typed; NULL: not given.
int lc_cli_refuse_universe(const char *command, const char *engine, const char *cpu_level,
                           lc_status status, const lc_message *message);

// Prints a usage error about an option's value, in this form: --rule: "B9/S": column 2: text.
// Returns LC_EXIT_USAGE.
int lc_cli_refuse_text(const char *command, const char *option, const char *value,
                       const lc_message *message);

// Returns the name of a path for messages. The path "-" becomes standard input or standard output.
const char *lc_cli_input_name(const char *path);
const char *lc_cli_output_name(const char *path);

// Prints a path, or text from a pattern file, to a stream. Replaces control characters by '?'.
void lc_cli_print_text(FILE *stream, const char *text);

// Prints `label` and then "12 x 34 at (-5, 6)", or "none".
void lc_cli_print_box(FILE *file, const char *label, const lc_wide_box *box);

// Flushes stdout and returns the command's exit code. The exit code is `code` if no write has
// failed. If the flush or an earlier write has failed, prints an error and turns LC_EXIT_OK into
// LC_EXIT_FAILURE. If the reader has closed stdout, prints nothing and turns LC_EXIT_OK into
// LC_EXIT_UNREAD. If `code` is not LC_EXIT_OK, returns `code` unchanged.
int lc_cli_finish_stdout(int code);

#endif
