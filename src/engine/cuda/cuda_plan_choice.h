// Chooses the GPU that steps a board, and the plan: from the engine's settings, from a plan stored
// by tuning, or by a model's guess.
#ifndef LC_ENGINE_CUDA_CUDA_PLAN_CHOICE_H
#define LC_ENGINE_CUDA_CUDA_PLAN_CHOICE_H

#include "engine/cuda/cuda_plan.h"
#include "engine/engine_interface.h"

// When the engine steps only the active tiles of a board (cuda_adaptive.h): settled=. When it steps
// a board in place (cuda_in_place.h): in-place=. Stepping in place is worth it if two buffers do
// not fit.
typedef enum lc_cuda_when {
    LC_CUDA_IF_WORTH, // auto
    LC_CUDA_ALWAYS,   // yes
    LC_CUDA_NEVER,    // no
} lc_cuda_when;

// The parsed settings of an engine such as "cuda:device=1,settled=no,words=4,generations=8".
// lc_cuda_plan_parse reads those of the plan.
typedef struct lc_cuda_settings {
    int device; // -1: the first usable GPU
    lc_cuda_when settled, in_place;
    char plan[LC_ENGINE_SETTINGS_BYTES]; // the plan's settings; "": none
} lc_cuda_settings;

// Parses settings. A `text` of NULL means "". LC_ERROR_ARGUMENT: the message names the invalid
// setting.
lc_status lc_cuda_settings_parse(lc_cuda_settings *settings, const char *text, lc_message *message);

// Returns "auto", "yes" or "no".
const char *lc_cuda_when_name(lc_cuda_when when);

// Finds the first GPU that kernels can run on. Looks once in a process. Returns false if it finds
// none. *reason is one sentence in both cases, valid until the process ends.
bool lc_cuda_first_gpu(lc_context *context, lc_device_facts *facts, const char **reason);

// Finds the facts of the GPU that the settings name. LC_OK; an error of lc_device_find_facts;
// LC_ERROR_UNSUPPORTED (the GPU cannot be used).
lc_status lc_cuda_gpu_choose(lc_device_facts *facts, lc_context *context,
                             const lc_cuda_settings *settings, lc_message *message);

// Chooses the plan for a board and a rule. This is the plan that tuning has stored in the context
// (cuda_plan_store.h), if it agrees with the text. Otherwise it is the guess, changed by the text.
// With settled=yes the guess allows settled stepping; LC_ERROR_ARGUMENT if the text's plan does
// not.
lc_status lc_cuda_plan_choose(lc_cuda_plan *plan, const lc_cuda_settings *settings,
                              lc_context *context, const lc_device_facts *facts,
                              const lc_frame *frame, const lc_rule *rule, lc_message *message);

// Returns whether a board with this plan may later be stepped by active tiles only, which needs
// memory.
bool lc_cuda_may_settle(const lc_cuda_settings *settings, const lc_cuda_plan *plan,
                        const lc_frame *frame, const lc_topology *topology, const lc_rule *rule);

// The key of stored plans: the GPU, the rule and the context. NULL: stored plans are ignored.
typedef struct lc_cuda_where {
    lc_context *context;
    const lc_device_facts *facts;
    const lc_rule *rule;
} lc_cuda_where;

// Chooses the bands of a chosen plan, or none: as the settings say, or as `room_bytes` of GPU
// memory require; 0: all of its memory. In place, a plan stored for that comes first, as above. A
// board that does not fit either way gets the lowest bands. LC_ERROR_ARGUMENT: settled=yes needs
// two buffers.
lc_status lc_cuda_bands_choose(lc_cuda_plan *plan, const lc_cuda_settings *settings,
                               const lc_cuda_where *where, const lc_frame *frame,
                               const lc_topology *topology, uint64_t room_bytes,
                               lc_message *message);

#endif
