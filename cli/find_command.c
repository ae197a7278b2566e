// `lightcone find`: runs soups until some meet the user's conditions.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "find_conditions.h"
#include "help.h"
#include "message.h"
#include "number.h"
#include "shared_context.h"
#include "signals.h"
#include "soup_options.h"

typedef struct search {
    pthread_mutex_t lock; // held by a callback of the census
    lc_cli_soup_options soups;
    lc_find_conditions conditions;
    uint64_t limit;
    const char *folder; // NULL: the patterns are printed
    lc_soup_census *census;
    const lc_rule *rule;
    lc_cli_progress progress;
    uint64_t found;
    int code; // of the first error
} search;

// Options ----------------------------------------------------------------------------------------

static bool parse_options(search *s, int argc, char **argv, int *code)
{
    lc_find_conditions *c = &s->conditions;
    lc_cli_option shared[LC_CLI_SOUP_OPTIONS];
    const lc_cli_option options[] = {
        {0, "limit", "K", .positive = &s->limit},
        {0, "lives-longer", "N", .given = &c->has_generations, .number = &c->generations},
        {0, "not-in", "FILE", .text = &c->known_path},
        {0, "object", "OBJECT", .text = &c->object},
        {'o', "output", "FOLDER", .text = &s->folder},
        {0, "reaches", "P", .given = &c->has_population, .number = &c->population},
        {0, "ship-speed", "SPEED", .take = lc_find_parse_speed, .to = c},
        {0},
    };
    const lc_cli_syntax syntax = {
        .command = "find", .help = lc_help_find, .options = options, .shared = shared};
    lc_cli_soup_options_table(&s->soups, shared);
    if (!lc_cli_parse(&syntax, argc, argv, code))
        return false;
    if (!lc_find_has_conditions(c))
        *code = lc_cli_usage("find", "missing condition: --lives-longer, --reaches, --object, "
                                     "--ship-speed or --not-in");
    return *code == LC_EXIT_OK;
}

static int make_folder(const char *folder)
{
    struct stat facts;
    if (mkdir(folder, 0777) == 0)
        return LC_EXIT_OK;
    const int reason = errno;
    if (reason == EEXIST && stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode))
        return LC_EXIT_OK;
    lc_cli_error("%s: cannot create the folder: %s", folder, strerror(reason));
    return LC_EXIT_FAILURE;
}

// Finds ------------------------------------------------------------------------------------------

typedef struct soup_cells {
    uint8_t *states;
    int width, height;
} soup_cells;

static lc_status give_row(void *context, int64_t y, uint64_t *words)
{
    const soup_cells *cells = context;
    memset(words, 0, (size_t)(cells->width + 63) / 64 * sizeof *words);
    for (int x = 0; x < cells->width; x++)
        words[x / 64] |= (uint64_t)cells->states[(size_t)y * (size_t)cells->width + (size_t)x]
                         << x % 64;
    return LC_OK;
}

