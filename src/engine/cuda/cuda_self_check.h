// Whether a GPU computes what it should, found out before its results are believed.
#ifndef LC_ENGINE_CUDA_CUDA_SELF_CHECK_H
#define LC_ENGINE_CUDA_CUDA_SELF_CHECK_H

#include "engine/cuda/cuda_settled.h"
#include "engine/cuda/cuda_stepper.h"
#include "engine/engine_interface.h"

// Steps an awkward board of the same kind as `board` by the stepper, which is that rule's, and with
// the scalar engine, and compares every cell, the population, the bounding box and the hash. Done
// once in a process for each kind, rule, plan and GPU; later calls cost nothing.
// LC_ERROR_MISMATCH: they differ, and the message says where. Also LC_ERROR_MEMORY,
// LC_ERROR_DEVICE. Any thread, as far as the board's device and `pool` allow.
lc_status lc_cuda_self_check(lc_cuda_stepper *stepper, const lc_cuda_board *board,
                             const lc_rule *rule, lc_pool *pool, lc_message *message);

// The same for rounds of boards that have settled (cuda_settled.h), for which the stepper has the
// rule.
lc_status lc_cuda_self_check_settled(lc_cuda_stepper *stepper, const lc_cuda_board *board,
                                     const lc_rule *rule, lc_pool *pool, lc_message *message);

#endif
