// `lightcone run --until`: finds the first generation that meets a condition.
//
// The search steps the universe generation by generation. Before, it saves the universe as a
// checkpoint in memory, which works for every input: standard input can be read only once. After
// the search the run begins with the saved universe.
#include "until.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "options.h"
#include "run_options.h"
#include "signals.h"
#include "start.h"

enum { WATCH_NS = 250000000 }; // interval at which a pass checks for a signal

// ---- the option --------------------------------------------------------------------------------

static const struct {
    const char *name, *meant;
    lc_until_kind kind;
} conditions[] = {
    {"stable", "is neither a generation nor a condition; did you mean \"stable\"?",
     LC_UNTIL_STABLE},
    {"period", "is neither a generation nor a condition; did you mean \"period\"?",
     LC_UNTIL_PERIOD},
    {"empty", "is neither a generation nor a condition; did you mean \"empty\"?", LC_UNTIL_EMPTY},
    {"population", "needs a number: population=N", LC_UNTIL_POPULATION},
};

enum { CONDITIONS = sizeof conditions / sizeof *conditions };

static const char *suggest(const char *text)
{
    lc_cli_nearest nearest = {.word = text};
    for (size_t i = 0; i < CONDITIONS; i++)
        lc_cli_nearest_try(&nearest, conditions[i].name);
    for (size_t i = 0; i < CONDITIONS && nearest.best != NULL; i++)
        if (strcmp(conditions[i].name, nearest.best) == 0)
            return conditions[i].meant;
    return "must be a generation, stable, period, empty or population=N";
}

const char *lc_cli_parse_until(const char *text, lc_cli_until *until)
{
    static const char population[] = "population=";
    *until = (lc_cli_until){.kind = LC_UNTIL_GENERATION, .text = text};
    if (strchr("0123456789.+-", text[0]) != NULL) // also of an empty text
        return lc_cli_parse_count(text, &until->number);
    if (strncmp(text, population, sizeof population - 1) == 0) {
        until->kind = LC_UNTIL_POPULATION;
        return lc_cli_parse_count(text + sizeof population - 1, &until->number) == NULL
                   ? NULL
                   : "is not population=N with a number of live cells";
    }
    for (size_t i = 0; i < CONDITIONS; i++) {
        if (strcmp(conditions[i].name, text) == 0 && conditions[i].kind != LC_UNTIL_POPULATION) {
            until->kind = conditions[i].kind;
            return NULL;
        }
    }
    return suggest(text);
}

// ---- stable and period -------------------------------------------------------------------------

bool lc_cli_grows(lc_identity_kind kind)
{
    return kind >= LC_IDENTITY_GUN;
}

bool lc_cli_is_stable(const lc_identity_facts *facts, uint64_t limit)
{
    return facts->kind != LC_IDENTITY_UNDECIDED && !lc_cli_grows(facts->kind) &&
           facts->settles <= limit;
}

uint64_t lc_cli_generations_to_search(uint64_t limit)
{
    const uint64_t most = 1 << 30; // that lc_identify accepts
    return limit < most / 2 - 1024 ? 2 * limit + 1024 : most;
}

static bool moves(const lc_identity_facts *facts)
{
    return facts->dx != 0 || facts->dy != 0;
}

// Whether all cells repeat together. On the plane, spaceships that do not move with everything else
// leave.
static bool repeats_as_a_whole(const lc_identity *identity)
{
    size_t count;
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    if (moves(facts) || facts->population_max != 0) // within a period
        return true;
    for (size_t i = 0; i < count; i++)
        if (objects[i].kind == LC_IDENTITY_SPACESHIP)
            return false;
    return true;
}

// Says why the pattern is stable, or repeats.
static void explain_end(lc_cli_found *found, bool is_whole)
{
    const lc_identity_facts *facts = &found->facts;
    char period[LC_CLI_NUMBER_BYTES], moved[64] = "";
    lc_cli_format_u64(facts->period, period);
    if (moves(facts))
        snprintf(moved, sizeof moved, ", moved by (%lld, %lld)", (long long)facts->dx,
                 (long long)facts->dy);
    if (facts->kind == LC_IDENTITY_DIES)
        snprintf(found->reason, sizeof found->reason, "no cell is alive");
    else if (facts->period == 0)
        snprintf(found->reason, sizeof found->reason, "objects that repeat and never meet");
    else if (!is_whole)
        snprintf(found->reason, sizeof found->reason,
                 "objects that repeat and never meet, period %s", period);
    else if (facts->period == 1 && *moved == '\0')
        snprintf(found->reason, sizeof found->reason, "no cell changes");
    else
        snprintf(found->reason, sizeof found->reason, "the cells repeat, period %s%s", period,
                 moved);
}

// Says why the pattern is not known to become stable, or to repeat, within the limit.
static void explain_lack(lc_cli_found *found, bool is_whole, uint64_t limit)
{
    const lc_identity_facts *facts = &found->facts;
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES], c[LC_CLI_NUMBER_BYTES];
    lc_cli_format_u64(facts->settles, a);
    lc_cli_format_u64(facts->period, b);
    if (facts->kind == LC_IDENTITY_UNDECIDED)
        snprintf(found->reason, sizeof found->reason, "not known after %s generations",
                 lc_cli_format_u64(facts->generations, a));
    else if (lc_cli_grows(facts->kind))
        snprintf(found->reason, sizeof found->reason,
                 "never: it grows for ever (%s, %lld%s cells every %s generations, seen for %s "
                 "periods)",
                 lc_identity_kind_name(facts->kind), (long long)facts->growth,
                 facts->kind == LC_IDENTITY_QUADRATIC ? " more" : "", b,
                 lc_cli_format_u64(facts->periods_seen, c));
    else if (!is_whole)
        snprintf(found->reason, sizeof found->reason,
                 "never: from generation %s on its objects move apart", a);
    else
        snprintf(found->reason, sizeof found->reason, "not within %s generations, but after %s",
                 lc_cli_format_u64(limit, b), a);
}

