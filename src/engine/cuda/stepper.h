// Steps boards of one geometry by one rule: the plan, its kernels, and the order of launches.
#ifndef LC_ENGINE_CUDA_STEPPER_H
#define LC_ENGINE_CUDA_STEPPER_H

#include "engine/cuda/board.h"
#include "engine/cuda/plan.h"

typedef struct lc_cuda_stepper lc_cuda_stepper;

// For boards of this topology on this device. Kernels are compiled, or taken from the cache, when
// they are first used, so that a few generations do not wait for kernels of many. On error *out is
// NULL. LC_ERROR_ARGUMENT (an impossible plan), LC_ERROR_MEMORY, LC_ERROR_DEVICE.
lc_status lc_cuda_stepper_create(lc_cuda_stepper **out, lc_device *device, lc_device_stream *stream,
                                 const lc_topology *topology, const lc_rule *rule,
                                 const lc_cuda_plan *plan, lc_message *message);
void lc_cuda_stepper_destroy(lc_cuda_stepper **stepper);

const lc_cuda_plan *lc_cuda_stepper_plan(const lc_cuda_stepper *stepper);

// Advances by at least 1 and at most `generations`; *done says how many were queued. The call ends
// when all but the last some hundredths of a second of work are through: it queues so much at a time
// that the GPU never waits, and so little that a caller who wants to stop, or to show something, need
// not wait either. Synchronise before looking at the cells.
lc_status lc_cuda_stepper_run(lc_cuda_stepper *stepper, lc_cuda_board *board, uint64_t generations,
                              uint64_t *done, lc_message *message);

#endif
