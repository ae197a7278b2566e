// The command's context, configured from environment variables.
#ifndef LC_CLI_SHARED_CONTEXT_H
#define LC_CLI_SHARED_CONTEXT_H

#include "lightcone/context.h"

// Returns the context that all universes of this command share. The first call creates the context.
// If out of memory, returns NULL, and the library uses a default context. The context starts its
// threads when they first have work. The context has one thread for each CPU that no other rank
// uses (mpi_ranks.h).
//
// Environment variables configure the context.
//
//     LIGHTCONE_CACHE    folder for compiled kernels and tuned plans; "": no folder. The
//                        default folder is $XDG_CACHE_HOME/lightcone, or ~/.cache/lightcone.
//     LIGHTCONE_CUDA     path of the CUDA driver library.
//     LIGHTCONE_NVRTC    path of the NVRTC library. Without LIGHTCONE_NVRTC, lightcone also
//                        searches ~/.local and the folders in CUDA_HOME, CUDA_PATH, CONDA_PREFIX
//                        and VIRTUAL_ENV.
lc_context *lc_cli_context(void);

// Sets the number of threads of the context; 0: as above. Call this function before the first call
// of lc_cli_context.
void lc_cli_context_set_threads(int threads);

// Releases the context at the end of the command.
void lc_cli_context_end(void);

#endif
