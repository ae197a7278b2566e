// Period detection: finds the cycle length that suits a pattern, by sampling some of its tiles and
// by trials.
#ifndef LC_ENGINE_SPARSE_SPARSE_PERIOD_H
#define LC_ENGINE_SPARSE_SPARSE_PERIOD_H

#include "engine/sparse/sparse_plane.h"

enum {
    LC_PERIOD_SEARCH_AWAKE = 8,    // samples of tiles that have changed
    LC_PERIOD_SEARCH_SAMPLES = 12, // samples in all; the others are of live tiles
    LC_PERIOD_SEARCH_GENERATIONS = 1200,
    LC_PERIOD_SEARCH_TRIALS = 5,
};

typedef struct lc_period_search_sample {
    lc_tile_index index; // 0: no longer sampled
    int64_t x, y;
    bool is_awake;
    uint64_t
        names[LC_PERIOD_SEARCH_GENERATIONS]; // half a tile hash for each generation; 0: unknown
} lc_period_search_sample;

// Work done, and the generations that it made.
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
    uint64_t wakes_at, began_at;                             // in tile updates
    lc_period_search_sample *samples;                        // in state LISTENS
    int generation;                                          // since the sampling began
    int layer;                                               // of the sampled tiles
    uint64_t most_work;                                      // at which a trial ends
    uint64_t rounds_left;                                    // of this state
    lc_period_search_cost begin;                             // of the measurement
    int cycles[LC_PERIOD_SEARCH_TRIALS], cycle_count, trial; // cycles[0]: the old one
    double costs[LC_PERIOD_SEARCH_TRIALS];
    double decided;       // the least of them
    int kept;             // number of trials in a row that changed nothing
    int patience;         // number of times that a due trial is postponed
    uint64_t interval;    // updates from a trial to the next
    uint64_t generations; // of all rounds
} lc_period_search;

#endif