static lc_status read_soup(const search *s, uint64_t number, soup_cells *cells, lc_message *message)
{
    lc_status status = lc_soup_census_read_soup(s->census, number, NULL, 0, &cells->width,
                                                &cells->height, message);
    if (status != LC_OK)
        return status;
    cells->states = malloc((size_t)cells->width * (size_t)cells->height);
    if (cells->states == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory");
    return lc_soup_census_read_soup(s->census, number, cells->states, (size_t)cells->width,
                                    &cells->width, &cells->height, message);
}

// Writes the comments of a find: facts about the soup, and the command that makes it again.
static void write_comments(const search *s, const lc_soup_result *result, const char *code,
                           char *text, size_t bytes)
{
    char soups[1024], a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    lc_soup_census_facts facts;
    lc_soup_census_get_facts(s->census, &facts);
    lc_cli_soup_options_format(&facts, soups, sizeof soups);
    int used =
        snprintf(text, bytes, "soup %" PRIu64 ": settled after %s generations, with %s cells\n",
                 result->number, lc_cli_format_u64(result->generations, a),
                 lc_cli_format_u64(result->population, b));
    if (code != NULL)
        used += snprintf(text + used, bytes - (size_t)used, "leaves %.400s\n", code);
    if (facts.width_cells == 0)
        used += snprintf(text + used, bytes - (size_t)used, "seed %s, symmetry %s, rule %s\n",
                         facts.seed, facts.symmetry, facts.rule);
    snprintf(text + used, bytes - (size_t)used, "lightcone census %s --first %" PRIu64 " -n 1",
             soups, result->number);
}

// Writes "FOLDER/NAME-NUMBER.rle". Characters that a file name cannot have become '_'.
static void name_file(const search *s, uint64_t number, char path[PATH_MAX])
{
    lc_soup_census_facts facts;
    char name[128];
    lc_soup_census_get_facts(s->census, &facts);
    if (facts.enumerate)
        snprintf(name, sizeof name, "%" PRId64 "x%" PRId64, facts.width_cells, facts.height_cells);
    else if (facts.width_cells != 0)
        snprintf(name, sizeof name, "random-%" PRIu64, facts.random_seed);
    else
        snprintf(name, sizeof name, "%.80s-%s", facts.seed, facts.symmetry);
    for (char *at = name; *at != '\0'; at++)
        *at = *at == '/' || (unsigned char)*at < 0x20 ? '_' : *at;
    snprintf(path, PATH_MAX, "%s/%s-%" PRIu64 ".rle", s->folder, name, number);
}

static int write_find(const search *s, const lc_soup_result *result, const char *code)
{
    char comments[2560], path[PATH_MAX] = "-";
    soup_cells cells = {0};
    lc_message message = {0};
    lc_status status = read_soup(s, result->number, &cells, &message);
    write_comments(s, result, code, comments, sizeof comments);
    if (s->folder != NULL)
        name_file(s, result->number, path);
    const lc_pattern_write_options options = {
        .struct_bytes = sizeof options,
        .format = LC_FORMAT_RLE,
        .rule = s->rule,
        .comments = comments,
        .width_cells = cells.width,
        .height_cells = cells.height,
        .threads = 1,
    };
    if (s->folder == NULL)
        lc_cli_progress_clear_line();
    if (status == LC_OK)
        status = lc_pattern_write(path, &options, give_row, &cells, &message);
    free(cells.states);
    if (status != LC_OK)
        return lc_cli_report_output(path, status, &message);
    if (s->folder != NULL)
        printf("%s\n", path);
    return fflush(stdout) == 0 ? LC_EXIT_OK : LC_EXIT_FAILURE; // lc_cli_finish_stdout reports it
}

// Searching --------------------------------------------------------------------------------------

static bool take_soup(search *s, const lc_soup_result *result)
{
    const char *code;
    lc_status status;
    if (s->found == s->limit || s->code != LC_EXIT_OK)
        return false;
    if (lc_find_meets(&s->conditions, result, &code, &status)) {
        s->code = write_find(s, result, code);
        s->found += s->code == LC_EXIT_OK;
    } else if (status != LC_OK) {
        s->code = lc_cli_report(NULL, status, &(lc_message){0});
    }
    return s->found < s->limit && s->code == LC_EXIT_OK;
}

static bool on_soup(void *user, const lc_soup_result *result)
{
    search *s = user;
    pthread_mutex_lock(&s->lock);
    const bool goes_on = take_soup(s, result);
    pthread_mutex_unlock(&s->lock);
    return goes_on;
}

static bool on_progress(void *user, const lc_soup_census *census)
{
    search *s = user;
    lc_soup_census_facts facts;
    lc_soup_census_get_facts(census, &facts);
    pthread_mutex_lock(&s->lock); // the line and printed patterns share a terminal
    lc_cli_progress_update(&s->progress, NULL, lc_count_of(facts.soups), lc_cli_now_ns());
    pthread_mutex_unlock(&s->lock);
    return lc_signals_received() == 0;
}

static int run(search *s)
{
    char number[LC_CLI_NUMBER_BYTES];
    lc_message message = {0};
    lc_soup_census_facts facts;
    const lc_soup_census_callbacks callbacks = {
        .struct_bytes = sizeof callbacks, .user = s, .progress = on_progress, .soup = on_soup};
    lc_signals_catch();
    lc_cli_progress_begin_soups(&s->progress, s->soups.progress,
                                lc_count_of(s->soups.has_soups ? s->soups.soups : 0));
    s->progress.is_search = true;
    const lc_status status = lc_soup_census_run(s->census, &callbacks, &message);
    lc_cli_progress_end(&s->progress);
    lc_soup_census_get_facts(s->census, &facts);
    if (s->code != LC_EXIT_OK)
        return s->code;
    if (status == LC_ERROR_STOPPED && s->found == s->limit)
        return LC_EXIT_OK;
    lc_cli_format_u64(facts.soups, number);
    if (status == LC_ERROR_STOPPED) {
        lc_cli_error("stopped by %s after %s soups", lc_signals_name(lc_signals_received()),
                     number);
        return LC_EXIT_SIGNAL + lc_signals_received();
    }
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    if (s->found == 0)
        lc_cli_error("no soup of %s meets the conditions", number);
    return s->found > 0 ? LC_EXIT_OK : LC_EXIT_FAILURE;
}

// Without -n all numbers are searched.
static void choose_number(lc_cli_soup_options *soups)
{
    if (!soups->has_soups && !soups->enumerates)
        soups->soups = soups->first < UINT64_MAX ? UINT64_MAX - soups->first : 0;
}

int lc_cli_find(int argc, char **argv)
{
    static search s = {.lock = PTHREAD_MUTEX_INITIALIZER, .soups = {.command = "find"}, .limit = 1};
    int code;
    if (!parse_options(&s, argc, argv, &code))
        return code;
    choose_number(&s.soups);
    code = lc_cli_soup_options_create(&s.soups, &s.census);
    s.rule = s.soups.rule != NULL ? s.soups.rule : lc_rule_life();
    s.conditions.rule = s.rule;
    if (code == LC_EXIT_OK)
        code = lc_find_prepare(&s.conditions, "find");
    if (code == LC_EXIT_OK && s.folder != NULL)
        code = make_folder(s.folder);
    if (code == LC_EXIT_OK)
        code = run(&s);
    lc_find_free(&s.conditions);
    lc_soup_census_destroy(&s.census);
    return code;
}
