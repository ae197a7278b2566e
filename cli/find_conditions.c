// The conditions of `lightcone find`, and how a soup's result is compared with them.
#include "find_conditions.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/census.h"
#include "message.h"
#include "pattern_input.h"
#include "shared_context.h"
#include "until.h"

struct lc_find_code {
    char *code; // NULL: an empty place
    bool meets;
};

// Speeds -----------------------------------------------------------------------------------------

static bool read_number(const char **at, uint64_t *number)
{
    uint64_t value = 0;
    const char *begin = *at;
    for (; isdigit((unsigned char)**at) && value < 1000000; *at += 1)
        value = value * 10 + (uint64_t)(**at - '0');
    *number = value;
    return *at != begin && !isdigit((unsigned char)**at);
}

// Reads "(2,1)", "2" or nothing, which is 1.
static bool read_cells(const char **at, uint64_t *dx, uint64_t *dy, bool *is_pair)
{
    *is_pair = **at == '(';
    *dx = 1;
    *dy = 0;
    if (!*is_pair)
        return **at == 'c' || read_number(at, dx);
    (*at)++;
    if (!read_number(at, dx) || *(*at)++ != ',' || !read_number(at, dy) || **at != ')')
        return false;
    (*at)++;
    return true;
}

const char *lc_find_parse_speed(const char *text, void *to)
{
    static const char wrong[] = "is not a speed such as c/2, c/4d, 2c/5 or (2,1)c/6";
    lc_find_conditions *c = to;
    uint64_t dx, dy, period = 1;
    bool is_pair;
    const char *at = text;
    if (!read_cells(&at, &dx, &dy, &is_pair) || *at++ != 'c')
        return wrong;
    if (*at == '/') {
        at++;
        if (!read_number(&at, &period))
            return wrong;
    }
    at += *at == ' ';
    const bool diagonal = !is_pair && (strcmp(at, "d") == 0 || strcmp(at, "diagonal") == 0);
    const bool orthogonal = *at == '\0' || strcmp(at, "o") == 0 || strcmp(at, "orthogonal") == 0;
    if ((!diagonal && !orthogonal) || (dx == 0 && dy == 0) || period == 0)
        return wrong;
    dy = diagonal ? dx : dy;
    c->dx = (int64_t)(dx > dy ? dx : dy);
    c->dy = (int64_t)(dx > dy ? dy : dx);
    c->period = period;
    c->speed = text;
    return NULL;
}

static bool has_speed(const lc_find_conditions *c, const lc_object *object)
{
    const int64_t period = (int64_t)object->period;
    return object->kind == LC_IDENTITY_SPACESHIP &&
           object->dx * (int64_t)c->period == c->dx * period &&
           object->dy * (int64_t)c->period == c->dy * period;
}

// Objects ----------------------------------------------------------------------------------------

// Identifies a pattern, and closes it. The threads of the command's context run soups, so the
// universe has a thread of its own.
static lc_status identify(lc_pattern **pattern, const lc_rule *rule, lc_identity **identity,
                          lc_message *message)
{
    lc_universe *universe;
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .rule = rule, .engine = "sparse", .threads = 1};
    lc_status status = lc_universe_create(&universe, &options, message);
    if (status == LC_OK)
        status = lc_universe_load(universe, *pattern, 0, 0, message);
    if (status == LC_OK)
        status = lc_identify(identity, universe, NULL, message);
    lc_universe_destroy(&universe);
    lc_pattern_close(pattern);
    return status;
}

// Whether a word can be a code or the beginning of one: "xp15", "yl144_1", "PATHOLOGICAL".
static bool is_like_code(const char *word)
{
    static const char *const begins[] = {"xs",          "xp",         "xq",       "yl",
                                         "methuselah_", "megasized_", "messless_"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(word, begins[i], strlen(begins[i])) == 0 &&
            isdigit((unsigned char)word[strlen(begins[i])]))
            return true;
    return strncmp(word, "zz", 2) == 0 || strcmp(word, "PATHOLOGICAL") == 0;
}

// Whether a code is the object that the user named, or begins with it.
static bool is_object(const char *code, const char *object)
{
    const size_t length = strlen(object);
    return strncmp(code, object, length) == 0 && (code[length] == '\0' || code[length] == '_');
}

