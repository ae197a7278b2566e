// Whether what lives on a plane goes forward faster tile by tile (the sparse engine) or by
// remembered squares (the hashlife engine). Nobody can tell beforehand, so that is found out by
// trying: a long way is begun by leaps, all else by tiles, and now and then the other engine goes
// on from the same cells for a small share of the time that was spent. If it is faster, it stays.
#ifndef LC_COVER_ENGINE_TRIAL_H
#define LC_COVER_ENGINE_TRIAL_H

#include "cover/block/one_block.h"

// Ends what an engine does when its time is over; asks the universe's own watch as well.
typedef struct lc_trial_watch {
    lc_engine_watch watch; // what the engine is given
    const lc_engine_watch *own;
    uint64_t until_ns, asked_ns;
    bool own_stops;
} lc_trial_watch;

typedef struct lc_engine_trial {
    bool has_begun;         // a long way: it was decided what with
    uint64_t made, busy_ns; // generations since the last trial, and what they took
    uint64_t trial_ns;      // so busy it must have been for the next one; 0: as at first
    double ns;              // a generation lately; 0: not known
    uint64_t pass;          // generations of the next leap
    uint64_t jumped_ns;     // since leaps began
    lc_trial_watch of_hashlife, of_sparse; // of the engines that trial made
    bool is_parked;  // the hashlife engine is not in hand, and is kept without
    lc_block parked; // cells: what it remembers makes the next trial faster
} lc_engine_trial;

static inline bool lc_is_hashlife(const lc_one_block *one)
{
    return one->block.vtable == &lc_engine_hashlife;
}

// Leaves no more behind than the universe's own block.
void lc_engine_trial_drop(lc_engine_trial *trial);

// So many generations are to come: begins to leap if that is a long way for few cells. Failures
// leave things as they are.
void lc_engine_trial_start_hashlife(lc_one_block *one, lc_engine_trial *trial,
                                    uint64_t generations);

// The sparse engine has made some generations in so long, and `left` are to come. If it is time for
// a trial and that says so, the other engine goes on with the universe: *done generations were made
// by then. Else *done is 0. LC_ERROR_STOPPED: by the watch; no other failure.
lc_status lc_engine_trial_run(lc_one_block *one, lc_engine_trial *trial, uint64_t made,
                              uint64_t took_ns, uint64_t left, uint64_t *done, lc_message *message);

// As lc_one_block_advance, of a universe that leaps. If the sparse engine is faster, or steps are
// short, or memory ends, that takes over.
lc_status lc_engine_trial_advance_hashlife(lc_one_block *one, lc_engine_trial *trial,
                                           uint64_t generations, uint64_t *done,
                                           lc_message *message);

#endif
