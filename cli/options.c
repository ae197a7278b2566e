// Command line parser. Options may come in any order, as "--name VALUE", "--name=VALUE" or
// "-nVALUE". The word "--" ends the options.
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "message.h"

// Size of a buffer for the longest word that lc_cli_distance compares.
enum { WORD_BYTES = 64 };

void lc_cli_args_init(lc_cli_args *args, const char *command, const lc_cli_option *options,
                      int argc, char **argv)
{
    *args = (lc_cli_args){
        .command = command, .options = options, .argc = argc, .argv = argv, .next = 1};
}

// Names that other programs use for our options. A command suggests `meant` only if `meant` is an
// option of the command.
static const struct {
    const char *typed, *meant;
} aliases[] = {
    {"n", "generations"},
    {"steps", "generations"},
    {"step", "generations"},
    {"iterations", "generations"},
    {"iter", "generations"},
    {"iters", "generations"},
    {"ticks", "generations"},
    {"turns", "generations"},
    {"frames", "generations"},
    {"d", "soup"},
    {"density", "soup"},
    {"random", "soup"},
    {"fill", "soup"},
    {"w", "size"},
    {"width", "size"},
    {"height", "size"},
    {"dimensions", "size"},
    {"S", "seed"},
    {"wrap", "topology"},
    {"torus", "topology"},
    {"edges", "topology"},
    {"boundary", "topology"},
    {"j", "threads"},
    {"jobs", "threads"},
    {"cores", "threads"},
    {"parallel", "threads"},
    {"m", "max-memory"},
    {"mem", "max-memory"},
    {"memory", "max-memory"},
    {"gpu", "engine"},
    {"device", "engine"},
    {"silent", "quiet"},
    {"save", "output"},
    {"write", "output"},
    {"format", "output-format"},
    {"format", "to"},
    {"output-format", "to"},
    {"to", "output-format"},
    {"f", "output-format"},
    {"f", "to"},
    {"host", "bind"},
    {"address", "bind"},
    {"listen", "bind"},
    {"no-browser", "no-open"},
    {"repeat", "runs"},
    {"movie", "film"},
    {"video", "film"},
    {"animation", "film"},
    {"animate", "film"},
    {"apng", "film"},
    {"gif", "film"},
    {"fps", "rate"},
    {"framerate", "rate"},
    {"frame-rate", "rate"},
    {"colours", "theme"},
    {"colors", "theme"},
    {"zoom", "scale"},
    {"view", "area"},
    {"crop", "area"},
};

static const lc_cli_option *find_option(const lc_cli_args *args, const char *name)
{
    const lc_cli_option *option = args->options;
    while (option->id != 0 && strcmp(option->name, name) != 0)
        option++;
    return option->id != 0 ? option : NULL;
}

// Returns the option that other programs call `typed`, or NULL.
static const lc_cli_option *find_alias(const lc_cli_args *args, const char *typed)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const lc_cli_option *option =
            strcmp(aliases[i].typed, typed) == 0 ? find_option(args, aliases[i].meant) : NULL;
        if (option != NULL)
            return option;
    }
    return NULL;
}

// Size of a buffer for a suggestion, such as "; did you mean -g N?".
enum { HINT_BYTES = 96 };

static void describe(const lc_cli_option *option, char hint[HINT_BYTES])
{
    hint[0] = '\0';
    if (option != NULL) {
        char letter[3] = {'-', option->letter, '\0'};
        snprintf(hint, HINT_BYTES, "; did you mean %s%s%s%s?", option->letter != 0 ? letter : "--",
                 option->letter != 0 ? "" : option->name, option->value != NULL ? " " : "",
                 option->value != NULL ? option->value : "");
    }
}