// Replaces the name of an object or of a pattern file by its code.
static int resolve_object(lc_find_conditions *c, const char *command)
{
    lc_message message = {0};
    lc_pattern *pattern;
    lc_identity *identity;
    size_t count;
    if (is_like_code(c->object))
        return LC_EXIT_OK;
    lc_status status = lc_cli_open_pattern(&pattern, c->object, 0, true, &message);
    if (status == LC_OK)
        status = identify(&pattern, c->rule, &identity, &message);
    if (status != LC_OK)
        return lc_cli_refuse_text(command, "--object", c->object, &message);
    const lc_identity_kind kind = lc_identity_get_facts(identity)->kind;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    const bool is_one =
        !lc_cli_grows(kind) && count == 1 && objects->count == 1 && objects->code[0] != '\0';
    if (is_one)
        c->object = c->object_code = strdup(objects->code);
    lc_identity_destroy(&identity);
    if (!is_one)
        return lc_cli_usage(command,
                            "--object: \"%s\" is not one object with an apgcode under "
                            "this rule",
                            c->object);
    return c->object != NULL ? LC_EXIT_OK : lc_cli_report(NULL, LC_ERROR_MEMORY, &(lc_message){0});
}

// Known objects ----------------------------------------------------------------------------------

static lc_status add_known(lc_find_conditions *c, const char *code, size_t length)
{
    if (c->known_count == c->known_room) {
        const size_t room = 2 * c->known_room + 64;
        char **grown = realloc(c->known, room * sizeof *grown);
        if (grown == NULL)
            return LC_ERROR_MEMORY;
        c->known = grown;
        c->known_room = room;
    }
    char *copy = strndup(code, length);
    if (copy == NULL)
        return LC_ERROR_MEMORY;
    c->known[c->known_count++] = copy;
    return LC_OK;
}

static lc_status add_census(lc_find_conditions *c, lc_soup_census *census)
{
    size_t count;
    lc_status status = LC_OK;
    const lc_soup_kind *kinds = lc_soup_census_get_kinds(census, &count);
    for (size_t i = 0; i < count && status == LC_OK; i++)
        status = add_known(c, kinds[i].code, strlen(kinds[i].code));
    return status;
}

// Reads the code at the beginning of a line of a haul, a CSV report or a list. Other lines of a
// haul and the head of a CSV report have none.
static lc_status add_line(lc_find_conditions *c, const char *line, uint64_t number,
                          lc_message *message)
{
    static const char head[] = "apgcode,";
    line += strspn(line, " \t\"");
    const size_t length = strcspn(line, " \t,\"\r\n");
    if (length == 0 || *line == '@' || *line == '#' || strncmp(line, head, strlen(head)) == 0)
        return LC_OK;
    if (is_like_code(line))
        return add_known(c, line, length);
    const lc_status status = lc_fail(message, LC_ERROR_FORMAT, "\"%.*s\" is not an apgcode",
                                     length < 80 ? (int)length : 80, line);
    message->line = number;
    return status;
}

static lc_status read_lines(lc_find_conditions *c, FILE *file, lc_message *message)
{
    lc_status status = LC_OK;
    char *line = NULL;
    size_t room = 0;
    for (uint64_t n = 1; status == LC_OK && getline(&line, &room, file) >= 0; n++)
        status = add_line(c, line, n, message);
    if (status == LC_OK && ferror(file))
        status = lc_fail(message, LC_ERROR_IO, "cannot read the file");
    if (status == LC_OK && c->known_count == 0)
        status = lc_fail(message, LC_ERROR_FORMAT, "the file has no apgcodes");
    free(line);
    return status;
}

static int compare_codes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static lc_status read_known_file(lc_find_conditions *c, lc_message *message)
{
    static const char census_word[] = "lightcone census";
    char begin[sizeof census_word] = "";
    lc_soup_census *census;
    FILE *file = fopen(c->known_path, "r");
    if (file == NULL)
        return lc_fail(message, LC_ERROR_IO, "%s", strerror(errno));
    const size_t length = fread(begin, 1, sizeof census_word - 1, file);
    lc_status status;
    if (length == sizeof census_word - 1 && strcmp(begin, census_word) == 0) {
        status = lc_soup_census_open(&census, c->known_path, lc_cli_context(), message);
        if (status == LC_OK)
            status = add_census(c, census);
        lc_soup_census_destroy(&census);
    } else {
        rewind(file);
        status = read_lines(c, file, message);
    }
    fclose(file);
    return status;
}

