// Steps boards of one kind by one rule: the plan's kernels, and the order of launches.
#ifndef LC_ENGINE_CUDA_CUDA_STEPPER_H
#define LC_ENGINE_CUDA_CUDA_STEPPER_H

#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_plan.h"
#include "lightcone/engine.h"
#include "logic/network.h"

typedef struct lc_cuda_stepper lc_cuda_stepper;

// For boards of this frame on this device. `cache` (base/cache.h; NULL: none) has the rule's text.
// Kernels that are not in the kernel cache are compiled in the background and waited for when they
// are first used. On error *out is NULL. LC_ERROR_ARGUMENT (an
// impossible plan), LC_ERROR_MEMORY, LC_ERROR_DEVICE.
lc_status lc_cuda_stepper_create(lc_cuda_stepper **out, lc_device *device, lc_device_stream *stream,
                                 const lc_frame *frame, const lc_rule *rule, lc_cache *cache,
                                 const lc_cuda_plan *plan, lc_message *message);
void lc_cuda_stepper_destroy(lc_cuda_stepper **stepper);

const lc_cuda_plan *lc_cuda_stepper_plan(const lc_cuda_stepper *stepper);

// The rule's networks, which kernels include as "rule.h"; the stepper's.
enum { LC_CUDA_RULE_TEXT_BYTES = 2 * LC_NETWORK_TEXT_BYTES };
const char *lc_cuda_stepper_rule_text(const lc_cuda_stepper *stepper);

// A list of all texts of kernels/ and that of a rule, which outlives it; lc_free. LC_ERROR_MEMORY.
lc_status lc_cuda_texts_create(lc_kernel_text **out, const char *rule_text, lc_message *message);

// For tests and tuning: another number of runs, 0 being the plan's own choice.
void lc_cuda_stepper_set_runs(lc_cuda_stepper *stepper, uint32_t runs);

// For tuning: how many warps of strips the GPU holds at a time, once they are compiled; 0 if the
// plan has none. LC_ERROR_DEVICE (they cannot be compiled, or do not fit).
lc_status lc_cuda_stepper_warps(lc_cuda_stepper *stepper, int64_t *warps, lc_message *message);

// How boards like this one are stepped: the kernel of strips if the plan has any, else that of
// tiles, as far as it has been compiled. Operations are not known here.
void lc_cuda_stepper_facts(const lc_cuda_stepper *stepper, const lc_cuda_board *board,
                           lc_step_facts *facts);

// One pass in two halves, as engine/engine_interface.h has them: the kernel is queued, which leaves
// the cells as they are; then what it will have made is the board. A slab's halo was filled before.
// Of a board that is stepped in place the first half fills the halo, and the kernels are queued by
// the second.
uint64_t lc_cuda_stepper_pass_generations(const lc_cuda_stepper *stepper, uint64_t generations);
lc_status lc_cuda_stepper_make_pass(lc_cuda_stepper *stepper, lc_cuda_board *board,
                                    uint64_t generations, lc_message *message);
lc_status lc_cuda_stepper_end_pass(lc_cuda_stepper *stepper, lc_cuda_board *board,
                                   uint64_t generations, lc_message *message);

// Queues so many generations. The board may be another one than that of the frame above, as long as
// it is of the same kind: drifts or is fenced as that does, ends in the same column of its last
// segment, and is stepped in place if the plan says so, in bands of any height. Nothing else is to
// be queued on the board meanwhile.
lc_status lc_cuda_stepper_run(lc_cuda_stepper *stepper, lc_cuda_board *board, uint64_t generations,
                              lc_message *message);

#endif