static lc_status identify(const lc_run_options *options, lc_universe *universe, uint64_t limit,
                          lc_cli_found *found, lc_message *message)
{
    lc_identity *identity;
    const lc_identify_options searching = {
        .struct_bytes = sizeof searching,
        .generations_max = options->has_limit ? lc_cli_generations_to_search(limit) : limit,
    };
    const lc_status status = lc_identify(&identity, universe, &searching, message);
    if (status != LC_OK)
        return status;
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    const bool is_whole = repeats_as_a_whole(identity);
    found->is_identified = true;
    found->facts = *facts;
    found->reached =
        lc_cli_is_stable(facts, limit) && (is_whole || options->until.kind == LC_UNTIL_STABLE);
    const bool never =
        lc_cli_grows(facts->kind) || (!is_whole && options->until.kind == LC_UNTIL_PERIOD);
    if (found->reached)
        explain_end(found, is_whole);
    else
        explain_lack(found, is_whole || !never, limit);
    if (found->reached || (never && !options->has_limit))
        found->generations = lc_count_of(facts->settles);
    lc_identity_destroy(&identity);
    return LC_OK;
}

// ---- empty and population ----------------------------------------------------------------------

static bool is_to_stop(void *context, const lc_universe *universe)
{
    (void)universe;
    return lc_signals_give_up(context);
}

static lc_status count(const lc_run_options *options, lc_universe *universe, uint64_t limit,
                       lc_cli_found *found, lc_message *message)
{
    char number[LC_CLI_NUMBER_BYTES];
    const bool is_empty = options->until.kind == LC_UNTIL_EMPTY;
    const lc_count wanted = is_empty ? lc_count_of(0) : options->until.number;
    for (uint64_t made = 0;; made++) {
        lc_facts facts;
        lc_status status = lc_universe_facts(universe, LC_FACT_POPULATION, &facts, message);
        if (status != LC_OK)
            return status;
        found->reached =
            !lc_universe_background(universe) && lc_count_compare(facts.population, wanted) == 0;
        if (found->reached)
            found->generations = lc_count_of(made);
        if (found->reached || made == limit)
            break;
        if (lc_signals_received() != 0)
            return LC_ERROR_STOPPED;
        status = lc_universe_step(universe, lc_count_of(1), NULL, NULL, message);
        if (status != LC_OK)
            return status;
    }
    if (!found->reached)
        snprintf(found->reason, sizeof found->reason, "not within %s generations",
                 lc_cli_format_u64(limit, number));
    else if (is_empty)
        snprintf(found->reason, sizeof found->reason, "no cell is alive");
    else
        snprintf(found->reason, sizeof found->reason, "%s cells are alive",
                 lc_cli_format_count(wanted, number));
    return LC_OK;
}

// ---- the search --------------------------------------------------------------------------------

static lc_status search(const lc_run_options *options, lc_universe *universe, lc_cli_found *found,
                        lc_message *message)
{
    uint64_t limit = LC_UNTIL_LIMIT;
    if (options->has_limit && !lc_count_to_u64(options->generations, &limit))
        limit = UINT64_MAX;
    *found = (lc_cli_found){.generations = options->has_limit ? options->generations
                                                              : lc_count_of(LC_UNTIL_LIMIT)};
    return options->until.kind == LC_UNTIL_STABLE || options->until.kind == LC_UNTIL_PERIOD
               ? identify(options, universe, limit, found, message)
               : count(options, universe, limit, found, message);
}

// Replaces the universe by that of a checkpoint in memory.
static lc_status go_back(const lc_run_options *options, lc_universe **universe, const void *data,
                         size_t size_bytes, const char *engine, lc_message *message)
{
    lc_universe_options creation = lc_start_options(options);
    const bool is_free = creation.engine == NULL || strcmp(creation.engine, "auto") == 0;
    if (is_free && strcmp(engine, "hashlife") == 0) // the input is a macrocell file
        creation.engine = engine;
    lc_universe_destroy(universe);
    return lc_universe_restore_memory(universe, data, size_bytes, &creation, message);
}

static int report(lc_status status, const lc_count generation, const lc_message *message)
{
    char number[LC_CLI_NUMBER_BYTES];
    const int signal = lc_signals_received();
    if (status != LC_ERROR_STOPPED || signal == 0)
        return lc_cli_report(NULL, status, message);
    lc_cli_error("stopped by %s at generation %s, while --until was searched for",
                 lc_signals_name(signal), lc_cli_format_count(generation, number));
    return LC_EXIT_SIGNAL + signal;
}

int lc_cli_until_find(const lc_run_options *options, lc_universe **universe, lc_cli_found *found)
{
    lc_message message = {0};
    void *data;
    size_t size_bytes;
    const char *engine = lc_universe_engine(*universe);
    lc_signals_catch();
    lc_set_give_up(lc_signals_give_up, NULL);
    lc_universe_set_watch(*universe, is_to_stop, NULL, WATCH_NS);
    lc_status status = lc_universe_checkpoint_memory(
        *universe, (size_t)lc_universe_limit_bytes(*universe), &data, &size_bytes, &message);
    if (status == LC_OK)
        status = search(options, *universe, found, &message);
    const lc_count generation = lc_universe_generation(*universe);
    if (status == LC_OK)
        status = go_back(options, universe, data, size_bytes, engine, &message);
    lc_set_give_up(NULL, NULL);
    free(data);
    return status == LC_OK ? LC_EXIT_OK : report(status, generation, &message);
}
