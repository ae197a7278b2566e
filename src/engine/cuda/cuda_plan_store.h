// Plans that were found best by measuring (lc_gpu_tune), kept on disk among the compiled kernels
// (in the context's cache folder) for boards of that size on that GPU. An entry is the plan's text.
#ifndef LC_ENGINE_CUDA_CUDA_PLAN_STORE_H
#define LC_ENGINE_CUDA_CUDA_PLAN_STORE_H

#include "engine/cuda/cuda_plan.h"

// The plan that was kept for such a board, stepped in place or not, and any rule of as many gates;
// of a slab, if none was, that for a board of its size. False: there is none that kernels can work
// by. Any thread.
bool lc_cuda_kept_plan_read(lc_cuda_plan *plan, lc_context *context, const lc_device_facts *facts,
                            const lc_frame *frame, bool in_place, const lc_rule *rule);

// Keeps a plan, with bands for a board in place, instead of an older one. False: it could not be
// written. Any thread.
bool lc_cuda_kept_plan_write(const lc_cuda_plan *plan, lc_context *context,
                             const lc_device_facts *facts, const lc_frame *frame,
                             const lc_rule *rule);

#endif
