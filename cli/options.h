// Command line options: any order, "--name VALUE" or "--name=VALUE", "-nVALUE", "--" ends them.
#ifndef LC_CLI_OPTIONS_H
#define LC_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lc_cli_option {
    int id;            // > 0
    char letter;       // 0 if it has none
    const char *name;  // without "--"
    const char *value; // what the value is called ("WxH"); NULL for a switch
} lc_cli_option;

// Results of lc_cli_args_next besides an option's id.
enum { LC_ARGS_END = 0, LC_ARGS_OPERAND = -1, LC_ARGS_ERROR = -2 };

typedef struct lc_cli_args {
    const char *command;          // for messages
    const lc_cli_option *options; // ends with id 0
    int argc;
    char **argv;
    // State.
    int next;            // index into argv
    const char *letters; // rest of a bundle of letters, NULL if none
    bool only_operands;  // after "--"
    const char *name;    // as typed, for messages: "--size", "-g"
    char letter_name[3];
    char long_name[64];
    bool value_in_word; // the value stands in the word of its letter: "-g1000"
    const char *value;  // of the option just returned, or the operand; NULL for a switch
} lc_cli_args;

// argv[0] is the command's name and is skipped.
void lc_cli_args_init(lc_cli_args *args, const char *command, const lc_cli_option *options,
                      int argc, char **argv);

// The next option's id with args->value set, LC_ARGS_OPERAND (args->value is it), LC_ARGS_END, or
// LC_ARGS_ERROR when the error has been said on stderr (the command then returns LC_EXIT_USAGE).
int lc_cli_args_next(lc_cli_args *args);

// Says "--size: `reason`" as a usage error of the current option; returns LC_EXIT_USAGE.
int lc_cli_args_refuse(const lc_cli_args *args, const char *reason);

// What "--devices 0,2" says is the setting devices=0+2 of an engine, "cuda" if *engine is NULL; it
// becomes `text`, where that is written. Returns an exit code.
int lc_cli_engine_on(const char *command, const char *devices, const char **engine, char *text,
                     size_t text_bytes);

// How many single-character edits (insert, delete, replace, swap neighbours) apart two words are.
// Words longer than 63 are infinitely far.
unsigned lc_cli_distance(const char *a, const char *b);

// Keeps the nearest of many names. Start with {.word = word}; `best` stays NULL if none is near
// enough to be what was meant.
typedef struct lc_cli_nearest {
    const char *word;
    const char *best;
    unsigned distance;
} lc_cli_nearest;

void lc_cli_nearest_try(lc_cli_nearest *nearest, const char *name);

// Prints: unknown KIND "WORD"; did you mean "BEST"? If there is no BEST, `known` takes its place.
// Returns LC_EXIT_USAGE.
int lc_cli_unknown(const char *command, const char *kind, const lc_cli_nearest *nearest,
                   const char *known);

#endif
