// The internals of a census of soups.
#ifndef LC_CENSUS_CENSUS_INTERNAL_H
#define LC_CENSUS_CENSUS_INTERNAL_H

#include "census/haul.h"
#include "census/number_ranges.h"
#include "census/soup_census.h"
#include "census/soup_source.h"

// A worker of the pool. It is kept between runs.
typedef struct lc_census_worker {
    lc_soup_taker *taker; // NULL: not created yet
    uint64_t piece;       // soups that it takes at a time
} lc_census_worker;

typedef struct lc_census_gpu lc_census_gpu; // census_gpus.c

struct lc_soup_census {
    lc_context *context;
    const lc_rule *rule;
    char rule_text[LC_RULE_TEXT_BYTES];
    lc_soup_source source;
    lc_number_ranges wanted, counted; // all that are counted are wanted
    lc_kinds kinds;
    uint64_t objects;
    lc_soup_kind *listed; // for lc_soup_census_get_kinds
    size_t listed_room;   // at least kinds.count
    lc_census_worker *workers;
    lc_census_gpu *gpus;
    int gpu_count; // that take part in runs
};

// Creates a census that wants no soups. It retains the rule.
lc_status lc_census_create_empty(lc_soup_census **out, const lc_rule *rule,
                                 const lc_soup_source *source, lc_context *context,
                                 lc_message *message);

// Adds the counts of soups that are wanted and have not been counted. Returns false if out of
// memory; then nothing has changed.
bool lc_census_add(lc_soup_census *census, const lc_kinds *kinds, const lc_number_ranges *numbers);

// Closes the GPUs of a census.
void lc_census_gpus_free(lc_soup_census *census);

// Sets *haul to the counts. Random soups have no root and no symmetry. Returns as lc_haul_add; on
// error *haul is empty. The caller frees the haul.
lc_status lc_census_to_haul(lc_haul *haul, const lc_soup_census *census, lc_message *message);

#endif
