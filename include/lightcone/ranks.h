// Several processes that are one: they share the boards of one program, on one machine or many.
//
// All of them run the same program, started together by MPI's `mpirun`, and each has a number, its
// rank. Rank 0 is the program: what it does with universes is what it always does. The others serve
// it: they hold their rows of each bounded board, step them, and fill halos from each other. A
// program takes three lines for that, at its beginning:
//
//     lc_ranks_open(&ranks, "/usr/lib/lightcone/lightcone-mpi.so", &message);
//     if (lc_ranks_rank(ranks) > 0)
//         return lc_ranks_serve(ranks, context, &message) == LC_OK ? 0 : 1;
//
// and names them in lc_context_options.ranks of the contexts whose universes are to be shared.
//
// A rank that is lost ends all of them, by MPI: what was saved before is whole.
#ifndef LIGHTCONE_RANKS_H
#define LIGHTCONE_RANKS_H

#include "lightcone/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// Joins the processes that were started together. `component` is the file that speaks MPI, which
// this library does not need otherwise. Once a process. Returns LC_OK; LC_ERROR_SYSTEM (the file
// cannot be loaded), LC_ERROR_UNSUPPORTED (it is of another version), LC_ERROR_IO (MPI's own
// errors), LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_ranks_open(lc_ranks **out, const char *component, lc_message *message);

// This process' number, how many processes there are, and how many of them are on this machine.
LC_API int lc_ranks_rank(const lc_ranks *ranks);
LC_API int lc_ranks_count(const lc_ranks *ranks);
LC_API int lc_ranks_count_here(const lc_ranks *ranks);

// For ranks 1 and up: does what rank 0's universes ask for, with that context's threads and GPUs,
// until rank 0 closes its own. Returns LC_OK; LC_ERROR_IO (another rank cannot be reached),
// LC_ERROR_MEMORY. What goes wrong with a universe is rank 0's to say.
LC_API lc_status lc_ranks_serve(lc_ranks *ranks, lc_context *context, lc_message *message);

// Ends it, for rank 0 after its universes; the others return from lc_ranks_serve first. NULL and a
// pointer to NULL are fine.
LC_API void lc_ranks_close(lc_ranks **ranks);

#ifdef __cplusplus
}
#endif
#endif
