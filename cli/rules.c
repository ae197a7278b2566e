// `lightcone rules`: lists the named rules.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "help.h"
#include "json.h"
#include "listing.h"
#include "message.h"

// Whether each word is part of the rule's name or notation.
static bool is_wanted(const lc_cli_listing *l, const char *name, const char *rule)
{
    for (size_t i = 0; i < l->word_count; i++)
        if (strcasestr(name, l->words[i]) == NULL && strcasestr(rule, l->words[i]) == NULL)
            return false;
    return true;
}

static int list(const lc_cli_listing *l)
{
    lc_json json = {.file = stdout};
    const char *name, *notation;
    size_t found = 0;
    if (l->as_json) {
        lc_json_open_object(&json, NULL);
        lc_json_open_array(&json, "rules");
    }
    for (size_t i = 0; lc_rule_name_at(i, &name, &notation); i++) {
        const lc_rule *rule;
        lc_message message;
        const lc_status status = lc_rule_parse(notation, &rule, NULL, &message);
        if (status != LC_OK)
            return lc_cli_report(NULL, status, &message);
        char text[LC_RULE_TEXT_BYTES];
        lc_rule_format(rule, NULL, text);
        lc_rule_release(&rule);
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
    lc_cli_error("no named rule has all of these words; 'lightcone rules' lists all rules");
    return LC_EXIT_FAILURE;
}

int lc_cli_rules(int argc, char **argv)
{
    lc_cli_listing asked;
    int code;
    return lc_cli_listing_parse(&asked, "rules", lc_help_rules, argc, argv, &code) ? list(&asked)
                                                                                   : code;
}
