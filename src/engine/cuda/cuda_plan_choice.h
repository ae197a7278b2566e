// Which GPU steps a board, and by which plan: as the engine's settings say, as it was kept after
// tuning, or as a model guesses.
#ifndef LC_ENGINE_CUDA_CUDA_PLAN_CHOICE_H
#define LC_ENGINE_CUDA_CUDA_PLAN_CHOICE_H

#include "engine/cuda/cuda_plan.h"
#include "engine/engine_interface.h"

// When only that part of a board is stepped in which something happens (cuda_adaptive.h): settled=;
// and when a board is stepped in place (cuda_in_place.h), which is worth it if two buffers do not
// fit: in-place=
typedef enum lc_cuda_when {
    LC_CUDA_IF_WORTH, // auto
    LC_CUDA_ALWAYS,   // yes
    LC_CUDA_NEVER,    // no
} lc_cuda_when;

// What "cuda:device=1,settled=no,words=4,generations=8" says: lc_cuda_plan_parse, and what is not
// of the plan.
typedef struct lc_cuda_settings {
    int device; // -1: the first that is usable
    lc_cuda_when settled, in_place;
    char plan[LC_ENGINE_SETTINGS_BYTES]; // the rest of the text; "": nothing is said of the plan
} lc_cuda_settings;

// LC_ERROR_ARGUMENT: the message names what is no setting. `text` NULL is "".
lc_status lc_cuda_settings_parse(lc_cuda_settings *settings, const char *text, lc_message *message);

// "auto", "yes" or "no".
const char *lc_cuda_when_name(lc_cuda_when when);

// The first GPU that kernels can run on, which is looked for once in a process: false if there is
// none. *reason is one sentence either way, valid until the process ends.
bool lc_cuda_first_gpu(lc_context *context, lc_device_facts *facts, const char **reason);

// The facts of the GPU that the settings name. Returns LC_OK, what lc_device_find_facts does, or
// LC_ERROR_UNSUPPORTED: it cannot be used.
lc_status lc_cuda_gpu_choose(lc_device_facts *facts, lc_context *context,
                             const lc_cuda_settings *settings, lc_message *message);

// The plan for a board and a rule: the one that the context keeps after tuning (cuda_plan_store.h),
// if there is one and the text says nothing else; or the guess, changed as the text says. With
// settled=yes the guess is one that allows it, and LC_ERROR_ARGUMENT that the text's is not.
lc_status lc_cuda_plan_choose(lc_cuda_plan *plan, const lc_cuda_settings *settings,
                              lc_context *context, const lc_device_facts *facts,
                              const lc_frame *frame, const lc_rule *rule, lc_message *message);

// Whether a board that is stepped by this plan may become one that is stepped where something
// happens, for which there has to be memory.
bool lc_cuda_may_settle(const lc_cuda_settings *settings, const lc_cuda_plan *plan,
                        const lc_frame *frame, const lc_topology *topology, const lc_rule *rule);

// For whom a plan was kept: the GPU, the rule, and the context; NULL: no plan that was kept counts.
typedef struct lc_cuda_where {
    lc_context *context;
    const lc_device_facts *facts;
    const lc_rule *rule;
} lc_cuda_where;

// The bands of a plan that was chosen, or none, as the settings say, or as they must be in so many
// bytes of the GPU's memory; 0: all that there is. If they must be, a plan that was kept for that
// comes first, as above. What does not fit either way has the lowest bands. LC_ERROR_ARGUMENT:
// settled=yes needs two buffers.
lc_status lc_cuda_bands_choose(lc_cuda_plan *plan, const lc_cuda_settings *settings,
                               const lc_cuda_where *where, const lc_frame *frame,
                               const lc_topology *topology, uint64_t room_bytes,
                               lc_message *message);

#endif
