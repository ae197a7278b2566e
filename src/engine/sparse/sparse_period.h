// Which cycle suits a pattern: found out by listening to some of its tiles, and by trying.
#ifndef LC_ENGINE_SPARSE_SPARSE_PERIOD_H
#define LC_ENGINE_SPARSE_SPARSE_PERIOD_H

#include "engine/sparse/sparse_plane.h"

enum {
    LC_PERIOD_SEARCH_AWAKE = 8,    // tiles that are listened to, of those that have changed
    LC_PERIOD_SEARCH_SAMPLES = 12, // and others that live
    LC_PERIOD_SEARCH_GENERATIONS = 1200,
    LC_PERIOD_SEARCH_TRIALS = 5,
};

typedef struct lc_period_search_sample {
    lc_tile_index index; // 0: given up
    int64_t x, y;
    bool is_awake;
    uint64_t names[LC_PERIOD_SEARCH_GENERATIONS]; // half a name for each generation; 0: not known
} lc_period_search_sample;

// So much work was done in so many generations.
typedef struct lc_period_search_cost {
    uint64_t work, generations;
} lc_period_search_cost;

typedef struct lc_period_search {
    enum {
        LC_PERIOD_SEARCH_WAITS,
        LC_PERIOD_SEARCH_LISTENS,
        LC_PERIOD_SEARCH_WARMS_UP,
        LC_PERIOD_SEARCH_MEASURES
    } state;
    uint64_t wakes_at, began_at;                             // visits
    lc_period_search_sample *samples;                        // while it listens
    int generation;                                          // since it began to
    int layer;                                               // that it looks at the samples from
    uint64_t most_work;                                      // when a trial is ended
    uint64_t rounds_left;                                    // of this state
    lc_period_search_cost begin;                             // of what is measured
    int cycles[LC_PERIOD_SEARCH_TRIALS], cycle_count, trial; // cycles[0]: what it was
    double costs[LC_PERIOD_SEARCH_TRIALS];
    double decided;       // the least of them
    int kept;             // so many trials in a row have changed nothing
    int patience;         // so often a trial that is due is put off
    uint64_t interval;    // visits between it and the next
    uint64_t generations; // of all rounds
} lc_period_search;

#endif
