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
    lc_context *context; // without ranks
    lc_ranks *ranks;     // that share the census, or NULL
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
    int gpu_count;  // that take part in runs
    int gpus_asked; // of each rank
};

// Creates a census that wants no soups. It retains the rule.
lc_status lc_census_create_empty(lc_soup_census **out, const lc_rule *rule,
                                 const lc_soup_source *source, lc_context *context,
                                 lc_message *message);

// Adds the counts of soups that are wanted and have not been counted. Returns false if out of
// memory; then nothing has changed.
bool lc_census_add(lc_soup_census *census, const lc_kinds *kinds, const lc_number_ranges *numbers);

// Counts soups as lc_soup_census_run does: those of `numbers`, which are wanted and have not been
// counted. After `run_ns` nanoseconds, begins no more soups; 0: runs to the end. Uses up `numbers`.
lc_status lc_census_run_here(lc_soup_census *census, lc_number_ranges *numbers,
                             const lc_soup_census_callbacks *callbacks, uint64_t run_ns,
                             lc_message *message);

// The same by all ranks of the census's context.
lc_status lc_census_run_by_ranks(lc_soup_census *census, const lc_soup_census_callbacks *callbacks,
                                 lc_message *message);

// Make a file's text, which the caller frees with free(), and read one. Errors as
// lc_soup_census_save and lc_soup_census_open.
lc_status lc_census_make_text(void **text, size_t *bytes, const lc_soup_census *census,
                              lc_message *message);
lc_status lc_census_read_text(lc_soup_census **out, const void *text, size_t bytes,
                              lc_context *context, lc_message *message);

// Returns LC_OK if two censuses have the same rule and the same kind of soups, or
// LC_ERROR_ARGUMENT.
lc_status lc_census_check_alike(const lc_soup_census *into, const lc_soup_census *from,
                                lc_message *message);

// Forgets all counts, and which soups are wanted.
void lc_census_clear(lc_soup_census *census);

// Closes the GPUs of a census.
void lc_census_gpus_free(lc_soup_census *census);

// Sets *haul to the counts. Random soups have no root and no symmetry. Returns as lc_haul_add; on
// error *haul is empty. The caller frees the haul.
lc_status lc_census_to_haul(lc_haul *haul, const lc_soup_census *census, lc_message *message);

#endif
