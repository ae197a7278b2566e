// Command line parser. Options may come in any order, as "--name VALUE", "--name=VALUE" or
// "-nVALUE". The word "--" ends the options.
#ifndef LC_CLI_OPTIONS_H
#define LC_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/count.h"

// An option and the places where lc_cli_parse stores its value. Places that are NULL are unused.
typedef struct lc_cli_option {
    char letter;       // 0: none
    const char *name;  // without "--"; NULL: the end of a table
    const char *value; // the value's name in messages ("WxH"); NULL: a switch

    bool *given;                         // becomes true
    bool *cleared;                       // becomes false
    const char **named;                  // becomes the option's name
    const char **text;                   // the value as typed
    uint64_t *number;                    // see lc_cli_parse_u64
    uint64_t *positive;                  // see lc_cli_parse_positive
    uint64_t *bytes;                     // see lc_cli_parse_memory
    lc_count *count;                     // see lc_cli_parse_count
    int64_t *width_cells, *height_cells; // see lc_cli_parse_size
    // Parses the value and stores it in `to`. Returns NULL, a message that says why the value is
    // invalid, or "" after printing an error.
    const char *(*take)(const char *value, void *to);
    void *to;

    const char *refused; // why this command has no such option; NULL: it has
} lc_cli_option;

// The arguments that a command accepts.
typedef struct lc_cli_syntax {
    const char *command;          // for messages
    const char *help;             // printed for --help and -h, which every command has
    const lc_cli_option *options; // ends with a name NULL
    const lc_cli_option *shared;  // further options, like `options`; NULL: none
    // The operands. Without the two members below, the command accepts no operands.
    const char **pattern; // the command needs one operand, a pattern
    // Takes one operand. Returns LC_EXIT_OK, or another exit code after printing an error.
    int (*take_operand)(const char *operand, void *to);
    void *to;
} lc_cli_syntax;

// Parses the arguments and stores the values of the options. Skips argv[0], the command's name.
// Returns false if the command must end with *code, after printing the help or an error.
bool lc_cli_parse(const lc_cli_syntax *syntax, int argc, char **argv, int *code);

// Adds the value of --devices to an engine's settings: "0,2" becomes devices=0+2. Writes the engine
// and its settings to `text` and sets *engine to `text`. If *engine is NULL, the engine is "cuda".
// Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_cli_engine_on(const char *command, const char *devices, const char **engine, char *text,
                     size_t text_bytes);

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
