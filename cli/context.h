// The command's context, configured from environment variables.
#ifndef LC_CLI_CONTEXT_H
#define LC_CLI_CONTEXT_H

#include "lightcone/context.h"

// Returns the context that all universes of this command share, creating it at the first call.
// Returns NULL, which selects the defaults, if out of memory. The context starts its threads when
// they first have work. There is one for each CPU that no other rank uses (ranks.h).
//
// Environment variables:
//
//     LIGHTCONE_CACHE    folder for compiled kernels and tuned plans; "": no folder. Default:
//                        $XDG_CACHE_HOME/lightcone, or ~/.cache/lightcone
//     LIGHTCONE_CUDA     path of the CUDA driver library
//     LIGHTCONE_NVRTC    path of the NVRTC library. Without it, lightcone also searches ~/.local
//                        and the folders in CUDA_HOME, CUDA_PATH, CONDA_PREFIX and VIRTUAL_ENV
lc_context *lc_cli_context(void);

// Releases the context. Call it at the end of the command.
void lc_cli_context_end(void);

#endif
