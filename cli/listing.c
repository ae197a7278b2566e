// Parses the arguments of commands that list things by name.
#include "listing.h"

#include "help.h"
#include "message.h"
#include "options.h"

enum { OPTION_HELP = 1, OPTION_JSON };

static const lc_cli_option table[] = {
    {OPTION_HELP, 'h', "help", NULL},
    {OPTION_JSON, 0, "json", NULL},
    {0, 0, NULL, NULL},
};

bool lc_cli_listing_parse(lc_cli_listing *l, const char *command, const char *help, int argc,
                          char **argv, int *code)
{
    lc_cli_args args;
    *l = (lc_cli_listing){0};
    lc_cli_args_init(&args, command, table, argc, argv);
    for (int id; (id = lc_cli_args_next(&args)) != LC_ARGS_END;) {
        switch (id) {
        case OPTION_HELP:
            *code = lc_help_print(help);
            return false;
        case OPTION_JSON:
            l->as_json = true;
            break;
        case LC_ARGS_OPERAND:
            if (l->word_count == LC_CLI_WORDS_MAX) {
                *code = lc_cli_usage(command, "unexpected argument \"%s\"; give at most %d words",
                                     args.value, (int)LC_CLI_WORDS_MAX);
                return false;
            }
            l->words[l->word_count++] = args.value;
            break;
        default:
            *code = LC_EXIT_USAGE;
            return false;
        }
    }
    return true;
}
