// Command line parser. Options may come in any order, as "--name VALUE", "--name=VALUE" or
// "-nVALUE". The word "--" ends the options.
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "help.h"
#include "lightcone/machine.h"
#include "message.h"
#include "number.h"

// Size of a buffer for the longest word that find_distance compares.
enum { WORD_BYTES = 64 };

static const lc_cli_option help_options[] = {{.letter = 'h', .name = "help"}, {0}};

// The state of lc_cli_parse.
typedef struct arguments {
    const lc_cli_syntax *syntax;
    int argc;
    char **argv;
    int next;            // index into argv
    const char *letters; // unparsed letters of a group such as "-ab"; NULL: none
    bool only_operands;  // after "--"
    // The current option.
    const lc_cli_option *option;
    char name[WORD_BYTES]; // for messages: "--size", "-g"
    bool value_in_word;    // the value and its letter are one word: "-g1000"
    const char *value;     // NULL: a switch
} arguments;

// Names that other programs use for our options. A command suggests `meant` only if `meant` is an
// option of the command.
static const struct {
    const char *meant;
    const char *typed; // with a space after each name
} aliases[] = {
    {"generations", "n steps step iterations iter iters ticks turns frames "},
    {"soup", "d density random fill "},
    {"size", "w width height dimensions "},
    {"seed", "S "},
    {"topology", "wrap torus edges boundary "},
    {"threads", "j jobs cores parallel "},
    {"max-memory", "m mem memory "},
    {"engine", "gpu device "},
    {"quiet", "silent "},
    {"output", "save write "},
    {"output-format", "format to f "},
    {"to", "format output-format f "},
    {"bind", "host address listen "},
    {"no-open", "no-browser "},
    {"runs", "repeat "},
    {"film", "movie video animation animate apng gif "},
    {"rate", "fps framerate frame-rate "},
    {"theme", "colours colors "},
    {"scale", "zoom "},
    {"area", "view crop "},
};

// Returns an option of the command by index, or NULL after the last option.
static const lc_cli_option *option_at(const arguments *args, size_t index)
{
    const lc_cli_option *const tables[] = {args->syntax->options, args->syntax->shared,
                                           help_options};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const lc_cli_option *o = tables[i]; o != NULL && o->name != NULL; o++)
            if (index-- == 0)
                return o;
    return NULL;
}

static const lc_cli_option *find_option(const arguments *args, const char *name)
{
    const lc_cli_option *option;
    for (size_t i = 0; (option = option_at(args, i)) != NULL; i++)
        if (strcmp(option->name, name) == 0)
            return option;
    return NULL;
}

