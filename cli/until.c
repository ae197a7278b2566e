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

enum {
    WATCH_NS = 250000000, // interval at which a pass checks for a signal
    // Generations after which the search for a population asks whether the pattern repeats itself:
    // the first of them, how many times as many the next one is, and the last.
    FIRST_ASKED = 256,
    ASKED_FACTOR = 4,
    LAST_ASKED = 1 << 20,
    ASKED_CELLS = 1000000, // no larger pattern is asked about
};

typedef struct search {
    const lc_run_options *options;
    lc_universe *universe;
    // The start: a checkpoint in memory, and the engine.
    void *start;
    size_t start_bytes;
    const char *engine;
    uint64_t limit; // generations
    lc_cli_found *found;
    lc_cli_progress progress;
} search;

// Creates a universe as it was at the start of the search.
static lc_status restore(const search *s, lc_universe **out, lc_message *message)
{
    lc_universe_options creation = lc_start_options(s->options);
    const bool is_free = creation.engine == NULL || strcmp(creation.engine, "auto") == 0;
    if (is_free && strcmp(s->engine, "hashlife") == 0) // the input is a macrocell file
        creation.engine = s->engine;
    return lc_universe_restore_memory(out, s->start, s->start_bytes, &creation, message);
}

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

const char *lc_cli_parse_until(const char *text, void *to)
{
    lc_cli_until *until = to;
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

enum { END_BYTES = 320 }; // in a reason

// Describes how the pattern is stable, or repeats.
static void describe_end(const lc_identity_facts *facts, bool is_whole, char text[END_BYTES])
{
    char period[LC_CLI_NUMBER_BYTES], moved[64] = "";
    lc_cli_format_u64(facts->period, period);
    if (moves(facts))
        snprintf(moved, sizeof moved, ", moved by (%lld, %lld)", (long long)facts->dx,
                 (long long)facts->dy);
    if (facts->kind == LC_IDENTITY_DIES)
        snprintf(text, END_BYTES, "no cell is alive");
    else if (facts->period == 0)
        snprintf(text, END_BYTES, "its objects repeat and never meet");
    else if (!is_whole)
        snprintf(text, END_BYTES, "its objects repeat and never meet, period %s", period);
    else if (facts->period == 1 && *moved == '\0')
        snprintf(text, END_BYTES, "no cell changes");
    else
        snprintf(text, END_BYTES, "the cells repeat, period %s%s", period, moved);
}

static bool is_sure_to_grow(const lc_identity_facts *facts)
{
    return lc_cli_grows(facts->kind) && facts->proved;
}

// Describes how the pattern grows: "it grows for ever (gun, 5 cells every 30 generations)".
static void describe_growth(const lc_identity_facts *facts, char text[END_BYTES])
{
    char copies[LC_CLI_NUMBER_BYTES], period[LC_CLI_NUMBER_BYTES];
    const char *kind = lc_identity_kind_name(facts->kind);
    lc_cli_format_u64(facts->copies, copies);
    lc_cli_format_u64(facts->period, period);
    if (facts->kind == LC_IDENTITY_REPLICATOR)
        snprintf(text, END_BYTES, "it makes copies of itself (%s, %s copies after %s generations)",
                 kind, copies, period);
    else
        snprintf(text, END_BYTES, "it %s (%s, %lld%s cells every %s generations)",
                 is_sure_to_grow(facts) ? "grows for ever" : "has grown regularly", kind,
                 (long long)facts->growth, facts->kind == LC_IDENTITY_QUADRATIC ? " more" : "",
                 period);
}

// Says why the pattern is not known to become stable, or to repeat, within the limit.
static void explain_lack(lc_cli_found *found, bool is_whole, uint64_t limit)
{
    const lc_identity_facts *facts = &found->facts;
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES], growth[END_BYTES];
    lc_cli_format_u64(facts->settles, a);
    describe_growth(facts, growth);
    if (facts->kind == LC_IDENTITY_UNDECIDED)
        snprintf(found->reason, sizeof found->reason, "not known after %s generations",
                 lc_cli_format_u64(facts->generations, a));
    else if (lc_cli_grows(facts->kind))
        snprintf(found->reason, sizeof found->reason, "%s: %s",
                 is_sure_to_grow(facts) ? "never" : "probably never", growth);
    else if (!is_whole)
        snprintf(found->reason, sizeof found->reason,
                 "never: from generation %s on its objects move apart", a);
    else
        snprintf(found->reason, sizeof found->reason, "not within %s generations, but after %s",
                 lc_cli_format_u64(limit, b), a);
}