static int read_known(lc_find_conditions *c)
{
    lc_message message = {0};
    const lc_status status = read_known_file(c, &message);
    if (status != LC_OK)
        return lc_cli_report(c->known_path, status, &message);
    if (c->known_count > 0)
        qsort(c->known, c->known_count, sizeof *c->known, compare_codes);
    return LC_EXIT_OK;
}

static bool is_known(const lc_find_conditions *c, const char *code)
{
    return c->known_count > 0 &&
           bsearch(&code, c->known, c->known_count, sizeof *c->known, compare_codes) != NULL;
}

// Codes that soups left --------------------------------------------------------------------------

static bool moves_so(const lc_find_conditions *c, const char *code)
{
    lc_pattern *pattern;
    lc_identity *identity;
    size_t count;
    if (strncmp(code, "xq", 2) != 0 ||
        lc_pattern_open_memory(&pattern, code, strlen(code), NULL) != LC_OK ||
        identify(&pattern, c->rule, &identity, NULL) != LC_OK)
        return false;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    const bool moves = count == 1 && has_speed(c, objects);
    lc_identity_destroy(&identity);
    return moves;
}

static bool examine(const lc_find_conditions *c, const char *code)
{
    return (c->object == NULL || is_object(code, c->object)) &&
           (c->known_path == NULL || !is_known(c, code)) && (c->speed == NULL || moves_so(c, code));
}

static size_t hash(const char *code)
{
    uint64_t value = UINT64_C(1469598103934665603);
    for (; *code != '\0'; code++)
        value = (value ^ (unsigned char)*code) * UINT64_C(1099511628211);
    return (size_t)(value ^ value >> 32);
}

// Returns the place of a code in a table, which is a power of two, or the place where it belongs.
static lc_find_code *find_place(lc_find_code *codes, size_t room, const char *code)
{
    size_t i = hash(code) & (room - 1);
    while (codes[i].code != NULL && strcmp(codes[i].code, code) != 0)
        i = (i + 1) & (room - 1);
    return &codes[i];
}

static bool grow(lc_find_conditions *c)
{
    const size_t room = c->code_room == 0 ? 256 : 2 * c->code_room;
    lc_find_code *codes = calloc(room, sizeof *codes);
    if (codes == NULL)
        return false;
    for (size_t i = 0; i < c->code_room; i++)
        if (c->codes[i].code != NULL)
            *find_place(codes, room, c->codes[i].code) = c->codes[i];
    free(c->codes);
    c->codes = codes;
    c->code_room = room;
    return true;
}

static lc_status look_up(lc_find_conditions *c, const char *code, bool *meets)
{
    if (2 * c->code_count >= c->code_room && !grow(c))
        return LC_ERROR_MEMORY;
    lc_find_code *place = find_place(c->codes, c->code_room, code);
    if (place->code == NULL) {
        place->code = strdup(code);
        if (place->code == NULL)
            return LC_ERROR_MEMORY;
        place->meets = examine(c, code);
        c->code_count++;
    }
    *meets = place->meets;
    return LC_OK;
}

// Conditions -------------------------------------------------------------------------------------

static bool is_about_objects(const lc_find_conditions *c)
{
    return c->object != NULL || c->speed != NULL || c->known_path != NULL;
}

bool lc_find_has_conditions(const lc_find_conditions *c)
{
    return c->has_generations || c->has_population || is_about_objects(c);
}

int lc_find_prepare(lc_find_conditions *c, const char *command)
{
    int code = c->object != NULL ? resolve_object(c, command) : LC_EXIT_OK;
    if (code == LC_EXIT_OK && c->known_path != NULL)
        code = read_known(c);
    return code;
}

bool lc_find_meets(lc_find_conditions *c, const lc_soup_result *result, const char **code,
                   lc_status *status)
{
    bool meets = false;
    *code = NULL;
    *status = LC_OK;
    if ((c->has_generations && result->generations <= c->generations) ||
        (c->has_population && result->population < c->population))
        return false;
    if (!is_about_objects(c))
        return true;
    for (size_t i = 0; i < result->kinds && !meets && *status == LC_OK; i++) {
        *status = look_up(c, result->codes[i], &meets);
        *code = result->codes[i];
    }
    return meets && *status == LC_OK;
}

void lc_find_free(lc_find_conditions *c)
{
    for (size_t i = 0; i < c->known_count; i++)
        free(c->known[i]);
    for (size_t i = 0; i < c->code_room; i++)
        free(c->codes[i].code);
    free(c->known);
    free(c->codes);
    free(c->object_code);
}
