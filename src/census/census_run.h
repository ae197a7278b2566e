// A run of a census: workers and GPUs take numbers of soups, and add their counts.
#ifndef LC_CENSUS_CENSUS_RUN_H
#define LC_CENSUS_CENSUS_RUN_H

#include <pthread.h>
#include <stdatomic.h>

#include "census/census_internal.h"

// Soups of a GPU's batch that a worker must take. The batch is counted when all are done.
typedef struct lc_left_batch {
    int gpu; // its place in the census
    lc_number_range range;
    lc_kinds kinds; // counts of all soups that are done
    uint64_t *numbers;
    size_t count, taken, done;
    struct lc_left_batch *next;
} lc_left_batch;

typedef struct lc_census_run {
    lc_soup_census *census;
    lc_soup_census_callbacks callbacks;
    pthread_t caller;
    uint64_t progress_at_ns; // when to call callbacks.progress next
    uint64_t ends_ns;        // when the workers begin no more soups; 0: never
    atomic_bool ends;        // early
    pthread_mutex_t reports; // of callbacks.soup
    pthread_mutex_t mutex;   // guards the census and all that follows
    pthread_cond_t changed;  // a batch has been added or counted, or the run ends
    lc_number_ranges *left;
    size_t next; // range
    uint64_t soups_left;
    lc_left_batch *batches; // of GPUs, oldest first
    int gpus;               // that run
    lc_status status;       // the first error
    lc_message message;
} lc_census_run;

// Ends the run early. LC_OK: without an error.
void lc_census_run_end(lc_census_run *run, lc_status status, const lc_message *message);

// Takes the next numbers, at most `soups` of them. The caller holds the mutex. Returns false if
// there are none.
bool lc_census_run_take(lc_census_run *run, uint64_t soups, lc_number_range *piece);

// Starts a thread for each GPU of the census, and waits until all have ended. Then batches that
// were not counted are freed.
void lc_census_gpus_start(lc_census_run *run);
void lc_census_gpus_end(lc_census_run *run);

// Counts a batch whose soups are all done, and frees it. The caller holds the mutex. Returns
// false if out of memory; then the batch stays.
bool lc_census_gpus_count(lc_census_run *run, lc_left_batch *batch);

#endif
