// The arguments of commands that list what has names: --json, and words that choose from the list.
#ifndef LC_CLI_LISTING_H
#define LC_CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_CLI_WORDS_MAX = 16 };

typedef struct lc_cli_listing {
    bool as_json;
    const char *words[LC_CLI_WORDS_MAX]; // all of them have to fit what is listed
    size_t word_count;
} lc_cli_listing;

// Reads them, and prints the help if it is asked for. Returns false if the command ends with *code
// now.
bool lc_cli_listing_parse(lc_cli_listing *listing, const char *command, const char *help, int argc,
                          char **argv, int *code);

#endif
