// Parses the rules and topologies that users type, and suggests the nearest names.
#include "shape.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "options.h"

static const struct {
    const char *word;
    lc_topology_kind kind;
} words[] = {
    {"torus", LC_TOPOLOGY_TORUS},         {"plane", LC_TOPOLOGY_PLANE},
    {"klein", LC_TOPOLOGY_KLEIN_BOTTLE},  {"klein-bottle", LC_TOPOLOGY_KLEIN_BOTTLE},
    {"cross", LC_TOPOLOGY_CROSS_SURFACE}, {"cross-surface", LC_TOPOLOGY_CROSS_SURFACE},
    {"sphere", LC_TOPOLOGY_SPHERE},
};

bool lc_cli_topology_word(const char *text, lc_topology_kind *kind)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(words[i].word, text) == 0) {
            *kind = words[i].kind;
            return true;
        }
    }
    return false;
}

lc_topology lc_cli_sized_topology(lc_topology_kind kind, int64_t width_cells, int64_t height_cells)
{
    return (lc_topology){
        .kind = kind,
        .width_cells = width_cells,
        .height_cells = height_cells,
        .twist_x = kind == LC_TOPOLOGY_KLEIN_BOTTLE,
    };
}

// Suggestions ------------------------------------------------------------------------------------

enum { NAME_BYTES = 64 };

// Copies the letters and digits before the first colon of a name, in lower case. Writes "" if the
// result does not fit.
static void simplify(const char *name, char simple[NAME_BYTES])
{
    size_t length = 0;
    for (; *name != '\0' && *name != ':' && length < NAME_BYTES; name++)
        if (isalnum((unsigned char)*name) || *name == '+')
            simple[length++] = (char)tolower((unsigned char)*name);
    simple[length < NAME_BYTES ? length : 0] = '\0';
}

// Whether `word` is `name` without some of its letters.
static bool leaves_letters_out(const char *word, const char *name)
{
    for (; *name != '\0'; name++)
        word += *word == *name;
    return *word == '\0';
}

// Keeps `name` if it is nearer to the typed word than the best name so far. A missing letter counts
// half, so "hilife" is nearer to HighLife than to Life.
static void try_name(lc_cli_nearest *nearest, const char *name)
{
    char simple[NAME_BYTES];
    simplify(name, simple);
    lc_cli_nearest one = {.word = nearest->word};
    lc_cli_nearest_try(&one, simple);
    const unsigned distance = one.distance * (leaves_letters_out(one.word, simple) ? 1 : 2);
    if (one.best != NULL && (nearest->best == NULL || distance < nearest->distance)) {
        nearest->best = name;
        nearest->distance = distance;
    }
}

const char *lc_cli_nearest_topology(const char *text)
{
    char word[NAME_BYTES];
    simplify(text, word);
    lc_cli_nearest nearest = {.word = word};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        try_name(&nearest, words[i].word);
    return nearest.best;
}

int lc_cli_refuse_topology(const char *command, const char *text, const lc_message *message)
{
    const char *meant = lc_cli_nearest_topology(text);
    if (meant == NULL)
        return lc_cli_refuse_text(command, "--topology", text, message);
    return lc_cli_unknown(command, "topology", &(lc_cli_nearest){.word = text, .best = meant}, "");
}

void lc_cli_suggest_rule(const char *text, lc_status status, lc_message *message)
{
    char word[NAME_BYTES];
    const char *name;
    const size_t used = strlen(message->text);
    if (status != LC_ERROR_FORMAT) // the text is a valid rule or rule name
        return;
    simplify(text, word);
    lc_cli_nearest nearest = {.word = word};
    // At equal distance, the first rule in the list wins. The list begins with the best-known
    // rules.
    for (size_t i = 0; lc_rule_name_at(i, &name, NULL); i++)
        try_name(&nearest, name);
    if (nearest.best != NULL)
        snprintf(message->text + used, sizeof message->text - used, "; did you mean \"%s\"?",
                 nearest.best);
}

int lc_cli_parse_rule(const char *command, const char *text, const lc_rule **rule,
                      lc_topology *topology, bool *has_topology)
{
    lc_topology suffix;
    lc_message message = {0};
    const lc_status status = lc_rule_parse(text, rule, &suffix, &message);
    if (status != LC_OK) {
        lc_cli_suggest_rule(text, status, &message);
        return lc_cli_refuse_text(command, "--rule", text, &message);
    }
    if (strchr(text, ':') != NULL) {
        *topology = suffix;
        *has_topology = true;
    }
    return LC_EXIT_OK;
}
