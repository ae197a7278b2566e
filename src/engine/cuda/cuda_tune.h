// The autotuner of the engine (lc_engine_vtable.tune).
#ifndef LC_ENGINE_CUDA_CUDA_TUNE_H
#define LC_ENGINE_CUDA_CUDA_TUNE_H

#include "engine/engine_interface.h"

lc_status lc_cuda_tune(const lc_engine_config *config, lc_gpu_tuned callback,
                       void *callback_context, lc_message *message);

#endif