// Returns the option that other programs call `typed`, or NULL.
static const lc_cli_option *find_alias(const arguments *args, const char *typed)
{
    const size_t length = strlen(typed);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const lc_cli_option *option = find_option(args, aliases[i].meant);
        const char *name = option != NULL ? aliases[i].typed : "";
        for (; *name != '\0'; name += strcspn(name, " ") + 1)
            if (strcspn(name, " ") == length && memcmp(name, typed, length) == 0)
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
static const lc_cli_option *find_word(const arguments *args)
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

static bool refuse_letter(const arguments *args, char letter)
{
    const char typed[2] = {letter, '\0'};
    char hint[HINT_BYTES];
    const lc_cli_option *meant = find_word(args);
    meant = meant != NULL ? meant : find_alias(args, typed);
    describe(meant, hint);
    lc_cli_usage(args->syntax->command, "unknown option -%c%s", letter, hint);
    return false;
}

// Finds the value of the current option: `in_word` if the option's word contains it, otherwise the
// next word. Returns false after printing an error.
static bool find_value(arguments *args, const char *in_word)
{
    const char *command = args->syntax->command, *value = args->option->value;
    args->value = in_word;
    if (value == NULL && in_word != NULL) {
        lc_cli_usage(command, "%s takes no value", args->name);
        return false;
    }
    if (value != NULL && in_word == NULL) {
        if (args->next == args->argc) {
            lc_cli_usage(command, "%s needs a value (%s)", args->name, value);
            return false;
        }
        args->value = args->argv[args->next++];
    }
    return true;
}

// Finds the option of the next letter of a group, and its value. Returns false after printing an
// error.
static bool find_letter(arguments *args)
{
    const char letter = *args->letters++;
    const char *rest = args->letters;
    snprintf(args->name, sizeof args->name, "-%c", letter);
    for (size_t i = 0; (args->option = option_at(args, i)) != NULL; i++)
        if (args->option->letter == letter)
            break;
    if (args->option == NULL)
        return refuse_letter(args, letter);
    const bool is_switch = args->option->value == NULL && *rest != '=';
    args->letters = is_switch && *rest != '\0' ? rest : NULL;
    args->value_in_word = !is_switch && *rest != '\0';
    return find_value(args, args->value_in_word ? rest + (*rest == '=') : NULL);
}

static bool refuse_word(const arguments *args, const char *typed, const char *name, size_t length)
{
    const char *command = args->syntax->command;
    const lc_cli_option *option = find_alias(args, typed);
    lc_cli_nearest nearest = {.word = typed};
    if (option != NULL) {
        char hint[HINT_BYTES];
        describe(option, hint);
        lc_cli_usage(command, "unknown option --%s%s", typed, hint);
        return false;
    }
    for (size_t i = 0; (option = option_at(args, i)) != NULL; i++)
        lc_cli_nearest_try(&nearest, option->name);
    if (nearest.best != NULL)
        lc_cli_usage(command, "unknown option --%.*s; did you mean --%s?", (int)length, name,
                     nearest.best);
    else
        lc_cli_usage(command, "unknown option --%.*s", (int)length, name);
    return false;
}

// Finds the option that a word such as "--size=10" names, and its value. Returns false after
// printing an error.
static bool find_long(arguments *args, const char *word)
{
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");
    char typed[WORD_BYTES];
    snprintf(typed, sizeof typed, "%.*s", length < sizeof typed ? (int)length : 0, name);
    args->value_in_word = false;
    args->option = find_option(args, typed);
    if (args->option == NULL)
        return refuse_word(args, typed, name, length);
    snprintf(args->name, sizeof args->name, "--%s", args->option->name);
    return find_value(args, name[length] == '=' ? name + length + 1 : NULL);
}

// Finds the option of `word`, or of the next letter of a group if `word` is NULL.
static bool find_next(arguments *args, const char *word)
{
    if (word != NULL && word[1] == '-')
        return find_long(args, word);
    if (word != NULL)
        args->letters = word + 1;
    return find_letter(args);
}

// Stores the value of an option. Returns NULL, or a message that says why the value is invalid.
static const char *store(const lc_cli_option *option, const char *value)
{
    if (option->given != NULL)
        *option->given = true;
    if (option->cleared != NULL)
        *option->cleared = false;
    if (option->named != NULL)
        *option->named = option->name;
    if (option->text != NULL)
        *option->text = value;
    if (option->number != NULL)
        return lc_cli_parse_u64(value, option->number);
    if (option->positive != NULL)
        return lc_cli_parse_positive(value, option->positive);
    if (option->count != NULL)
        return lc_cli_parse_count(value, option->count);
    if (option->width_cells != NULL)
        return lc_cli_parse_size(value, option->width_cells, option->height_cells);
    if (option->bytes != NULL) {
        lc_machine machine;
        lc_machine_get(&machine);
        return lc_cli_parse_memory(value, machine.memory_bytes, option->bytes);
    }
    return option->take != NULL ? option->take(value, option->to) : NULL;
}

static int take_option(const arguments *args)
{
    const lc_cli_option *option = args->option;
    const char *command = args->syntax->command;
    char hint[HINT_BYTES] = "";
    if (option->refused != NULL)
        return lc_cli_usage(command, "%s: %s", args->name, option->refused);
    const char *wrong = store(option, args->value);
    if (wrong == NULL || wrong[0] == '\0')
        return wrong == NULL ? LC_EXIT_OK : LC_EXIT_USAGE;
    if (args->value_in_word) // in "-size", "ize" was probably not meant as a value
        describe(find_word(args), hint);
    return lc_cli_usage(command, "%s: \"%s\" %s%s", args->name, args->value, wrong, hint);
}

static int take_operand(const lc_cli_syntax *syntax, const char *operand)
{
    if (syntax->take_operand != NULL)
        return syntax->take_operand(operand, syntax->to);
    if (syntax->pattern == NULL)
        return lc_cli_usage(syntax->command, "unexpected argument \"%s\"", operand);
    if (*syntax->pattern != NULL)
        return lc_cli_usage(syntax->command, "two patterns, \"%s\" and \"%s\"; give one",
                            *syntax->pattern, operand);
    *syntax->pattern = operand;
    return LC_EXIT_OK;
}

bool lc_cli_parse(const lc_cli_syntax *syntax, int argc, char **argv, int *code)
{
    arguments args = {.syntax = syntax, .argc = argc, .argv = argv, .next = 1};
    *code = LC_EXIT_OK;
    while (*code == LC_EXIT_OK && (args.letters != NULL || args.next < argc)) {
        const char *word = args.letters == NULL ? argv[args.next++] : NULL;
        if (word != NULL && (args.only_operands || word[0] != '-' || word[1] == '\0')) {
            *code = take_operand(syntax, word);
        } else if (word != NULL && strcmp(word, "--") == 0) {
            args.only_operands = true;
        } else if (!find_next(&args, word)) {
            *code = LC_EXIT_USAGE;
        } else if (args.option == help_options) {
            *code = lc_help_print(syntax->help);
            return false;
        } else {
            *code = take_option(&args);
        }
    }
    if (*code == LC_EXIT_OK && syntax->pattern != NULL && *syntax->pattern == NULL)
        *code =
            lc_cli_usage(syntax->command, "missing argument: give a pattern; - is standard input");
    return *code == LC_EXIT_OK;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Returns the edit distance of two words: the number of insertions, deletions, replacements and
// swaps of neighbouring letters. If a word is longer than 63 characters, the distance is infinite.
//
// Computes the distances between all prefixes of the two words, row by row. Three rows are enough,
// because a swap of neighbouring letters depends on the row two rows earlier.
static unsigned find_distance(const char *a, const char *b)
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
    unsigned distance = find_distance(nearest->word, name);
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
