// `lightcone patterns`: the patterns that the command has inside.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "help.h"
#include "input.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "pattern_texts.h"

enum { OPTION_HELP = 1, OPTION_JSON };

static const lc_cli_option table[] = {
    {OPTION_HELP, 'h', "help", NULL},
    {OPTION_JSON, 0, "json", NULL},
    {0, 0, NULL, NULL},
};

// What a pattern is, in at most so many letters: the first clause of the comments behind the line
// that is the title; a longer one ends at a comma.
enum { CLAUSE_BYTES = 73 + 1 };

static void copy_first_clause(const char *comments, char clause[CLAUSE_BYTES])
{
    const char *end_of_title = strchr(comments, '\n');
    const char *at = end_of_title != NULL ? end_of_title + 1 : "";
    size_t used = 0;
    size_t comma = 0;
    for (; *at != '\0'; at++) {
        const bool ends_word = at[1] == '\0' || at[1] == '\n' || at[1] == ' ';
        if (ends_word && strchr(".:;", *at) != NULL)
            break;
        if (used + 1 == CLAUSE_BYTES) {
            used = comma > 0 ? comma : used;
            break;
        }
        comma = *at == ',' ? used : comma;
        clause[used++] = *at == '\n' ? ' ' : *at;
    }
    clause[used] = '\0';
}

static void print_for_people(const char *name, const lc_pattern_header *header)
{
    char size[48];
    char rule[LC_RULE_TEXT_BYTES];
    char clause[CLAUSE_BYTES];
    lc_rule_format(&header->rule, NULL, rule);
    copy_first_clause(header->comments, clause);
    snprintf(size, sizeof size, "%lldx%lld", (long long)header->width_cells,
             (long long)header->height_cells);
    const bool usual = strcmp(rule, "B3/S23") == 0;
    printf("%-19s %-6s %s%s%s\n", name, size, clause, usual ? "" : ", ", usual ? "" : rule);
}

static void print_for_machines(lc_json *json, const char *name, const lc_pattern_header *header)
{
    char rule[LC_RULE_TEXT_BYTES];
    lc_rule_format(&header->rule, &header->topology, rule);
    lc_json_open_object(json, NULL);
    lc_json_string(json, "name", name);
    lc_json_string(json, "rule", rule);
    lc_json_i64(json, "width", header->width_cells);
    lc_json_i64(json, "height", header->height_cells);
    lc_json_string(json, "comments", header->comments);
    lc_json_close_object(json);
}

static int list(bool as_json)
{
    lc_json json = {.file = stdout};
    lc_message message = {0};
    char name[LC_CLI_BUILT_IN_BYTES];
    if (as_json) {
        lc_json_open_object(&json, NULL);
        lc_json_open_array(&json, "patterns");
    }
    for (size_t i = 0; lc_cli_built_in_name(i, name); i++) {
        lc_pattern *pattern;
        const char *text = lc_cli_built_in_pattern(name);
        lc_status status = lc_pattern_open_memory(&pattern, text, strlen(text), &message);
        if (status != LC_OK)
            return lc_cli_report(name, status, &message);
        if (as_json)
            print_for_machines(&json, name, lc_pattern_get_header(pattern));
        else
            print_for_people(name, lc_pattern_get_header(pattern));
        lc_pattern_close(&pattern);
    }
    if (as_json) {
        lc_json_close_array(&json);
        lc_json_close_object(&json);
    } else {
        puts("\n'lightcone run NAME', info, convert and view take them; a file of that name comes "
             "first.");
    }
    return LC_EXIT_OK;
}

int lc_cli_patterns(int argc, char **argv)
{
    lc_cli_args args;
    bool json = false;
    lc_cli_args_init(&args, "patterns", table, argc, argv);
    for (int id; (id = lc_cli_args_next(&args)) != LC_ARGS_END;) {
        switch (id) {
        case OPTION_HELP:
            return lc_help_print(lc_help_patterns);
        case OPTION_JSON:
            json = true;
            break;
        case LC_ARGS_OPERAND:
            return lc_cli_usage("patterns",
                                "'%s': it takes no operands; 'lightcone info %s' says "
                                "what a pattern holds",
                                args.value, args.value);
        default:
            return LC_EXIT_USAGE;
        }
    }
    return list(json);
}
