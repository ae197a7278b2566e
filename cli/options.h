// Command line parser. Options may come in any order, as "--name VALUE", "--name=VALUE" or
// "-nVALUE". The word "--" ends the options.
#ifndef LC_CLI_OPTIONS_H
#define LC_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lc_cli_option {
    int id;            // > 0
    char letter;       // 0: none
    const char *name;  // without "--"
    const char *value; // the value's name in messages ("WxH"); NULL: a switch
} lc_cli_option;

// Results of lc_cli_args_next other than the id of an option.
enum { LC_ARGS_END = 0, LC_ARGS_OPERAND = -1, LC_ARGS_ERROR = -2 };

typedef struct lc_cli_args {
    const char *command;          // for messages
    const lc_cli_option *options; // ends with id 0
    int argc;
    char **argv;
    // State.
    int next;            // index into argv
    const char *letters; // unparsed letters of a group such as "-ab"; NULL: none
    bool only_operands;  // after "--"
    const char *name;    // as typed, for messages: "--size", "-g"
    char letter_name[3];
    char long_name[64];
    bool value_in_word; // the value and its letter are one word: "-g1000"
    const char *value;  // value of the current option, or the operand; NULL: a switch
} lc_cli_args;

// Starts parsing. Skips argv[0], the command's name.
void lc_cli_args_init(lc_cli_args *args, const char *command, const lc_cli_option *options,
                      int argc, char **argv);

// Returns the id of the next option and sets args->value. For an operand, returns LC_ARGS_OPERAND
// and sets args->value to the operand. After the last argument, returns LC_ARGS_END. Returns
// LC_ARGS_ERROR after printing an error on stderr. After an error the command must return
// LC_EXIT_USAGE.
int lc_cli_args_next(lc_cli_args *args);

// Prints a usage error about the value of the current option, in this form: --size: "VALUE" REASON.
// Returns LC_EXIT_USAGE.
int lc_cli_args_refuse(const lc_cli_args *args, const char *reason);

// Adds the value of --devices to an engine's settings: "0,2" becomes devices=0+2. Writes the engine
// and its settings to `text` and sets *engine to `text`. If *engine is NULL, the engine is "cuda".
// Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_cli_engine_on(const char *command, const char *devices, const char **engine, char *text,
                     size_t text_bytes);

// Returns the edit distance of two words: the number of insertions, deletions, replacements and
// swaps of neighbouring letters. If a word is longer than 63 characters, the distance is infinite.
unsigned lc_cli_distance(const char *a, const char *b);

// Keeps the name that is nearest to a word that the user typed. Initialise the structure with
// {.word = word}. `best` stays NULL if no name is near enough for a suggestion.
typedef struct lc_cli_nearest {
    const char *word;
    const char *best;
    unsigned distance;
} lc_cli_nearest;

void lc_cli_nearest_try(lc_cli_nearest *nearest, const char *name);

// Prints the error: unknown KIND "WORD"; did you mean "BEST"? If BEST is NULL, prints `known`
// instead of "did you mean". Returns LC_EXIT_USAGE.
int lc_cli_unknown(const char *command, const char *kind, const lc_cli_nearest *nearest,
                   const char *known);

#endif
