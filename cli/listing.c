// Parses the arguments of commands that list things by name.
#include "listing.h"

#include "message.h"
#include "options.h"

static int take_word(const char *word, void *to)
{
    lc_cli_listing *l = to;
    if (l->word_count == LC_CLI_WORDS_MAX)
        return lc_cli_usage(l->command, "unexpected argument \"%s\"; give at most %d words", word,
                            (int)LC_CLI_WORDS_MAX);
    l->words[l->word_count++] = word;
    return LC_EXIT_OK;
}

bool lc_cli_listing_parse(lc_cli_listing *l, const char *command, const char *help, int argc,
                          char **argv, int *code)
{
    *l = (lc_cli_listing){.command = command};
    const lc_cli_option options[] = {{0, "json", NULL, .given = &l->as_json}, {0}};
    return lc_cli_parse(&(lc_cli_syntax){.command = command,
                                         .help = help,
                                         .options = options,
                                         .take_operand = take_word,
                                         .to = l},
                        argc, argv, code);
}
