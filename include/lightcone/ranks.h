// Ranks: processes of one program, on one or more machines, that share the program's boards.
//
// Example:
//
//     lc_ranks *ranks;
//     if (lc_ranks_open(&ranks, "/usr/lib/lightcone/lightcone-mpi.so", &message) != LC_OK)
//         return 1;
//     if (lc_ranks_rank(ranks) > 0)
//         return lc_ranks_serve(ranks, context, &message) == LC_OK ? 0 : 1; // ends with rank 0.
//
// MPI's `mpirun` starts all processes with the same program. Each process has a number, its rank.
// After the lines of the example, rank 0 creates a context with lc_context_options.ranks and uses
// universes as usual. Ranks 1 and higher stay in lc_ranks_serve. Each rank in lc_ranks_serve stores
// its rows of every bounded board, steps these rows, and exchanges halos with the other ranks.
//
// If a rank is lost, MPI ends all ranks. Files that were saved before the loss of a rank remain
// valid.
#ifndef LIGHTCONE_RANKS_H
#define LIGHTCONE_RANKS_H

#include "lightcone/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// Joins the processes that `mpirun` has started together. Call lc_ranks_open once per process.
// `component` is the path of the shared object that uses MPI. The library itself does not need MPI.
// The caller closes the ranks. Returns LC_OK; LC_ERROR_SYSTEM (the file cannot be loaded);
// LC_ERROR_UNSUPPORTED (the file is of another version); LC_ERROR_IO (an error of MPI);
// LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_ranks_open(lc_ranks **out, const char *component, lc_message *message);

// Return the rank of this process, the number of ranks, and the number of ranks on this machine.
LC_API int lc_ranks_rank(const lc_ranks *ranks);
LC_API int lc_ranks_count(const lc_ranks *ranks);
LC_API int lc_ranks_count_here(const lc_ranks *ranks);

// Executes this rank's part of the work for the universes and censuses of rank 0, with the threads
// and GPUs of `context`. Returns when rank 0 calls lc_ranks_close. Only ranks 1 and higher call
// lc_ranks_serve. Rank 0 reports the errors of its universes.
// Returns LC_OK; LC_ERROR_IO (another rank cannot be reached); LC_ERROR_MEMORY.
LC_API lc_status lc_ranks_serve(lc_ranks *ranks, lc_context *context, lc_message *message);

// Ends the connection and sets *ranks to NULL. Rank 0 calls lc_ranks_close after it has destroyed
// its universes and censuses. Ranks 1 and higher call lc_ranks_close after lc_ranks_serve has
// returned. Accepts NULL and a pointer to NULL.
LC_API void lc_ranks_close(lc_ranks **ranks);

#ifdef __cplusplus
}
#endif
#endif
