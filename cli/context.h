// The one context of a command, and what the environment says about it.
#ifndef LC_CLI_CONTEXT_H
#define LC_CLI_CONTEXT_H

#include "lightcone/context.h"

// The context of all universes of this command, made when it is first asked for; NULL, the
// defaults, if there is no memory for it. Threads: one for each CPU that is not another rank's
// (ranks.h), started when they are needed.
// What the environment adds:
//
//     LIGHTCONE_CACHE    where compiled kernels and tuned plans are kept; "": nowhere. If it is not
//                        set, $XDG_CACHE_HOME/lightcone, else ~/.cache/lightcone
//     LIGHTCONE_CUDA     the CUDA driver's library
//     LIGHTCONE_NVRTC    NVRTC's. If it is not set, that is also looked for in what CUDA_HOME,
//                        CUDA_PATH, CONDA_PREFIX and VIRTUAL_ENV name, and in ~/.local
lc_context *lc_cli_context(void);

// Gives the context up, at the end.
void lc_cli_context_end(void);

#endif