static lc_status identify(search *s, lc_message *message)
{
    const lc_run_options *options = s->options;
    lc_cli_found *found = s->found;
    lc_identity *identity;
    const lc_identify_options searching = {
        .struct_bytes = sizeof searching,
        .generations_max = options->has_limit ? lc_cli_generations_to_search(s->limit) : s->limit,
    };
    const lc_status status = lc_identify(&identity, s->universe, &searching, message);
    if (status != LC_OK)
        return status;
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    const bool is_whole = repeats_as_a_whole(identity);
    found->is_identified = true;
    found->facts = *facts;
    found->reached =
        lc_cli_is_stable(facts, s->limit) && (is_whole || options->until.kind == LC_UNTIL_STABLE);
    const bool never =
        lc_cli_grows(facts->kind) || (!is_whole && options->until.kind == LC_UNTIL_PERIOD);
    if (found->reached)
        describe_end(facts, is_whole, found->reason);
    else
        explain_lack(found, is_whole || !never, s->limit);
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

// Asks for the end of a pattern that has been stepped by `made` generations. Sets *last to the last
// generation that may meet the condition, and describes the end in `text`: of a pattern that
// repeats itself, the last one of the first period. Otherwise *last stays as it is.
static lc_status find_last(search *s, uint64_t made, uint64_t *last, char text[END_BYTES])
{
    lc_universe *universe;
    lc_identity *identity = NULL;
    const lc_identify_options asking = {.struct_bytes = sizeof asking, .generations_max = made};
    lc_status status = restore(s, &universe, NULL);
    if (status == LC_OK)
        status = lc_identify(&identity, universe, &asking, NULL);
    lc_universe_destroy(&universe);
    if (status != LC_OK) // without an answer the search goes on
        return status == LC_ERROR_STOPPED ? status : LC_OK;
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    if (lc_cli_is_stable(facts, UINT64_MAX) && facts->period != 0 &&
        facts->period <= UINT64_MAX - facts->settles) {
        *last = facts->settles + facts->period - 1;
        describe_end(facts, repeats_as_a_whole(identity), text);
        s->found->is_identified = true;
        s->found->facts = *facts;
    } else if (s->options->until.kind == LC_UNTIL_EMPTY && is_sure_to_grow(facts)) {
        *last = made;
        describe_growth(facts, text);
        s->found->is_identified = true;
        s->found->facts = *facts;
    }
    lc_identity_destroy(&identity);
    return LC_OK;
}

// Whether the pattern is small enough to be identified in a second universe.
static bool is_small(const search *s, lc_count population)
{
    const lc_universe_info info = lc_universe_info_of(s->universe);
    return lc_count_compare(population, lc_count_of(ASKED_CELLS)) <= 0 &&
           info.memory_bytes <= info.limit_bytes / 2;
}

static void explain_count(search *s, bool never, const char *end)
{
    lc_cli_found *found = s->found;
    char number[LC_CLI_NUMBER_BYTES];
    if (found->reached && s->options->until.kind == LC_UNTIL_EMPTY)
        snprintf(found->reason, sizeof found->reason, "no cell is alive");
    else if (found->reached)
        snprintf(found->reason, sizeof found->reason, "%s cells are alive",
                 lc_cli_format_count(s->options->until.number, number));
    else if (never)
        snprintf(found->reason, sizeof found->reason, "never: from generation %s on, %s",
                 lc_cli_format_u64(found->facts.settles, number), end);
    else
        snprintf(found->reason, sizeof found->reason, "not within %s generations",
                 lc_cli_format_u64(s->limit, number));
}

// Steps until the population is right. If the pattern is known to repeat itself, one period is
// enough.
static lc_status count(search *s, lc_message *message)
{
    lc_cli_found *found = s->found;
    char end[END_BYTES];
    const bool is_empty = s->options->until.kind == LC_UNTIL_EMPTY;
    const lc_count wanted = is_empty ? lc_count_of(0) : s->options->until.number;
    uint64_t made = 0, last = UINT64_MAX, next_asked = FIRST_ASKED;
    for (;; made++) {
        lc_facts facts;
        lc_status status = lc_universe_facts(s->universe, LC_FACT_POPULATION, &facts, message);
        if (status != LC_OK)
            return status;
        found->reached =
            !lc_universe_background(s->universe) && lc_count_compare(facts.population, wanted) == 0;
        if (!found->reached && made == next_asked && !found->is_identified) {
            next_asked = made < LAST_ASKED ? ASKED_FACTOR * made : UINT64_MAX;
            if (is_small(s, facts.population))
                status = find_last(s, made, &last, end);
        }
        if (found->reached || made == s->limit || made >= last)
            break;
        if (lc_cli_progress_give_up(&s->progress))
            return LC_ERROR_STOPPED;
        if (status == LC_OK)
            status = lc_universe_step(s->universe, lc_count_of(1), NULL, NULL, message);
        if (status != LC_OK)
            return status;
    }
    const bool never = !found->reached && made >= last;
    if (found->reached)
        found->generations = lc_count_of(made);
    else if (never && !s->options->has_limit)
        found->generations = lc_count_of(found->facts.settles);
    explain_count(s, never, end);
    return LC_OK;
}

// ---- the search --------------------------------------------------------------------------------

static lc_status find(search *s, lc_message *message)
{
    const lc_run_options *options = s->options;
    s->limit = LC_UNTIL_LIMIT;
    if (options->has_limit && !lc_count_to_u64(options->generations, &s->limit))
        s->limit = UINT64_MAX;
    *s->found = (lc_cli_found){.generations = options->has_limit ? options->generations
                                                                 : lc_count_of(LC_UNTIL_LIMIT)};
    lc_cli_progress_begin_search(&s->progress,
                                 options->quiet ? LC_PROGRESS_NEVER : options->progress,
                                 s->universe, s->found->generations);
    lc_set_give_up(lc_cli_progress_give_up, &s->progress);
    const lc_status status =
        options->until.kind == LC_UNTIL_STABLE || options->until.kind == LC_UNTIL_PERIOD
            ? identify(s, message)
            : count(s, message);
    lc_cli_progress_end(&s->progress);
    lc_set_give_up(lc_signals_give_up, NULL);
    return status;
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
    const lc_universe_info info = lc_universe_info_of(*universe);
    search s = {.options = options, .universe = *universe, .engine = info.engine, .found = found};
    lc_signals_catch();
    lc_set_give_up(lc_signals_give_up, NULL);
    lc_universe_set_watch(*universe, is_to_stop, NULL, WATCH_NS);
    lc_status status = lc_universe_checkpoint_memory(*universe, (size_t)info.limit_bytes, &s.start,
                                                     &s.start_bytes, &message);
    if (status == LC_OK)
        status = find(&s, &message);
    const lc_count generation = lc_universe_generation(*universe);
    if (status == LC_OK) {
        lc_universe_destroy(universe);
        status = restore(&s, universe, &message);
    }
    lc_set_give_up(NULL, NULL);
    free(s.start);
    return status == LC_OK ? LC_EXIT_OK : report(status, generation, &message);
}
