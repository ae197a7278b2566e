// What all commands share: the commands themselves, exit codes and messages.
#ifndef LC_CLI_CLI_H
#define LC_CLI_CLI_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "lightcone/lightcone.h"

#if defined(__GNUC__)
#define LC_CLI_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define LC_CLI_PRINTF(format_index, first)
#endif

// A run stopped by a signal ends with 128 + the signal's number, as shells have it; one whose
// output nobody reads as if by SIGPIPE.
enum {
    LC_EXIT_OK = 0,
    LC_EXIT_FAILURE = 1,
    LC_EXIT_USAGE = 2,
    LC_EXIT_SIGNAL = 128,
    LC_EXIT_UNREAD = LC_EXIT_SIGNAL + SIGPIPE,
};

// A command. argv[0] is its name, argv[argc] is NULL; returns the exit code.
typedef struct lc_cli_command {
    const char *name;
    const char *summary;
    int (*main)(int argc, char **argv);
} lc_cli_command;

int lc_cli_run(int argc, char **argv);
int lc_cli_info(int argc, char **argv);
int lc_cli_convert(int argc, char **argv);
int lc_cli_devices(int argc, char **argv);
int lc_cli_bench(int argc, char **argv);
int lc_cli_gallery(int argc, char **argv);
int lc_cli_gallery_bench(int argc, char **argv);
int lc_cli_tune(int argc, char **argv);
int lc_cli_view(int argc, char **argv);
int lc_cli_patterns(int argc, char **argv);
int lc_cli_version(int argc, char **argv);
int lc_cli_help(int argc, char **argv);

// lc_cli_run with this engine, whatever its name; --engine is then refused.
int lc_cli_run_by(const char *engine, int argc, char **argv);

// The i-th command; NULL past the last.
const lc_cli_command *lc_cli_command_at(size_t index);
const lc_cli_command *lc_cli_command_find(const char *name);

// The design of the gallery called `name`, up to a colon; NULL when it has been said that there is
// none, and what the nearest one is.
const struct lc_design *lc_cli_find_design(const char *name);

// Says on stderr that there is no command `name`, and what the nearest one is; LC_EXIT_USAGE.
int lc_cli_unknown_command(const char *name);

// One line on stderr: "lightcone: " and the sentence. Control characters of names and files that
// come along in it are shown as '?', so that no file can play with the terminal.
void lc_cli_error(const char *format, ...) LC_CLI_PRINTF(1, 2);

// A path as messages call it: "-" is standard input or standard output.
const char *lc_cli_input_name(const char *path);
const char *lc_cli_output_name(const char *path);

// The same about the file `name` (NULL if about none), which the library's sentences leave out:
// "lightcone: NAME:LINE:COLUMN: sentence" or "lightcone: NAME: byte OFFSET: sentence", as far as
// the message knows the place. A message without a sentence stands for the status's own text.
// Returns LC_EXIT_FAILURE.
int lc_cli_report(const char *name, lc_status status, const lc_message *message);

// The same about an output. Whoever reads standard output may have seen enough and gone away, as
// `head` does: then nothing is said, and LC_EXIT_UNREAD returned.
int lc_cli_report_output(const char *path, lc_status status, const lc_message *message);

// Whether nobody reads standard output any more.
bool lc_cli_reader_left(void);

// An error on stderr followed by where help is; returns LC_EXIT_USAGE.
int lc_cli_usage(const char *command, const char *format, ...) LC_CLI_PRINTF(2, 3);

// The same about the text of an option's value: "--rule: 'B9/S': column 2: sentence".
int lc_cli_refuse_text(const char *command, const char *option, const char *value,
                       const lc_message *message);

// Prints a pattern's or a path's text to a stream with control characters replaced by '?'.
void lc_cli_print_text(FILE *stream, const char *text);

// "rle", "cells", "life105" ...: NULL, or a static sentence that says what is wrong.
const char *lc_cli_parse_format(const char *text, lc_format *format);

// The format to write `path` in, unless `format` (that of `option`) says so already: what its
// ending asks for, or RLE if it has none. LC_EXIT_OK, or LC_EXIT_USAGE when it has been said that
// no format has that ending.
int lc_cli_choose_format(const char *command, const char *path, const char *option,
                         lc_format *format);

// Finds out early, before hours of work, that `path` cannot be written: LC_EXIT_OK, or
// LC_EXIT_FAILURE when the reason has been said.
int lc_cli_check_output(const char *path);

// A name of PATH_MAX bytes beside an output that nothing has yet: "out.rle.lcs", "out.rle.2.lcs"
// ... False if the output is no file, or there are too many already.
bool lc_cli_name_rescue(const char *output, char *path);

// Whether two paths (NULL: none) are alike, or lead to one regular file, which need not be there
// yet.
bool lc_cli_same_file(const char *a, const char *b);

// Prints a command's help text on stdout.
int lc_cli_help_about(const char *command);

// "bounding box  12 x 34 at (-5, 6)", or "none", after `label`.
void lc_cli_print_box(FILE *file, const char *label, const lc_box *box);

// Nanoseconds of a clock that only goes forward.
uint64_t lc_cli_now_ns(void);

// Flushes stdout and says so if that, or any write before it, failed: `code`, or LC_EXIT_FAILURE,
// or LC_EXIT_UNREAD.
int lc_cli_finish_stdout(int code);

#endif
