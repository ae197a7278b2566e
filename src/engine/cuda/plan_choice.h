// Where the plan of a board comes from: typed, kept after tuning, or guessed.
#ifndef LC_ENGINE_CUDA_PLAN_CHOICE_H
#define LC_ENGINE_CUDA_PLAN_CHOICE_H

#include "engine/cuda/plan.h"

// The plan for a board and a rule: the guess, changed by $LIGHTCONE_GPU_PLAN if that is set, and
// checked; without it the plan that was kept after tuning (kept_plan.h), if there is one.
lc_status lc_cuda_plan_choose(lc_cuda_plan *plan, const lc_device_facts *facts,
                              const lc_topology *topology, const lc_rule *rule,
                              lc_message *message);

#endif
