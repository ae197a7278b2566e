// The best plans found by measuring (lc_gpu_tune), stored beside the compiled kernels in the
// context's cache folder, by GPU and size of the board. An entry is the plan's text.
#ifndef LC_ENGINE_CUDA_CUDA_PLAN_STORE_H
#define LC_ENGINE_CUDA_CUDA_PLAN_STORE_H

#include "engine/cuda/cuda_plan.h"

// Reads the plan for such a board, stepped in place or not, and any rule with as many gates. For a
// slab without a plan, reads that of a board of its size. Returns false if no usable plan is
// stored. Any thread.
bool lc_cuda_stored_plan_read(lc_cuda_plan *plan, lc_context *context, const lc_device_facts *facts,
                              const lc_frame *frame, bool in_place, const lc_rule *rule);

// Stores a plan and replaces an older one. A plan with bands is for a board stepped in place.
// Returns false if the file cannot be written. Any thread.
bool lc_cuda_stored_plan_write(const lc_cuda_plan *plan, lc_context *context,
                               const lc_device_facts *facts, const lc_frame *frame,
                               const lc_rule *rule);

#endif
