// What steps a board: passes of T generations, queued on the board's stream.
#ifndef LC_ENGINE_CUDA_STRIP_H
#define LC_ENGINE_CUDA_STRIP_H

#include "engine/cuda/board.h"

typedef struct lc_cuda_stepper lc_cuda_stepper;

// Words a segment that suit boards of that size on that GPU: 1, 2 or 4.
int lc_cuda_plan_words(const lc_device_facts *facts, const lc_topology *topology);

// Makes what steps boards of this geometry by this rule on this device: compiles it, or takes it
// from the cache. The board is lent for the call only. LC_ERROR_MEMORY, LC_ERROR_DEVICE.
lc_status lc_cuda_stepper_create(lc_cuda_stepper **out, lc_device *device, lc_device_stream *stream,
                                 const lc_cuda_board *board, const lc_rule *rule,
                                 lc_message *message);
void lc_cuda_stepper_destroy(lc_cuda_stepper **stepper);

// Queues passes: at most `generations`, at least one; swaps the board's buffers, moves its origin
// and fills its halo. *done: how many.
lc_status lc_cuda_stepper_run(lc_cuda_stepper *stepper, lc_cuda_board *board, uint64_t generations,
                              uint64_t *done, lc_message *message);

#endif
