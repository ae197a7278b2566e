// `lightcone run --until`: a generation, or a condition. The command finds the generation of a
// condition in advance, so that the run itself has a target like any other.
#ifndef LC_CLI_UNTIL_H
#define LC_CLI_UNTIL_H

#include "lightcone/lightcone.h"
#include "lightcone/object.h"

typedef enum lc_until_kind {
    LC_UNTIL_NONE, // --until was not given
    LC_UNTIL_GENERATION,
    // Conditions.
    LC_UNTIL_STABLE,
    LC_UNTIL_PERIOD,
    LC_UNTIL_EMPTY,
    LC_UNTIL_POPULATION,
} lc_until_kind;

typedef struct lc_cli_until {
    lc_until_kind kind;
    lc_count number;  // the generation, or the population
    const char *text; // as typed
} lc_cli_until;

// Parses "stable", "period", "empty", "population=N" or the number of a generation, for
// lc_cli_parse. `to` is a lc_cli_until.
const char *lc_cli_parse_until(const char *text, void *to);

static inline bool lc_cli_until_is_condition(const lc_cli_until *until)
{
    return until->kind > LC_UNTIL_GENERATION;
}

// Generations that a condition may take if -g is not given.
enum { LC_UNTIL_LIMIT = 100000 };

enum { LC_UNTIL_REASON_BYTES = 512 };

// The result of a search.
typedef struct lc_cli_found {
    bool reached;         // the condition comes within the limit
    lc_count generations; // how many to run: up to the condition, or as far as the run goes else
    char reason[LC_UNTIL_REASON_BYTES]; // why the run ends there
    bool is_identified;                 // `facts` is set
    lc_identity_facts facts;
} lc_cli_found;

// Whether a pattern becomes stable within `limit` generations, at facts->settles.
bool lc_cli_is_stable(const lc_identity_facts *facts, uint64_t limit);
// Whether it grows for ever.
bool lc_cli_grows(lc_identity_kind kind);

// Returns how many generations lc_identify may make to find what begins within `limit`
// generations. The search looks further, because a repetition shows only after it has happened.
uint64_t lc_cli_generations_to_search(uint64_t limit);

struct lc_run_options;

// Finds the generation at which a run with these options ends: the first one that meets the
// condition. Steps the universe for this, and replaces it by one in the state before. Catches
// signals (signals.h). Returns LC_EXIT_OK, or another exit code after printing an error; *universe
// may then be NULL.
int lc_cli_until_find(const struct lc_run_options *options, lc_universe **universe,
                      lc_cli_found *found);

#endif
