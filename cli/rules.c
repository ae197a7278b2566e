// `lightcone rules`: the names of rules, and what they stand for.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "help.h"
#include "json.h"
#include "message.h"
#include "options.h"

enum { OPTION_HELP = 1, OPTION_JSON, WORDS_MAX = 16 };

static const lc_cli_option table[] = {
    {OPTION_HELP, 'h', "help", NULL},
    {OPTION_JSON, 0, "json", NULL},
    {0, 0, NULL, NULL},
};

typedef struct listing {
    bool as_json;
    const char *words[WORDS_MAX]; // all of them have to be in the name or the rule
    size_t word_count;
} listing;

static bool is_wanted(const listing *l, const char *name, const char *rule)
{
    for (size_t i = 0; i < l->word_count; i++)
        if (strcasestr(name, l->words[i]) == NULL && strcasestr(rule, l->words[i]) == NULL)
            return false;
    return true;
}

static int list(const listing *l)
{
    lc_json json = {.file = stdout};
    lc_rule rule;
    const char *name;
    size_t found = 0;
    if (l->as_json) {
        lc_json_open_object(&json, NULL);
        lc_json_open_array(&json, "rules");
    }
    for (size_t i = 0; lc_rule_name_at(i, &name, &rule); i++) {
        char text[LC_RULE_TEXT_BYTES];
        lc_rule_format(&rule, NULL, text);
        if (!is_wanted(l, name, text))
            continue;
        found++;
        if (l->as_json) {
            lc_json_open_object(&json, NULL);
            lc_json_string(&json, "name", name);
            lc_json_string(&json, "rule", text);
            lc_json_close_object(&json);
        } else {
            printf("%-34s %s\n", name, text);
        }
    }
    if (l->as_json) {
        lc_json_close_array(&json);
        lc_json_close_object(&json);
    }
    if (found > 0 || l->as_json)
        return LC_EXIT_OK;
    lc_cli_error("no name of a rule has all of these words; 'lightcone rules' lists them all");
    return LC_EXIT_FAILURE;
}

int lc_cli_rules(int argc, char **argv)
{
    lc_cli_args args;
    listing l = {0};
    lc_cli_args_init(&args, "rules", table, argc, argv);
    for (int id; (id = lc_cli_args_next(&args)) != LC_ARGS_END;) {
        switch (id) {
        case OPTION_HELP:
            return lc_help_print(lc_help_rules);
        case OPTION_JSON:
            l.as_json = true;
            break;
        case LC_ARGS_OPERAND:
            if (l.word_count == WORDS_MAX)
                return lc_cli_usage("rules", "'%s': at most %d words are looked for", args.value,
                                    (int)WORDS_MAX);
            l.words[l.word_count++] = args.value;
            break;
        default:
            return LC_EXIT_USAGE;
        }
    }
    return list(&l);
}
