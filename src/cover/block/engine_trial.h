// Trials of the sparse engine and HashLife on an infinite plane: creates the other engine, copies
// the cells, times it, and keeps the faster one. choice/trial_policy.h decides when.
#ifndef LC_COVER_ENGINE_TRIAL_H
#define LC_COVER_ENGINE_TRIAL_H

#include "choice/trial_policy.h"
#include "cover/block/one_block.h"

// A watch that stops an engine when its time is over. It calls the universe's own watch as well.
typedef struct lc_trial_watch {
    lc_engine_watch watch; // that the engine gets
    const lc_engine_watch *own;
    uint64_t until_ns, asked_ns;
    bool own_stops;
} lc_trial_watch;

typedef struct lc_engine_trial {
    lc_trial_policy policy;
    lc_trial_watch of_hashlife, of_sparse; // of the engines that trials created
    bool is_parked;  // the HashLife engine is not in use, and is kept without cells: its memoised
    lc_block parked; // nodes make the next trial faster
} lc_engine_trial;

static inline bool lc_is_hashlife(const lc_one_block *one)
{
    return one->block.vtable == &lc_engine_hashlife;
}

// Frees the parked engine.
void lc_engine_trial_drop(lc_engine_trial *trial);

// Starts HashLife if a step of that many generations is long and few cells are alive. If that
// fails, nothing has changed.
void lc_engine_trial_start_hashlife(lc_one_block *one, lc_engine_trial *trial,
                                    uint64_t generations);

// Called after the sparse engine made `made` generations; `left` follow. Tries HashLife if a trial
// is due. If it wins, it has made *done generations and is in use; otherwise *done is 0.
// LC_ERROR_STOPPED (by the watch); no other error.
lc_status lc_engine_trial_run(lc_one_block *one, lc_engine_trial *trial, uint64_t made,
                              uint64_t took_ns, uint64_t left, uint64_t *done, lc_message *message);

// Steps a universe that HashLife has, as lc_one_block_advance. The sparse engine takes over if a
// trial finds it faster, if steps are short, or if memory runs out.
lc_status lc_engine_trial_advance_hashlife(lc_one_block *one, lc_engine_trial *trial,
                                           uint64_t generations, uint64_t *done,
                                           lc_message *message);

#endif
