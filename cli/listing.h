// The arguments of commands that list things by name: --json, and words that filter the list.
#ifndef LC_CLI_LISTING_H
#define LC_CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_CLI_WORDS_MAX = 16 };

typedef struct lc_cli_listing {
    const char *command; // for messages
    bool as_json;
    const char *words[LC_CLI_WORDS_MAX]; // an item is listed if it matches all words
    size_t word_count;
} lc_cli_listing;

// Parses the arguments. Prints the help if the user asks for it. Returns false if the command must
// end with *code.
bool lc_cli_listing_parse(lc_cli_listing *listing, const char *command, const char *help, int argc,
                          char **argv, int *code);

#endif
