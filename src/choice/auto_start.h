// What "auto" starts with, before anything is known of the cells.
#ifndef LC_CHOICE_AUTO_START_H
#define LC_CHOICE_AUTO_START_H

#include "choice/engine_choice.h"

// Whether an engine that "auto" chooses from steps the rule. Otherwise "auto" takes the engine
// "scalar".
bool lc_auto_has_fast_engine(const lc_rule *rule);

// Whether an unbounded universe starts with the sparse engine. `max_memory_bytes` 0: no limit.
bool lc_auto_starts_sparse(const lc_topology *topology, const lc_rule *rule,
                           uint64_t max_memory_bytes);

// Whether a bounded board changes its engine during the run (adaptive_policy.h).
bool lc_auto_adapts(const lc_topology *topology, const lc_rule *rule);

// Whether a universe may start on the CPU and move to a GPU later. `every_cell`: a measurement,
// that must not.
bool lc_auto_may_start_on_cpu(const lc_topology *topology, bool every_cell);

// Whether the GPUs should share a bounded board, because one of them could not hold two copies of
// it. A smaller board stays on one GPU, which is faster when the board settles.
bool lc_auto_shares_gpus(const lc_topology *topology, const lc_choice *one);

// Returns the i-th engine to try for a board that no dense engine can hold; NULL past the last.
const lc_engine_vtable *lc_auto_for_large(size_t i);

#endif
