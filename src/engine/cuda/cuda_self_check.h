// Checks that a GPU computes correct results before the engine uses them.
#ifndef LC_ENGINE_CUDA_CUDA_SELF_CHECK_H
#define LC_ENGINE_CUDA_CUDA_SELF_CHECK_H

#include "engine/cuda/cuda_settled.h"
#include "engine/cuda/cuda_stepper.h"
#include "engine/engine_interface.h"

// Steps a test board of the same kind as `board` with the stepper, which has that rule, and with
// the scalar engine. Compares every cell, the population, the bounding box and the hash. Checks
// once in a process for each kind, rule, plan and GPU; later calls cost nothing. LC_ERROR_MISMATCH
// (they differ; the message says where); LC_ERROR_MEMORY; LC_ERROR_DEVICE. Any thread, as far as
// the board's device and `pool` allow.
lc_status lc_cuda_self_check(lc_cuda_stepper *stepper, const lc_cuda_board *board,
                             const lc_rule *rule, lc_pool *pool, lc_message *message);

// Checks rounds on settled boards (cuda_settled.h) in the same way. The stepper has the rule.
lc_status lc_cuda_self_check_settled(lc_cuda_stepper *stepper, const lc_cuda_board *board,
                                     const lc_rule *rule, lc_pool *pool, lc_message *message);

#endif