// Returns the option whose full name the user typed with one hyphen instead of two: "-size 10" for
// --size. Returns NULL if no option has that name.
static const lc_cli_option *find_word(const lc_cli_args *args)
{
    const char *word = args->argv[args->next - 1] + 1;
    size_t length = strcspn(word, "=");
    char name[WORD_BYTES];
    if (length < 2 || length >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const lc_cli_option *option = find_option(args, name);
    return option != NULL ? option : find_alias(args, name);
}

static int refuse_letter(const lc_cli_args *args, char letter)
{
    const char typed[2] = {letter, '\0'};
    char hint[HINT_BYTES];
    const lc_cli_option *meant = find_word(args);
    meant = meant != NULL ? meant : find_alias(args, typed);
    describe(meant, hint);
    lc_cli_usage(args->command, "unknown option -%c%s", letter, hint);
    return LC_ARGS_ERROR;
}

static int next_letter(lc_cli_args *args)
{
    char letter = *args->letters++;
    args->letter_name[0] = '-';
    args->letter_name[1] = letter;
    args->letter_name[2] = '\0';
    args->name = args->letter_name;
    const lc_cli_option *option = args->options;
    while (option->id != 0 && option->letter != letter)
        option++;
    if (option->id == 0)
        return refuse_letter(args, letter);
    const char *rest = args->letters;
    if (option->value == NULL) {
        if (*rest == '=') {
            lc_cli_usage(args->command, "-%c takes no value", letter);
            return LC_ARGS_ERROR;
        }
        args->letters = *rest != '\0' ? rest : NULL;
        return option->id;
    }
    args->letters = NULL;
    args->value_in_word = *rest != '\0';
    if (*rest != '\0') {
        args->value = *rest == '=' ? rest + 1 : rest;
    } else if (args->next < args->argc) {
        args->value = args->argv[args->next++];
    } else {
        lc_cli_usage(args->command, "-%c needs a value (%s)", letter, option->value);
        return LC_ARGS_ERROR;
    }
    return option->id;
}

static int next_word(lc_cli_args *args, const char *word)
{
    const char *name = word + 2;
    const char *equals = strchr(name, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    lc_cli_nearest nearest = {0};
    char typed[WORD_BYTES];
    snprintf(typed, sizeof typed, "%.*s", length < sizeof typed ? (int)length : 0, name);
    nearest.word = typed;
    const lc_cli_option *option = args->options;
    for (; option->id != 0; option++) {
        if (strncmp(option->name, name, length) == 0 && option->name[length] == '\0')
            break;
        lc_cli_nearest_try(&nearest, option->name);
    }
    if (option->id == 0) {
        const lc_cli_option *alias = find_alias(args, typed);
        if (alias != NULL) {
            char hint[HINT_BYTES];
            describe(alias, hint);
            lc_cli_usage(args->command, "unknown option --%s%s", typed, hint);
        } else if (nearest.best != NULL) {
            lc_cli_usage(args->command, "unknown option --%.*s; did you mean --%s?", (int)length,
                         name, nearest.best);
        } else {
            lc_cli_usage(args->command, "unknown option --%.*s", (int)length, name);
        }
        return LC_ARGS_ERROR;
    }
    snprintf(args->long_name, sizeof args->long_name, "--%s", option->name);
    args->name = args->long_name;
    if (option->value == NULL) {
        if (equals != NULL) {
            lc_cli_usage(args->command, "--%s takes no value", option->name);
            return LC_ARGS_ERROR;
        }
        return option->id;
    }
    if (equals != NULL) {
        args->value = equals + 1;
    } else if (args->next < args->argc) {
        args->value = args->argv[args->next++];
    } else {
        lc_cli_usage(args->command, "--%s needs a value (%s)", option->name, option->value);
        return LC_ARGS_ERROR;
    }
    return option->id;
}

int lc_cli_args_next(lc_cli_args *args)
{
    args->value = NULL;
    args->value_in_word = false;
    if (args->letters != NULL)
        return next_letter(args);
    if (args->next >= args->argc)
        return LC_ARGS_END;
    const char *word = args->argv[args->next++];
    if (args->only_operands || word[0] != '-' || word[1] == '\0') {
        args->value = word;
        return LC_ARGS_OPERAND;
    }
    if (word[1] != '-') {
        args->letters = word + 1;
        return next_letter(args);
    }
    if (word[2] == '\0') {
        args->only_operands = true;
        return lc_cli_args_next(args);
    }
    return next_word(args, word);
}

int lc_cli_args_refuse(const lc_cli_args *args, const char *reason)
{
    char hint[HINT_BYTES] = "";
    if (args->value_in_word) // in "-size", "ize" was probably not meant as a value
        describe(find_word(args), hint);
    return lc_cli_usage(args->command, "%s: \"%s\" %s%s", args->name, args->value, reason, hint);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Computes the distances between all prefixes of the two words, row by row. Three rows are enough,
// because a swap of neighbouring letters depends on the row two rows earlier.
unsigned lc_cli_distance(const char *a, const char *b)
{
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length >= WORD_BYTES || b_length >= WORD_BYTES)
        return WORD_BYTES * 2;
    unsigned rows[3][WORD_BYTES + 1] = {{0}};
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

void lc_cli_nearest_try(lc_cli_nearest *nearest, const char *name)
{
    size_t length = strlen(nearest->word);
    unsigned distance = lc_cli_distance(nearest->word, name);
    if (length >= 3 && strncmp(nearest->word, name, length) == 0)
        distance = 1; // `word` is an abbreviation of the name
    // The edit distance must be at most 1 + length / 3 and less than length / 2. Without the limit
    // length / 2, "gun" would match "tub".
    if (distance <= 1 + length / 3 && 2 * distance < length &&
        (nearest->best == NULL || distance < nearest->distance)) {
        nearest->best = name;
        nearest->distance = distance;
    }
}

int lc_cli_unknown(const char *command, const char *kind, const lc_cli_nearest *nearest,
                   const char *known)
{
    if (nearest->best != NULL)
        return lc_cli_usage(command, "unknown %s \"%s\"; did you mean \"%s\"?", kind, nearest->word,
                            nearest->best);
    return lc_cli_usage(command, "unknown %s \"%s\"; %s", kind, nearest->word, known);
}

int lc_cli_engine_on(const char *command, const char *devices, const char **engine, char *text,
                     size_t text_bytes)
{
    if (strcmp(devices, "all") != 0 && devices[strspn(devices, "0123456789,")] != '\0')
        return lc_cli_usage(command, "--devices: \"%s\" is neither all nor numbers of GPUs (0,2)",
                            devices);
    const char *name = *engine != NULL ? *engine : "cuda", *settings = strchr(name, ':');
    const char *before = settings == NULL ? ":" : settings[1] == '\0' ? "" : ",";
    const int length = snprintf(text, text_bytes, "%s%sdevices=%s", name, before, devices);
    if (length >= (int)text_bytes)
        return lc_cli_usage(command, "--devices: the list is too long");
    for (char *at = text + length - strlen(devices); *at != '\0'; at++)
        *at = *at == ',' ? '+' : *at;
    *engine = text;
    return LC_EXIT_OK;
}
