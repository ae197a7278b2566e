// Steps boards of one kind by one rule: the plan's kernels and the order of their launches.
#ifndef LC_ENGINE_CUDA_CUDA_STEPPER_H
#define LC_ENGINE_CUDA_CUDA_STEPPER_H

#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_plan.h"
#include "lightcone/engine.h"
#include "logic/network.h"

typedef struct lc_cuda_stepper lc_cuda_stepper;

// Creates a stepper for boards of this frame on this device. `cache` (base/cache.h; NULL: none) has
// the rule's text. Kernels that the kernel cache lacks are compiled in the background, and the
// first use waits for them. On error *out is NULL. LC_ERROR_ARGUMENT (an impossible plan);
// LC_ERROR_MEMORY; LC_ERROR_DEVICE.
lc_status lc_cuda_stepper_create(lc_cuda_stepper **out, lc_device *device, lc_device_stream *stream,
                                 const lc_frame *frame, const lc_rule *rule, lc_cache *cache,
                                 const lc_cuda_plan *plan, lc_message *message);
void lc_cuda_stepper_destroy(lc_cuda_stepper **stepper);

const lc_cuda_plan *lc_cuda_stepper_plan(const lc_cuda_stepper *stepper);

// Returns the rule's networks, which kernels include as "rule.h". The stepper owns the text.
const char *lc_cuda_stepper_rule_text(const lc_cuda_stepper *stepper);

// Sets another number of runs; 0: the plan's own choice. For tests and tuning.
void lc_cuda_stepper_set_runs(lc_cuda_stepper *stepper, uint32_t runs);

// Finds the warps of strips that the GPU holds at a time, after compiling them; 0 if the plan has
// no strips. For tuning. LC_ERROR_DEVICE (they cannot be compiled, or do not fit).
lc_status lc_cuda_stepper_warps(lc_cuda_stepper *stepper, int64_t *warps, lc_message *message);

// Finds how boards like this one are stepped: by the strip kernel if the plan has strips, otherwise
// by the tile kernel. Facts are missing until the kernel is compiled, and operations always are.
void lc_cuda_stepper_facts(const lc_cuda_stepper *stepper, const lc_cuda_board *board,
                           lc_step_facts *facts);

// Make one pass in two halves, as in engine/engine_interface.h. The first half queues the kernel
// and leaves the cells as they are. The second makes the result the board. The halo of a slab
// without a filler was filled before. If a board is stepped in place, the first half fills the halo
// and the second queues the kernels.
uint64_t lc_cuda_stepper_pass_generations(const lc_cuda_stepper *stepper, uint64_t generations);
lc_status lc_cuda_stepper_make_pass(lc_cuda_stepper *stepper, lc_cuda_board *board,
                                    uint64_t generations, lc_message *message);
lc_status lc_cuda_stepper_end_pass(lc_cuda_stepper *stepper, lc_cuda_board *board,
                                   uint64_t generations, lc_message *message);

// Queues `generations` generations. The board may differ from that of the frame above if it is of
// the same kind: it drifts or is fenced alike, ends in the same column of its last segment, and is
// stepped in place if the plan says so, in bands of any height. Meanwhile the caller queues no
// other work on the board.
lc_status lc_cuda_stepper_run(lc_cuda_stepper *stepper, lc_cuda_board *board, uint64_t generations,
                              lc_message *message);

#endif
