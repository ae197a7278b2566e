// The options of `census` and `find` that say which soups they run.
#include "soup_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "shape.h"
#include "shared_context.h"

static const char default_seed[] = "l_lightcone";

static const char *take_density(const char *text, void *to)
{
    lc_cli_soup_options *o = to;
    o->is_random = true;
    return lc_cli_parse_density(text, &o->density);
}

static const char *take_threads(const char *text, void *to)
{
    lc_cli_soup_options *o = to;
    const char *wrong = lc_cli_parse_u64(text, &o->threads);
    if (wrong == NULL && o->threads > LC_THREADS_MAX)
        wrong = "is more than 4096 threads";
    return wrong;
}

static const char *take_rule(const char *text, void *to)
{
    lc_cli_soup_options *o = to;
    lc_topology topology;
    bool has_topology = false;
    o->rule_text = text;
    if (lc_cli_parse_rule(o->command, text, &o->rule, &topology, &has_topology) != LC_EXIT_OK)
        return "";
    return has_topology ? "has a topology, and soups run on the infinite plane" : NULL;
}

static const char *always(const char *text, void *to)
{
    (void)text;
    *(lc_cli_progress_mode *)to = LC_PROGRESS_ALWAYS;
    return NULL;
}

static const char *never(const char *text, void *to)
{
    (void)text;
    *(lc_cli_progress_mode *)to = LC_PROGRESS_NEVER;
    return NULL;
}

void lc_cli_soup_options_table(lc_cli_soup_options *o, lc_cli_option table[LC_CLI_SOUP_OPTIONS])
{
    const lc_cli_option options[] = {
        {0, "first", "NUMBER", .number = &o->first},
        {'n', "soups", "N", .given = &o->has_soups, .positive = &o->soups},
        {0, "no-progress", NULL, .take = never, .to = &o->progress},
        {0, "progress", NULL, .take = always, .to = &o->progress},
        {'q', "quiet", NULL, .given = &o->quiet, .take = never, .to = &o->progress},
        {'r', "rule", "RULE", .take = take_rule, .to = o},
        {0, "seed", "ROOT", .text = &o->seed},
        {'s', "size", "WxH", .given = &o->has_size, .width_cells = &o->width_cells,
         .height_cells = &o->height_cells},
        {0, "soup", "DENSITY", .take = take_density, .to = o},
        {0, "symmetry", "NAME", .text = &o->symmetry},
        {'t', "threads", "N", .take = take_threads, .to = o},
        {0},
    };
    _Static_assert(sizeof options / sizeof *options <= LC_CLI_SOUP_OPTIONS, "table is too small");
    memcpy(table, options, sizeof options);
}

bool lc_cli_soup_options_given(const lc_cli_soup_options *o)
{
    return o->seed != NULL || o->symmetry != NULL || o->rule != NULL || o->is_random || o->has_size;
}

static int check(const lc_cli_soup_options *o)
{
    if (o->has_size && !o->is_random)
        return lc_cli_usage(o->command, "--size needs --soup DENSITY");
    if (o->is_random && !o->has_size)
        return lc_cli_usage(o->command, "--soup needs --size WxH");
    if (o->is_random && o->symmetry != NULL)
        return lc_cli_usage(o->command, "--symmetry conflicts with --soup; remove one of them");
    if (o->is_random && (o->width_cells < 1 || o->height_cells < 1 ||
                         o->width_cells > LC_SOUP_SIDE_MAX || o->height_cells > LC_SOUP_SIDE_MAX))
        return lc_cli_usage(o->command, "--size: a side of a soup has 1 to %d cells",
                            (int)LC_SOUP_SIDE_MAX);
    return LC_EXIT_OK;
}

// Prints an error of lc_soup_census_create, and names the option that it concerns.
static int refuse(const lc_cli_soup_options *o, lc_status status, const lc_message *message)
{
    if (status == LC_ERROR_FORMAT && o->symmetry != NULL)
        return lc_cli_refuse_text(o->command, "--symmetry", o->symmetry, message);
    if (status == LC_ERROR_UNSUPPORTED && o->rule != NULL)
        return lc_cli_refuse_text(o->command, "--rule", o->rule_text, message);
    return lc_cli_refuse(o->command, status, message);
}

int lc_cli_soup_options_create(const lc_cli_soup_options *o, lc_soup_census **out)
{
    lc_message message = {0};
    uint64_t random_seed = 0;
    *out = NULL;
    const int code = check(o);
    if (code != LC_EXIT_OK)
        return code;
    if (o->is_random && o->seed != NULL) {
        const char *wrong = lc_cli_parse_u64(o->seed, &random_seed);
        if (wrong != NULL)
            return lc_cli_usage(o->command, "--seed: \"%s\" %s", o->seed, wrong);
    }
    lc_cli_context_set_threads((int)o->threads);
    const lc_soup_census_options options = {
        .struct_bytes = sizeof options,
        .rule = o->rule != NULL ? o->rule : lc_rule_life(),
        .context = lc_cli_context(),
        .symmetry = o->symmetry,
        .seed = o->is_random      ? NULL
                : o->seed != NULL ? o->seed
                                  : default_seed,
        .width_cells = o->width_cells,
        .height_cells = o->height_cells,
        .density = o->density,
        .random_seed = random_seed,
        .first_soup = o->first,
        .soups = o->soups,
    };
    const lc_status status = lc_soup_census_create(out, &options, &message);
    return status == LC_OK ? LC_EXIT_OK : refuse(o, status, &message);
}

// Quotes a word for a shell, if it needs that.
static const char *quote(const char *word, char *text, size_t bytes)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./:,=@%";
    size_t used = 0;
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        snprintf(text, bytes, "%s", word);
        return text;
    }
    text[used++] = '\'';
    for (; *word != '\0' && used + 6 < bytes; word++)
        used += (size_t)snprintf(text + used, bytes - used, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(text + used, bytes - used, "'");
    return text;
}

const char *lc_cli_soup_options_format(const lc_soup_census_facts *facts, char *text, size_t bytes)
{
    char seed[512], rule[2 * LC_RULE_TEXT_BYTES];
    quote(facts->rule, rule, sizeof rule);
    if (facts->width_cells != 0)
        snprintf(text, bytes,
                 "--soup %.9g --size %" PRId64 "x%" PRId64 " --seed %" PRIu64 " --rule %s",
                 facts->density, facts->width_cells, facts->height_cells, facts->random_seed, rule);
    else
        snprintf(text, bytes, "--seed %s --symmetry %s --rule %s",
                 quote(facts->seed, seed, sizeof seed), facts->symmetry, rule);
    return text;
}
